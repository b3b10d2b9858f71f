export const tuiPromptText = () =>
  ({
    "prompt.placeholder": {
      en: "Ask anything · / commands · @ files · ! shell",
      zh: "请输入任务 · / 命令 · @ 文件 · ! 终端命令",
    },
    "prompt.placeholder.busy": {
      en: "{send} to steer · {queue} to queue",
      zh: "{send} 立即补充 · {queue} 排队",
    },
    "prompt.shell": { en: "shell", zh: "终端命令" },
    "prompt.shell_hint": { en: "runs a command; Backspace leaves", zh: "运行命令；退格键退出" },
    "prompt.vim.insert": { en: "INSERT", zh: "插入" },
    "prompt.vim.normal": { en: "NORMAL", zh: "普通" },
    "prompt.history": { en: "history", zh: "历史" },
    "prompt.history_hint": {
      en: "type to search · {send} to use · {cancel} back",
      zh: "输入以搜索 · {send} 选用 · {cancel} 返回",
    },
    "prompt.history_none": { en: "no matches", zh: "无匹配项" },
    "prompt.paste_lines": { en: "[paste #{n} +{lines} lines]", zh: "[粘贴 #{n} +{lines} 行]" },
    "prompt.paste_chars": { en: "[paste #{n} {chars} characters]", zh: "[粘贴 #{n} {chars} 个字符]" },
    "editor.none": {
      en: "no editor found: install one (nano, vim), or set VISUAL or EDITOR to the name of yours",
      zh: "未找到编辑器：请安装一个（nano、vim），或在 VISUAL 或 EDITOR 中写入其名称",
    },
    "editor.missing": {
      en: "could not start the editor {command}: check the variable {variable}",
      zh: "无法启动编辑器 {command}：请检查环境变量 {variable}",
    },
    "editor.failed": {
      en: "the editor {command} exited with {code}: your text is unchanged",
      zh: "编辑器 {command} 以 {code} 退出：文字保持不变",
    },
    "editor.unwritten": {
      en: "could not write a file for the editor ({code}): your text is unchanged",
      zh: "无法为编辑器写入文件（{code}）：文字保持不变",
    },
    "editor.unread": {
      en: "could not read the text saved by {command} ({code}): your text is unchanged",
      zh: "无法读取编辑器 {command} 保存的内容（{code}）：文字保持不变",
    },
    "editor.too_big": {
      en: "the text saved by {command} is larger than {max}: your text is unchanged",
      zh: "编辑器 {command} 保存的内容大于 {max}：文字保持不变",
    },
  }) as const;
