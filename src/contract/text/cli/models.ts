export const modelsText = () =>
  ({
    "models.fallback_builtin": {
      en: "fallback_models: {model} cannot be a fallback; remove it",
      zh: "fallback_models：{model} 不能作为备用模型；请将其移除",
    },
    "models.fallback.given": {
      en: "Switched from {from} to {to} ({why}).",
      zh: "已从 {from} 切换到 {to}（{why}）。",
    },
    "models.fallback.refused": {
      en: "Not switched from {from} to {to}: you declined.",
      zh: "未从 {from} 切换到 {to}：你已拒绝。",
    },
    "models.fallback.unusable": {
      en: "Cannot switch from {from} to {to}: {problem}",
      zh: "无法从 {from} 切换到 {to}：{problem}",
    },
    "models.fallback.not_open": { en: "No model switch is pending", zh: "当前没有待确认的模型切换" },
    "models.fallback.advice": {
      en: "Another model could continue: use --fallback (or fallback.headless: true in your config) to switch to {to} without being asked, or choose one with --model and --continue.",
      zh: "可以换用其他模型继续：使用 --fallback（或在配置中设置 fallback.headless: true）可不经询问切换到 {to}，也可用 --model 与 --continue 选择模型。",
    },
    "models.row_full": { en: "context {window} tokens{price}{able}", zh: "上下文 {window} token{price}{able}" },
    "models.row_builtin": {
      en: "built in: fixed rules, no AI, no network (docs/guide/mechanic.md)",
      zh: "coder 自带：固定规则，不是 AI，不联网（docs/guide/mechanic.md）",
    },
    "models.row_price": { en: ", {input} in / {output} out per million", zh: "，每百万输入 {input} / 输出 {output}" },
    "models.row_cached": { en: " ({cached} cached)", zh: "（缓存 {cached}）" },
    "models.row_long": { en: ", more beyond {over} tokens", zh: "，超过 {over} token 更贵" },
    "models.can.images": { en: "images", zh: "图片" },
    "models.can.effort": { en: "effort", zh: "思考强度" },
    "models.can.no_tools": { en: "no tools", zh: "不支持工具" },
    "models.footnote": {
      en: "Prices are US dollars per million tokens, as published by the vendors on the date in --json; set your own in config.json (models.<ref>.price).",
      zh: "价格为每百万 token 的美元价，以 --json 所示日期厂商公布的为准；可在 config.json 的 models.<ref>.price 中自行设置。",
    },
    "models.search.none": {
      en: "No known model matches {given}.",
      zh: "没有已知的模型符合 {given}。",
    },
    "models.search.none.advice": {
      en: "Write it as provider/name, or see coder models and coder models PROVIDER --online.",
      zh: "请写作 provider/name，或查看 coder models 与 coder models 提供商 --online。",
    },
    "models.search.many": { en: "{given} matches several models:\n{rows}", zh: "有多个模型符合 {given}：\n{rows}" },
    "models.search.many.advice": { en: "Give more of the name.", zh: "请写得更具体。" },
    "models.search.begun.advice": {
      en: "Give more of the name. If you mean {given} itself: coder --model {given}, or coder config set model {given}.",
      zh: "请写得更具体。若指的就是 {given}：coder --model {given}，或 coder config set model {given}。",
    },
    "models.effort.is": { en: "reasoning effort: {effort}", zh: "思考强度：{effort}" },
    "models.effort.bad": { en: "--effort must be one of: {choices}", zh: "--effort 必须是以下之一：{choices}" },
    "models.effort.untaken": {
      en: "{model} is not known to support a reasoning effort, so none is sent. If it does, set models.<ref>.reasoning in config.json.",
      zh: "不确定 {model} 是否支持思考强度，因此不会发送。可在 config.json 的 models.<ref>.reasoning 中声明其支持。",
    },
    "advice.model_tools": {
      en: "This model or server does not accept tools: choose another model (coder models), or start llama.cpp with --jinja, vLLM with --enable-auto-tool-choice and --tool-call-parser.",
      zh: "该模型或服务当前不支持工具：请换用其他模型（coder models），或用 --jinja 启动 llama.cpp，用 --enable-auto-tool-choice 与 --tool-call-parser 启动 vLLM。",
    },
    "network.ca_unreadable": {
      en: "network.ca_file {file} cannot be read ({code})",
      zh: "无法读取 network.ca_file {file}（{code}）",
    },
    "network.ca_empty": {
      en: "network.ca_file {file} contains no PEM certificate",
      zh: "network.ca_file {file} 中没有 PEM 格式的证书",
    },
    "network.ca.advice": {
      en: "Name a file that starts with -----BEGIN CERTIFICATE-----.",
      zh: "请指定以 -----BEGIN CERTIFICATE----- 开头的文件。",
    },
    "local.window_unknown": {
      en: "{host} does not report the context size of {model}; coder assumes {window} tokens. Set it with coder setup, or models.<ref>.context_window in config.json.",
      zh: "{host} 未说明给予 {model} 的上下文大小；按 {window} token 处理。可用 coder setup 或 config.json 的 models.<ref>.context_window 设置。",
    },
    "local.window_small": {
      en: "{host} gives {model} a context of only {window} tokens and silently cuts off the rest: run coder setup to enlarge it.",
      zh: "{host} 只给 {model} {window} token 的上下文，超出部分会被悄悄截断：请运行 coder setup 将其调大。",
    },
    "local.truncated": {
      en: "{model} reports reading {read} of about {sent} tokens: its server truncated the request. Give it a larger context (coder setup, or OLLAMA_CONTEXT_LENGTH), or set models.<ref>.context_window to its real size.",
      zh: "{model} 报告只读取了约 {sent} token 中的 {read} 个：其服务器截断了请求。请调大上下文（coder setup 或 OLLAMA_CONTEXT_LENGTH），或将 models.<ref>.context_window 设为实际大小。",
    },
  }) as const;
