import type { Line } from "../catalogue.ts";

export const sandboxText = () =>
  ({
    "sandbox.no_backend": {
      en: "no sandbox for {platform}",
      zh: "没有适用于 {platform} 的沙箱",
    },
    "sandbox.no_bubblewrap": {
      en: "bubblewrap (bwrap) is not installed; commands can write everywhere you can",
      zh: "未安装 bubblewrap（bwrap）；命令可以写入你有权写入的任何地方",
    },
    "sandbox.no_numbers": {
      en: "the sandbox does not know the system calls of {arch}",
      zh: "沙箱不了解 {arch} 的系统调用",
    },
    "sandbox.no_seatbelt": {
      en: "/usr/bin/sandbox-exec is missing",
      zh: "缺少 /usr/bin/sandbox-exec",
    },
    "sandbox.broken": {
      en: "{path} exists, but does not work here: {why}",
      zh: "{path} 存在，但在此无法使用：{why}",
    },
    "sandbox.why_namespace": {
      en: "{what}. This machine does not let you create user namespaces: on Ubuntu 24.04 and later AppArmor forbids it (sysctl kernel.apparmor_restrict_unprivileged_userns), on others kernel.unprivileged_userns_clone or user.max_user_namespaces; in a container, its settings.",
      zh: "{what}。本机不允许创建用户命名空间：在 Ubuntu 24.04 及以后由 AppArmor 禁止（sysctl kernel.apparmor_restrict_unprivileged_userns），其他系统见 kernel.unprivileged_userns_clone 或 user.max_user_namespaces；容器内则取决于容器的设置。",
    },
    "sandbox.why_proc": {
      en: "{what}. A container that hides parts of /proc cannot mount a new one; run the container with /proc unmasked.",
      zh: "{what}。在屏蔽了部分 /proc 的容器内无法挂载新的 /proc；请以不屏蔽 /proc 的方式运行容器。",
    },
    "sandbox.why_old": {
      en: "{what}. This bubblewrap is too old: coder needs 0.5 or later.",
      zh: "{what}。此 bubblewrap 版本过旧：需要 0.5 或更高版本。",
    },
    "sandbox.why_other": { en: "it says: {what}", zh: "它报告：{what}" },
    "sandbox.not_built": {
      en: "could not set up the sandbox, so the command was not started: {what}",
      zh: "无法建立沙箱，命令未启动：{what}",
    },
    "sandbox.moved": {
      en: "a file or folder the decision was based on was replaced while the command started; nothing was run",
      zh: "命令启动时，判断所依据的文件或目录被替换；未运行任何内容",
    },
    "sandbox.moved.advice": {
      en: "Look at it again, then repeat the command.",
      zh: "请重新查看后再次运行该命令。",
    },
    "sandbox.advice": {
      en: "Run `coder doctor` to see what is missing, or run the command outside the sandbox, which asks first.",
      zh: "请运行 `coder doctor` 查看缺少什么，或在沙箱外运行该命令（会先询问）。",
    },
    "sandbox.blame_planted": {
      en: "the command created or changed files that other programs run automatically, which needs separate approval:\n{what}",
      zh: "命令创建或修改了其他程序会自行运行的文件，这需要单独批准：\n{what}",
    },
    "sandbox.planted.aside": {
      en: "renamed to NAME.set-aside: {paths}",
      zh: "已改名为 NAME.set-aside：{paths}",
    },
    "sandbox.planted.restored": {
      en: "restored: {paths}",
      zh: "已恢复原状：{paths}",
    },
    "sandbox.planted.left": {
      en: "could not be restored, check them yourself: {paths}",
      zh: "无法恢复，请自行查看：{paths}",
    },
    "sandbox.planted.notice": {
      en: "{command}: {what}",
      zh: "{command}：{what}",
    },
    "sandbox.planted.unknown": {
      en: "coder was stopped while a command ran. Files that other programs run automatically have changed since the task began, by the command or by you; check them before you continue: {paths}",
      zh: "命令运行期间 coder 被终止。自任务开始以来，其他程序会自行运行的文件已发生变化（由命令或你所为）；继续之前请查看：{paths}",
    },
    "sandbox.planted.unlooked": {
      en: "{n} folders of this workspace are too many to compare: coder will not notice files that commands leave there for other programs to run.",
      zh: "此工作区有 {n} 个目录因数量过多而无法比较：命令在其中留下的、会被其他程序运行的文件不会被发现。",
    },
    "sandbox.blame_call": {
      en: "the command was stopped for a system call the sandbox does not allow",
      zh: "该命令因调用了沙箱不允许的系统调用而被终止",
    },
    "sandbox.blame_read_only": {
      en: "in the sandbox only the workspace, added folders and /tmp are writable: {line}",
      zh: "沙箱内只能写入工作区、已添加的目录和 /tmp：{line}",
    },
    "sandbox.blame_protected": {
      en: "the sandbox protects files that other programs run automatically: {line}",
      zh: "沙箱不允许改动其他程序会自动执行的文件：{line}",
    },
    "sandbox.blame_network": {
      en: "the sandbox has no network: {line}",
      zh: "沙箱内没有网络：{line}",
    },
    "sandbox.left_out": {
      en: "all else was read; commands that run without approval skip secret files: {files}",
      zh: "其余内容均已读取；未经询问运行的命令会跳过机密文件：{files}",
    },
    "sandbox.blame_secret": {
      en: "the workspace's secret files are hidden from commands, and this one seems to need: {files}",
      zh: "工作区的机密文件对命令隐藏，而该命令似乎需要：{files}",
    },
    "sandbox.blame_history": {
      en: "git has no objects in a command that runs without approval, because they include secret files, now or earlier: {files}",
      zh: "git 的对象中现有或曾有机密文件，因此未经询问运行的命令看不到这些对象：{files}",
    },
    "sandbox.blame_veiled": {
      en: "in the sandbox, home folders are empty except for toolchains and caches; hidden: {path}",
      zh: "在沙箱中主目录只保留工具链和缓存，其余为空；已隐藏：{path}",
    },
    "sandbox.blame_hidden": {
      en: "the sandbox hides keys and logins: {line}",
      zh: "沙箱隐藏了密钥和登录信息：{line}",
    },
    "sandbox.blame_processes": {
      en: "the sandbox allows {n} processes at a time",
      zh: "沙箱最多允许同时存在 {n} 个进程",
    },
    "sandbox.blame_rights": {
      en: "the sandbox does not allow tracing, mounts, namespaces or other users: {line}",
      zh: "沙箱不允许跟踪进程、挂载、命名空间或切换用户：{line}",
    },
    "sandbox.blame_service": {
      en: "the sandbox hides the sockets of the machine's services: {line}",
      zh: "沙箱隐藏了本机各服务的套接字：{line}",
    },
    "sandbox.hint_loopback": {
      en: "localhost belongs to this task alone: servers it started with background: true are reachable while they run; servers of the machine need network: true, which asks first",
      zh: "此处的 localhost 只属于本任务：用 background: true 启动的服务器在运行期间可以访问；本机的服务器需使用 network: true 才能访问，会先询问",
    },
    "sandbox.hint_processes": {
      en: "a command sees only its own processes, which end with it; use the job tool to end a background job",
      zh: "命令只能看到自己的进程，这些进程随命令结束；后台任务请用 job 工具结束",
    },
    "sandbox.hint_ports": {
      en: "in the sandbox a server can listen only on ports from 1024 up",
      zh: "沙箱中的服务器只能监听 1024 及以上的端口",
    },
    "sandbox.hint_memory": {
      en: "in the sandbox a process gets at most {n} GiB of memory; use less at a time, or call it again with no_sandbox: true, which asks first",
      zh: "沙箱中单个进程最多使用 {n} GiB 内存；请减少单次用量，或以 no_sandbox: true 再次调用，会先询问",
    },
    "sandbox.blame_file_size": {
      en: "in the sandbox a file may have at most {n} GiB, and no more than the free disk space; `sandbox.file_size_mb` in your config raises the limit",
      zh: "沙箱中单个文件最多 {n} GiB，且不超过磁盘剩余空间；可在配置中用 `sandbox.file_size_mb` 调高",
    },
    "sandbox.none_notice": {
      en: "Commands run without a sandbox here: {reason}",
      zh: "此处的命令在没有沙箱的情况下运行：{reason}",
    },
    "sandbox.ready": { en: "{name}: {path}", zh: "{name}：{path}" },
    "sandbox.limit_rlimit": {
      en: "at most {n} processes per command (limit of the user namespace)",
      zh: "每条命令最多 {n} 个进程（用户命名空间限制）",
    },
    "sandbox.limit_cgroup": {
      en: "at most {n} processes for all commands (control group)",
      zh: "所有命令合计最多 {n} 个进程（控制组）",
    },
    "sandbox.limit_none": {
      en: "the number of processes per command is not limited",
      zh: "命令的进程数不受限制",
    },
    "sandbox.loopback_shared": {
      en: "later commands can reach servers of background jobs (shared loopback)",
      zh: "后续命令可访问后台任务中的服务器（共享回环网络）",
    },
    "sandbox.loopback_own": {
      en: "each command has its own loopback: later commands cannot reach servers of background jobs",
      zh: "每条命令使用各自的回环网络：后续命令无法访问后台任务中的服务器",
    },
    "sandbox.loopback_own.advice": {
      en: "Install nsenter (package util-linux); in a container, allow nested user namespaces.",
      zh: "请安装 nsenter（util-linux 软件包）；在容器中请允许嵌套的用户命名空间。",
    },
    "sandbox.limit_memory": {
      en: "at most {size} of memory per process (resource limit on data)",
      zh: "命令的每个进程最多使用 {size} 内存（数据段资源限制）",
    },
    "sandbox.limit_none.advice": {
      en: "Only control groups limit root: let coder create one, or run it as an ordinary user (Linux 5.14 or later).",
      zh: "root 只受控制组限制：请允许 coder 创建控制组，或以普通用户运行（Linux 5.14 或更高版本）。",
    },
  }) as const satisfies Readonly<Record<string, Line>>;
