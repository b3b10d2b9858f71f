export const storeText = () =>
  ({
    "store.full": { en: "The disk is full: {path} could not be written.", zh: "磁盘已满：无法写入 {path}。" },
    "store.full.advice": {
      en: "Free some space on that disk, then resume with --continue. Everything acknowledged before is kept.",
      zh: "请释放该磁盘的空间，然后用 --continue 继续。此前已确认的内容都已保留。",
    },
    "store.unwritable": {
      en: "The session store {path} cannot be opened for writing ({code}).",
      zh: "无法以写入方式打开会话数据库 {path}（{code}）。",
    },
    "store.unwritable.advice": {
      en: "Give yourself write access to that file and its folder, or set CODER_HOME to a folder you own.",
      zh: "请为自己开通该文件及其目录的写权限，或把 CODER_HOME 设为自己的目录。",
    },
    "store.io": { en: "Reading or writing {path} failed ({code}).", zh: "读写 {path} 失败（{code}）。" },
    "store.io.advice": {
      en: "Check that the disk is healthy and has free space, then resume with --continue.",
      zh: "请检查磁盘是否正常且有剩余空间，然后用 --continue 继续。",
    },
    "store.damaged": {
      en: "The session store {path} is damaged or is not a database ({code}).",
      zh: "会话数据库 {path} 已损坏或不是数据库（{code}）。",
    },
    "store.damaged_event": {
      en: "The session store {path} is damaged: event {seq} of session {id} is missing or unreadable.",
      zh: "会话数据库 {path} 已损坏：会话 {id} 的第 {seq} 个事件缺失或无法读取。",
    },
    "store.damaged.advice": {
      en: "Nothing was deleted. Move the file away together with its -wal and -shm files and start again; you can then restore sessions from the snapshots in each workspace's .coder/sessions folder.",
      zh: "没有删除任何内容。请将该文件连同 -wal、-shm 文件一起移走后重新启动；之后可以从各工作区 .coder/sessions 目录中的快照恢复会话。",
    },
    "store.busy": {
      en: "Another process kept {path} locked for more than {seconds} seconds.",
      zh: "另一个进程锁定 {path} 超过 {seconds} 秒。",
    },
    "store.busy.advice": {
      en: "Wait for the other process or end it, then resume with --continue.",
      zh: "请等待或结束该进程，然后用 --continue 继续。",
    },
    "store.newer": {
      en: "{path} was written by a newer coder (store version {found}; this one supports {known}).",
      zh: "{path} 由更新版本的 coder 写入（数据库版本 {found}，当前版本只支持 {known}）。",
    },
    "store.newer.advice": {
      en: "Update coder, or set CODER_HOME to another folder. The file was not changed.",
      zh: "请升级 coder，或把 CODER_HOME 设为其他目录。该文件未被改动。",
    },
    "store.foreign": {
      en: "{path} is another program's database.",
      zh: "{path} 是其他程序的数据库。",
    },
    "store.lost": {
      en: "{path} was deleted, moved or replaced while coder was using it. Nothing further could be saved, so coder stops.",
      zh: "{path} 在使用过程中被删除、移动或替换。此后的内容无法保存，因此 coder 停止。",
    },
    "store.lost.advice": {
      en: "Put the file back if you have it. Otherwise restore a session from the copy in its workspace: coder run --resume ID --from-snapshot.",
      zh: "如有原文件请放回。否则各工作区保存着会话副本：coder run --resume ID --from-snapshot。",
    },
    "store.foreign.advice": {
      en: "Move it away, or set CODER_HOME to another folder. The file was not changed.",
      zh: "请将其移走，或把 CODER_HOME 设为其他目录。该文件未被改动。",
    },
    "store.failed": {
      en: "The session store {path} failed ({code}).",
      zh: "会话数据库 {path} 操作失败（{code}）。",
    },
    "store.holder.here": { en: "pid {pid}", zh: "进程号 {pid}" },
    "store.holder.elsewhere": {
      en: "pid {pid} on {host}, in another container or on another machine",
      zh: "{host} 上的 pid {pid}，位于另一个容器或另一台机器",
    },
    "store.lease_lost": {
      en: "Session {id} now belongs to another process ({who}); nothing was written.",
      zh: "会话 {id} 现由另一个进程持有（{who}）；未写入任何内容。",
    },
    "store.lease_lost.advice": {
      en: "Continue in that process, or fork the session here.",
      zh: "请在该进程中继续，或在此处复制（fork）会话。",
    },
    "store.lease_gone": {
      en: "Session {id} is no longer open for writing here; nothing was written.",
      zh: "会话 {id} 在此处已不再可写；未写入任何内容。",
    },
    "store.lease_gone.advice": {
      en: "Open the session again with --resume {id}.",
      zh: "请用 --resume {id} 重新打开会话。",
    },
    "store.out_of_order": {
      en: "Session {id}: got event {from}, but expected {next}; nothing was written.",
      zh: "会话 {id}：收到第 {from} 个事件，但应为第 {next} 个；未写入任何内容。",
    },
    "store.removed": {
      en: "Another process removed session {id} while it was being read.",
      zh: "会话 {id} 在读取期间被另一个进程删除。",
    },
    "store.missing": { en: "No session {id}.", zh: "没有会话 {id}。" },
    "store.missing.advice": { en: "List the sessions with: coder sessions", zh: "请用 coder sessions 列出会话。" },
    "store.exists": { en: "Session {id} already exists.", zh: "会话 {id} 已存在。" },
    "store.exists.advice": { en: "Open it with --resume {id}.", zh: "请用 --resume {id} 打开。" },
    "snapshot.bad_id": { en: "{id} is not a session id.", zh: "{id} 不是会话 ID。" },
    "snapshot.not_a_folder": {
      en: "The snapshot folder {path} is a link or not a folder; coder did not follow it.",
      zh: "快照目录 {path} 是链接或不是目录，未跟随。",
    },
    "snapshot.not_a_folder.advice": {
      en: "Replace {path} with a real folder, or remove it.",
      zh: "请把 {path} 换成真实目录，或将其删除。",
    },
    "snapshot.unwritten": {
      en: "The snapshot {path} could not be written ({code}).",
      zh: "无法写入快照 {path}（{code}）。",
    },
    "snapshot.unwritten.advice": {
      en: "The session itself is stored. Check the free space and permissions of the workspace's .coder folder.",
      zh: "会话本身已保存。请检查工作区 .coder 目录的剩余空间和权限。",
    },
    "snapshot.missing": { en: "No snapshot {path}.", zh: "没有快照 {path}。" },
    "snapshot.unreadable": {
      en: "The snapshot {path} could not be read ({code}).",
      zh: "无法读取快照 {path}（{code}）。",
    },
    "snapshot.not_a_file": {
      en: "The snapshot {path} is a link or not a regular file; coder did not read it.",
      zh: "快照 {path} 是链接或不是普通文件，未读取。",
    },
    "snapshot.damaged": { en: "The snapshot {path} is damaged: {problem}", zh: "快照 {path} 已损坏：{problem}" },
    "snapshot.damaged.advice": {
      en: "Restore the file from a backup, or start a new session.",
      zh: "请从备份恢复该文件，或开始新会话。",
    },
  }) as const;
