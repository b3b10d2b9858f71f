import type { Line } from "../catalogue.ts";

export const verifyResultText = () =>
  ({
    "verify.count.passed": { en: "{n} passed", zh: "通过 {n}" },
    "verify.count.failed": { en: "{n} failed", zh: "失败 {n}" },
    "verify.count.error": { en: "{n} error", zh: "错误 {n}" },
    "verify.count.errors": { en: "{n} errors", zh: "错误 {n}" },
    "verify.count.skipped": { en: "{n} skipped", zh: "跳过 {n}" },
    "verify.count.todo": { en: "{n} to do", zh: "待办 {n}" },
    "verify.count.joint": { en: ", ", zh: "，" },
    "verify.result.counts": { en: "{runner}: {counts}", zh: "{runner}：{counts}" },
    "verify.result.passed": { en: "{runner}: passed", zh: "{runner}：通过" },
    "verify.result.exit_zero": {
      en: "passed by exit code; the output contains no test counts",
      zh: "按退出码判定为通过；输出中没有测试计数",
    },
    "verify.result.exit_failed": { en: "exit code {code}: {what}", zh: "退出码 {code}：{what}" },
    "verify.result.build": { en: "{runner}: build failed, errors: {n}", zh: "{runner}：无法构建，错误数：{n}" },
    "verify.result.lint": { en: "{runner}: problems: {n}", zh: "{runner}：问题数：{n}" },
    "verify.result.no_tests": { en: "{runner}: no tests ran", zh: "{runner}：没有运行任何测试" },
    "verify.result.cut": {
      en: "{runner}: the output stops before the summary (exit code {code})",
      zh: "{runner}：输出在汇总之前就结束了（退出码 {code}）",
    },
    "verify.result.cut_failed": {
      en: "{runner}: the output stops before the summary (exit code {code}); failures so far: {n}",
      zh: "{runner}：输出在汇总之前就结束了（退出码 {code}）；此前的失败数：{n}",
    },
    "verify.result.contradiction": {
      en: "{runner}: the output contradicts itself or the exit code {code}",
      zh: "{runner}：输出自相矛盾，或与退出码 {code} 矛盾",
    },
    "verify.result.timeout": {
      en: "{runner}: not finished within the time limit",
      zh: "{runner}：未在规定时间内完成",
    },
    "verify.result.not_ended": {
      en: "{runner}: printed its summary but did not exit ({counts})",
      zh: "{runner}：已输出汇总但没有结束（{counts}）",
    },
    "verify.result.missing": { en: "{runner}: not installed: {what}", zh: "{runner}：未安装：{what}" },
    "verify.result.environment": { en: "{runner} could not run: {what}", zh: "无法运行 {runner}：{what}" },
    "verify.result.unnamed": {
      en: "{runner}: exit code {code}, but no failure named ({counts})",
      zh: "{runner}：退出码 {code}，未指明失败之处（{counts}）",
    },
    "verify.result.despite": {
      en: "{runner}: {counts}; exit code {code}: {what}",
      zh: "{runner}：{counts}；退出码 {code}：{what}",
    },
    "verify.result.silent": {
      en: "{runner}: exit code 0, but no summary or report says that tests ran",
      zh: "{runner}：退出码 0，但没有汇总或报告表明运行了测试",
    },
    "verify.result.unreadable": {
      en: "failed by exit code {code}; the output of {command} names no failure",
      zh: "按退出码 {code} 判定为失败；{command} 的输出没有指明失败之处",
    },
    "verify.result.nothing_said": { en: "no counts", zh: "无计数" },
    "verify.advice.fix": {
      en: "Make the smallest change that fixes {where}, then verify again.",
      zh: "以最小的改动修复 {where}，然后重新验证。",
    },
    "verify.advice.look": {
      en: "See the end of the output for the reason.",
      zh: "请查看输出的末尾以找出原因。",
    },
    "verify.advice.no_tests": {
      en: "Check that the command finds the tests (names, folders, filters); a run without tests proves nothing.",
      zh: "请检查该命令能否找到测试（名称、目录、筛选条件）；没有测试的运行证明不了任何事。",
    },
    "verify.advice.cut": {
      en: "Run it again; if it is killed again, look for memory and time limits, or for a test that ends the process.",
      zh: "请重新运行；若再次被终止，请检查内存和时间限制，或是否有测试结束了进程。",
    },
    "verify.advice.contradiction": {
      en: "Run the command by hand: the program under test may print lines that look like the runner's, or the script hides its exit code.",
      zh: "请手动运行该命令：被测程序可能输出了类似测试工具的内容，或脚本掩盖了退出码。",
    },
    "verify.advice.timeout": {
      en: "Find the test that hangs, or give the command more time.",
      zh: "请找出挂起的测试，或给该命令更多时间。",
    },
    "verify.advice.not_ended": {
      en: "Something keeps the runner alive: watch mode, an open server, a timer. Turn off watch mode, or close it after the tests.",
      zh: "有东西使测试工具无法退出：监视模式、未关闭的服务器或定时器。请关闭监视，或在测试后将其关闭。",
    },
    "verify.advice.install_runner": {
      en: "Install {what} or add it to PATH, then verify again.",
      zh: "请安装 {what} 或将其加入 PATH，然后重新验证。",
    },
    "verify.advice.install": {
      en: "Install {what} as the project's dependency, then verify again; the code itself was not judged.",
      zh: "请将 {what} 安装为项目依赖，然后重新验证；代码本身未被评判。",
    },
    "verify.advice.install_with": {
      en: "Install {what} with `{how}`, then verify again; the code itself was not judged.",
      zh: "请用 `{how}` 安装 {what}，然后重新验证；代码本身未被评判。",
    },
    "verify.advice.script": {
      en: 'Add a "test" script to package.json, or name another command in workflow.verify_commands.',
      zh: "请在 package.json 中添加 “test” 脚本，或在 workflow.verify_commands 中指定其他命令。",
    },
    "verify.advice.folder": {
      en: "Run it in the folder with the project file, or create that file.",
      zh: "请在项目文件所在目录中运行，或创建该文件。",
    },
    "verify.advice.option": {
      en: "The runner does not accept an option of this command: add a suitable command to your own config and use it.",
      zh: "测试工具不接受此命令中的某个选项：请在你自己的配置中添加合适的命令并使用它。",
    },
    "verify.advice.config": {
      en: "Fix the runner's own configuration, then verify again.",
      zh: "请修复测试工具自身的配置，然后重新验证。",
    },
    "verify.advice.network": {
      en: "It needed the network, which was not available: download what is missing first, or allow the network for this command.",
      zh: "需要网络但不可用：请先获取缺失的内容，或允许此命令访问网络。",
    },
    "verify.advice.denied": {
      en: "The sandbox or the file system denied it: allow the path or the access it needs, then verify again.",
      zh: "被沙箱或文件系统拒绝：请允许其所需的路径或访问，然后重新验证。",
    },
    "verify.advice.resources": {
      en: "Give it more memory or disk space, or run fewer tests at once.",
      zh: "请提供更多内存或磁盘空间，或减少同时运行的测试。",
    },
    "verify.advice.toolchain": {
      en: "Install the language version the project requires.",
      zh: "请安装项目所要求的语言版本。",
    },
  }) as const satisfies Record<string, Line>;
