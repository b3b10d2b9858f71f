export const toolText = () =>
  ({
    "file.missing": { en: "{path} does not exist", zh: "{path} 不存在" },
    "file.missing_near": {
      en: "{path} does not exist; nearest names there: {names}",
      zh: "{path} 不存在；该目录中相近的名称：{names}",
    },
    "file.parent_is_file": {
      en: "{path} cannot exist: part of the path is a file, not a folder",
      zh: "{path} 不可能存在：路径中有一段是文件而不是目录",
    },
    "file.denied": { en: "no permission for {path}", zh: "没有访问 {path} 的权限" },
    "file.read_only": { en: "{path} is write-protected", zh: "{path} 是只读文件" },
    "file.read_only_disk": { en: "{path} is on a read-only disk", zh: "{path} 位于只读磁盘上" },
    "file.no_space": { en: "no space left on the disk for {path}", zh: "磁盘空间不足，无法写入 {path}" },
    "file.busy": {
      en: "cannot replace {path}: it is in use, for example as a mount point (EBUSY)",
      zh: "无法替换 {path}：它正被占用，例如是一个挂载点（EBUSY）",
    },
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
      en: "{path} is too large for this tool to change ({size}; the limit is 64 MiB)",
      zh: "{path} 太大，此工具无法修改（{size}；上限 64 MiB）",
    },
    "file.past_end": {
      en: "{path} has {total} lines; offset {offset} is past the end",
      zh: "{path} 共 {total} 行；offset {offset} 超出末尾",
    },
    "file.past_line": {
      en: "line {line} of {path} has {length} characters; column is past its end",
      zh: "{path} 第 {line} 行共 {length} 个字符；column 超出行尾",
    },
    "file.no_column": {
      en: "column does not apply to {path}: it is not a text file, or is over 64 MiB",
      zh: "column 不适用于 {path}：它不是文本文件，或超过 64 MiB",
    },
    "file.moved": {
      en: "something else replaced {path} while it was being opened",
      zh: "{path} 在打开过程中被替换",
    },
    "file.never_read": {
      en: "{path} exists and was not read in this session",
      zh: "{path} 已存在，但本会话尚未读取过",
    },
    "file.changed": { en: "{path} changed on disk since it was read", zh: "{path} 自读取后在磁盘上已被修改" },
    "file.misfit": {
      en: "the character {char} does not exist in {encoding}, the encoding of {path}",
      zh: "字符 {char} 无法用 {path} 的编码 {encoding} 表示",
    },
    "file.rollback_failed": {
      en: "changing {path} failed, and these could not be restored: {files}",
      zh: "修改 {path} 失败，且以下文件未能恢复：{files}",
    },
    "file.elision": {
      en: "the new text for {path} has a placeholder line where other lines would be lost: {line}",
      zh: "{path} 的新内容用一行代替了其他内容，那些内容会丢失：{line}",
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
    "patch.none": {
      en: "the text contains no patch: neither a unified diff (---, +++, @@) nor *** Begin Patch",
      zh: "文本中没有补丁：既不是统一 diff（---、+++、@@），也没有 *** Begin Patch",
    },
    "patch.no_end": { en: "the patch is cut off: *** End Patch is missing", zh: "补丁不完整：缺少 *** End Patch" },
    "patch.too_many": {
      en: "the patch names {count} files; the limit is {max}",
      zh: "补丁涉及 {count} 个文件；上限为 {max} 个",
    },
    "patch.bad_line": {
      en: "line {line} of the patch does not start with space, + or -: {text}",
      zh: "补丁第 {line} 行不以空格、+ 或 - 开头：{text}",
    },
    "patch.bad_path": {
      en: "line {line} of the patch names no usable path: {text}",
      zh: "补丁第 {line} 行没有可用的路径：{text}",
    },
    "patch.no_file": {
      en: "line {line} of the patch starts a hunk, but no file is named before it: {text}",
      zh: "补丁第 {line} 行是一个 hunk，但此前没有指明文件：{text}",
    },
    "patch.no_hunk": {
      en: "the part from line {line} of the patch adds and removes nothing: {text}",
      zh: "补丁第 {line} 行起的部分既不增加也不删除任何内容：{text}",
    },
    "patch.unsupported": {
      en: "line {line} of the patch is not supported (copies, links, submodules, merges): {text}",
      zh: "补丁第 {line} 行不受支持（复制、链接、子模块、合并）：{text}",
    },
    "patch.binary": {
      en: "the patch of {path} is binary; only text can be patched",
      zh: "{path} 的补丁是二进制的；只能修补文本",
    },
    "patch.nothing": { en: "the patch changes nothing", zh: "补丁没有改变任何内容" },
    "patch.exists": { en: "{path} already exists", zh: "{path} 已存在" },
    "patch.not_new": {
      en: "{path} should be created, but the patch has context or removed lines for it",
      zh: "{path} 应为新建文件，但补丁中含有它的上下文行或删除行",
    },
    "patch.left_over": {
      en: "{path} should be deleted, but the patch leaves {count} of its lines",
      zh: "{path} 应被删除，但补丁中还留有它的 {count} 行",
    },
    "patch.is_link": {
      en: "{path} is a symbolic link; only regular files can be deleted or renamed",
      zh: "{path} 是符号链接；只能删除或重命名普通文件",
    },
    "patch.no_match": {
      en: "the hunk at line {line} of the patch does not match {path}",
      zh: "补丁第 {line} 行的 hunk 与 {path} 不符",
    },
    "patch.no_match_near": {
      en: "the hunk at line {line} of the patch does not match {path}. Nearest text:\n{candidates}",
      zh: "补丁第 {line} 行的 hunk 与 {path} 不符。最接近的文本：\n{candidates}",
    },
    "patch.many_places": {
      en: "the hunk at line {line} of the patch matches {count} places in {path}:\n{candidates}",
      zh: "补丁第 {line} 行的 hunk 在 {path} 中有 {count} 处相符：\n{candidates}",
    },
    "patch.no_place": {
      en: "the hunk at line {line} of the patch only adds lines and does not say where in {path}",
      zh: "补丁第 {line} 行的 hunk 只增加行，没有说明在 {path} 中的位置",
    },
    "patch.overlap": {
      en: "the hunks at lines {line} and {other} of the patch change the same lines of {path}",
      zh: "补丁第 {line} 行和第 {other} 行的 hunk 修改了 {path} 的相同行",
    },
    "patch.more_problems": { en: "… and {count} more", zh: "……另有 {count} 处" },
    "patch.problems": {
      en: "{count} problems, nothing was changed:\n{problems}",
      zh: "共 {count} 个问题，未做任何修改：\n{problems}",
    },
    "advice.not_folder": {
      en: "Use read for a file, or give the folder it is in.",
      zh: "文件请用 read 读取，或给出它所在的目录。",
    },
    "advice.literal": {
      en: "The pattern is a regular expression: write \\( \\[ \\{ \\. for these characters themselves.",
      zh: "模式是正则表达式：要匹配这些字符本身，请写作 \\( \\[ \\{ \\.",
    },
    "search.bad_pattern": { en: "invalid pattern: {problem}", zh: "模式无效：{problem}" },
    "search.timeout": { en: "the search took longer than {seconds} s", zh: "搜索超过了 {seconds} 秒" },
    "todo.same_id": { en: "two todos have the id {id}", zh: "有两个待办的 id 都是 {id}" },
    "todo.two_in_progress": {
      en: "{count} todos are in_progress; at most one may be",
      zh: "有 {count} 个待办处于 in_progress；最多只能有一个",
    },
    "advice.outside": {
      en: "Stay inside the workspace, or let the user add the folder with --add-dir.",
      zh: "请在工作区内操作，或由用户用 --add-dir 添加该目录。",
    },
    "advice.use_shell": { en: "Use a shell command for it.", zh: "请改用 shell 命令处理。" },
    "advice.no_space": { en: "Free some space on that disk, then try again.", zh: "请释放该磁盘的空间，然后重试。" },
    "advice.read_only_disk": {
      en: "Work in a writable folder, or have the disk mounted for writing.",
      zh: "请在可写的目录中工作，或以可写方式重新挂载该磁盘。",
    },
    "advice.use_list": { en: "Use list to see its contents.", zh: "请用 list 查看其内容。" },
    "advice.read_first": {
      en: "Read it with the read tool, then repeat the change.",
      zh: "请先用 read 读取，再重复修改。",
    },
    "advice.use_write": {
      en: "This works only for an empty file: put the text at the insertion point into old_string and new_string, or replace the file with write.",
      zh: "这只适用于空文件：插入文本时请把插入点旁的文本同时写入 old_string 和 new_string，或用 write 替换整个文件。",
    },
    "advice.copy_old": {
      en: "Read the place again and copy old_string exactly, without the line numbers.",
      zh: "请重新读取该处，并原样复制 old_string（不含行号）。",
    },
    "advice.write_out": {
      en: "Write out the lines it stands for, or change only the differing lines with edit or patch.",
      zh: "请写出该行所代表的内容，或用 edit、patch 只修改有变化的行。",
    },
    "advice.copy_signs": {
      en: "Copy old_string with the quotes, dashes and spaces of the file, or add surrounding lines until it is unique.",
      zh: "请按文件中的引号、破折号和空格原样复制 old_string，或加入上下文使其唯一。",
    },
    "advice.more_context": {
      en: "Add surrounding lines to old_string until it is unique, or set replace_all.",
      zh: "请在 old_string 中加入上下文使其唯一，或设置 replace_all。",
    },
    "advice.patch_forms": {
      en: "Send a unified diff (--- a/x, +++ b/x, @@ -1,3 +1,4 @@) or *** Begin Patch … *** End Patch.",
      zh: "请提交统一 diff（--- a/x、+++ b/x、@@ -1,3 +1,4 @@）或 *** Begin Patch … *** End Patch。",
    },
    "advice.patch_copy": {
      en: "Nothing was changed. Read the place again, copy its lines exactly, and send the whole patch again.",
      zh: "未做任何修改。请重新读取该处，原样复制其中的行，并重新提交整个补丁。",
    },
    "advice.patch_context": {
      en: "Nothing was changed. Add context lines until the place is unique, or give the right line number after @@.",
      zh: "未做任何修改。请增加上下文行使位置唯一，或在 @@ 后给出正确的行号。",
    },
    "advice.patch_exists": {
      en: "Read it and change it instead, or choose another name.",
      zh: "请先读取再修改它，或改用其他名称。",
    },
    "advice.patch_again": {
      en: "Correct them and send the whole patch again.",
      zh: "请修正后重新提交整个补丁。",
    },
  }) as const;
