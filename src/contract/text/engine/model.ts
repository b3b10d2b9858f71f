export const modelText = () =>
  ({
    "model.no_key": { en: "no API key for provider {provider}", zh: "提供商 {provider} 缺少 API 密钥" },
    "model.bad_url": {
      en: "the base URL of provider {provider} is not an http(s) address",
      zh: "提供商 {provider} 的接口地址不是 http(s) 地址",
    },
    "model.bad_header": {
      en: "the key or a header of provider {provider} contains characters that HTTP does not allow: {header}",
      zh: "提供商 {provider} 的密钥或请求头包含 HTTP 不允许的字符：{header}",
    },
    "model.unreachable": {
      en: "cannot reach {provider} ({host}): {detail}",
      zh: "无法连接 {provider}（{host}）：{detail}",
    },
    "model.broken": {
      en: "the connection to {provider} ({host}) broke before the reply was complete: {detail}",
      zh: "与 {provider}（{host}）的连接在回复完成之前中断：{detail}",
    },
    "model.certificate": {
      en: "the certificate of {provider} ({host}) was rejected: {detail}",
      zh: "{provider}（{host}）的证书未被接受：{detail}",
    },
    "model.busy": {
      en: "{provider} ({host}) is unavailable: {detail}",
      zh: "{provider}（{host}）暂时无法应答：{detail}",
    },
    "model.busy_long": {
      en: "{provider} ({host}) is unavailable and asks to wait {time}: {detail}",
      zh: "{provider}（{host}）暂时无法应答，要求等待 {time}：{detail}",
    },
    "duration.seconds": { en: "{n} seconds", zh: "{n} 秒" },
    "duration.minutes": { en: "{n} minutes", zh: "{n} 分钟" },
    "duration.hours": { en: "{n} hours", zh: "{n} 小时" },
    "duration.days": { en: "{n} days", zh: "{n} 天" },
    "duration.years": { en: "more than a year", zh: "一年以上" },
    "model.idle": {
      en: "{provider} ({host}) sent nothing for {seconds} s. If the model needs longer, raise model_idle_s",
      zh: "{provider}（{host}）在 {seconds} 秒内没有发来任何回复内容。如果模型需要更长时间，请调大 model_idle_s",
    },
    "model.auth": {
      en: "{provider} ({host}) rejected the key: {detail}",
      zh: "{provider}（{host}）未接受密钥：{detail}",
    },
    "model.rejected": {
      en: "{provider} ({host}) rejected the request: {detail}",
      zh: "{provider}（{host}）拒绝了请求：{detail}",
    },
    "model.overflow": {
      en: "the request is too long for {model} at {provider} ({host}): {detail}",
      zh: "请求对 {provider}（{host}）的 {model} 来说过长：{detail}",
    },
    "model.cancelled": {
      en: "the call to {provider} ({host}) was cancelled",
      zh: "对 {provider}（{host}）的调用已取消",
    },
    "model.failed": {
      en: "{provider} ({host}) reported an error: {detail}",
      zh: "{provider}（{host}）报告错误：{detail}",
    },
    "model.unreadable": {
      en: "{provider} ({host}) sent an unreadable reply: {detail}",
      zh: "{provider}（{host}）发来的回复无法解析：{detail}",
    },
    "model.cut_short": {
      en: "{provider} ({host}) ended its reply without marking it complete",
      zh: "{provider}（{host}）未声明完成便结束了回复",
    },
    "model.no_stream": {
      en: "{provider} ({host}) answered with {form}, not with a stream of events",
      zh: "{provider}（{host}）返回的是 {form}，而不是事件流",
    },
    "model.too_large": {
      en: "reply too large: {provider} ({host}) sent more than {mib} MiB; coder stopped reading",
      zh: "回复过大：{provider}（{host}）发送超过 {mib} MiB，已停止接收",
    },
    "advice.model_key": {
      en: "Set a valid key: {names}.",
      zh: "请设置有效的密钥：{names}。",
    },
    "advice.model_wait": {
      en: "Wait a moment, or choose another model (/model, --model).",
      zh: "请稍候，或换一个模型（/model、--model）。",
    },
    "advice.model_wait_long": {
      en: "coder does not wait that long. Continue later, or now with another model (/model, --model).",
      zh: "coder 不会等待这么久。请到时再继续，或现在换一个模型继续（/model、--model）。",
    },
    "advice.model_quota": {
      en: "Top up the account at the provider or raise its limit, or choose another model (/model, --model).",
      zh: "请在提供商处充值或提高额度，或换一个模型（/model、--model）。",
    },
    "advice.model_request": {
      en: "Check the model name and the base URL (it usually ends in /v1).",
      zh: "请检查模型名称和接口地址（通常以 /v1 结尾）。",
    },
    "advice.model_overflow": {
      en: "Shorten the session with /compact, start a new one with /new, or choose a model with a larger window.",
      zh: "请用 /compact 压缩会话、用 /new 开始新会话，或选择窗口更大的模型。",
    },
    "advice.model_certificate": {
      en: "Point NODE_EXTRA_CA_CERTS at the file with your organisation's certificate.",
      zh: "请将 NODE_EXTRA_CA_CERTS 指向包含贵组织证书的文件。",
    },
  }) as const;
