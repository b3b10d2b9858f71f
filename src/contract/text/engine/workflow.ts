import type { Line } from "../catalogue.ts";

export const workflowText = () =>
  ({
    "workflow.plan.help": {
      en: "show, answer, export, edit or run the plan",
      zh: "查看、确认、导出、编辑或执行计划",
    },
    "workflow.plan.usage": {
      en: "Usage: /plan, /plan yes [step], /plan no [WORDS], /plan export [FILE], /plan edit [FILE], /plan run [MODE], /plan replay FILE",
      zh: "用法：/plan、/plan yes [step]、/plan no [理由]、/plan export [文件]、/plan edit [文件]、/plan run [模式]、/plan replay 文件",
    },
    "workflow.cover.yes": { en: "Yes allows, without further questions:", zh: "选“是”将允许以下内容，不再询问：" },
    "workflow.cover.none": {
      en: "The plan lists no files or commands, so coder will ask about each one.",
      zh: "计划未列出文件或命令：每一项都会询问。",
    },
    "workflow.cover.head": {
      en: "Yes allows {n} of the {all} files and commands listed at the end, and nothing else.",
      zh: "同意仅涵盖末尾所列 {all} 个文件和命令中的 {n} 个。",
    },
    "workflow.cover.asked": { en: "coder will still ask about:", zh: "届时仍会询问：" },
    "workflow.cover.holds": { en: "Allowed until this task ends ({scope}):", zh: "本任务结束前允许（{scope}）：" },
    "workflow.cover.nothing_yet": { en: "nothing yet", zh: "暂无" },
    "workflow.scope.plan": { en: "the whole plan", zh: "整个计划" },
    "workflow.scope.step": { en: "step by step", zh: "逐步确认" },
    "workflow.scope.task": { en: "this task", zh: "本任务" },
    "workflow.plan.current": { en: "Now: {id}. {title}", zh: "当前步骤：{id}. {title}" },
    "workflow.plan.finished": { en: "No steps left.", zh: "没有剩余的步骤。" },
    "workflow.plan.stuck": {
      en: "No step can start: the remaining steps are blocked or wait for a blocked one.",
      zh: "没有可以开始的步骤：剩下的步骤被阻塞，或在等待被阻塞的步骤。",
    },
    "workflow.plan.waits": {
      en: "Waiting for you: /plan yes, /plan yes step (ask before each step), /plan no WORDS, or /plan edit.",
      zh: "等待你的确认：/plan yes、/plan yes step（逐步询问）、/plan no 理由，或 /plan edit。",
    },
    "workflow.plan.run_how": {
      en: "To carry it out: /plan run default, or /plan run auto-edit.",
      zh: "执行计划：/plan run default，或 /plan run auto-edit。",
    },
    "workflow.plan.edit_where": {
      en: "/plan edit opens an editor only in the terminal",
      zh: "/plan edit 仅在终端中打开编辑器",
    },
    "workflow.plan.edit_where.advice": {
      en: "Use a file here: /plan export FILE, change it, /plan edit FILE.",
      zh: "此处请指定文件：/plan export 文件，修改后 /plan edit 文件。",
    },
    "workflow.plan.edited": { en: "Plan changed.", zh: "计划已修改。" },
    "workflow.plan.accepted": { en: "Plan accepted.", zh: "计划已接受。" },
    "workflow.plan.accepted_steps": {
      en: "Plan accepted; coder will ask before each step.",
      zh: "计划已接受；每个步骤都会询问。",
    },
    "workflow.plan.refused": { en: "Plan rejected.", zh: "计划已拒绝。" },
    "workflow.plan.nothing_left": {
      en: "every step of this plan is done or skipped",
      zh: "该计划的所有步骤都已完成或跳过",
    },
    "workflow.plan.nothing_left.advice": {
      en: "To run it again from the start: /plan export FILE, then /plan replay FILE.",
      zh: "要从头再执行一次：先 /plan export 文件，再 /plan replay 文件。",
    },
    "workflow.plan.no_mode": {
      en: "a plan cannot run in the mode {given}; the modes are {modes}",
      zh: "不能在 {given} 模式下执行计划；可用模式：{modes}",
    },
    "workflow.plan.still_plan": {
      en: "coder is in plan mode, which carries out nothing",
      zh: "当前为计划模式，不执行任何操作",
    },
    "workflow.plan.still_plan.advice": {
      en: "Choose a mode: /plan run default, or /plan run auto-edit; before /plan replay use /mode.",
      zh: "请指明模式：/plan run default 或 /plan run auto-edit；使用 /plan replay 之前请先用 /mode 切换。",
    },
    "workflow.verify.help": { en: "run the project's tests now", zh: "立即运行项目测试" },
    "workflow.verify.allow": {
      en: "{command} could verify this project.",
      zh: "可以用 {command} 验证该项目。",
    },
    "workflow.verify.program": { en: "run with {program}", zh: "运行程序：{program}" },
    "workflow.verify.left": { en: "Not verified:\n{left}", zh: "未验证：\n{left}" },
    "workflow.undo.help": {
      en: "undo file changes of the last n tasks; --all: the whole workspace",
      zh: "撤销最近 n 个任务对文件的修改；--all：整个工作区",
    },
    "workflow.undo.usage": {
      en: "Usage: /undo, /undo N, each with --unclear, or /undo --all",
      zh: "用法：/undo、/undo N（均可加 --unclear），或 /undo --all",
    },
    "workflow.redo.help": { en: "restore what /undo reverted", zh: "恢复 /undo 撤销的内容" },
    "workflow.diff.help": {
      en: "show changes since git's index; --send: to the model too",
      zh: "查看相对 git 暂存区的修改；--send：同时发给模型",
    },
    "workflow.diff.none": { en: "No changes.", zh: "没有修改。" },
    "workflow.diff.untracked": { en: "Untracked:", zh: "未跟踪：" },
    "workflow.review.help": {
      en: "let the model review the current changes, read-only",
      zh: "让模型审查当前修改；只读",
    },
    "diff.unavailable": { en: "Cannot show the diff: {why}", zh: "无法显示修改：{why}" },
    "diff.no_repository": { en: "{workspace} is not in a git repository", zh: "{workspace} 不在 git 仓库中" },
    "diff.no_git": { en: "git is not installed", zh: "未安装 git" },
    "diff.failed": { en: "git could not compare: {problem}", zh: "git 无法比较：{problem}" },
    "review.base": {
      en: "{base} is not a revision to compare with; name one, such as main or HEAD~3",
      zh: "{base} 不是可用于比较的版本；请给出如 main 或 HEAD~3 的版本",
    },
    "review.usage": { en: "Usage: /review [WHAT TO LOOK AT] [--base REV]", zh: "用法：/review [关注点] [--base 版本]" },
    "review.read_only": {
      en: "this task is read-only and cannot use {tool}",
      zh: "本任务只读；不能使用 {tool}",
    },
    "review.read_only.advice": {
      en: "Make it a separate task, after this one.",
      zh: "请在本任务之后作为单独的任务提出。",
    },
    "review.clean": {
      en: "Nothing to review: no changes and no new files.",
      zh: "没有可审查的内容：没有任何修改，也没有新文件。",
    },
    "review.only_secret": {
      en: "Nothing to review: only files that may hold secrets have changed, and the model does not see those: {files}",
      zh: "没有可审查的内容：只修改了可能含机密的文件，这些文件不会给模型看：{files}",
    },
    "review.nothing": { en: "Nothing found.", zh: "未发现问题。" },
    "review.from": { en: "follows from {place}", zh: "由 {place} 引起" },
    "review.dropped": {
      en: "({n} findings did not point at a changed line and were dropped)",
      zh: "（{n} 条未指向修改行的意见已去掉）",
    },
    "workflow.outcome.verified": {
      en: "VERIFIED by {command}: {summary}",
      zh: "VERIFIED（已验证，{command}）：{summary}",
    },
    "workflow.outcome.failed": { en: "FAILED: {command}: {summary}", zh: "FAILED（未通过）：{command}：{summary}" },
    "workflow.outcome.other": { en: "{outcome}: {reason}", zh: "{outcome}：{reason}" },
    "workflow.outcome.word.VERIFIED": { en: "VERIFIED", zh: "VERIFIED（已验证）" },
    "workflow.outcome.word.UNVERIFIED": { en: "UNVERIFIED", zh: "UNVERIFIED（未验证）" },
    "workflow.outcome.word.FAILED": { en: "FAILED", zh: "FAILED（未通过）" },
    "workflow.like_failures": { en: "({n} more like this: {names})", zh: "（另有 {n} 条同类：{names}）" },
    "workflow.more_failures": { en: "({n} more)", zh: "（另有 {n} 条）" },
    "workflow.answer_how": {
      en: 'Answer with: coder run --resume {id} "YOUR ANSWER"',
      zh: '回答方式：coder run --resume {id} "你的回答"',
    },
    "workflow.status.assessed": {
      en: "{intent}, {complexity} ({why}), risk {risk}",
      zh: "{intent}，{complexity}（{why}），风险 {risk}",
    },
    "workflow.status.foreseen": { en: "{text}; may {foreseen}", zh: "{text}；可能 {foreseen}" },
    "workflow.status.breakers": {
      en: "{idle} of {max_idle} steps without progress, same call {same} of {max_same} times",
      zh: "无进展步数 {idle}/{max_idle}，同一调用 {same}/{max_same} 次",
    },
    "workflow.status.checks": { en: "{n} of {max} checks", zh: "{n}/{max} 次检查" },
    "workflow.cli.verify": {
      en: "run the project's tests now, or parse a test program's output from stdin (--parse)",
      zh: "立即运行项目测试，或从标准输入解析测试输出（--parse）",
    },
    "workflow.cli.undo": {
      en: "undo file changes of a session's last task",
      zh: "撤销会话中最近任务对文件的修改",
    },
    "workflow.flag.parse": {
      en: "run nothing: parse stdin as the output of this test program, print the result as JSON",
      zh: "不运行：将标准输入作为该测试程序的输出解析，并以 JSON 输出结果",
    },
    "workflow.flag.exit_code": { en: "with --parse: the program's exit code", zh: "配合 --parse：该程序的退出码" },
    "workflow.flag.count": { en: "number of tasks", zh: "任务数量" },
    "workflow.flag.all": {
      en: "undo everything in the workspace, after one confirmation",
      zh: "经一次确认后撤销工作区中的全部修改",
    },
    "workflow.flag.unclear": {
      en: "also undo changes made while a command ran that cannot be attributed to it",
      zh: "同时撤销命令运行期间发生、无法归因的修改",
    },
    "workflow.flag.redo": { en: "restore what was undone", zh: "恢复已撤销的内容" },
    "workflow.parse_alone": {
      en: "--parse reads stdin and takes no command",
      zh: "--parse 读取标准输入，不接受命令",
    },
    "workflow.exit_code_alone": { en: "--exit-code needs --parse", zh: "--exit-code 需要与 --parse 一起使用" },
    "workflow.bad_number": { en: "{flag} needs a whole number, not {given}", zh: "{flag} 需要整数，而不是 {given}" },
    "workflow.undo_one": {
      en: "use only one of -n, --all and --redo; --unclear goes with -n only",
      zh: "-n、--all 和 --redo 只能使用其中一个；--unclear 只能与 -n 一起使用",
    },
  }) satisfies Readonly<Record<string, Line>>;
