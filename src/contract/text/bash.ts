export const bashText = {
  "bash.nul": {
    en: "the command holds a NUL character, which no shell can take",
    zh: "命令中含有 NUL 字符，任何 shell 都无法接受",
  },
  "bash.missing": { en: "bash was not found in PATH", zh: "在 PATH 中找不到 bash" },
  "bash.missing_advice": {
    en: "Install bash, or add the folder it is in to PATH, and start coder again.",
    zh: "请安装 bash，或将其所在目录加入 PATH，然后重新启动 coder。",
  },
  "bash.no_cwd": {
    en: "the command was not started: the folder {cwd} does not exist any more",
    zh: "命令未启动：目录 {cwd} 已不存在",
  },
  "bash.no_cwd_advice": {
    en: "Create the folder again, or start coder in another one (--cwd).",
    zh: "请重新创建该目录，或在其他目录启动 coder（--cwd）。",
  },
  "bash.no_start": {
    en: "the command could not be started in {cwd} ({code})",
    zh: "无法在 {cwd} 中启动命令（{code}）",
  },
  "bash.no_start_advice": {
    en: "Check that the folder may be entered and that the machine has memory and process slots left.",
    zh: "请检查该目录是否可进入，以及系统是否还有可用内存和进程数。",
  },
} as const;
