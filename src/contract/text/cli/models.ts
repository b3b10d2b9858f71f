/** Catalogue, choice of a model, fallback, network. */
export const modelsText = () =>
  ({
    "models.fallback_builtin": {
      en: "fallback_models: {model} cannot stand in for another model; take it out",
      zh: "fallback_models：{model} 不能代替其他模型；请将其移除",
    },
    "models.fallback.given": {
      en: "{from} is out of reach ({why}); going on with {to}.",
      zh: "无法使用 {from}（{why}）；改用 {to} 继续。",
    },
    "models.fallback.refused": {
      en: "{to} was not taken instead of {from}: the answer was no.",
      zh: "未改用 {to} 代替 {from}：回答为否。",
    },
    "models.fallback.unusable": {
      en: "{to} cannot be taken instead of {from}: {problem}",
      zh: "无法改用 {to} 代替 {from}：{problem}",
    },
    "models.fallback.not_open": { en: "nobody asks for another model now", zh: "当前没有等待回答的换用模型问题" },
    "models.fallback.advice": {
      en: "Another model could go on: give --fallback (or fallback.headless: true in your config) to take {to} without being asked, or choose one with --model and --continue.",
      zh: "可以换用其他模型继续：使用 --fallback（或在配置中设置 fallback.headless: true）可不经询问改用 {to}，也可用 --model 与 --continue 选择模型。",
    },
    "models.row_full": { en: "context {window} tokens{price}{able}", zh: "上下文 {window} token{price}{able}" },
    "models.row_builtin": {
      en: "comes with coder: fixed rules, no AI, no network (docs/mechanic.md)",
      zh: "coder 自带：固定规则，不是 AI，不联网（docs/mechanic.md）",
    },
    "models.row_price": { en: ", {input} in / {output} out per million", zh: "，每百万输入 {input} / 输出 {output}" },
    "models.row_cached": { en: " ({cached} cached)", zh: "（缓存 {cached}）" },
    "models.row_long": { en: ", more above {over} tokens", zh: "，超过 {over} token 更贵" },
    "models.can.images": { en: "images", zh: "图片" },
    "models.can.effort": { en: "effort", zh: "思考强度" },
    "models.can.no_tools": { en: "no tools", zh: "不支持工具" },
    "models.footnote": {
      en: "Prices in US dollars for a million tokens, as their vendors said on the day given by --json; your own are models.<ref>.price in config.json.",
      zh: "价格为每百万 token 的美元价，以 --json 所示日期厂商公布的为准；可在 config.json 的 models.<ref>.price 中自行设置。",
    },
    "models.search.none": {
      en: "No model that is known here fits {given}.",
      zh: "没有已知的模型符合 {given}。",
    },
    "models.search.none.advice": {
      en: "Write it as provider/name, or see coder models and coder models PROVIDER --online.",
      zh: "请写作 provider/name，或查看 coder models 与 coder models 提供方 --online。",
    },
    "models.search.many": { en: "{given} fits several models:\n{rows}", zh: "有多个模型符合 {given}：\n{rows}" },
    "models.search.many.advice": { en: "Say more of the name.", zh: "请写得更具体。" },
    "models.search.begun.advice": {
      en: "Say more of the name. If {given} itself is meant: coder --model {given}, or coder config set model {given}.",
      zh: "请写得更具体。若指的就是 {given}：coder --model {given}，或 coder config set model {given}。",
    },
    "models.effort.is": { en: "reasoning effort: {effort}", zh: "思考强度：{effort}" },
    "models.effort.bad": { en: "--effort must be one of: {choices}", zh: "--effort 必须是以下之一：{choices}" },
    "models.effort.untaken": {
      en: "{model} is not known to take a reasoning effort; it is not sent. Say that it does with models.<ref>.reasoning in config.json.",
      zh: "不确定 {model} 是否支持思考强度，因此不会发送。可在 config.json 的 models.<ref>.reasoning 中声明其支持。",
    },
    "advice.model_tools": {
      en: "This model or server takes no tools as it was started: choose another model (coder models), or start llama.cpp with --jinja, vLLM with --enable-auto-tool-choice and --tool-call-parser.",
      zh: "该模型或服务当前不支持工具：请换用其他模型（coder models），或用 --jinja 启动 llama.cpp，用 --enable-auto-tool-choice 与 --tool-call-parser 启动 vLLM。",
    },
    "network.ca_unreadable": {
      en: "network.ca_file {file} cannot be read ({code})",
      zh: "无法读取 network.ca_file {file}（{code}）",
    },
    "network.ca_empty": {
      en: "network.ca_file {file} holds no certificate in PEM form",
      zh: "network.ca_file {file} 中没有 PEM 格式的证书",
    },
    "network.ca.advice": {
      en: "Name a file that begins with -----BEGIN CERTIFICATE-----.",
      zh: "请指定以 -----BEGIN CERTIFICATE----- 开头的文件。",
    },
    "local.window_unknown": {
      en: "{host} does not say how much context it gives {model}; {window} tokens are assumed. Set it once with coder setup, or models.<ref>.context_window in config.json.",
      zh: "{host} 未说明给予 {model} 的上下文大小；按 {window} token 处理。可用 coder setup 或 config.json 的 models.<ref>.context_window 设置。",
    },
    "local.window_small": {
      en: "{host} gives {model} a context of only {window} tokens, and cuts off silently what is longer: run coder setup to make it larger.",
      zh: "{host} 只给 {model} {window} token 的上下文，超出部分会被悄悄截断：请运行 coder setup 将其调大。",
    },
    "local.truncated": {
      en: "{model} says it read {read} tokens of about {sent} that were sent: its server has cut the conversation off. Give it a larger context (coder setup, or OLLAMA_CONTEXT_LENGTH), or set models.<ref>.context_window to what it has.",
      zh: "{model} 称只读取了约 {sent} token 中的 {read} 个：其服务器截断了对话。请调大上下文（coder setup 或 OLLAMA_CONTEXT_LENGTH），或将 models.<ref>.context_window 设为实际大小。",
    },
  }) as const;
