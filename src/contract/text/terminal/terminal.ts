/** How `coder` becomes the terminal application. */
export const terminalText = () =>
  ({
    "terminal.no_command_near": {
      en: "there is no command {word}; did you mean coder {near}?",
      zh: "没有命令 {word}；是否想用 coder {near}？",
    },
    "terminal.quotes.advice": {
      en: 'If it is a task, put it in quotes: coder "{word}". For the commands: coder --help.',
      zh: '如果这是任务，请加引号：coder "{word}"。查看命令：coder --help。',
    },
    "terminal.none": {
      en: "the terminal application needs a terminal, and {what} is none",
      zh: "终端应用需要终端，而 {what} 不是终端",
    },
    "terminal.none.advice": {
      en: 'Use coder run "{prompt}": it needs no terminal, takes piped text along, and prints the result.',
      zh: '请用 coder run "{prompt}"：无需终端，可附带管道输入，并输出结果。',
    },
    "command.theme.help": { en: "show or change the colours", zh: "查看或切换配色" },
    "command.theme.is": { en: "theme: {theme} (there are {themes})", zh: "配色：{theme}（可用：{themes}）" },
    "command.theme.unknown": {
      en: "there is no theme {given}; the themes are {themes}",
      zh: "没有配色 {given}；可用：{themes}",
    },
    "command.lang.help": { en: "show or change the language", zh: "查看或切换语言" },
    "command.lang.is": { en: "language: {lang} (there are {langs})", zh: "语言：{lang}（可用：{langs}）" },
    "command.lang.unknown": {
      en: "there is no language {given}; there are {langs}",
      zh: "没有语言 {given}；可用：{langs}",
    },
    "command.ui.not_kept": {
      en: "It holds for now only: {problem}",
      zh: "仅本次有效：{problem}",
    },
    "terminal.trust.new": {
      en: "{workspace} brings along files that tell coder what to do:",
      zh: "{workspace} 附带了指示 coder 如何行事的文件：",
    },
    "terminal.trust.changed": {
      en: "What {workspace} brings along has changed since you trusted it:",
      zh: "{workspace} 附带的内容在您信任之后已更改：",
    },
    "terminal.trust.config": {
      en: "configuration (settings: {settings}, permission rules: {rules})",
      zh: "配置（{settings} 项设置，{rules} 条权限规则）",
    },
    "terminal.trust.address": {
      en: "what its models get, your code among it, goes to {url}",
      zh: "发给其模型的内容（包括您的代码）会发往 {url}",
    },
    "terminal.trust.more": { en: "and {n} more", zh: "以及另外 {n} 项" },
    "terminal.trust.lines": { en: "… {n} more lines", zh: "…… 另有 {n} 行" },
    "terminal.trust": {
      en: "None of it takes effect unless you trust it. Trust it?",
      zh: "未经您信任，这些内容均不生效。是否信任？",
    },
    "terminal.trust.yes": { en: "Trust it, as it is now", zh: "信任，按当前内容" },
    "terminal.trust.look": { en: "Look at it first", zh: "先查看" },
    "terminal.trust.no": { en: "Go on without it, this time", zh: "本次不使用它，继续" },
  }) as const;
