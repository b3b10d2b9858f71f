export const doctorText = () =>
  ({
    "doctor.ok": { en: "ok", zh: "正常" },
    "doctor.warning": { en: "warning", zh: "警告" },
    "doctor.problem": { en: "problem", zh: "问题" },
    "doctor.no_problem": { en: "No problems found.", zh: "未发现问题。" },
    "doctor.only_warnings": { en: "No problems found. Warnings: {n}.", zh: "未发现问题。警告：{n} 个。" },
    "doctor.problems": {
      en: "Problems found: {n}. Warnings: {warnings}.",
      zh: "发现问题：{n} 个。警告：{warnings} 个。",
    },
    "doctor.slow": { en: "no response within {s} s", zh: "{s} 秒内没有回应" },
    "doctor.slow.advice": {
      en: "The disk or program behind it does not respond; check it separately.",
      zh: "其背后的磁盘或程序没有回应；请单独检查。",
    },
    "doctor.failed": { en: "check failed: {what}", zh: "无法检查：{what}" },
    "doctor.version": { en: "{version}, Bun {bun}", zh: "{version}，Bun {bun}" },
    "doctor.system": { en: "{platform} {arch}, kernel {kernel}", zh: "{platform} {arch}，内核 {kernel}" },
    "doctor.terminal": { en: "TERM {term}; terminals: {which}", zh: "TERM {term}；终端：{which}" },
    "doctor.locale": { en: "{locale}; messages in {lang}", zh: "{locale}；消息语言 {lang}" },
    "doctor.locale.advice": {
      en: "This is not a UTF-8 locale: Chinese and other text may look wrong. Set LANG=C.UTF-8.",
      zh: "这不是 UTF-8 区域设置：中文等文字可能显示错误。请设置 LANG=C.UTF-8。",
    },
    "doctor.home_missing": { en: "{home} will be created on first use", zh: "{home} 将在首次使用时创建" },
    "doctor.home_unmade": { en: "{home} cannot be created ({code})", zh: "无法创建 {home}（{code}）" },
    "doctor.home": { en: "{home}, writable, {free} free", zh: "{home}，可写，剩余 {free}" },
    "doctor.home_not_folder": { en: "{home} is not a folder", zh: "{home} 不是目录" },
    "doctor.home_not_folder.advice": { en: "Move it away, or set CODER_HOME.", zh: "请移走它，或设置 CODER_HOME。" },
    "doctor.not_writable": { en: "{path} is not writable ({code})", zh: "{path} 不可写（{code}）" },
    "doctor.not_writable.advice": {
      en: "Give yourself access: chmod u+rwx {path}",
      zh: "请授予写权限：chmod u+rwx {path}",
    },
    "doctor.open_to_others": {
      en: "other users can access {path} (mode {mode})",
      zh: "{path} 对其他用户开放（权限 {mode}）",
    },
    "doctor.open_to_others.advice": { en: "Restrict it: chmod {want} {path}", zh: "请收紧权限：chmod {want} {path}" },
    "doctor.little_space": { en: "only {free} free on the disk of {path}", zh: "{path} 所在磁盘只剩 {free}" },
    "doctor.little_space.advice": {
      en: "Free some space; without it no session can continue.",
      zh: "请清理磁盘空间；否则会话无法继续。",
    },
    "doctor.no_database": { en: "none yet", zh: "尚无" },
    "doctor.database": {
      en: "version {version}, {sessions} sessions, {size}, intact",
      zh: "版本 {version}，{sessions} 个会话，{size}，完好",
    },
    "doctor.database_large": {
      en: "version {version}, {sessions} sessions, {size}; too large for a full check",
      zh: "版本 {version}，{sessions} 个会话，{size}；过大，未做完整检查",
    },
    "doctor.database_newer": {
      en: "version {version}; this coder supports versions up to {known}",
      zh: "版本 {version}，而此 coder 只支持到版本 {known}",
    },
    "doctor.database_newer.advice": {
      en: "Update coder, or use another CODER_HOME.",
      zh: "请使用更新的 coder，或换一个 CODER_HOME。",
    },
    "doctor.database_damaged": { en: "{path} is damaged: {what}", zh: "{path} 已损坏：{what}" },
    "doctor.database_damaged.advice": {
      en: "Move it away together with its -wal and -shm files; then rebuild sessions with coder run --resume ID --from-snapshot.",
      zh: "请移走它及其 -wal、-shm 文件；会话可用 coder run --resume ID --from-snapshot 重建。",
    },
    "doctor.database_unread": { en: "could not check {path}: {what}", zh: "无法检查 {path}：{what}" },
    "doctor.database_unread.advice": {
      en: "Do not move it. Check that you may read the file and that no other process has it locked.",
      zh: "请勿移动它。请检查它是否为你可读的文件，以及是否被其他进程锁定。",
    },
    "doctor.leases": {
      en: "open now: {held}; left behind by ended processes: {stale}",
      zh: "当前打开：{held}；由已结束的进程遗留：{stale}",
    },
    "doctor.config_none": { en: "{file}: does not exist; defaults apply", zh: "{file}：不存在；使用默认值" },
    "doctor.config": { en: "{file}: valid", zh: "{file}：有效" },
    "doctor.config_bad.advice": {
      en: "Correct it, or remove the key: coder config unset KEY",
      zh: "请修正，或移除该键：coder config unset 键",
    },
    "doctor.project": {
      en: "{file}: valid; it takes effect only if the workspace is trusted",
      zh: "{file}：有效；仅在工作区受信任时生效",
    },
    "doctor.workspace": { en: "{path}, writable, no git repository", zh: "{path}，可写，不是 git 仓库" },
    "doctor.workspace_git": { en: "{path}, writable, a git repository", zh: "{path}，可写，是 git 仓库" },
    "doctor.model": { en: "{model} at {url}, no key needed", zh: "{model}，地址 {url}，无需密钥" },
    "doctor.model_key": { en: "{model} at {url}, key from {from}", zh: "{model}，地址 {url}，密钥来自 {from}" },
    "doctor.server": { en: "{host} responds and has {n} models", zh: "{host} 有响应，共 {n} 个模型" },
    "doctor.server_lacks": {
      en: "{host} responds, but does not have the model {model}",
      zh: "{host} 有响应，但没有模型 {model}",
    },
    "doctor.server_lacks.advice": {
      en: "See coder models {provider} --online",
      zh: "参见 coder models {provider} --online",
    },
    "doctor.server_unsure.advice": {
      en: "Check the address, the key and the network; some servers do not list their models.",
      zh: "请检查地址、密钥和网络；有些服务不提供模型列表。",
    },
    "doctor.no_network": { en: "no proxy or certificate variable is set", zh: "未设置代理或证书变量" },
    "doctor.network": { en: "set: {names}", zh: "已设置：{names}" },
    "doctor.ca_unreadable": {
      en: "{name} points to {file}, which cannot be read ({code})",
      zh: "{name} 指向的 {file} 无法读取（{code}）",
    },
    "doctor.ca_unreadable.advice": {
      en: "Correct the path, or unset the variable.",
      zh: "请修正路径或取消该变量。",
    },
    "doctor.tool": { en: "found at {path}", zh: "位于 {path}" },
    "doctor.tool_own": { en: "bundled", zh: "自带副本" },
    "doctor.no_bash": { en: "no bash on PATH", zh: "PATH 中没有 bash" },
    "doctor.no_bash.advice": {
      en: "Install bash: coder cannot run commands without it.",
      zh: "请安装 bash：否则无法执行任何命令。",
    },
    "doctor.no_rg.advice": {
      en: "Install ripgrep; searching also works without it, but more slowly.",
      zh: "请安装 ripgrep；没有它也能搜索，但较慢。",
    },
    "doctor.no_git.advice": {
      en: "Install git; without it /diff and /undo --all are not available.",
      zh: "请安装 git；否则 /diff 和 /undo --all 不可用。",
    },
    "doctor.no_pdf.advice": {
      en: "Install poppler-utils to read PDF files.",
      zh: "如需读取 PDF，请安装 poppler-utils。",
    },
    "doctor.no_tool": { en: "not installed", zh: "未安装" },
    "doctor.no_sandbox.advice": {
      en: "Install bubblewrap: commands can then write only to the workspace.",
      zh: "请安装 bubblewrap：命令将只能写入工作区。",
    },
    "doctor.sandbox_broken.advice": {
      en: "Until it works, coder asks before it runs commands. `--no-sandbox` runs them without a sandbox.",
      zh: "在其可用之前，命令运行前都会询问。`--no-sandbox` 可不用沙箱运行。",
    },
    "doctor.no_leftovers": { en: "none", zh: "无" },
    "doctor.leftover_files": {
      en: "temporary files left behind by ended processes: {files}",
      zh: "已结束进程遗留的临时文件：{files}",
    },
    "doctor.leftover_files.advice": { en: "You can delete them.", zh: "可以删除。" },
    "doctor.strays": {
      en: "processes left behind by sessions that are not running: {processes}",
      zh: "未在运行的会话遗留的进程：{processes}",
    },
    "doctor.strays.advice": {
      en: "Check them, and end those that should not run.",
      zh: "请检查并结束不应运行的进程。",
    },
  }) as const;
