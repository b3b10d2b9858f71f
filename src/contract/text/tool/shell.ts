import type { Line } from "../catalogue.ts";

export const shellText = () =>
  ({
    "shell.syntax": {
      en: "the shell would not take this apart as expected: {part} ({message})",
      zh: "无法按预期解析该命令：{part}（{message}）",
    },
    "shell.too_long": {
      en: "the command is longer than {limit} characters, so it is not looked at",
      zh: "命令超过 {limit} 个字符，不予分析",
    },
    "shell.too_deep": {
      en: "the command is nested or repeated too far to be followed: {part}",
      zh: "命令嵌套或重复过多，无法跟踪：{part}",
    },
    "shell.character": { en: "the command holds the control character {part}", zh: "命令含有控制字符 {part}" },
    "shell.failed": {
      en: "the command could not be looked at: {part} ({message})",
      zh: "无法分析该命令：{part}（{message}）",
    },
    "shell.empty": { en: "there is no command in it", zh: "其中没有命令" },
    "shell.endless": { en: "{part} does not end by itself", zh: "{part} 不会自行结束" },
    "shell.construct": { en: "what {part} does is not judged", zh: "不判断 {part} 的作用" },
    "shell.program": { en: "{program} is not known to only read", zh: "无法确定 {program} 只读取" },
    "shell.stand_in": {
      en: "{program} stands for a version manager, which may run what files of the workspace say",
      zh: "{program} 由版本管理器代为执行，可能运行工作区文件所指定的程序",
    },
    "shell.option": {
      en: "{program} is not known to only read with the option {part}",
      zh: "无法确定 {program} 带选项 {part} 时只读取",
    },
    "shell.operand": {
      en: "{program} is not known to only read with {part}",
      zh: "无法确定 {program} 带 {part} 时只读取",
    },
    "shell.value": {
      en: "{program} is not known to only read with the value {part}",
      zh: "无法确定 {program} 带值 {part} 时只读取",
    },
    "shell.too_few": {
      en: "{program} would wait for its input, as it is given too few words",
      zh: "{program} 的参数过少，会等待输入",
    },
    "shell.maybe_option": { en: "{part} may become an option of {program}", zh: "{part} 可能变成 {program} 的选项" },
    "shell.unknown_path": {
      en: "which path {part} is, is known only when the command runs",
      zh: "{part} 是哪个路径，命令运行时才知道",
    },
    "shell.two_readings": {
      en: "it can be read in more than one way: {part}",
      zh: "该命令可能有多种解读方式：{part}",
    },
    "shell.unknown_word": {
      en: "what {part} becomes is known only when the command runs",
      zh: "{part} 会变成什么，命令运行时才知道",
    },
    "shell.unsettled": {
      en: "what becomes of {part} is settled only when the command runs",
      zh: "{part} 的内容在命令运行时才能确定",
    },
    "shell.unknown_name": {
      en: "which program {part} is, is known only when the command runs",
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
      en: "the arithmetic {part} may run commands, as it holds more than numbers",
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
    "shell.background": { en: "{part} goes on in the background", zh: "{part} 在后台继续运行" },
    "shell.function": {
      en: "{part} defines a function, which may take the place of a command",
      zh: "{part} 定义函数，可能取代命令",
    },
    "shell.directory": { en: "where {part} leads is not known beforehand", zh: "事先无法知道 {part} 通向何处" },
    "shell.git_elsewhere": {
      en: "git would run in another folder, which may hold a repository whose config starts programs",
      zh: "git 将在另一个文件夹中运行，那里的仓库配置可能启动程序",
    },
    "shell.write": { en: "{part} writes a file", zh: "{part} 写入文件" },
    "shell.write_unknown": {
      en: "{part} writes a file whose name is known only when the command runs",
      zh: "{part} 写入的文件名在命令运行时才知道",
    },
    "shell.network": { en: "{part} opens a network connection", zh: "{part} 打开网络连接" },
    "shell.descriptor": {
      en: "{part} uses a descriptor other than input, output and errors",
      zh: "{part} 使用了输入、输出和错误之外的描述符",
    },
    "shell.wrapper": {
      en: "{program} runs a command in another way: {part}",
      zh: "{program} 以另外的方式运行命令：{part}",
    },
    "shell.wrapper_unknown": {
      en: "which command {program} runs is not understood: {part}",
      zh: "无法理解 {program} 运行哪个命令：{part}",
    },
    "shell.destructive": {
      en: "{program} can destroy data or stop something: {part}",
      zh: "{program} 可能破坏数据或停止某些东西：{part}",
    },
    "shell.find.word": { en: "find is not known to only read with {part}", zh: "无法确定 find 带 {part} 时只读取" },
    "shell.find.delete": { en: "find deletes what it finds: {part}", zh: "find 会删除找到的内容：{part}" },
    "shell.sed.script": {
      en: "the sed script does more than print, or is not understood, at {part}",
      zh: "sed 脚本不只是打印，或无法理解，位于 {part}",
    },
    "shell.awk.program": {
      en: "the awk program does more than print, or is not understood, at {part}",
      zh: "awk 程序不只是打印，或无法理解，位于 {part}",
    },
  }) as const satisfies Readonly<Record<string, Line>>;
