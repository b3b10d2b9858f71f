export const policyText = () =>
  ({
    "policy.row.session": { en: "change the session's own todos", zh: "修改会话自身的待办" },
    "policy.row.read": { en: "read files in the workspace", zh: "读取工作区内的文件" },
    "policy.row.write": { en: "change files in the workspace", zh: "修改工作区内的文件" },
    "policy.row.exec_read": { en: "run commands proved read-only", zh: "运行已证明只读的命令" },
    "policy.row.exec_held": { en: "run commands in the sandbox, without network", zh: "在沙箱内运行命令（无网络）" },
    "policy.row.exec": { en: "run other commands", zh: "运行其他命令" },
    "policy.row.loss": { en: "delete what /undo cannot bring back", zh: "删除 /undo 无法恢复的内容" },
    "policy.row.history": { en: "change the history of the repository", zh: "更改仓库历史" },
    "policy.row.publish": {
      en: "publish, deploy, or change something on a server",
      zh: "发布、部署或更改服务器上的内容",
    },
    "policy.row.machine": {
      en: "change this machine: packages, services, containers, disks, users",
      zh: "更改本机：软件包、服务、容器、磁盘、用户",
    },
    "policy.row.network": { en: "use the network", zh: "访问网络" },
    "policy.row.private_host": {
      en: "fetch from this machine and private networks, unless a rule names the host",
      zh: "从本机和私有网络抓取（除非有规则指明该主机）",
    },
    "policy.row.outside_read": { en: "read outside the workspace", zh: "读取工作区之外的文件" },
    "policy.row.outside_write": { en: "change files outside the workspace", zh: "修改工作区之外的文件" },
    "policy.row.secret": {
      en: "open files that hold secrets (.env, keys, credentials)",
      zh: "打开含机密的文件（.env、密钥、凭据）",
    },
    "policy.row.protected_write": {
      en: "change files that make other programs run something (.git, .coder, hooks, shell and editor files)",
      zh: "修改会让其他程序运行代码的文件（.git、.coder、钩子、shell 和编辑器文件）",
    },
    "policy.row.own_write": {
      en: "change coder's own settings, trust and permissions",
      zh: "修改 coder 自身的设置、信任和权限",
    },
    "policy.why.session": {
      en: "it changes only the session's own state ({source})",
      zh: "仅修改会话自身的状态（{source}）",
    },
    "policy.why.read": { en: "it reads files ({source})", zh: "读取文件（{source}）" },
    "policy.why.write": { en: "it changes files ({source})", zh: "修改文件（{source}）" },
    "policy.why.exec_read": { en: "it runs a command that only reads ({source})", zh: "运行只读命令（{source}）" },
    "policy.why.exec": {
      en: "it runs a command that may have effects ({source})",
      zh: "运行可能产生影响的命令（{source}）",
    },
    "policy.why.exec_held": {
      en: "it runs in the sandbox, without network",
      zh: "在沙箱内运行，无网络",
    },
    "policy.why.loss": {
      en: "it deletes or overwrites {path}, which /undo cannot bring back",
      zh: "将删除或覆盖 {path}，/undo 无法恢复",
    },
    "policy.why.loss_unknown": {
      en: "what it deletes is known only when it runs",
      zh: "要删除的内容在运行时才能确定",
    },
    "policy.why.history": {
      en: "it may change the history of the repository: {part}",
      zh: "可能更改仓库历史：{part}",
    },
    "policy.why.git_shows": {
      en: "it may show what git keeps of secret files: {part}",
      zh: "可能显示 git 中保存的机密文件内容：{part}",
    },
    "policy.why.git_folder": {
      en: "it names git's own folder, which also keeps what was removed",
      zh: "涉及 git 自身的目录，其中也保存着已删除的内容",
    },
    "policy.why.publish": {
      en: "it may publish or change something on a server: {part}",
      zh: "可能发布内容或更改服务器上的内容：{part}",
    },
    "policy.why.machine": { en: "it may change this machine: {part}", zh: "可能更改本机：{part}" },
    "policy.why.network": { en: "it uses the network ({source})", zh: "访问网络（{source}）" },
    "policy.lookalike": {
      en: "it may not be what it looks like: {names}",
      zh: "可能与看起来的不同：{names}",
    },
    "policy.host.private": {
      en: "{host} is this machine or in a private network",
      zh: "{host} 是本机或位于私有网络",
    },
    "policy.path.outside": { en: "{path} lies outside the workspace", zh: "{path} 位于工作区之外" },
    "policy.path.unresolved": { en: "it is not known where {path} leads", zh: "无法确定 {path} 指向何处" },
    "policy.path.folder": {
      en: "{path} is a folder: files in it are opened, and links in it followed",
      zh: "{path} 是文件夹：其中的文件会被打开，其中的链接会被跟随",
    },
    "policy.path.special": { en: "{path} is a pipe, socket or device", zh: "{path} 是管道、套接字或设备" },
    "policy.path.secret": { en: "{path} may hold secrets", zh: "{path} 可能含有机密" },
    "policy.git.past": {
      en: "it shows old commits, and it is not known in time whether they hold files for secrets",
      zh: "将显示历史提交，未能及时确定其中是否有机密文件",
    },
    "policy.git.object": {
      en: "it shows what git keeps as {object}, and no file is called that now: it may hold secrets",
      zh: "将显示 git 中的对象 {object}，目前没有文件与之对应，可能含有机密",
    },
    "policy.git.store": {
      en: "{path} is where git keeps the content of all files, removed secrets too",
      zh: "{path} 是 git 存放所有文件内容的地方，包括已删除的机密",
    },
    "policy.path.protected": {
      en: "{path} makes other programs run something: a change reaches further than the file",
      zh: "{path} 会让其他程序运行代码：对它的修改影响不止于该文件",
    },
    "policy.path.own": {
      en: "{path} belongs to coder itself (settings, trust, permissions), which no tool may change",
      zh: "{path} 属于 coder 自身（设置、信任、权限），任何工具都不得修改",
    },
    "policy.command.overwrites": {
      en: "a redirection overwrites the existing file {path}",
      zh: "重定向会覆盖已有文件 {path}",
    },
    "policy.sandbox.free": {
      en: "it would run outside the sandbox, with all your rights; files that other programs run by themselves, such as git hooks, would stay; an earlier run inside may already have had effects",
      zh: "它将在沙箱之外以您的全部权限运行；它创建的、会被其他程序自行运行的文件（如 git 钩子）将会保留；此前在沙箱内的运行可能已产生影响",
    },
    "policy.sandbox.free_off": {
      en: "it may make files that other programs run by themselves, such as git hooks and editor tasks: they would stay",
      zh: "它可能创建其他程序会自行运行的文件，例如 git 钩子和编辑器任务：这些文件将会保留",
    },
    "policy.sandbox.show": {
      en: "it would show commands a file that is hidden from them because it may hold secrets: {path}",
      zh: "它会让命令看到一个因可能含有机密而对命令隐藏的文件：{path}",
    },
    "policy.sandbox.kept": {
      en: "a rule keeps {path} hidden from commands (see /permissions)",
      zh: "有规则让 {path} 对命令保持隐藏（见 /permissions）",
    },
    "policy.sandbox.broken": {
      en: "the sandbox does not work here (see coder doctor), so it would run with all your rights",
      zh: "沙箱在此无法工作（见 coder doctor），它将以您的全部权限运行",
    },
    "policy.sandbox.missing": {
      en: "that it only reads depends on the files here, and there is no sandbox to hold it to that",
      zh: "它是否只读取决于此处的文件，而没有沙箱可以确保这一点",
    },
    "policy.sandbox.changes_off": {
      en: "it would run files that this session has changed, with all your rights: the sandbox is switched off",
      zh: "它会以您的全部权限运行本会话修改过的文件：沙箱已关闭",
    },
    "policy.sandbox.changes_missing": {
      en: "it would run files that this session has changed, with all your rights: there is no sandbox here (see coder doctor)",
      zh: "它会以您的全部权限运行本会话修改过的文件：此处没有沙箱（见 coder doctor）",
    },
    "policy.advice.either": {
      en: "it needs approval and nobody can be asked here; run with {flags} to allow exactly this, or with --mode {mode}",
      zh: "需要批准，而此处无人可问；如要仅允许此操作，请加上 {flags}，或用 --mode {mode} 运行",
    },
    "policy.advice.rule": {
      en: "it needs approval and nobody can be asked here; run with {flags} to allow exactly this",
      zh: "需要批准，而此处无人可问；如要仅允许此操作，请加上 {flags}",
    },
    "policy.advice.approval": {
      en: "it needs approval and nobody can be asked here; run with --mode {mode} to allow it",
      zh: "需要批准，而此处无人可问；如要允许，请用 --mode {mode} 运行",
    },
    "policy.advice.mode": {
      en: "mode {mode} does not forbid it (--mode {mode} or /mode {mode})",
      zh: "模式 {mode} 不禁止此操作（--mode {mode} 或 /mode {mode}）",
    },
    "policy.advice.plan": {
      en: "plan mode changes and runs nothing; /mode {mode} leaves it (in the terminal Shift+Tab too, --mode {mode} at the start)",
      zh: "plan 模式不修改也不运行任何内容；用 /mode {mode} 离开（终端中也可按 Shift+Tab，启动时用 --mode {mode}）",
    },
    "policy.advice.typed": {
      en: '{advice}; or set "shell_mode": {"approval": "direct"} in your own configuration, and what you type is not asked about',
      zh: '{advice}；也可在您自己的配置中设置 "shell_mode": {"approval": "direct"}，此后不再询问您输入的命令',
    },
    "policy.advice.preset": {
      en: "preset {preset} forbids it; choose another preset and mode {mode} (--mode {mode}) to allow it",
      zh: "预设 {preset} 禁止此操作；如要允许，请更换预设并使用模式 {mode}（--mode {mode}）",
    },
    "policy.advice.path": {
      en: "use another path; no mode allows this one",
      zh: "请换一个路径；任何模式都不允许此路径",
    },
    "policy.advice.denied": {
      en: "a rule forbids it in every mode: take another way, or ask the person to change the rule",
      zh: "有规则在任何模式下都禁止此操作：请换一种做法，或请用户修改规则",
    },
    "policy.advice.host": {
      en: "it is not asked about; only the person can allow it, by a rule that names the host: {flags}",
      zh: "不会就此询问；只有用户能用指明该主机的规则允许它：{flags}",
    },
    "policy.constraint": { en: 'you said: "{text}"', zh: "您说过：“{text}”" },
    "policy.advice.person": {
      en: "a person has to approve it in every mode; run it where someone can be asked",
      zh: "任何模式下都需要有人批准；请在可以询问的环境中运行",
    },
  }) as const;
