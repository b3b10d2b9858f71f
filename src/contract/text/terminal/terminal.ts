export const terminalText = () =>
  ({
    "terminal.no_command_near": {
      en: "unknown command {word}; did you mean coder {near}?",
      zh: "未知命令 {word}；是否想用 coder {near}？",
    },
    "terminal.quotes.advice": {
      en: 'For a task, use quotes: coder "{word}". To list the commands: coder --help.',
      zh: '如果这是任务，请加引号：coder "{word}"。查看命令：coder --help。',
    },
    "terminal.none": {
      en: "{what} is not a terminal",
      zh: "{what} 不是终端",
    },
    "terminal.none.advice": {
      en: 'Use coder run "{prompt}": it needs no terminal, reads piped text, and prints the result.',
      zh: '请用 coder run "{prompt}"：无需终端，可附带管道输入，并输出结果。',
    },
    "command.theme.help": { en: "show or change the colours", zh: "查看或切换配色" },
    "command.theme.is": { en: "theme: {theme} (available: {themes})", zh: "配色：{theme}（可用：{themes}）" },
    "command.theme.unknown": {
      en: "unknown theme {given}; the themes are {themes}",
      zh: "没有配色 {given}；可用：{themes}",
    },
    "command.lang.help": { en: "show or change the language", zh: "查看或切换语言" },
    "command.lang.is": { en: "language: {lang} (available: {langs})", zh: "语言：{lang}（可用：{langs}）" },
    "command.lang.unknown": {
      en: "unknown language {given}; available: {langs}",
      zh: "没有语言 {given}；可用：{langs}",
    },
    "command.ui.not_kept": {
      en: "Only for now, because it could not be saved: {problem}",
      zh: "无法保存，仅本次有效：{problem}",
    },
    "terminal.trust.new": {
      en: "This folder contains settings or instructions for coder: {workspace}",
      zh: "此目录包含给 coder 的设置或指示：{workspace}",
    },
    "terminal.trust.changed": {
      en: "Settings or instructions for coder have changed since you trusted {workspace}:",
      zh: "自你信任 {workspace} 以来，其中给 coder 的设置或指示已更改：",
    },
    "terminal.trust.config": {
      en: "configuration (settings: {settings}, permission rules: {rules})",
      zh: "配置（{settings} 项设置，{rules} 条权限规则）",
    },
    "terminal.trust.address": {
      en: "Prompts, including your code, will be sent to {url}",
      zh: "提示（包括你的代码）将发送到 {url}",
    },
    "terminal.trust.more": { en: "and {n} more", zh: "以及另外 {n} 项" },
    "terminal.trust.lines": { en: "… {n} more lines", zh: "…… 另有 {n} 行" },
    "terminal.trust": {
      en: "None of this takes effect unless you trust this folder. Trust it?",
      zh: "除非你信任此目录，否则这些内容均不生效。是否信任？",
    },
    "terminal.trust.yes": { en: "Trust this version", zh: "信任此版本" },
    "terminal.trust.look": { en: "Look at it first", zh: "先查看" },
    "terminal.trust.no": { en: "Continue without it (this session)", zh: "不使用它并继续（本次会话）" },
  }) as const;
