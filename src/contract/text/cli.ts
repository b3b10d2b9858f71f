export const cliText = {
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
  "cli.internal": { en: "coder failed inside: {what}", zh: "coder 内部出错：{what}" },
  "cli.replay.agrees": {
    en: "{events} events fold to task {task}, run {run}; {calls} calls, each with exactly one result; the snapshot agrees (event {seq}).",
    zh: "{events} 个事件折叠为任务 {task}、运行 {run}；{calls} 次调用各有唯一结果；快照一致（事件 {seq}）。",
  },
  "cli.replay.no_snapshot": {
    en: "{events} events fold to task {task}, run {run}; {calls} calls, each with exactly one result; there is no snapshot to compare.",
    zh: "{events} 个事件折叠为任务 {task}、运行 {run}；{calls} 次调用各有唯一结果；没有可比较的快照。",
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
  "cli.sessions": { en: "list the newest sessions of this workspace", zh: "列出本工作区最近的会话" },
  "cli.replay": {
    en: "fold a session's log and prove that state and snapshot agree",
    zh: "重放会话日志并验证状态与快照一致",
  },
  "cli.flag.version": { en: "show the version", zh: "显示版本" },
  "cli.flag.help": { en: "show help", zh: "显示帮助" },
  "cli.flag.cwd": { en: "the workspace folder (default: the current one)", zh: "工作区目录（默认为当前目录）" },
  "cli.flag.lang": { en: "en or zh", zh: "en 或 zh" },
  "cli.flag.config": { en: "use this file instead of the user's config.json", zh: "使用此文件代替用户的 config.json" },
  "cli.flag.verbose": { en: "say more on stderr", zh: "在标准错误输出更多信息" },
  "cli.flag.mode": { en: "plan, default, auto-edit or yolo", zh: "plan、default、auto-edit 或 yolo" },
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
} as const;
