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
    "command.statusline.help": { en: "set the status line", zh: "查看或设置状态行" },
    "command.statusline.usage": { en: "Usage: /statusline {usage}", zh: "用法：/statusline {usage}" },
    "command.statusline.unknown": {
      en: "unknown field {given}; the fields are {fields}",
      zh: "没有字段 {given}；可用：{fields}",
    },
    "command.statusline.fields": { en: "fields: {fields}", zh: "字段：{fields}" },
    "command.statusline.more": { en: "not shown: {fields}", zh: "未显示：{fields}" },
    "command.statusline.command": { en: "command: {command}", zh: "命令：{command}" },
    "command.vim.help": { en: "switch vim keys on or off", zh: "开启或关闭 vim 按键" },
    "command.vim.usage": { en: "Usage: /vim [on|off]", zh: "用法：/vim [on|off]" },
    "command.vim.on": {
      en: "vim keys: on. Esc for normal mode, i to insert.",
      zh: "vim 按键：开启。Esc 进入普通模式，i 进入插入模式。",
    },
    "command.vim.off": { en: "vim keys: off", zh: "vim 按键：关闭" },
    "statusline.late": { en: "no end after {s} s", zh: "{s} 秒后仍未结束" },
    "statusline.ended": { en: "exit code {code}", zh: "退出码 {code}" },
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
