export const undoText = () =>
  ({
    "undo.nothing": {
      en: "nothing to undo: no task of this session changed files, or all are undone",
      zh: "没有可撤销的内容：本会话的任务都没有修改文件，或已全部撤销",
    },
    "undo.nothing.advice": {
      en: "use /redo to restore undone changes",
      zh: "可用 /redo 恢复已撤销的内容",
    },
    "undo.nothing_to_redo": {
      en: "nothing to redo: nothing was undone, or all of it is restored",
      zh: "没有可重做的内容：尚未撤销过任何任务，或已全部恢复",
    },
    "undo.nothing_to_redo.advice": { en: "use /undo first", zh: "请先使用 /undo" },
    "undo.refused": {
      en: "nothing was changed: none of these files could be reverted:\n{files}",
      zh: "未做任何修改，因为以下文件都无法还原：\n{files}",
    },
    "undo.refused.advice": {
      en: "change these files by hand, or move them away, and try again; /undo 2 also undoes the task before",
      zh: "请手动修改上述文件，或将其移走后重试；/undo 2 会同时撤销前一个任务",
    },
    "undo.unclear.advice": {
      en: "if nobody else changed them, /undo --unclear reverts them; otherwise change these files by hand",
      zh: "如果没有其他人修改过它们，可用 /undo --unclear 一并撤销；否则请手动修改上述文件",
    },
    "undo.did.unclear": {
      en: "if nobody else changed the unclear files, /undo --unclear reverts them",
      zh: "如果没有其他人修改过无法判断的文件，可用 /undo --unclear 撤销",
    },
    "undo.no_past": {
      en: "undo works only within a session",
      zh: "撤销只能在会话中使用",
    },
    "undo.did": { en: "Undone: {titles}", zh: "已撤销 {titles}" },
    "undo.did.redo": { en: "Restored: {titles}", zh: "已恢复 {titles}" },
    "undo.did.all": {
      en: "Dropped all uncommitted changes in the workspace; /redo restores them",
      zh: "工作区中所有未提交的修改已被丢弃；/redo 可将其恢复",
    },
    "undo.did.restored": { en: "restored: {files}", zh: "已还原：{files}" },
    "undo.did.brought": { en: "restored: {files}", zh: "已恢复：{files}" },
    "undo.did.removed": { en: "removed: {files}", zh: "已删除：{files}" },
    "undo.did.merged": { en: "merged with later changes: {files}", zh: "已与此后的修改合并：{files}" },
    "undo.did.stays": {
      en: "folders kept because they contain something else: {files}",
      zh: "因含有其他内容而保留的目录：{files}",
    },
    "undo.did.nothing": {
      en: "no file had to change: all are as they were",
      zh: "无需修改任何文件：均已是原来的样子",
    },
    "undo.did.left": { en: "not changed:", zh: "未改动：" },
    "undo.did.unkept": {
      en: "earlier content was not saved, so still as the task left them:",
      zh: "未保留先前内容，因此仍是任务留下的样子：",
    },
    "undo.did.others": { en: "not the task's own, so not changed:", zh: "不属于该任务，因此未改动：" },
    "undo.did.file": { en: "  {path}: {why}", zh: "  {path}：{why}" },
    "undo.did.more": { en: "{files}, and {n} more", zh: "{files}，另有 {n} 个" },
    "undo.file": { en: "{path}: {why}", zh: "{path}：{why}" },
    "undo.why.gone": { en: "it was deleted since", zh: "此后已被删除" },
    "undo.why.recreated": { en: "something else is in its place now", zh: "该位置现在是其他内容" },
    "undo.why.changed": {
      en: "the same lines were changed since",
      zh: "此后有人修改了相同的行",
    },
    "undo.why.mode": { en: "its permissions were changed since", zh: "此后其权限已被修改" },
    "undo.why.kind": {
      en: "it is no longer the same kind (file, link or folder)",
      zh: "其类型（文件、链接或目录）已改变",
    },
    "undo.why.not_empty": { en: "the folder in its place is not empty", zh: "该位置的目录不为空" },
    "undo.why.not_kept": { en: "its earlier content is no longer kept", zh: "其先前的内容已不再保留" },
    "undo.why.moved": { en: "its folder has been replaced, or is a link", zh: "其所在目录已被替换，或变成了链接" },
    "undo.why.outside": { en: "it is outside the workspace", zh: "它位于工作区之外" },
    "undo.why.unreadable": { en: "it cannot be read", zh: "无法读取" },
    "undo.why.parent": { en: "part of its path is now a file", zh: "其路径中有一段现在是文件" },
    "undo.why.origin": {
      en: "it was moved here and cannot go back",
      zh: "它是移动到此处的，且无法移回原处",
    },
    "undo.why.shared": {
      en: "someone else changed it at the same time as the command",
      zh: "命令修改它的同时，其他人也修改了它",
    },
    "undo.why.unclear": {
      en: "it changed while a command ran; unclear who changed it",
      zh: "它在命令运行期间发生了变化，无法判断是谁修改的",
    },
    "undo.why.filtered": {
      en: "git would change it on checkout (filter, encoding or ident)",
      zh: "git 检出时会转换它（过滤器、编码或 ident）",
    },
    "undo.why.no_blob": { en: "git does not have its content", zh: "git 中没有它的内容" },
    "undo.unkept.too_large": { en: "too large to save", zh: "文件过大，未保留" },
    "undo.unkept.too_much": { en: "more changes than coder saves", zh: "修改总量超出保留上限" },
    "undo.unkept.too_many": {
      en: "a folder with more files than coder watches",
      zh: "目录超出可监视的文件数量",
    },
    "undo.unkept.not_a_file": { en: "a pipe, device or socket", zh: "管道、设备或套接字" },
    "undo.unkept.maybe_not_ours": {
      en: "someone else may have changed it at the same time",
      zh: "可能有其他人同时修改过它",
    },
    "undo.unkept.others": {
      en: "someone else changed it while a command ran",
      zh: "命令运行期间由其他人修改",
    },
    "undo.unkept.unreadable": { en: "it could not be read", zh: "无法读取" },
    "undo.unkept.bad_name": { en: "its name is not UTF-8", zh: "其名称不是 UTF-8" },
    "undo.unkept.cut_off": {
      en: "a command that was interrupted: unknown what it had changed by then",
      zh: "这是一条命令，运行中被中断：不清楚它已修改了什么",
    },
    "undo.unkept.background": {
      en: "a command moved to the background: unknown what it changed from then on",
      zh: "这是一条转入后台的命令：不清楚它此后修改了什么",
    },
    "undo.unkept.workspace": { en: "the folder itself is gone or was replaced", zh: "该目录本身已不存在或已被替换" },
    "undo.unkept.unproved": {
      en: "git converts it on checkout, and there was no copy",
      zh: "git 检出时会转换该文件，且没有副本",
    },
    "rewind.unknown": { en: "there is no such message in this session", zh: "本会话中没有这条消息" },
    "rewind.unknown.advice": { en: "/rewind lists the messages", zh: "/rewind 可列出消息" },
    "rewind.done": {
      en: "Rewound. Everything that followed is kept in session {id}; /redo returns to it.",
      zh: "已回退。之后的内容保留在会话 {id} 中；/redo 可返回。",
    },
    "rewind.files_stay": {
      en: "the files changed since then stay as they are: {files}",
      zh: "此后修改的文件保持不变：{files}",
    },
    "rewind.half": {
      en: "The files are as they were before “{title}”, the messages are not. /redo restores the files, /rewind rewinds the messages too.",
      zh: "文件已回退到“{title}”之前，消息没有。/redo 恢复文件，/rewind 可让消息也回退。",
    },
    "rewind.stopped": {
      en: "the files could not be reverted, so the messages were not rewound: {why}",
      zh: "文件未能回退，因此消息也没有回退：{why}",
    },
    "rewind.stopped.advice": {
      en: "/rewind N messages rewinds only the messages",
      zh: "/rewind N messages 仅回退消息",
    },
    "rewind.nothing": { en: "no message was sent in this session yet", zh: "本会话尚未发送任何消息" },
    "rewind.help": {
      en: "go back to before a message: the messages, the files, or both",
      zh: "回到某条消息之前：消息、文件或两者",
    },
    "rewind.usage": {
      en: "Usage: /rewind, /rewind N [both|messages|files]; N counts from the newest message",
      zh: "用法：/rewind、/rewind N [both|messages|files]；N 从最新的消息数起",
    },
    "rewind.message": { en: "Your message was:\n{text}", zh: "你的消息：\n{text}" },
    "undo.all.no_git": {
      en: "/undo --all is unavailable: {root} is not in a git repository, or git is not installed",
      zh: "/undo --all 不可用：{root} 不在 git 仓库中，或未安装 git",
    },
    "undo.all.no_git.advice": { en: "use /undo to undo single tasks", zh: "可用 /undo 逐个撤销任务" },
    "undo.all.unmerged": {
      en: "/undo --all is unavailable during a merge with conflicts: {files}",
      zh: "存在合并冲突时 /undo --all 不可用：{files}",
    },
    "undo.all.unmerged.advice": { en: "finish or abort the merge first", zh: "请先完成或中止合并" },
    "undo.all.odd_index": {
      en: "/undo --all is unavailable: cannot read git's index for {root} (split, or of another working tree)",
      zh: "/undo --all 不可用：无法识别 {root} 的 git 索引（拆分索引，或属于其他工作树）",
    },
    "undo.all.nothing": {
      en: "nothing to undo: all files in {root} match what is staged or committed",
      zh: "没有可撤销的内容：{root} 中的文件都与暂存或提交的内容一致",
    },
    "undo.all.nothing.advice": { en: "use /undo to undo single tasks", zh: "可用 /undo 逐个撤销任务" },
    "undo.all.risk": {
      en: "drops all uncommitted work in the workspace, your own too: {n} files go back to their staged or committed state, or are deleted if git does not know them (/redo restores them)",
      zh: "会丢弃工作区中所有未提交的内容，包括你自己的修改：{n} 个文件将恢复为暂存或提交的内容，git 未跟踪的文件将被删除（/redo 可恢复）",
    },
    "undo.all.unkept": {
      en: "nothing was changed: /undo --all could not restore these files, or not exactly:\n{files}",
      zh: "未做任何修改，因为以下文件无法恢复，或无法准确恢复：\n{files}",
    },
    "undo.all.unkept.advice": {
      en: "commit or move away these files, or have git ignore them, and try again",
      zh: "请提交或移走上述文件，或让 git 忽略它们后重试",
    },
  }) as const;
