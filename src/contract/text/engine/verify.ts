import type { Line } from "../catalogue.ts";

export const verifyText = () =>
  ({
    "verify.not_run": { en: "automatic verification not run: {why}", zh: "未执行自动验证：{why}" },
    "verify.only_documents": {
      en: "only documents changed, so no check was needed or run",
      zh: "无需检查，也未运行任何检查：只修改了文档",
    },
    "verify.switched_off": {
      en: "workflow.auto_verify_after_edit is off",
      zh: "workflow.auto_verify_after_edit 已关闭",
    },
    "verify.no_bash": {
      en: "this agent may not run commands",
      zh: "此代理不允许运行命令",
    },
    "verify.attempts_used": {
      en: "this task has used up all {n} verification runs (workflow.max_verify_attempts)",
      zh: "此任务的 {n} 次验证已用完（workflow.max_verify_attempts）",
    },
    "verify.plan_mode": { en: "plan mode runs nothing", zh: "计划模式不运行任何命令" },
    "verify.declined": { en: "you asked not to run it", zh: "你要求不运行" },
    "verify.not_asked": {
      en: "default mode runs the tests only when asked: say “and run the tests”, or use auto-edit mode",
      zh: "默认模式仅在要求时验证；请说“并运行测试”，或使用 auto-edit 模式",
    },
    "verify.not_asked.shown": { en: "not tested. /verify runs the tests.", zh: "未测试。/verify 可运行测试。" },
    "verify.no_project": {
      en: "no test setup found (package.json, pyproject.toml, …)",
      zh: "未找到测试配置（package.json、pyproject.toml 等）",
    },
    "verify.outside": {
      en: "the changed files are outside the workspace",
      zh: "被修改的文件位于工作区之外",
    },
    "verify.unreadable": { en: "{path} cannot be read: {problem}", zh: "无法读取 {path}：{problem}" },
    "verify.too_big": { en: "{path} is larger than {max}", zh: "{path} 大于 {max}" },
    "verify.bad_json": { en: "{path} is not valid JSON", zh: "{path} 不是有效的 JSON" },
    "verify.no_test_script": { en: "{path} has no test script", zh: "{path} 没有 test 脚本" },
    "verify.no_pytest": {
      en: "{path}: found neither pytest nor tests",
      zh: "{path}：没有找到 pytest 或测试",
    },
    "verify.flag_refused": {
      en: "{program}, which the test script of {path} runs, does not accept --watch=false",
      zh: "{path} 的 test 脚本所运行的 {program} 不接受 --watch=false",
    },
    "verify.flag_refused_pnpm": {
      en: "{program}, which the test script of {path} runs, does not accept “-- --watch=false”, as pnpm 10 and newer pass it on",
      zh: "{path} 的 test 脚本所运行的 {program} 不接受 pnpm 10 及更新版本传递的“-- --watch=false”",
    },
    "verify.watches": {
      en: "the test script of {path} runs until stopped: {program} watches for changes",
      zh: "{path} 的 test 脚本不会自行结束：{program} 会监视文件变化",
    },
    "verify.script_loops": {
      en: "the test script of {path} calls itself, or is nested too deeply",
      zh: "{path} 的 test 脚本调用自身，或嵌套过深",
    },
    "verify.script_shape": {
      en: "--watch=false cannot be added to the test script of {path}: {script}",
      zh: "无法在 {path} 的 test 脚本后添加 --watch=false：{script}",
    },
    "verify.fix_script": {
      en: "Make the script exit on its own, or add a command that does to workflow.verify_allowed in your own ~/.coder/config.json.",
      zh: "请让脚本能自行结束，或在你自己的 ~/.coder/config.json 的 workflow.verify_allowed 中添加一个能自行结束的命令。",
    },
    "verify.not_listed": {
      en: "{command} is not on the list of commands that may run automatically to verify",
      zh: "{command} 不在可自动用于验证的命令列表中",
    },
    "verify.allow": {
      en: 'To run it without being asked, add to your own ~/.coder/config.json: "workflow": {"verify_allowed": [{command}]}',
      zh: '如果可以不经询问就运行它，请在你自己的 ~/.coder/config.json 中添加："workflow": {"verify_allowed": [{command}]}',
    },
    "verify.offer.script": {
      en: "{command} runs the script of package.json: {script}",
      zh: "{command} 会运行 package.json 中的脚本：{script}",
    },
    "verify.offer.confined": {
      en: "it would check this task; the project's own files decide what {command} does, and it runs in the sandbox, like every check",
      zh: "它可以验证此任务；{command} 做什么由项目自己的文件决定，并且与所有检查一样在沙箱中运行",
    },
    "verify.offer.free": {
      en: "it would check this task; the project's own files decide what {command} does, and nothing confines it here",
      zh: "它可以验证此任务；{command} 做什么由项目自己的文件决定，并且此处没有沙箱限制它",
    },
    "verify.offer.answers": {
      en: "yes: run it to check this task; always: also add it to workflow.verify_allowed in your own configuration, for all your projects; no: do not run it, now or later in this workspace. After any other answer the next task offers it again.",
      zh: "yes：运行它来验证此任务；always：同时将它加入你自己配置中的 workflow.verify_allowed，对你的所有项目生效；no：现在和以后都不在此工作区运行。其他回答之后，下一个任务会再次询问。",
    },
    "verify.added": {
      en: "Added {command} to workflow.verify_allowed in {file}",
      zh: "已将 {command} 加入 {file} 的 workflow.verify_allowed",
    },
    "verify.not_added": {
      en: '{command} runs now, but could not be added to your configuration: {problem}. To add it yourself: "workflow": {"verify_allowed": [{line}]}',
      zh: '{command} 现在会运行，但无法加入你的配置：{problem}。你可以自行添加："workflow": {"verify_allowed": [{line}]}',
    },
    "shell.direct": {
      en: 'coder no longer asks about commands you type after !: shell_mode.approval is "direct" in {file}',
      zh: "你在 ! 之后输入的命令不再询问：{file} 中 shell_mode.approval 已设为 direct",
    },
    "shell.not_direct": {
      en: 'it runs now, but your configuration could not be changed: {problem}. To change it yourself: "shell_mode": {"approval": "direct"}',
      zh: '现在会运行，但无法修改你的配置：{problem}。你可以自行设置："shell_mode": {"approval": "direct"}',
    },
    "shell.not_own_config": {
      en: "{file} belongs to the project; only your own configuration can turn off questions about commands you type",
      zh: "{file} 属于项目；只有你自己的配置可以规定不再询问你输入的命令",
    },
    "verify.not_own_config": {
      en: "{file} belongs to the project; only your own configuration can add commands that verify",
      zh: "{file} 属于项目；只有你自己的配置可以添加用于验证的命令",
    },
    "verify.configured_refused": {
      en: "workflow.verify_commands names {command}, which is not on the list: {list}",
      zh: "workflow.verify_commands 指定的 {command} 不在列表中：{list}",
    },
    "verify.plan_refused": {
      en: "the plan wants to verify ({mode}) with {command}, which is not on the list: {list}",
      zh: "计划要用 {command} 验证（{mode}），但它不在列表中：{list}",
    },
    "verify.plan_none": { en: "the plan asks for no verification", zh: "计划不要求验证" },
    "verify.unlisted": { en: "{command} is not on the list of checks", zh: "{command} 不在检查命令列表中" },
    "verify.plan_empty": {
      en: "the plan wants to verify ({mode}) but names no command",
      zh: "计划要求验证（{mode}），但没有给出命令",
    },
    "verify.more_projects": {
      en: "more than {max} projects changed; left out: {paths}",
      zh: "修改了超过 {max} 个项目；未验证：{paths}",
    },
  }) satisfies Readonly<Record<string, Line>>;
