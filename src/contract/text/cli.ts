export const cliText = () =>
  ({
    "cli.bad_line": {
      en: "line {line} of stdin is not a message that coder knows",
      zh: "标准输入第 {line} 行不是 coder 能识别的消息",
    },
    "cli.bad_line.advice": {
      en: "One JSON object per line: {forms}. Nothing was changed.",
      zh: "每行一个 JSON 对象：{forms}。未做任何更改。",
    },
    "cli.no_prompt": {
      en: "there is nothing to do: no prompt was given and stdin is empty",
      zh: "没有可做的事：未给出提示且标准输入为空",
    },
    "cli.no_prompt.advice": {
      en: 'Try: coder run "explain this repository", or pipe text into it.',
      zh: '例如：coder run "介绍这个仓库"，或通过管道输入文本。',
    },
    "cli.flag_takes_none": { en: "{flag} takes no value", zh: "{flag} 不带值" },
    "cli.flag_needs_value": { en: "{flag} needs a value: {flag} <{value}>", zh: "{flag} 需要一个值：{flag} <{value}>" },
    "cli.flag_twice": { en: "{flag} was given twice", zh: "{flag} 给出了两次" },
    "cli.missing_word": { en: "an argument is missing: {form}", zh: "缺少参数：{form}" },
    "cli.extra_word": { en: "this is more than the command takes: {word}", zh: "多余的参数：{word}" },
    "cli.unknown_flag": { en: "there is no flag {flag} here", zh: "这里没有参数 {flag}" },
    "cli.unknown_flag_near": {
      en: "there is no flag {flag} here; did you mean {near}?",
      zh: "这里没有参数 {flag}；是否想用 {near}？",
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
      en: "the arguments of coder tool are not valid JSON: {problem}",
      zh: "coder tool 的参数不是有效的 JSON：{problem}",
    },
    "cli.bad_json.advice": {
      en: 'Example: coder tool read \'{"path":"README.md"}\'',
      zh: '例如：coder tool read \'{"path":"README.md"}\'',
    },
    "cli.no_session": { en: "there is no session in this workspace to continue", zh: "本工作区没有可继续的会话" },
    "cli.no_session.advice": { en: 'Start one with coder run "…".', zh: '请用 coder run "…" 开始一个。' },
    "cli.waiting_stdin": {
      en: "Reading further input from stdin (end it with Ctrl+D, or give </dev/null).",
      zh: "正在从标准输入读取更多内容（按 Ctrl+D 结束，或使用 </dev/null）。",
    },
    "cli.prompt_and_word": { en: "there is no command {word}", zh: "没有命令 {word}" },
    "cli.prompt_and_word.advice": {
      en: 'To give coder a task: coder run "{word}". For the commands: coder --help.',
      zh: '要交给 coder 任务：coder run "{word}"。查看命令：coder --help。',
    },
    "cli.output_lost": { en: "the output could not be written ({code})", zh: "无法写出输出（{code}）" },
    "cli.output_lost.advice": {
      en: "Free space where the output goes, or send it elsewhere, then run the command again.",
      zh: "请在输出所在处腾出空间，或改用其他位置，然后重新运行该命令。",
    },
    "cli.internal": { en: "coder failed inside: {what}", zh: "coder 内部出错：{what}" },
    "cli.replay.agrees": {
      en: "{events} events fold to task {task}, run {run}; {calls} calls with exactly one result each, {open} still open; the snapshot agrees (event {seq}).",
      zh: "{events} 个事件折叠为任务 {task}、运行 {run}；{calls} 次调用各有唯一结果，{open} 次尚未结束；快照一致（事件 {seq}）。",
    },
    "cli.replay.no_snapshot": {
      en: "{events} events fold to task {task}, run {run}; {calls} calls with exactly one result each, {open} still open; there is no snapshot to compare.",
      zh: "{events} 个事件折叠为任务 {task}、运行 {run}；{calls} 次调用各有唯一结果，{open} 次尚未结束；没有可比较的快照。",
    },
    "cli.replay.differs": {
      en: "session {id}: the snapshot does not agree with the log (at event {seq})",
      zh: "会话 {id}：快照与日志不一致（事件 {seq}）",
    },
    "cli.replay.differs.advice": {
      en: "The log is the truth; the snapshot is written again at the end of the next task.",
      zh: "以日志为准；快照会在下一个任务结束时重写。",
    },
    "cli.replay.calls": {
      en: "session {id}: {n} places in the log do not fit together: {which}",
      zh: "会话 {id}：日志中有 {n} 处不一致：{which}",
    },
    "cli.welcome": {
      en: 'coder {version}: a coding agent for the terminal.\n\nIt carries out tasks on the files and shell of a folder, asks before it changes anything (unless told otherwise), and continues exactly where it was after any interruption.\n\n  coder run "explain this repository"         one task, result on stdout\n  coder run --mode auto-edit "fix the typo"    may write files in this folder\n  coder run --continue "and now the tests"     go on with the last session\n  coder tool read \'{"path":"README.md"}\'        one tool call, no model\n  coder sessions                              what there is to continue\n  coder --help                                everything else',
      zh: 'coder {version}：终端里的编程代理。\n\n它在文件夹的文件和 shell 上执行任务，在更改任何内容之前先询问（除非另有说明），并在任何中断后从原处继续。\n\n  coder run "介绍这个仓库"                       一个任务，结果写到标准输出\n  coder run --mode auto-edit "修正拼写错误"        可在此文件夹写文件\n  coder run --continue "接着写测试"               继续上一个会话\n  coder tool read \'{"path":"README.md"}\'        单个工具调用，无需模型\n  coder sessions                              可继续的会话\n  coder --help                                其他全部内容',
    },
    "cli.welcome.model": { en: "Model: {model}", zh: "模型：{model}" },
    "cli.about": { en: "A coding agent for the terminal.", zh: "终端里的编程代理。" },
    "cli.example": { en: "Example:", zh: "示例：" },
    "cli.help_slash": {
      en: "Slash commands work as a prompt too: coder run /help",
      zh: "斜杠命令也可作为提示：coder run /help",
    },
    "cli.run": {
      en: "carry out one task and print the result (also: coder -p)",
      zh: "执行一个任务并输出结果（也可用 coder -p）",
    },
    "cli.tool": {
      en: "one tool call through the whole pipeline, without a model",
      zh: "不经模型，通过完整流程执行一次工具调用",
    },
    "cli.sessions": {
      en: "list the newest sessions of this workspace; rm removes some, prune old ones",
      zh: "列出本工作区最近的会话；rm 删除指定会话，prune 清理旧会话",
    },
    "cli.export": { en: "write a session as Markdown, HTML or JSON", zh: "将会话导出为 Markdown、HTML 或 JSON" },
    "cli.trace": {
      en: "the timeline of a session: states, calls, tokens, time",
      zh: "会话的时间线：状态、调用、token、时间",
    },
    "cli.fork": { en: "copy a session and print the id of the copy", zh: "复制会话并输出副本的 id" },
    "cli.flag.format": {
      en: "md, html or json (default: by the file's name, else md)",
      zh: "md、html 或 json（默认按文件名，否则 md）",
    },
    "cli.flag.output_file": {
      en: "also -o: write to this new file (default: stdout)",
      zh: "也可用 -o：写入此新文件（默认为标准输出）",
    },
    "cli.flag.html": { en: "one HTML file with bars", zh: "带时间条的单个 HTML 文件" },
    "cli.flag.all": { en: "of all workspaces", zh: "所有工作区" },
    "cli.flag.limit": { en: "list at most so many (default 20)", zh: "最多列出的数量（默认 20）" },
    "cli.flag.older_than": {
      en: "prune: unused for so long (12h, 30d, 8w)",
      zh: "prune：超过此时间未使用（12h、30d、8w）",
    },
    "cli.flag.keep": { en: "prune: never the newest so many", zh: "prune：始终保留最新的若干个" },
    "cli.flag.max_size": {
      en: "prune: the oldest until all take at most this (500MB)",
      zh: "prune：从最旧的删起，直到总量不超过此值（500MB）",
    },
    "cli.flag.yes": { en: "prune: really remove them", zh: "prune：确认删除" },
    "cli.json_or_format": {
      en: "--json means --format json; the other form does not fit",
      zh: "--json 即 --format json，与另一格式冲突",
    },
    "cli.json_or_html": { en: "--json and --html do not go together", zh: "--json 与 --html 不能同时使用" },
    "cli.session_near.advice": {
      en: "The nearest are {ids}. List all with: coder sessions --all",
      zh: "最接近的有 {ids}。列出全部：coder sessions --all",
    },
    "cli.session_none.advice": { en: "There are no sessions yet.", zh: "还没有任何会话。" },
    "cli.sessions.unknown": {
      en: "there is no coder sessions {word}; there are list, rm and prune",
      zh: "没有 coder sessions {word}；可用：list、rm、prune",
    },
    "cli.sessions.no_ids": { en: "which sessions? coder sessions rm ID…", zh: "要删除哪些会话？coder sessions rm ID…" },
    "cli.sessions.no_rule": {
      en: "what shall go? Give --older-than, --keep or --max-size",
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
    "cli.sessions.would_all": {
      en: "{n} of {all} sessions, {size}. Nothing was removed yet: add --yes.",
      zh: "{all} 个会话中的 {n} 个，共 {size}。尚未删除：请加 --yes。",
    },
    "cli.sessions.none": { en: "No session fits; nothing was removed.", zh: "没有符合条件的会话；未删除任何内容。" },
    "cli.sessions.freed": {
      en: "{n} sessions removed; the store has {after} (before: {before}).",
      zh: "已删除 {n} 个会话；数据库现为 {after}（此前 {before}）。",
    },
    "cli.sessions.kept": {
      en: "session {id} is open in another process (pid {pid}) and was not removed",
      zh: "会话 {id} 正被另一个进程使用（pid {pid}），未删除",
    },
    "cli.sessions.kept.advice": {
      en: "End that process first, then remove the session.",
      zh: "请先结束该进程，再删除会话。",
    },
    "cli.sessions.still_large": {
      en: "What is left still takes {size}: the rest is kept or open.",
      zh: "剩余内容仍占 {size}：其余被保留或正在使用。",
    },
    "cli.retained": {
      en: "{n} old sessions were removed, as sessions.max_age_days or sessions.max_size_mb in the config asks.",
      zh: "已按配置 sessions.max_age_days 或 sessions.max_size_mb 删除 {n} 个旧会话。",
    },
    "cli.fork.done": { en: "Session {id} is a copy of {from}.", zh: "会话 {id} 是 {from} 的副本。" },
    "cli.replay.calls.advice": {
      en: "Keep the database as it is; coder export {id} --json shows the events. Go on in a new session.",
      zh: "请保留数据库原样；coder export {id} --json 可查看事件。请在新会话中继续。",
    },
    "cli.replay": {
      en: "fold a session's log and prove that state and snapshot agree",
      zh: "重放会话日志并验证状态与快照一致",
    },
    "cli.resume": {
      en: "list sessions; with an id: go on with it, with what was left open or a prompt",
      zh: "列出会话；给出 id 时继续该会话：完成未尽之事或执行新提示",
    },
    "cli.models": { en: "providers and models, and which have a key", zh: "提供方与模型，以及哪些已有密钥" },
    "cli.config": { en: "look at and change the configuration", zh: "查看和更改配置" },
    "cli.config.get": {
      en: "what applies, and where it comes from; keys are masked",
      zh: "当前生效的值及其来源；密钥会被遮盖",
    },
    "cli.config.set": {
      en: "change one key of the user's file, and nothing else in it; the value - is read from stdin",
      zh: "更改用户文件中的一个键，其余保持不变；值为 - 时从标准输入读取",
    },
    "cli.config.unset": { en: "take one key out of the file", zh: "从文件中移除一个键" },
    "cli.config.schema": { en: "print the JSON Schema of the config file", zh: "输出配置文件的 JSON Schema" },
    "cli.config.path": { en: "say which config file is read", zh: "显示所读取的配置文件" },
    "cli.doctor": {
      en: "look for problems with this installation; changes nothing",
      zh: "检查本机安装的问题；不做任何更改",
    },
    "cli.completion": {
      en: "print what makes the shell complete coder's words",
      zh: "输出让 shell 补全 coder 命令的脚本",
    },
    "cli.unknown_sub": { en: "there is no command {word}: {form}", zh: "没有命令 {word}：{form}" },
    "cli.unknown_topic": { en: "there is no help about {word}", zh: "没有关于 {word} 的帮助" },
    "cli.unknown_topic.advice": { en: "There is help about: {topics}", zh: "可查看的帮助：{topics}" },
    "cli.commands": { en: "Commands:", zh: "命令：" },
    "cli.flags": { en: "Flags:", zh: "参数：" },
    "cli.topics": {
      en: "More: coder help TOPIC, where TOPIC is {topics}",
      zh: "更多：coder help 主题，主题为 {topics}",
    },
    "cli.topic.exit_codes": { en: "Exit codes of coder", zh: "coder 的退出码" },
    "cli.topic.environment": { en: "Environment variables that coder looks at", zh: "coder 使用的环境变量" },
    "cli.topic.files": { en: "Files that coder reads and writes", zh: "coder 读写的文件" },
    "cli.exit.0": { en: "done", zh: "完成" },
    "cli.exit.1": {
      en: "failed; also: the answer does not fit --output-schema, doctor found a problem",
      zh: "失败；也包括：回答不符合 --output-schema，doctor 发现问题",
    },
    "cli.exit.2": {
      en: "wrong usage or configuration; nothing was done",
      zh: "用法或配置错误；未做任何操作",
    },
    "cli.exit.3": {
      en: "done, but files changed that a check was wanted for and none passed",
      zh: "完成，但更改了需要验证的文件而没有通过的检查",
    },
    "cli.exit.4": { en: "ended blocked by a denial", zh: "因被拒绝而终止" },
    "cli.exit.5": { en: "step limit, no progress, or a budget reached", zh: "达到步数上限、没有进展或预算用尽" },
    "cli.exit.6": { en: "needs an answer", zh: "需要回答" },
    "cli.exit.7": { en: "the provider failed or refused the key", zh: "模型服务失败或拒绝了密钥" },
    "cli.exit.8": {
      en: "the store failed, or another process holds the session",
      zh: "存储失败，或另一个进程占用该会话",
    },
    "cli.exit.70": { en: "a fault in coder", zh: "coder 自身的缺陷" },
    "cli.exit.130": { en: "cancelled", zh: "已取消" },
    "cli.env.home": { en: "instead of ~/.coder", zh: "代替 ~/.coder" },
    "cli.env.model": { en: "the model, as --model", zh: "模型，同 --model" },
    "cli.env.base_url": { en: "address of the model server, as --base-url", zh: "模型服务地址，同 --base-url" },
    "cli.env.api_key": {
      en: "the key for the chosen model; else the vendor's own variable, see coder models",
      zh: "所选模型的密钥；否则使用厂商自己的变量，参见 coder models",
    },
    "cli.env.no_color": { en: "no colours", zh: "不使用颜色" },
    "cli.env.lang": {
      en: "language, unless ui.lang or --lang says otherwise",
      zh: "语言，除非 ui.lang 或 --lang 另有指定",
    },
    "cli.env.proxy": { en: "proxy for model requests", zh: "模型请求使用的代理" },
    "cli.env.ca": { en: "a further certificate authority, as a PEM file", zh: "附加的证书颁发机构（PEM 文件）" },
    "cli.file.config": { en: "your configuration, see coder config --help", zh: "你的配置，参见 coder config --help" },
    "cli.file.db": { en: "all sessions", zh: "全部会话" },
    "cli.file.log": { en: "internals of faults, by trace id", zh: "内部错误详情，按 trace id 查找" },
    "cli.file.cache": { en: "the search program, made anew when missing", zh: "搜索程序，缺失时重新生成" },
    "cli.file.project": {
      en: "the workspace's configuration; counts only when trusted",
      zh: "工作区的配置；仅在受信任时生效",
    },
    "cli.file.snapshots": {
      en: "a copy of each session, for the day the database is lost",
      zh: "每个会话的副本，以防数据库丢失",
    },
    "cli.file.output": { en: "output that was too long to show", zh: "过长而未显示的输出" },
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
      en: "Only keywords that are held to exactly are accepted; docs/headless.md lists them. Nothing was done.",
      zh: "仅接受能够严格执行的关键字，见 docs/headless.md。未做任何操作。",
    },
    "cli.schema.advice": {
      en: "--output-schema names a file with one JSON Schema. Nothing was done.",
      zh: "--output-schema 应指向包含一个 JSON Schema 的文件。未做任何操作。",
    },
    "cli.schema_no_task": {
      en: "--output-schema needs a prompt for the model",
      zh: "--output-schema 需要一个交给模型的提示",
    },
    "cli.schema_no_task.advice": {
      en: "Commands have no answer of a model, and an interrupted task keeps the schema it began with: leave the flag out.",
      zh: "命令没有模型的回答；被中断的任务会沿用开始时的 schema：请去掉该参数。",
    },
    "cli.flag.output_schema": {
      en: "the answer must be JSON that fits the JSON Schema in this file",
      zh: "回答必须是符合此文件中 JSON Schema 的 JSON",
    },
    "cli.flag.user": { en: "the user's file (default)", zh: "用户的文件（默认）" },
    "cli.flag.project": { en: "the workspace's file .coder/config.json", zh: "工作区的文件 .coder/config.json" },
    "cli.flag.online": { en: "also ask the model server, over the network", zh: "同时通过网络询问模型服务" },
    "cli.flag.version": { en: "show the version", zh: "显示版本" },
    "cli.flag.help": { en: "show help", zh: "显示帮助" },
    "cli.flag.cwd": { en: "the workspace folder (default: the current one)", zh: "工作区目录（默认为当前目录）" },
    "cli.flag.lang": { en: "en or zh", zh: "en 或 zh" },
    "cli.flag.config": {
      en: "use this file instead of the user's config.json",
      zh: "使用此文件代替用户的 config.json",
    },
    "cli.flag.verbose": { en: "say more on stderr", zh: "在标准错误输出更多信息" },
    "cli.flag.mode": { en: "plan, default, auto-edit or yolo", zh: "plan、default、auto-edit 或 yolo" },
    "cli.flag.sandbox": { en: "confine commands, in yolo mode too", zh: "在沙箱中运行命令，yolo 模式也不例外" },
    "cli.flag.no_sandbox": { en: "run commands without the sandbox", zh: "不用沙箱运行命令" },
    "cli.flag.add_dir": { en: "a further folder that may be read and written", zh: "另一个可读写的目录" },
    "cli.flag.resume": { en: "continue this session", zh: "继续此会话" },
    "cli.flag.continue": { en: "continue the newest session of this workspace", zh: "继续本工作区最近的会话" },
    "cli.flag.fork": {
      en: "with --resume or --continue: work on a copy",
      zh: "与 --resume 或 --continue 连用：在副本上工作",
    },
    "cli.client_output": {
      en: "--input stream-json needs --output stream-json, or approvals would be asked for unseen",
      zh: "--input stream-json 需要 --output stream-json，否则审批请求将无人看到",
    },
    "cli.stdin_folder": { en: "stdin is a folder", zh: "标准输入是一个目录" },
    "cli.resume_or_continue": {
      en: "--resume and --continue do not go together",
      zh: "--resume 与 --continue 不能同时使用",
    },
    "cli.needs_session": {
      en: "--fork and --from-snapshot need a session: --resume <id> or --continue",
      zh: "--fork 和 --from-snapshot 需要一个会话：--resume <id> 或 --continue",
    },
    "cli.fork_or_snapshot": {
      en: "--fork and --from-snapshot do not go together",
      zh: "--fork 与 --from-snapshot 不能同时使用",
    },
    "cli.flag.from_snapshot": {
      en: "with --resume: rebuild a lost session from its snapshot",
      zh: "与 --resume 连用：从快照重建丢失的会话",
    },
    "cli.flag.model": {
      en: "the model, for example openai/NAME or openai-chat/NAME",
      zh: "模型，例如 openai/NAME 或 openai-chat/NAME",
    },
    "cli.flag.base_url": { en: "address of the model server", zh: "模型服务地址" },
    "cli.flag.max_steps": {
      en: "end after this many model calls (default 128)",
      zh: "在此数量的模型调用后结束（默认 128）",
    },
    "cli.flag.max_tokens": { en: "end when this many tokens are used", zh: "用完此数量的 token 后结束" },
    "cli.flag.max_time": { en: "end after this many seconds", zh: "在此秒数后结束" },
    "cli.flag.output": { en: "text, json or stream-json (default text)", zh: "text、json 或 stream-json（默认 text）" },
    "cli.flag.input": {
      en: "text or stream-json: messages of a client on stdin (default text)",
      zh: "text 或 stream-json：从标准输入接收客户端消息（默认 text）",
    },
    "cli.flag.json": { en: "print JSON", zh: "输出 JSON" },
  }) as const;
