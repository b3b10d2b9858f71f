export const cliText = () =>
  ({
    "cli.bad_line": {
      en: "line {line} of stdin is not a message coder understands",
      zh: "标准输入第 {line} 行不是 coder 能识别的消息",
    },
    "cli.bad_line.advice": {
      en: "One JSON object per line: {forms}. Nothing was changed.",
      zh: "每行一个 JSON 对象：{forms}。未做任何更改。",
    },
    "cli.no_prompt": {
      en: "nothing to do: no prompt was given and stdin is empty",
      zh: "没有可做的事：未给出提示且标准输入为空",
    },
    "cli.no_prompt.advice": {
      en: 'Try: coder run "explain this repository", or pipe text into it.',
      zh: '例如：coder run "介绍这个仓库"，或通过管道输入文本。',
    },
    "cli.flag_takes_none": { en: "{flag} takes no value", zh: "{flag} 不带值" },
    "cli.flag_needs_value": { en: "{flag} needs a value: {flag} <{value}>", zh: "{flag} 需要一个值：{flag} <{value}>" },
    "cli.flag_twice": { en: "{flag} was given twice", zh: "{flag} 出现了两次" },
    "cli.missing_word": { en: "missing argument: {form}", zh: "缺少参数：{form}" },
    "cli.extra_word": { en: "unexpected argument: {word}", zh: "多余的参数：{word}" },
    "cli.unknown_flag": { en: "unknown flag {flag}", zh: "未知参数 {flag}" },
    "cli.unknown_flag_near": {
      en: "unknown flag {flag}; did you mean {near}?",
      zh: "未知参数 {flag}；是否想用 {near}？",
    },
    "cli.usage.advice": {
      en: "See coder --help or coder COMMAND --help.",
      zh: "参见 coder --help 或 coder 命令 --help。",
    },
    "cli.bad_choice": {
      en: "{flag} must be one of {choices}, not {given}",
      zh: "{flag} 必须是 {choices} 之一，而不是 {given}",
    },
    "cli.bad_json": {
      en: "the arguments for coder tool are not valid JSON: {problem}",
      zh: "coder tool 的参数不是有效的 JSON：{problem}",
    },
    "cli.bad_json.advice": {
      en: 'Example: coder tool read \'{"path":"README.md"}\'',
      zh: '例如：coder tool read \'{"path":"README.md"}\'',
    },
    "cli.no_folder": {
      en: "the folder coder was started in has been deleted or moved",
      zh: "启动 coder 时所在的目录已被删除或移走",
    },
    "cli.no_folder.advice": {
      en: "Change to an existing folder (cd) and run it again, or name one: --cwd /path/to/folder.",
      zh: "请进入存在的目录（cd）后重新运行，或指定目录：--cwd /path/to/folder。",
    },
    "cli.no_session": { en: "this workspace has no session to continue", zh: "本工作区没有可继续的会话" },
    "cli.no_session.fork": {
      en: "other processes are just starting the sessions of this workspace, so none was copied",
      zh: "其他进程正在启动本工作区的会话，因此未复制任何会话",
    },
    "cli.no_session.fork.advice": {
      en: "Name the one to copy: --resume <id> --fork (coder sessions lists them).",
      zh: "请指明要复制的会话：--resume <id> --fork（coder sessions 可列出）。",
    },
    "cli.no_session.advice": { en: 'Start one with coder run "…".', zh: '请用 coder run "…" 开始一个。' },
    "cli.waiting_stdin": {
      en: "Reading more input from stdin (press Ctrl+D to end it, or use </dev/null).",
      zh: "正在从标准输入读取更多内容（按 Ctrl+D 结束，或使用 </dev/null）。",
    },
    "cli.prompt_and_word": { en: "unknown command {word}", zh: "未知命令 {word}" },
    "cli.prompt_and_word.advice": {
      en: 'To give coder a task: coder run "{word}". To list the commands: coder --help.',
      zh: '要交给 coder 任务：coder run "{word}"。查看命令：coder --help。',
    },
    "cli.output_lost": { en: "the output could not be written ({code})", zh: "无法写出输出（{code}）" },
    "cli.output_lost.advice": {
      en: "Free space where the output goes, or redirect it elsewhere, then run the command again.",
      zh: "请在输出所在处腾出空间，或改用其他位置，然后重新运行该命令。",
    },
    "cli.internal": { en: "Internal error: {what}", zh: "coder 内部出错：{what}" },
    "cli.replay.agrees": {
      en: "Replayed {events} events: task {task}, run {run}; {calls} calls with exactly one result each, {open} still open; the snapshot matches (event {seq}).",
      zh: "已重放 {events} 个事件：任务 {task}，运行 {run}；{calls} 次调用各有唯一结果，{open} 次尚未结束；快照一致（事件 {seq}）。",
    },
    "cli.replay.no_snapshot": {
      en: "Replayed {events} events: task {task}, run {run}; {calls} calls with exactly one result each, {open} still open; there is no snapshot to compare with.",
      zh: "已重放 {events} 个事件：任务 {task}，运行 {run}；{calls} 次调用各有唯一结果，{open} 次尚未结束；没有可比较的快照。",
    },
    "cli.replay.differs": {
      en: "session {id}: the snapshot does not match the log (at event {seq})",
      zh: "会话 {id}：快照与日志不一致（事件 {seq}）",
    },
    "cli.replay.differs.advice": {
      en: "The log is authoritative; coder writes the snapshot again when the next task ends.",
      zh: "以日志为准；快照会在下一个任务结束时重写。",
    },
    "cli.replay.calls": {
      en: "session {id}: the log contradicts itself in {n} places: {which}",
      zh: "会话 {id}：日志中有 {n} 处不一致：{which}",
    },
    "cli.welcome": {
      en: 'coder {version}: a coding agent for the terminal.\n\nIt works on the files of a folder and runs commands there, asks before it changes anything (unless told otherwise), and after an interruption continues exactly where it stopped.\n\n  coder                                       open the terminal application\n  coder "explain this repository"             open it and start this task\n  coder run "explain this repository"         run one task, print the result on stdout\n  coder run --mode auto-edit "fix the typo"   let it write files in this folder\n  coder run --continue "and now the tests"    continue the last session\n  coder tool read \'{"path":"README.md"}\'      run one tool call, without a model\n  coder sessions                              list the sessions\n  coder --help                                everything else',
      zh: 'coder {version}：终端里的编程代理。\n\n它在目录中处理文件并运行命令，在更改任何内容之前先询问（除非另有设置），并在任何中断后从原处继续。\n\n  coder                                       在终端中打开应用\n  coder "介绍这个仓库"                        打开应用并立即开始任务\n  coder run "介绍这个仓库"                    执行一个任务，结果写到标准输出\n  coder run --mode auto-edit "修正拼写错误"   可在此目录写文件\n  coder run --continue "接着写测试"           继续上一个会话\n  coder tool read \'{"path":"README.md"}\'      执行单个工具调用，无需模型\n  coder sessions                              列出会话\n  coder --help                                其他全部内容',
    },
    "cli.welcome.model": { en: "Model: {model}", zh: "模型：{model}" },
    "cli.json_or_format": {
      en: "--json means --format json and cannot be combined with another format",
      zh: "--json 即 --format json，与另一格式冲突",
    },
    "cli.json_or_html": { en: "--json and --html cannot be combined", zh: "--json 与 --html 不能同时使用" },
    "cli.session_near.advice": {
      en: "The closest matches are {ids}. To list all sessions: coder sessions --all",
      zh: "最接近的有 {ids}。列出全部：coder sessions --all",
    },
    "cli.session_none.advice": { en: "There are no sessions yet.", zh: "还没有任何会话。" },
    "cli.sessions.unknown": {
      en: "unknown command coder sessions {word}; available: list, rm, prune",
      zh: "未知命令 coder sessions {word}；可用：list、rm、prune",
    },
    "cli.sessions.no_ids": {
      en: "name the sessions to remove: coder sessions rm ID…",
      zh: "请指明要删除的会话：coder sessions rm ID…",
    },
    "cli.sessions.no_rule": {
      en: "say which sessions to remove: --older-than, --keep or --max-size",
      zh: "请说明清理条件：--older-than、--keep 或 --max-size",
    },
    "cli.sessions.flag": { en: "coder sessions {sub} takes no {flag}", zh: "coder sessions {sub} 不接受 {flag}" },
    "cli.bad_count": { en: "{flag} must be a whole number, not {given}", zh: "{flag} 必须是整数，而不是 {given}" },
    "cli.bad_age": {
      en: "{flag} must be a number with h, d or w, not {given}",
      zh: "{flag} 必须是带 h、d 或 w 的数字，而不是 {given}",
    },
    "cli.bad_size": {
      en: "{flag} must be a number with KB, MB or GB, not {given}",
      zh: "{flag} 必须是带 KB、MB 或 GB 的数字，而不是 {given}",
    },
    "cli.sessions.removed": { en: "removed {id}  {title}", zh: "已删除 {id}  {title}" },
    "cli.sessions.would": {
      en: "would remove {id}  {time}  {size}  {title}",
      zh: "将删除 {id}  {time}  {size}  {title}",
    },
    "moved.found": {
      en: "this project has sessions from when its folder was {from}: {n}",
      zh: "本项目有 {n} 个会话，当时目录位于 {from}",
    },
    "moved.found.advice": {
      en: "To bring them here: coder sessions move --yes (without --yes it only shows what would move).",
      zh: "把它们移到这里：coder sessions move --yes（不加 --yes 则只显示将移动的内容）。",
    },
    "moved.question": {
      en: "This project has sessions from when its folder was {from} (number: {n}). Bring them here?",
      zh: "本项目有 {n} 个会话，当时目录位于 {from}。要把它们移到这里吗？",
    },
    "moved.yes": { en: "Yes, they belong to this folder", zh: "是，它们属于本目录" },
    "moved.no": { en: "No, leave them", zh: "否，保持不变" },
    "moved.none": { en: "No session of this project belongs to another folder.", zh: "本项目没有属于其他目录的会话。" },
    "moved.would": { en: "from {from}: {n}", zh: "来自 {from}：{n} 个" },
    "moved.would.yes": { en: "Nothing was moved. To move them, add --yes.", zh: "尚未移动：请加 --yes。" },
    "moved.done": { en: "Sessions moved to this folder: {n}", zh: "已移到本目录的会话：{n} 个。" },
    "moved.held": {
      en: "Not moved, because another process has them open: {ids}",
      zh: "正被另一个进程使用，未移动：{ids}",
    },
    "moved.still_there": {
      en: "{from} still exists, so its sessions belong there",
      zh: "{from} 仍然存在：其会话属于那里",
    },
    "moved.still_there.advice": {
      en: "Work there (--cwd), or copy one session with coder fork.",
      zh: "请在那里工作（--cwd），或用 coder fork 复制某个会话。",
    },
    "cli.sessions.would_all": {
      en: "Would remove {n} of {all} sessions, {size}. Nothing was removed; to remove them, add --yes.",
      zh: "将删除 {all} 个会话中的 {n} 个，共 {size}。尚未删除；如需删除请加 --yes。",
    },
    "cli.sessions.none": { en: "No session matches; nothing was removed.", zh: "没有符合条件的会话；未删除任何内容。" },
    "cli.sessions.freed": {
      en: "Sessions removed: {n}. The store now takes {after} (before: {before}).",
      zh: "已删除会话：{n} 个。数据库现为 {after}（此前 {before}）。",
    },
    "cli.sessions.kept": {
      en: "session {id} was not removed: another process has it open ({who})",
      zh: "会话 {id} 正被另一个进程使用（{who}），未删除",
    },
    "cli.sessions.kept.advice": {
      en: "End that process first, then remove the session.",
      zh: "请先结束该进程，再删除会话。",
    },
    "cli.sessions.still_large": {
      en: "The remaining sessions still take {size}: they are kept by --keep or open.",
      zh: "剩余会话仍占 {size}：它们由 --keep 保留，或正在使用。",
    },
    "cli.retained": {
      en: "Old sessions removed: {n} (config: sessions.max_age_days, sessions.max_size_mb).",
      zh: "已删除旧会话：{n} 个（配置：sessions.max_age_days、sessions.max_size_mb）。",
    },
    "cli.fork.done": { en: "Session {id} is a copy of {from}.", zh: "会话 {id} 是 {from} 的副本。" },
    "cli.replay.calls.advice": {
      en: "Leave the database as it is; coder export {id} --json shows the events. Continue in a new session.",
      zh: "请保留数据库原样；coder export {id} --json 可查看事件。请在新会话中继续。",
    },
    "cli.unknown_sub": { en: "unknown command {word}: {form}", zh: "未知命令 {word}：{form}" },
    "cli.schema_unreadable": {
      en: "the schema {file} cannot be read ({code})",
      zh: "无法读取 schema {file}（{code}）",
    },
    "cli.schema_big": { en: "the schema {file} is larger than {max} bytes", zh: "schema {file} 超过 {max} 字节" },
    "cli.schema_bad": {
      en: "{file} is not a usable JSON Schema: {problem}",
      zh: "{file} 不是可用的 JSON Schema：{problem}",
    },
    "cli.schema_bad.advice": {
      en: "Only keywords that coder can enforce exactly are accepted; docs/guide/headless.md lists them. Nothing was done.",
      zh: "仅接受能够严格执行的关键字，见 docs/guide/headless.md。未做任何操作。",
    },
    "cli.schema.advice": {
      en: "--output-schema takes a file with one JSON Schema. Nothing was done.",
      zh: "--output-schema 应指向包含一个 JSON Schema 的文件。未做任何操作。",
    },
    "cli.schema_no_task": {
      en: "--output-schema needs a prompt for the model",
      zh: "--output-schema 需要一个交给模型的提示",
    },
    "cli.schema_no_task.advice": {
      en: "Slash commands produce no model answer, and an interrupted task keeps the schema it started with: leave the flag out.",
      zh: "斜杠命令没有模型的回答；被中断的任务会沿用开始时的 schema：请去掉该参数。",
    },
    "cli.client_output": {
      en: "--input stream-json needs --output stream-json; otherwise nobody would see the approval requests",
      zh: "--input stream-json 需要 --output stream-json，否则审批请求将无人看到",
    },
    "cli.stdin_folder": { en: "stdin is a folder", zh: "标准输入是一个目录" },
    "cli.sandbox_or_not": {
      en: "--sandbox and --no-sandbox cannot be combined",
      zh: "--sandbox 与 --no-sandbox 不能同时使用",
    },
    "cli.resume_or_continue": {
      en: "--resume and --continue cannot be combined",
      zh: "--resume 与 --continue 不能同时使用",
    },
    "cli.needs_session": {
      en: "--fork and --from-snapshot need a session: --resume <id> or --continue",
      zh: "--fork 和 --from-snapshot 需要一个会话：--resume <id> 或 --continue",
    },
    "cli.fork_or_snapshot": {
      en: "--fork and --from-snapshot cannot be combined",
      zh: "--fork 与 --from-snapshot 不能同时使用",
    },
  }) as const;
