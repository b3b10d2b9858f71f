export const commandText = () =>
  ({
    "command.too_many": { en: "{name} does not take: {extra}", zh: "{name} 不接受参数：{extra}" },
    "command.help.help": { en: "show this help", zh: "显示帮助" },
    "command.help.more": {
      en: "!COMMAND runs a shell command. Anything else is a task for the model.",
      zh: "!命令 执行 shell 命令。其他输入都是交给模型的任务。",
    },
    "command.mode.help": { en: "show or change the mode", zh: "查看或切换模式" },
    "command.mode.is": { en: "mode: {mode}", zh: "模式：{mode}" },
    "command.mode.unknown": {
      en: "there is no mode {given}; the modes are {modes}",
      zh: "没有模式 {given}；可用模式：{modes}",
    },
    "command.permissions.help": { en: "show what is allowed, or choose a preset", zh: "查看权限或选择预设" },
    "command.permissions.is": {
      en: "mode {mode}, preset {preset}; the stricter one decides:",
      zh: "模式 {mode}，预设 {preset}；以更严格者为准：",
    },
    "command.permissions.unknown": {
      en: "there is no preset {given}; the presets are {presets}",
      zh: "没有预设 {given}；可用预设：{presets}",
    },
    "command.model.help": { en: "show or change the model", zh: "查看或切换模型" },
    "command.model.is": { en: "model: {model}", zh: "模型：{model}" },
    "command.model.not_kept": {
      en: "The choice could not be stored in {path}; it holds for this session only.",
      zh: "无法将选择保存到 {path}；仅对本次会话有效。",
    },
    "command.new.help": { en: "start a fresh session; the old one stays resumable", zh: "开始新会话；旧会话仍可恢复" },
    "command.new.done": { en: "New session.", zh: "已开始新会话。" },
    "command.new.done_from": {
      en: "New session. The old one: /resume {id}",
      zh: "已开始新会话。恢复旧会话：/resume {id}",
    },
    "command.resume.help": { en: "list sessions, or continue one", zh: "列出会话，或继续某个会话" },
    "command.resume.done": { en: "Session {id} is open ({phase}).", zh: "会话 {id} 已打开（{phase}）。" },
    "command.resume.missing": {
      en: "there is no session {id}, or several begin like that",
      zh: "没有会话 {id}，或有多个会话以此开头",
    },
    "command.resume.missing.advice": {
      en: "Use a full id from /sessions; nothing was changed.",
      zh: "请使用 /sessions 中的完整 id；未做任何更改。",
    },
    "command.resume.held": {
      en: "session {id} is open in another process (pid {pid})",
      zh: "会话 {id} 正被另一个进程使用（pid {pid}）",
    },
    "command.resume.held.advice": {
      en: "End that process, or continue a copy with --fork.",
      zh: "请结束该进程，或用 --fork 在副本上继续。",
    },
    "command.resume.elsewhere": {
      en: "session {id} belongs to the folder {workspace}",
      zh: "会话 {id} 属于目录 {workspace}",
    },
    "command.resume.elsewhere.advice": {
      en: "Continue it there: --cwd {workspace}",
      zh: "请在那里继续：--cwd {workspace}",
    },
    "command.resume.snapshot": {
      en: "session {id} is not in the store, but this folder has a snapshot of it",
      zh: "存储中没有会话 {id}，但此目录中有它的快照",
    },
    "command.resume.snapshot.advice": {
      en: "To go on from the snapshot, as untrusted history and without anything that was pending: --resume {id} --from-snapshot",
      zh: "若要从快照继续（作为不可信的历史，且不执行任何未完成的操作）：--resume {id} --from-snapshot",
    },
    "restore.form": {
      en: "the snapshot does not have the form that this version writes",
      zh: "快照的格式与本版本写出的不符",
    },
    "restore.form.advice": { en: "It stays as it is; start a new session.", zh: "快照保持不变；请开始新的会话。" },
    "command.sessions.help": { en: "list the newest sessions of this workspace", zh: "列出本工作区最近的会话" },
    "command.sessions.none": { en: "No sessions in this workspace yet.", zh: "本工作区还没有会话。" },
    "command.export.help": { en: "write this session to a file", zh: "将本会话写入文件" },
    "command.export.nothing": { en: "there is no session to export yet", zh: "还没有可导出的会话" },
    "command.fork.help": { en: "continue in a copy of this session", zh: "在本会话的副本中继续" },
    "command.fork.nothing": { en: "there is no session to copy yet", zh: "还没有可复制的会话" },
    "command.todos.help": { en: "show the todo list", zh: "查看待办列表" },
    "command.todos.none": { en: "No todos.", zh: "没有待办。" },
    "command.jobs.help": { en: "show background jobs, or end one", zh: "查看后台任务，或结束其中一个" },
    "command.jobs.none": { en: "No background jobs.", zh: "没有后台任务。" },
    "command.jobs.usage": { en: "usage: /jobs, or /jobs kill ID", zh: "用法：/jobs，或 /jobs kill ID" },
    "command.tools.help": { en: "list the tools the model has", zh: "列出模型可用的工具" },
    "command.status.help": { en: "show states, steps, tokens and limits", zh: "查看状态、步数、token 和限制" },
    "command.status.idle": { en: "{n} without progress", zh: "{n} 步无进展" },
    "command.quit.help": { en: "leave coder", zh: "退出 coder" },
  }) as const;
