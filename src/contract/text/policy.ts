export const policyText = () =>
  ({
    "policy.row.session": { en: "change the session's own todos", zh: "修改会话自身的待办" },
    "policy.row.read": { en: "read files in the workspace", zh: "读取工作区内的文件" },
    "policy.row.write": { en: "change files in the workspace", zh: "修改工作区内的文件" },
    "policy.row.exec_read": { en: "run commands proved read-only", zh: "运行已证明只读的命令" },
    "policy.row.exec": { en: "run other commands", zh: "运行其他命令" },
    "policy.row.network": { en: "use the network", zh: "访问网络" },
    "policy.row.outside_read": { en: "read outside the workspace", zh: "读取工作区之外的文件" },
    "policy.row.outside_write": { en: "change files outside the workspace", zh: "修改工作区之外的文件" },
    "policy.row.secret": {
      en: "open files that hold secrets (.env, keys, credentials)",
      zh: "打开含机密的文件（.env、密钥、凭据）",
    },
    "policy.row.protected_write": { en: "change files in .git or .coder", zh: "修改 .git 或 .coder 中的文件" },
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
    "policy.why.network": { en: "it uses the network ({source})", zh: "访问网络（{source}）" },
    "policy.path.outside": { en: "{path} lies outside the workspace", zh: "{path} 位于工作区之外" },
    "policy.path.unresolved": { en: "it is not known where {path} leads", zh: "无法确定 {path} 指向何处" },
    "policy.path.special": { en: "{path} is a pipe, socket or device", zh: "{path} 是管道、套接字或设备" },
    "policy.path.secret": { en: "{path} may hold secrets", zh: "{path} 可能含有机密" },
    "policy.path.protected": {
      en: "{path} belongs to git or to coder itself, where a change reaches further than the file",
      zh: "{path} 属于 git 或 coder 自身，对它的修改影响不止于该文件",
    },
    "policy.command.reads": { en: "the command only reads", zh: "该命令只读取" },
    "policy.command.shape": {
      en: "the command is more than plain words, | and &&, so it is not proved read-only",
      zh: "命令不只由普通单词、| 和 && 组成，无法证明其只读",
    },
    "policy.command.program": { en: "{program} is not known to only read", zh: "无法确定 {program} 只读取" },
    "policy.command.shadowed": {
      en: "PATH leads into the workspace, so {program} may be a file of the workspace",
      zh: "PATH 指向工作区内部，{program} 可能是工作区中的文件",
    },
    "policy.command.option": {
      en: "{program} is not known to only read with {option}",
      zh: "无法确定 {program} 带 {option} 时只读取",
    },
    "policy.command.operand": {
      en: "{program} is not known to only read with {operand}",
      zh: "无法确定 {program} 带 {operand} 时只读取",
    },
    "policy.advice.approval": {
      en: "it needs approval and nobody can be asked here; run with --mode {mode} to allow it",
      zh: "需要批准，而此处无人可问；如要允许，请用 --mode {mode} 运行",
    },
    "policy.advice.mode": {
      en: "mode {mode} does not forbid it (--mode {mode} or /mode {mode})",
      zh: "模式 {mode} 不禁止此操作（--mode {mode} 或 /mode {mode}）",
    },
    "policy.advice.preset": {
      en: "preset {preset} forbids it; choose another preset and mode {mode} (--mode {mode}) to allow it",
      zh: "预设 {preset} 禁止此操作；如要允许，请更换预设并使用模式 {mode}（--mode {mode}）",
    },
    "policy.advice.path": {
      en: "use another path; no mode allows this one",
      zh: "请换一个路径；任何模式都不允许此路径",
    },
    "policy.advice.person": {
      en: "a person has to approve it in every mode; run it where someone can be asked",
      zh: "任何模式下都需要有人批准；请在可以询问的环境中运行",
    },
  }) as const;
