export const setupText = () =>
  ({
    "setup.keys_unreadable": {
      en: "{file} is not a valid key file (a table of providers and keys)",
      zh: "{file} 不是提供商与密钥的对照表",
    },
    "setup.keychain_refused": { en: "the system keychain did not accept the key", zh: "系统钥匙串未接受密钥" },
    "setup.keychain_refused.advice": {
      en: "Unlock it and try again, or keep the key in a file.",
      zh: "请解锁后重试，或将密钥保存在文件中。",
    },
    "setup.context_refused": {
      en: "Ollama did not create {model} with a context of {context} tokens",
      zh: "Ollama 未能创建上下文为 {context} token 的 {model}",
    },
    "setup.context_refused.advice": {
      en: "Start the server with OLLAMA_CONTEXT_LENGTH={context}, or choose a smaller size.",
      zh: "请用 OLLAMA_CONTEXT_LENGTH={context} 启动服务，或选择较小的值。",
    },
    "cli.flag.live": {
      en: "make one small real tool call: time, tokens, cost",
      zh: "进行一次带工具的小型真实调用：耗时、token、费用",
    },
    "cli.flag.fallback": {
      en: "if the model cannot be reached, continue with the next of fallback_models without asking",
      zh: "模型不可用时，不经询问改用 fallback_models 中的下一个",
    },
    "cli.file.keys": { en: "keys entered with coder setup (mode 0600)", zh: "用 coder setup 输入的密钥（权限 0600）" },
    "setup.about": { en: "find a model or enter a key, and remember it", zh: "查找模型或输入密钥，并记住设置" },
    "setup.no_terminal": {
      en: "coder setup asks questions: it needs a terminal",
      zh: "coder setup 需要在终端中回答问题",
    },
    "setup.looking": {
      en: "Looking for a model server on this machine …",
      zh: "正在查找本机上的模型服务 …",
    },
    "setup.found_none": { en: "None found.", zh: "未找到。" },
    "setup.found": { en: "Found:", zh: "已找到：" },
    "setup.found_row": { en: "{server} at {url}: {models}", zh: "{server}（{url}）：{models}" },
    "setup.no_models": { en: "no model loaded", zh: "未加载模型" },
    "setup.choose": { en: "What should coder use?", zh: "coder 应使用什么？" },
    "setup.option.model": { en: "{ref} ({context})", zh: "{ref}（{context}）" },
    "setup.option.context": { en: "context {context} tokens", zh: "上下文 {context} token" },
    "setup.option.context_unknown": { en: "context size not known yet", zh: "上下文尚不清楚" },
    "setup.option.key": { en: "Enter an API key", zh: "输入 API 密钥" },
    "setup.option.builtin": {
      en: "Continue without a model: builtin/mechanic (no AI; repairs small faults, runs tests, searches)",
      zh: "不用模型：builtin/mechanic（不是 AI；可修复小错误、运行测试、搜索）",
    },
    "setup.option.later": { en: "Skip, don't ask again", zh: "跳过，不再询问" },
    "setup.number": { en: "Number: ", zh: "编号：" },
    "setup.bad_number": { en: "Enter a number from 1 to {max}.", zh: "请输入 1 到 {max} 的数字。" },
    "setup.context": {
      en: "{model} supports a context of up to {largest} tokens; Ollama gives it {now} and silently cuts off the rest.\nA larger context needs more memory. coder creates a model named {name} for it (it shares the weights).\nTokens [{usual}]: ",
      zh: "{model} 的上下文最多可达 {largest} token；Ollama 目前给它 {now}，超出部分会被悄悄截断。\n更大的上下文需要更多内存。coder 将另建一个名为 {name} 的模型（共享权重）。\nToken 数 [{usual}]：",
    },
    "setup.context_default": { en: "its default (often 4096)", zh: "默认值（通常为 4096）" },
    "setup.trying": { en: "Testing {model} with one tool call …", zh: "正在用一次工具调用测试 {model} …" },
    "setup.works": { en: "It works: the model called the tool after {s} s.", zh: "可用：{s} 秒后调用了工具。" },
    "setup.no_call": {
      en: "{model} answered but did not call the tool; its answer: {text}",
      zh: "{model} 有回答，但没有调用工具；它说：{text}",
    },
    "setup.no_call.advice": {
      en: "It can chat but can hardly do any work. Choose a model made for tools (coder models), or try again.",
      zh: "它可以对话，但难以完成工作。请选择支持工具的模型（coder models），或重试。",
    },
    "setup.use_anyway": { en: "Use it anyway? [y/N] ", zh: "仍然使用？[y/N] " },
    "setup.provider": { en: "Whose key is it?", zh: "是哪家提供商的密钥？" },
    "setup.option.server": { en: "Use another server (URL)", zh: "使用其他服务（URL）" },
    "setup.server": {
      en: "Address up to the version, for example https://llm.example.com/v1: ",
      zh: "地址（到版本号为止，例如 https://llm.example.com/v1）：",
    },
    "setup.bad_server": {
      en: "{address} is not an address that starts with http:// or https://.",
      zh: "{address} 不是以 http:// 或 https:// 开头的地址。",
    },
    "setup.server_key": {
      en: "Key for {provider} (not shown; Enter = none): ",
      zh: "{provider} 的密钥（不显示；直接按 Enter 表示没有）：",
    },
    "setup.server_model": { en: "Which of its models?", zh: "使用它的哪个模型？" },
    "setup.model_other": { en: "Another one", zh: "其他模型" },
    "setup.model_name": { en: "Name of the model: ", zh: "模型名称：" },
    "setup.key": { en: "Key for {provider} (not shown): ", zh: "{provider} 的密钥（不显示）：" },
    "setup.where": {
      en: "Save it in the system keychain ({keychain}) instead of {file}? [Y/n] ",
      zh: "保存到系统钥匙串（{keychain}）而不是 {file}？[Y/n] ",
    },
    "setup.model": { en: "Model (? lists them) [{usual}]: ", zh: "模型（? 列出全部）[{usual}]：" },
    "setup.known_models": {
      en: "Known models ($ per 1M tokens, input / output):",
      zh: "已知模型（每百万 token 输入/输出 $）：",
    },
    "setup.no_known_models": { en: "coder knows no models of this provider.", zh: "coder 不了解此提供商的模型。" },
    "setup.kept": { en: "Saved: coder now uses {model} ({file}).", zh: "已保存：今后使用 {model}（{file}）。" },
    "setup.key_kept": { en: "Saved the {provider} key in {where}.", zh: "已将 {provider} 的密钥保存到 {where}。" },
    "setup.later": {
      en: "coder will not ask again; to set it up later: coder setup.",
      zh: "coder 不会再询问；以后可运行 coder setup 设置。",
    },
    "setup.stopped": { en: "Stopped. Nothing else was changed.", zh: "已停止。未做其他更改。" },
    "setup.context_made": { en: "Created {name}.", zh: "已创建 {name}。" },
    "doctor.no_model.advice": {
      en: "Run coder setup, or set a vendor's key variable and --model provider/name, or use --model builtin/mechanic, which needs no key.",
      zh: "请运行 coder setup，或设置厂商的密钥变量并使用 --model provider/name，或使用无需密钥的 --model builtin/mechanic。",
    },
    "doctor.local_none": {
      en: "no Ollama, LM Studio, llama.cpp or vLLM at their default ports",
      zh: "在常用端口未发现 Ollama、LM Studio、llama.cpp 或 vLLM",
    },
    "doctor.local": { en: "{server} at {url}: {models}", zh: "{server}（{url}）：{models}" },
    "doctor.local_small": {
      en: "{ref} has a context of only {context} tokens",
      zh: "{ref} 的上下文只有 {context} token",
    },
    "doctor.local_small.advice": {
      en: "Its server silently cuts off the rest. Run coder setup to enlarge it.",
      zh: "超出部分会被其服务悄悄截断。请运行 coder setup 将其调大。",
    },
    "doctor.keys_none": {
      en: "none saved; keys come from variables or config.json",
      zh: "未保存；密钥来自变量或 config.json",
    },
    "doctor.keys": { en: "saved for: {names}", zh: "已保存：{names}" },
    "doctor.keys_lost": {
      en: "the system keychain does not return the {name} key",
      zh: "系统钥匙串未给出 {name} 的密钥",
    },
    "doctor.keys_lost.advice": {
      en: "Unlock it, or enter the key again: coder setup",
      zh: "请解锁，或重新输入密钥：coder setup",
    },
    "doctor.keys_bad.advice": {
      en: "Move it away and enter the keys again: coder setup",
      zh: "请将其移走并重新输入密钥：coder setup",
    },
    "doctor.no_price": {
      en: "the price of {model} is unknown, but a budget (max_cost) is set, so no task can start",
      zh: "不知道 {model} 的价格，且设置了预算（max_cost）：任何任务都无法开始",
    },
    "doctor.no_price.advice": {
      en: "Set models.<ref>.price in config.json, or remove the budget.",
      zh: "请在 config.json 中写明（models.<ref>.price），或去掉预算。",
    },
    "doctor.no_tools": {
      en: "{model} does not support tools, so it cannot work on files",
      zh: "已知 {model} 不支持工具：无法处理文件",
    },
    "doctor.no_tools.advice": { en: "Choose another: coder models", zh: "请选择其他模型：coder models" },
    "doctor.live": {
      en: "{model} called the tool: {ms} ms ({first} ms to the first token), {input} tokens in, {output} out{cost}",
      zh: "{model} 调用了工具：{ms} 毫秒（首字 {first} 毫秒），输入 {input} token，输出 {output} token{cost}",
    },
    "setup.unreachable.advice": {
      en: "Check the model name, the address, the key and the network; a server on this machine must be running.",
      zh: "请检查模型名称、地址、密钥和网络；本机上的服务必须正在运行。",
    },
    "doctor.live_none": { en: "no call was made: {why}", zh: "未进行调用：{why}" },
    "doctor.live_builtin": {
      en: "{model} is built in: there is nothing to call",
      zh: "{model} 是内置的：无需调用",
    },
    "doctor.live_cost": { en: ", {cost}", zh: "，{cost}" },
    "doctor.live_text": {
      en: "{model} answered after {ms} ms without calling the tool: {text}",
      zh: "{model} 在 {ms} 毫秒后回答，但未调用工具：{text}",
    },
    "doctor.proxy": { en: "model requests go through {host}", zh: "模型请求经由 {host}" },
    "doctor.ca": { en: "also trusted: {file}", zh: "额外信任：{file}" },
  }) as const;
