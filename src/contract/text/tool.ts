export const toolText = {
  "file.missing": { en: "{path} does not exist", zh: "{path} 不存在" },
  "file.missing_near": {
    en: "{path} does not exist; nearest names there: {names}",
    zh: "{path} 不存在；该目录中相近的名称：{names}",
  },
  "file.parent_is_file": {
    en: "{path} cannot exist: a part of the path is a file, not a folder",
    zh: "{path} 不可能存在：路径中有一段是文件而不是目录",
  },
  "file.denied": { en: "no permission for {path}", zh: "没有访问 {path} 的权限" },
  "file.read_only": { en: "{path} is write-protected", zh: "{path} 是只读文件" },
  "file.read_only_disk": { en: "{path} is on a read-only disk", zh: "{path} 位于只读磁盘上" },
  "file.no_space": { en: "no space left on the disk for {path}", zh: "磁盘空间不足，无法写入 {path}" },
  "file.failed": { en: "access to {path} failed ({code})", zh: "访问 {path} 失败（{code}）" },
  "file.nul_in_path": { en: "the path {path} contains a NUL character", zh: "路径 {path} 含有 NUL 字符" },
  "file.link_loop": { en: "{path} is a loop of symbolic links", zh: "{path} 是循环的符号链接" },
  "file.path_too_long": { en: "the path {path} is too long", zh: "路径 {path} 过长" },
  "file.outside": { en: "{path} leads to {real}, outside the workspace", zh: "{path} 指向工作区之外的 {real}" },
  "file.is_folder": { en: "{path} is a folder, not a file", zh: "{path} 是目录，不是文件" },
  "file.not_folder": { en: "{path} is not a folder", zh: "{path} 不是目录" },
  "file.special": {
    en: "{path} is a pipe, device or socket, not a file",
    zh: "{path} 是管道、设备或套接字，不是普通文件",
  },
  "file.binary": { en: "{path} is not text: {kind}, {size}", zh: "{path} 不是文本：{kind}，{size}" },
  "file.too_big": {
    en: "{path} is too big to be changed by this tool ({size}; the limit is 64 MiB)",
    zh: "{path} 太大，此工具无法修改（{size}；上限 64 MiB）",
  },
  "file.past_end": {
    en: "{path} has {total} lines; offset {offset} is past the end",
    zh: "{path} 共 {total} 行；offset {offset} 超出末尾",
  },
  "file.moved": {
    en: "{path} was replaced by something else while it was being opened",
    zh: "{path} 在打开过程中被替换",
  },
  "file.never_read": { en: "{path} exists and was not read in this session", zh: "{path} 已存在，但本会话尚未读取过" },
  "file.changed": { en: "{path} changed on disk since it was read", zh: "{path} 自读取后在磁盘上已被修改" },
  "file.misfit": {
    en: "the character {char} does not fit {encoding}, the encoding of {path}",
    zh: "字符 {char} 无法用 {path} 的编码 {encoding} 表示",
  },
  "file.rollback_failed": {
    en: "the change of {path} failed, and these could not be put back: {files}",
    zh: "修改 {path} 失败，且以下文件未能恢复：{files}",
  },
  "edit.empty_old": { en: "old_string is empty", zh: "old_string 为空" },
  "edit.same": { en: "old_string and new_string are the same", zh: "old_string 与 new_string 相同" },
  "edit.no_match": { en: "old_string does not occur in {path}", zh: "{path} 中没有 old_string" },
  "edit.no_match_near": {
    en: "old_string does not occur in {path}. Nearest text:\n{candidates}",
    zh: "{path} 中没有 old_string。最接近的文本：\n{candidates}",
  },
  "edit.many_matches": {
    en: "old_string occurs {count} times in {path}:\n{candidates}",
    zh: "old_string 在 {path} 中出现 {count} 次：\n{candidates}",
  },
  "search.bad_pattern": { en: "the pattern is not valid: {problem}", zh: "模式无效：{problem}" },
  "search.timeout": { en: "the search took longer than {seconds} s", zh: "搜索超过了 {seconds} 秒" },
  "todo.same_id": { en: "two todos have the id {id}", zh: "有两个待办的 id 都是 {id}" },
  "todo.two_in_progress": {
    en: "{count} todos are in_progress; at most one may be",
    zh: "有 {count} 个待办处于 in_progress；最多只能有一个",
  },
  "advice.outside": {
    en: "Stay inside the workspace, or let the person add the folder with --add-dir.",
    zh: "请在工作区内操作，或由用户用 --add-dir 添加该目录。",
  },
  "advice.use_shell": { en: "Use a shell command for it.", zh: "请改用 shell 命令处理。" },
  "advice.use_list": { en: "Use list to see what is in it.", zh: "请用 list 查看其内容。" },
  "advice.read_first": {
    en: "Read it with the read tool, then repeat the change.",
    zh: "请先用 read 读取，再重复修改。",
  },
  "advice.use_write": {
    en: "Use write to create a file, or put the text before which to insert into old_string and new_string.",
    zh: "创建文件请用 write；插入文本时请把插入点旁的文本同时写入 old_string 和 new_string。",
  },
  "advice.copy_old": {
    en: "Read the place again and copy old_string exactly, without the line numbers.",
    zh: "请重新读取该处，并原样复制 old_string（不含行号）。",
  },
  "advice.more_context": {
    en: "Add surrounding lines to old_string until it is unique, or set replace_all.",
    zh: "请在 old_string 中加入上下文使其唯一，或设置 replace_all。",
  },
} as const;
