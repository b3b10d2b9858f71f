import type { Line } from "../catalogue.ts";

export const shellText = () =>
  ({
    "shell.syntax": {
      en: "coder could not parse this as expected: {part} ({message})",
      zh: "无法按预期解析该命令：{part}（{message}）",
    },
    "shell.too_long": {
      en: "the command is longer than {limit} characters, so coder does not analyse it",
      zh: "命令超过 {limit} 个字符，不予分析",
    },
    "shell.too_deep": {
      en: "the command is nested or repeated too deeply to follow: {part}",
      zh: "命令嵌套或重复过多，无法跟踪：{part}",
    },
    "shell.character": { en: "the command contains the control character {part}", zh: "命令含有控制字符 {part}" },
    "shell.failed": {
      en: "could not analyse the command: {part} ({message})",
      zh: "无法分析该命令：{part}（{message}）",
    },
    "shell.empty": { en: "it contains no command", zh: "其中没有命令" },
    "shell.endless": { en: "{part} runs until stopped", zh: "{part} 会一直运行直到被停止" },
    "shell.construct": { en: "coder cannot tell what {part} does", zh: "coder 无法判断 {part} 的作用" },
    "shell.program": { en: "{program} may change things", zh: "{program} 可能会修改内容" },
    "shell.stand_in": {
      en: "{program} is a version-manager shim; workspace files decide what it runs",
      zh: "{program} 是版本管理器的转发程序；运行什么由工作区文件决定",
    },
    "shell.option": {
      en: "{program} may change things with the option {part}",
      zh: "{program} 带选项 {part} 可能会修改内容",
    },
    "shell.operand": {
      en: "{program} may change things: {part}",
      zh: "{program} 可能会修改或删除数据：{part}",
    },
    "shell.value": {
      en: "{program} may change things with the value {part}",
      zh: "{program} 带值 {part} 可能会修改内容",
    },
    "shell.too_few": {
      en: "{program} would wait for input: it has too few arguments",
      zh: "{program} 的参数过少，会等待输入",
    },
    "shell.maybe_option": { en: "{part} may become an option of {program}", zh: "{part} 可能变成 {program} 的选项" },
    "shell.unknown_path": {
      en: "{part} is only resolved when the command runs",
      zh: "{part} 在命令运行时才会解析为路径",
    },
    "shell.two_readings": {
      en: "can be read in more than one way: {part}",
      zh: "该命令可能有多种解读方式：{part}",
    },
    "shell.unknown_word": {
      en: "{part} gets its value only when the command runs",
      zh: "{part} 的值在命令运行时才能确定",
    },
    "shell.unsettled": {
      en: "{part} contains values known only at run time",
      zh: "{part} 含有运行时才能确定的值",
    },
    "shell.unknown_name": {
      en: "the program {part} is only resolved when the command runs",
      zh: "{part} 是哪个程序，命令运行时才知道",
    },
    "shell.link": {
      en: "{program} may follow a link out of the workspace at {part}; -type f leaves links out",
      zh: "{program} 可能在 {part} 处跟随链接离开工作区；-type f 可排除链接",
    },
    "shell.expansion": {
      en: "the expansion {part} may run or change something",
      zh: "展开式 {part} 可能执行或修改内容",
    },
    "shell.arithmetic": {
      en: "the arithmetic {part} contains more than numbers, so it may run commands",
      zh: "算术 {part} 不只含数字，可能执行命令",
    },
    "shell.substitution": { en: "{part} runs a command inside the command", zh: "{part} 在命令内部又运行命令" },
    "shell.assignment": {
      en: "{part} sets a variable, which may change what the commands do",
      zh: "{part} 设置变量，可能改变命令的行为",
    },
    "shell.loop_variable": {
      en: "the loop sets the variable {part}, which may change what the commands do",
      zh: "循环设置变量 {part}，可能改变命令的行为",
    },
    "shell.background": { en: "{part} keeps running in the background", zh: "{part} 在后台继续运行" },
    "shell.function": {
      en: "{part} defines a function, which may replace a command",
      zh: "{part} 定义函数，可能取代命令",
    },
    "shell.directory": { en: "cannot tell in advance where {part} leads", zh: "事先无法确定 {part} 指向哪里" },
    "shell.git_elsewhere": {
      en: "git would run in another folder, where a repository's config may start programs",
      zh: "git 将在另一个目录中运行，那里的仓库配置可能启动程序",
    },
    "shell.write": { en: "{part} writes a file", zh: "{part} 写入文件" },
    "shell.write_unknown": {
      en: "{part} writes a file whose name is only resolved when the command runs",
      zh: "{part} 写入的文件名在命令运行时才知道",
    },
    "shell.network": { en: "{part} opens a network connection", zh: "{part} 打开网络连接" },
    "shell.descriptor": {
      en: "{part} uses a descriptor other than input, output and errors",
      zh: "{part} 使用了输入、输出和错误之外的描述符",
    },
    "shell.wrapper": {
      en: "{program} runs a command indirectly: {part}",
      zh: "{program} 以另外的方式运行命令：{part}",
    },
    "shell.wrapper_unknown": {
      en: "cannot tell which command {program} runs: {part}",
      zh: "无法理解 {program} 运行哪个命令：{part}",
    },
    "shell.destructive": {
      en: "{program} can destroy data or stop something: {part}",
      zh: "{program} 可能破坏数据或停止某些东西：{part}",
    },
    "shell.find.word": { en: "find may change things: {part}", zh: "find 可能会修改内容：{part}" },
    "shell.find.delete": { en: "find deletes what it finds: {part}", zh: "find 会删除找到的内容：{part}" },
    "shell.sed.script": {
      en: "the sed script does more than print, or coder cannot read it, at {part}",
      zh: "sed 脚本不只是打印，或无法理解，位于 {part}",
    },
    "shell.awk.program": {
      en: "the awk program does more than print, or coder cannot read it, at {part}",
      zh: "awk 程序不只是打印，或无法理解，位于 {part}",
    },
  }) as const satisfies Readonly<Record<string, Line>>;
