export const attachText = () =>
  ({
    "attach.done": { en: "attached: {names}", zh: "已附上：{names}" },
    "attach.unseen": {
      en: "{names}: {model} is not known to accept images, so only the name and size reach it; choose a model that does (/model), or set models.{model}.images in your config",
      zh: "{names}：未知 {model} 可接收图片，因此只会得到名称和大小；请选择支持图片的模型（/model），或在配置中设置 models.{model}.images",
    },
    "attach.cut": {
      en: "only the beginning of {names} was attached; the model can read the rest",
      zh: "{names} 只附上了开头部分；模型可以读取其余内容",
    },
    "attach.refused": {
      en: "@{path} was not read and stays plain text:\n{reasons}",
      zh: "@{path} 未被读取，仍为普通文字：\n{reasons}",
    },
    "attach.ask": {
      en: "the model may ask to read it; then you decide",
      zh: "模型可以请求读取它，届时由你决定",
    },
    "attach.ask_or": {
      en: "the model may ask to read it; then you decide. With {flags}, coder attaches it",
      zh: "模型可以请求读取它，届时由你决定；以 {flags} 启动时，coder 会附上它",
    },
    "attach.off": {
      en: "the tool {tool} is switched off (tools.off); switch it on to attach it",
      zh: "工具 {tool} 已被关闭（tools.off）；如要附上，请启用该工具",
    },
    "attach.problem": { en: "could not attach @{path}: {problem}", zh: "@{path} 无法附上：{problem}" },
    "attach.slow": {
      en: "reading {path} took longer than {seconds} s",
      zh: "读取 {path} 超过 {seconds} 秒",
    },
    "attach.slow.advice": {
      en: "Read only some of its lines.",
      zh: "请按行只读取其中一部分。",
    },
    "attach.too_many": {
      en: "at most {max} files or folders can be attached to one message; left out, but the model can read them: {names}",
      zh: "一条消息最多附上 {max} 个文件或目录；未附上、但模型可自行读取的有：{names}",
    },
    "attach.full": {
      en: "a message may attach at most {size}; left out, but the model can read them: {names}",
      zh: "一条消息最多附带 {size}；未附上、但模型可自行读取的有：{names}",
    },
    "attach.cancelled": { en: "cancelled before the message was sent", zh: "输入尚未发送即已取消" },
    "attach.cancelled.advice": { en: "Nothing was saved; send it again.", zh: "未保留任何内容：请重新发送。" },
    "attach.too_long": {
      en: "the message has {size}; the limit is {max}",
      zh: "输入为 {size}；最多接受 {max}",
    },
    "attach.too_long.advice": {
      en: "Save it to a file in the workspace and mention that: @path.",
      zh: "请将其存为工作区内的文件并提及：@路径。",
    },
    "attach.pasted": {
      en: "the message is long ({size}): the model gets its beginning and end, and can read all of it in {path}",
      zh: "输入较长（{size}）：模型会得到开头和结尾，并可在 {path} 中读取全文",
    },
    "attach.unkept": {
      en: "the message is long ({size}) and was sent whole: its copy could not be saved ({problem})",
      zh: "输入较长（{size}），将整体发送：无法写入其副本（{problem}）",
    },
  }) as const;
