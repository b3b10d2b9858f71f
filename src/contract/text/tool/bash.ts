export const bashText = () =>
  ({
    "bash.nul": {
      en: "the command contains a NUL character, which no shell accepts",
      zh: "命令中含有 NUL 字符，任何 shell 都无法接受",
    },
    "bash.missing": { en: "no bash on PATH", zh: "在 PATH 中找不到 bash" },
    "bash.missing_advice": {
      en: "Install bash, or add its folder to PATH, and start coder again.",
      zh: "请安装 bash，或将其所在目录加入 PATH，然后重新启动 coder。",
    },
    "bash.long_for_terminal": {
      en: "the command is too long to run in a terminal (at most 120 KiB)",
      zh: "命令过长，无法在终端中运行（最多 120 KiB）",
    },
    "bash.wants_terminal": {
      en: "the program needs a terminal to talk to a person, and has none",
      zh: "该程序需要一个终端与人交互，而这里没有终端",
    },
    "bash.full_screen": {
      en: "{program} is a full-screen program that waits for keys; coder cannot provide that, so it was not started",
      zh: "{program} 会占满屏幕并等待按键；这里两者都没有，因此未启动它",
    },
    "bash.wants_terminal.advice": {
      en: "Use its non-interactive flags (-y, --batch, --no-input, -m MESSAGE, …) or another program. If it needs a terminal only to write to, set terminal: true.",
      zh: "请使用其非交互参数（-y、--batch、--no-input、-m MESSAGE 等）或换用其他程序。如果它只是需要终端来输出，请设置 terminal: true。",
    },
    "job.nothing_to_move": {
      en: "no command runs in the foreground",
      zh: "没有正在前台运行的命令",
    },
    "job.nothing_to_move.advice": { en: "/jobs lists the background jobs", zh: "/jobs 可列出后台任务" },
    "job.too_many": {
      en: "{n} background jobs are already running ({jobs})",
      zh: "已有 {n} 个后台任务在运行（{jobs}）",
    },
    "job.too_many.advice": {
      en: "First end one with the job tool (or /jobs kill ID).",
      zh: "请先用 job 工具（或 /jobs kill ID）结束其中一个。",
    },
    "job.unknown": {
      en: "no background job {id}; known: {known}",
      zh: "没有后台任务 {id}；已知的有：{known}",
    },
    "job.no_id": {
      en: "give the id of a background job; known: {known}",
      zh: "未指明是哪个后台任务；请给出其 id；已知的有：{known}",
    },
    "job.running": { en: "background job {id} is running: {command}", zh: "后台任务 {id} 正在运行：{command}" },
    "job.ended.exited": {
      en: "background job {id} ended with exit code {code}: {command}",
      zh: "后台任务 {id} 已结束，退出码 {code}：{command}",
    },
    "job.ended.signal": {
      en: "background job {id} was killed by {signal}: {command}",
      zh: "后台任务 {id} 被信号 {signal} 结束：{command}",
    },
    "job.ended.timeout": {
      en: "background job {id} reached its time limit and was stopped: {command}",
      zh: "后台任务 {id} 已到时限被结束：{command}",
    },
    "job.ended.killed": {
      en: "background job {id} was stopped on request: {command}",
      zh: "后台任务 {id} 已按要求结束：{command}",
    },
    "job.ended.cancelled": {
      en: "background job {id} was stopped together with its task: {command}",
      zh: "后台任务 {id} 随被停止的任务一同结束：{command}",
    },
    "job.ended.closed": {
      en: "background job {id} was stopped because its session was closed: {command}",
      zh: "后台任务 {id} 因其会话关闭而被结束：{command}",
    },
    "job.ended.lost": {
      en: "background job {id} was stopped because coder was killed while it ran; check what it had done: {command}",
      zh: "后台任务 {id} 运行期间 coder 被终止，任务已结束；请检查它已做了什么：{command}",
    },
    "job.ended.left": {
      en: "background job {id} stays with the session this one was copied from: {command}",
      zh: "后台任务 {id} 留在本会话所复制的原会话中：{command}",
    },
    "bash.no_cwd": {
      en: "the command was not started: the folder {cwd} no longer exists",
      zh: "命令未启动：目录 {cwd} 已不存在",
    },
    "bash.no_cwd_advice": {
      en: "Create the folder again, or start coder in another one (--cwd).",
      zh: "请重新创建该目录，或在其他目录启动 coder（--cwd）。",
    },
    "bash.no_start": {
      en: "could not start the command in {cwd} ({code})",
      zh: "无法在 {cwd} 中启动命令（{code}）",
    },
    "bash.no_start_advice": {
      en: "Check that the folder is accessible and that the machine has free memory and process slots.",
      zh: "请检查该目录是否可进入，以及系统是否还有可用内存和进程数。",
    },
  }) as const;
