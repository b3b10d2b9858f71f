/** The frame of the terminal application: status, activity and notices. */
export const tuiText = () =>
  ({
    "tui.status.no_model": { en: "no model: /model", zh: "未选模型：/model" },
    "tui.status.context": { en: "context {percent}%", zh: "上下文 {percent}%" },
    "tui.status.jobs": { en: "{n} in background", zh: "后台任务 {n}" },
    "tui.status.untrusted": { en: "untrusted", zh: "未信任" },
    "tui.status.sandbox.on": { en: "sandbox", zh: "沙箱" },
    "tui.status.sandbox.off": { en: "no sandbox", zh: "无沙箱" },
    "tui.status.sandbox.missing": { en: "no sandbox here", zh: "此处无沙箱" },
    "tui.status.sandbox.failing": { en: "sandbox fails", zh: "沙箱失效" },
    "tui.activity.stop": { en: "{key} to interrupt", zh: "按 {key} 中断" },
    "tui.activity.now": { en: "{key} to retry now", zh: "按 {key} 立即重试" },
    "tui.activity.cancelling": { en: "Stopping", zh: "正在停止" },
    "tui.activity.command": { en: "Running {command}", zh: "正在执行 {command}" },
    "tui.activity.waiting": { en: "Waiting for you", zh: "等待你的回答" },
    "tui.activity.verifying": { en: "Checking the changes", zh: "正在验证" },
    "tui.activity.tool": { en: "Running {tool}", zh: "正在执行 {tool}" },
    "tui.activity.retrying": { en: "Waiting to retry (attempt {n})", zh: "等待重试（第 {n} 次）" },
    "tui.activity.compacting": { en: "Freeing up context", zh: "正在压缩上下文" },
    "tui.activity.model.nothing": { en: "Waiting for the model", zh: "等待模型" },
    "tui.activity.model.thinking": { en: "Thinking", zh: "思考中" },
    "tui.activity.model.text": { en: "Writing", zh: "输出中" },
    "tui.activity.model.call": { en: "Preparing a call", zh: "准备调用" },
    "tui.activity.working": { en: "Working", zh: "处理中" },
    "tui.starting": { en: "starting …", zh: "正在启动…" },
    "tui.help.first": {
      en: "Type what you want. coder asks before it changes anything, and /undo reverts it.",
      zh: "直接说出需求。未经你同意不会做任何更改，/undo 可撤销。",
    },
    "tui.help.first_free": {
      en: "Type what you want. Mode {mode} changes files without asking; /undo reverts that.",
      zh: "直接说出需求。{mode} 模式更改文件前不会询问，/undo 可撤销。",
    },
    "tui.help.second": {
      en: "/ commands  @ files  ! shell  {newline} new line  {mode} mode  {cancel} interrupt",
      zh: "/ 命令  @ 文件  ! 终端  {newline} 换行  {mode} 模式  {cancel} 中断",
    },
    "tui.help.third": {
      en: "/help shows all commands, {help} all keys.",
      zh: "/help 查看全部命令，{help} 查看全部按键。",
    },
    "tui.too_early": {
      en: "You typed before the question appeared, so your text is in the input. Pause a moment, then answer.",
      zh: "该按键早于问题显示，已放入输入框。请稍停片刻再回答。",
    },
    "tui.leave_again": { en: "Press {key} again to leave", zh: "再按一次 {key} 退出" },
    "tui.leave_running": {
      en: "Cancelled. Press {key} again to leave.",
      zh: "已取消。再按一次 {key} 退出。",
    },
    "tui.session_kept": { en: "Resume with: coder --resume {id}", zh: "恢复会话：coder --resume {id}" },
    "tui.no_details": { en: "Nothing to show yet.", zh: "暂无可查看的内容。" },
    "tui.no_image": { en: "No image in the clipboard.", zh: "剪贴板中没有图片。" },
    "tui.nothing_sent": { en: "Nothing sent yet.", zh: "尚未发送任何内容。" },
    "tui.edit_last": {
      en: "Your last message: change it and send it again. /undo reverts its changes.",
      zh: "你的上一条消息：修改后重新发送。/undo 可撤销其改动。",
    },
    "tui.lost": {
      en: "This session cannot continue. Press {key} twice to leave, then start again.",
      zh: "本会话无法继续。请按两次 {key} 退出，然后重新启动。",
    },
    "tui.open.ask": { en: "{what}. What now?", zh: "{what}。如何处理？" },
    "tui.open.copy": {
      en: "Continue in a copy; the original stays as it is",
      zh: "在副本上继续，原会话保持不变",
    },
    "tui.open.snapshot": {
      en: "Continue from the snapshot, as untrusted history and with nothing pending",
      zh: "从快照继续：作为不可信的历史，不含任何未完成的操作",
    },
    "tui.open.not": { en: "Leave it and start a new session", zh: "不打开，开始新会话" },
    "tui.notify.ended": { en: "ended: {task}", zh: "已结束：{task}" },
    "tui.notify.asks": { en: "waiting for your answer: {task}", zh: "等待你回答：{task}" },
    "tui.title.asks": { en: "? {folder}", zh: "？{folder}" },
    "tui.dumb.hello": {
      en: "coder, {model}. Type what you want; /help lists the commands, /quit leaves.",
      zh: "coder，{model}。请输入需求；/help 列出命令，/quit 退出。",
    },
    "tui.dumb.typed": {
      en: "d: yes, and stop asking about commands I type after ! (in your own configuration)",
      zh: "d：是，并且今后不再询问我在 ! 之后输入的命令（写入你自己的配置）",
    },
    "tui.dumb.approve": {
      en: "Allow this? y yes, n [reason] no, a always allow, c cancel the task",
      zh: "是否允许执行？y 是，n [原因] 否，a 始终允许，c 取消任务",
    },
    "tui.dumb.approve_once": {
      en: "Allow this? y yes, n [reason] no, c cancel the task",
      zh: "是否允许执行？y 是，n [原因] 否，c 取消任务",
    },
    "tui.dumb.plan": {
      en: "y yes, s yes and ask before each step, n [reason] no, c cancel the task",
      zh: "y 是，s 是并逐步询问，n [原因] 否，c 取消任务",
    },
    "tui.dumb.yes_no": { en: "y yes, n [reason] no, c cancel the task", zh: "y 是，n [原因] 否，c 取消任务" },
    "tui.dumb.question": { en: "Type your answer, or c to cancel the task.", zh: "请输入回答，或输入 c 取消任务。" },
    "tui.dumb.early": {
      en: "You answered before the question appeared. Please answer again.",
      zh: "该输入早于问题显示，请重新回答。",
    },
    "tui.dumb.returned": {
      en: "Not delivered; send it again if you still want it:",
      zh: "未送达；如仍需要，请重新发送：",
    },
    "tui.dumb.unclear": { en: "Please answer with one of the options above.", zh: "请按上述方式回答。" },
  }) as const;
