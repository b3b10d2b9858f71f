export const policyText = () =>
  ({
    "policy.row.session": { en: "change the session's own todos", zh: "修改会话自身的待办" },
    "policy.row.read": { en: "read files in the workspace", zh: "读取工作区内的文件" },
    "policy.row.write": { en: "change files in the workspace", zh: "修改工作区内的文件" },
    "policy.row.exec_read": { en: "run commands known to be read-only", zh: "运行已证明只读的命令" },
    "policy.row.exec_held": { en: "run commands in the sandbox, without network", zh: "在沙箱内运行命令（无网络）" },
    "policy.row.exec": { en: "run other commands", zh: "运行其他命令" },
    "policy.row.loss": { en: "delete things /undo cannot restore", zh: "删除 /undo 无法恢复的内容" },
    "policy.row.history": { en: "change repository history", zh: "更改仓库历史" },
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
      en: "open files that may hold secrets (.env, keys, credentials)",
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
      en: "changes only the session's own state ({source})",
      zh: "仅修改会话自身的状态（{source}）",
    },
    "policy.why.read": { en: "reads files ({source})", zh: "读取文件（{source}）" },
    "policy.why.write": { en: "changes files ({source})", zh: "修改文件（{source}）" },
    "policy.why.exec_read": { en: "runs a read-only command ({source})", zh: "运行只读命令（{source}）" },
    "policy.why.exec": {
      en: "runs a command that may have effects ({source})",
      zh: "运行可能产生影响的命令（{source}）",
    },
    "policy.why.exec_held": {
      en: "runs in the sandbox, without network",
      zh: "在沙箱内运行，无网络",
    },
    "policy.why.loss": {
      en: "deletes or overwrites {path}, which /undo cannot restore",
      zh: "将删除或覆盖 {path}，/undo 无法恢复",
    },
    "policy.why.loss_unknown": {
      en: "the files it deletes are known only at run time",
      zh: "运行时才能确定会删除哪些文件",
    },
    "policy.why.history": {
      en: "may change repository history: {part}",
      zh: "可能更改仓库历史：{part}",
    },
    "policy.why.git_shows": {
      en: "may show secret files kept in git: {part}",
      zh: "可能显示 git 中保存的机密文件内容：{part}",
    },
    "policy.why.git_folder": {
      en: "names git's own folder, which also keeps deleted content",
      zh: "涉及 git 自身的目录，其中也保存着已删除的内容",
    },
    "policy.why.publish": {
      en: "may publish or change something on a server: {part}",
      zh: "可能发布内容或更改服务器上的内容：{part}",
    },
    "policy.why.machine": { en: "may change this machine: {part}", zh: "可能更改本机：{part}" },
    "policy.why.network": { en: "uses the network ({source})", zh: "访问网络（{source}）" },
    "policy.lookalike": {
      en: "may not be what it looks like: {names}",
      zh: "可能并非看上去那样：{names}",
    },
    "policy.host.private": {
      en: "{host} is this machine or on a private network",
      zh: "{host} 是本机或位于私有网络",
    },
    "policy.path.outside": { en: "{path} is outside the workspace", zh: "{path} 位于工作区之外" },
    "policy.path.unresolved": { en: "cannot tell where {path} leads", zh: "无法确定 {path} 指向何处" },
    "policy.path.folder": {
      en: "{path} is a folder: the files in it are opened and the links followed",
      zh: "{path} 是目录：其中的文件会被打开，其中的链接会被跟随",
    },
    "policy.path.special": { en: "{path} is a pipe, socket or device", zh: "{path} 是管道、套接字或设备" },
    "policy.path.secret": { en: "{path} may hold secrets", zh: "{path} 可能含有机密" },
    "policy.git.past": {
      en: "shows old commits, which could not be checked in time for secret files",
      zh: "将显示历史提交，未能及时检查其中是否有机密文件",
    },
    "policy.git.object": {
      en: "shows the git object {object}, which belongs to no current file: it may hold secrets",
      zh: "将显示 git 中的对象 {object}，目前没有文件与之对应，可能含有机密",
    },
    "policy.git.store": {
      en: "git keeps the content of all files in {path}, deleted secrets too",
      zh: "{path} 是 git 存放所有文件内容的地方，包括已删除的机密",
    },
    "policy.path.protected": {
      en: "{path} makes other programs run something: changing it affects more than this file",
      zh: "{path} 会让其他程序运行代码：修改它的影响不限于该文件",
    },
    "policy.path.own": {
      en: "{path} belongs to coder itself (settings, trust, permissions); no tool may change it",
      zh: "{path} 属于 coder 自身（设置、信任、权限），任何工具都不得修改",
    },
    "policy.command.overwrites": {
      en: "a redirection overwrites the existing file {path}",
      zh: "重定向会覆盖已有文件 {path}",
    },
    "policy.sandbox.free": {
      en: "would run outside the sandbox, with all your permissions; files that other programs run automatically, such as git hooks, would stay; an earlier run inside may already have had effects",
      zh: "它将在沙箱之外以你的全部权限运行；它创建的、会被其他程序自行运行的文件（如 git 钩子）将会保留；此前在沙箱内的运行可能已产生影响",
    },
    "policy.sandbox.free_off": {
      en: "may create files that other programs run automatically, such as git hooks and editor tasks: they would stay",
      zh: "它可能创建其他程序会自行运行的文件，例如 git 钩子和编辑器任务：这些文件将会保留",
    },
    "policy.sandbox.show": {
      en: "would show commands a file that is hidden from them because it may hold secrets: {path}",
      zh: "它会让命令看到一个因可能含有机密而对命令隐藏的文件：{path}",
    },
    "policy.sandbox.kept": {
      en: "a rule keeps {path} hidden from commands (see /permissions)",
      zh: "有规则让 {path} 对命令保持隐藏（见 /permissions）",
    },
    "policy.sandbox.broken": {
      en: "the sandbox does not work here (see coder doctor), so it would run with all your permissions",
      zh: "沙箱在此无法工作（见 coder doctor），它将以你的全部权限运行",
    },
    "policy.sandbox.missing": {
      en: "looks read-only, but files here could change that and no sandbox is available",
      zh: "看起来只读，但此处的文件可能改变这一点，且没有可用的沙箱",
    },
    "policy.sandbox.changes_off": {
      en: "would run files this session changed, with all your permissions: the sandbox is switched off",
      zh: "它会以你的全部权限运行本会话修改过的文件：沙箱已关闭",
    },
    "policy.sandbox.changes_missing": {
      en: "would run files this session changed, with all your permissions: there is no sandbox here (see coder doctor)",
      zh: "它会以你的全部权限运行本会话修改过的文件：此处没有沙箱（见 coder doctor）",
    },
    "policy.advice.either": {
      en: "needs approval, and nobody can be asked here; to allow exactly this, use {flags}, or use --mode {mode}",
      zh: "需要批准，而此处无人可问；如要仅允许此操作，请加上 {flags}，或用 --mode {mode} 运行",
    },
    "policy.advice.rule": {
      en: "needs approval, and nobody can be asked here; to allow exactly this, use {flags}",
      zh: "需要批准，而此处无人可问；如要仅允许此操作，请加上 {flags}",
    },
    "policy.advice.approval": {
      en: "needs approval, and nobody can be asked here; to allow it, use --mode {mode}",
      zh: "需要批准，而此处无人可问；如要允许，请用 --mode {mode} 运行",
    },
    "policy.advice.mode": {
      en: "mode {mode} does not deny it (--mode {mode} or /mode {mode})",
      zh: "模式 {mode} 不禁止此操作（--mode {mode} 或 /mode {mode}）",
    },
    "policy.advice.plan": {
      en: "plan mode changes nothing and runs nothing; to leave it: /mode {mode} (in the terminal also Shift+Tab, at the start --mode {mode})",
      zh: "plan 模式不修改也不运行任何内容；用 /mode {mode} 离开（终端中也可按 Shift+Tab，启动时用 --mode {mode}）",
    },
    "policy.advice.typed": {
      en: '{advice}; or set "shell_mode": {"approval": "direct"} in your own configuration, and coder no longer asks about commands you type',
      zh: '{advice}；也可在你自己的配置中设置 "shell_mode": {"approval": "direct"}，此后不再询问你输入的命令',
    },
    "policy.advice.preset": {
      en: "preset {preset} denies it; to allow it, choose another preset and mode {mode} (--mode {mode})",
      zh: "预设 {preset} 禁止此操作；如要允许，请更换预设并使用模式 {mode}（--mode {mode}）",
    },
    "policy.advice.path": {
      en: "Use another path; no mode allows this one",
      zh: "请换一个路径；任何模式都不允许此路径",
    },
    "policy.advice.denied": {
      en: "a rule denies it in every mode: find another way, or ask the user to change the rule",
      zh: "有规则在任何模式下都禁止此操作：请换一种做法，或请用户修改规则",
    },
    "policy.advice.host": {
      en: "coder does not ask about this; only the user can allow it, with a rule that names the host: {flags}",
      zh: "不会就此询问；只有用户能用指明该主机的规则允许它：{flags}",
    },
    "policy.constraint": { en: 'you said: "{text}"', zh: "你说过：“{text}”" },
    "policy.advice.person": {
      en: "every mode requires a person to approve this; run it where someone can be asked",
      zh: "任何模式下都需要有人批准；请在可以询问的环境中运行",
    },
  }) as const;
