import type { Line } from "../catalogue.ts";

/** What people ask for with a command: plans, checks, undo, diff, review; and how a task ended. */
export const workflowText = () =>
  ({
    "workflow.plan.help": {
      en: "show the plan, answer it, keep, edit or run it",
      zh: "查看、确认、保存、编辑或执行计划",
    },
    "workflow.plan.usage": {
      en: "usage: /plan, /plan yes [step], /plan no [WORDS], /plan export [FILE], /plan edit [FILE], /plan run [MODE], /plan replay FILE",
      zh: "用法：/plan、/plan yes [step]、/plan no [理由]、/plan export [文件]、/plan edit [文件]、/plan run [模式]、/plan replay 文件",
    },
    "workflow.cover.yes": { en: "Yes covers, without another question:", zh: "同意后不再询问：" },
    "workflow.cover.none": {
      en: "It lists no files or commands: each one will ask.",
      zh: "计划未列出文件或命令：每一项都会询问。",
    },
    "workflow.cover.head": {
      en: "Yes covers {n} of the {all} files and commands listed at the end, and nothing else.",
      zh: "同意仅涵盖末尾所列 {all} 个文件和命令中的 {n} 个。",
    },
    "workflow.cover.asked": { en: "Still asked about when it comes:", zh: "届时仍会询问：" },
    "workflow.cover.holds": { en: "Agreed to until this task ends ({scope}):", zh: "本任务结束前已同意（{scope}）：" },
    "workflow.cover.nothing_yet": { en: "nothing yet", zh: "暂无" },
    "workflow.scope.plan": { en: "the whole plan", zh: "整个计划" },
    "workflow.scope.step": { en: "step by step", zh: "逐步确认" },
    "workflow.scope.task": { en: "this task", zh: "本任务" },
    "workflow.plan.current": { en: "Now: {id}. {title}", zh: "当前步骤：{id}. {title}" },
    "workflow.plan.finished": { en: "No step is left to do.", zh: "没有剩余的步骤。" },
    "workflow.plan.stuck": {
      en: "No step can start: what is left is blocked or waits for something that is.",
      zh: "没有可以开始的步骤：剩下的步骤被阻塞，或在等待被阻塞的步骤。",
    },
    "workflow.plan.waits": {
      en: "It waits for you: /plan yes, /plan yes step (ask for each step), /plan no WORDS, or /plan edit.",
      zh: "等待您的确认：/plan yes、/plan yes step（逐步询问）、/plan no 理由，或 /plan edit。",
    },
    "workflow.plan.run_how": {
      en: "Carry it out: /plan run default, or /plan run auto-edit.",
      zh: "执行计划：/plan run default，或 /plan run auto-edit。",
    },
    "workflow.plan.edit_where": {
      en: "/plan edit opens your editor in the terminal only",
      zh: "/plan edit 仅在终端中打开编辑器",
    },
    "workflow.plan.edit_where.advice": {
      en: "Name a file here: /plan export FILE, change it, /plan edit FILE.",
      zh: "此处请指定文件：/plan export 文件，修改后 /plan edit 文件。",
    },
    "workflow.plan.edited": { en: "The plan was changed.", zh: "计划已修改。" },
    "workflow.plan.accepted": { en: "The plan is accepted.", zh: "计划已接受。" },
    "workflow.plan.accepted_steps": {
      en: "The plan is accepted; you are asked for each step.",
      zh: "计划已接受；每个步骤都会询问。",
    },
    "workflow.plan.refused": { en: "The plan is refused.", zh: "计划已拒绝。" },
    "workflow.plan.nothing_left": {
      en: "every step of this plan is done or skipped",
      zh: "该计划的所有步骤都已完成或跳过",
    },
    "workflow.plan.nothing_left.advice": {
      en: "Run it again from the start: /plan export FILE, then /plan replay FILE.",
      zh: "要从头再执行一次：先 /plan export 文件，再 /plan replay 文件。",
    },
    "workflow.plan.no_mode": {
      en: "a plan cannot be carried out in the mode {given}; the modes are {modes}",
      zh: "不能在 {given} 模式下执行计划；可用模式：{modes}",
    },
    "workflow.plan.still_plan": {
      en: "the mode is plan, in which nothing is carried out",
      zh: "当前为计划模式，不执行任何操作",
    },
    "workflow.plan.still_plan.advice": {
      en: "Say in which mode: /plan run default, or /plan run auto-edit; before /plan replay use /mode.",
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
      en: "take back what the last n tasks did to files; --all: the whole workspace",
      zh: "撤销最近 n 个任务对文件的修改；--all：整个工作区",
    },
    "workflow.undo.usage": {
      en: "usage: /undo, /undo N, each with --unclear, or /undo --all",
      zh: "用法：/undo、/undo N（均可加 --unclear），或 /undo --all",
    },
    "workflow.redo.help": { en: "bring back what /undo took back", zh: "恢复 /undo 撤销的内容" },
    "workflow.diff.help": { en: "show what has changed since git's index", zh: "查看相对 git 暂存区的修改" },
    "workflow.diff.none": { en: "Nothing has changed.", zh: "没有修改。" },
    "workflow.diff.untracked": { en: "Untracked:", zh: "未跟踪：" },
    "workflow.review.help": {
      en: "let the model review the current changes; it can only read",
      zh: "让模型审查当前修改；只读",
    },
    "diff.unavailable": { en: "The diff is unavailable: {why}", zh: "无法显示修改：{why}" },
    "diff.no_repository": { en: "{workspace} is not in a git repository", zh: "{workspace} 不在 git 仓库中" },
    "diff.no_git": { en: "git is not installed", zh: "未安装 git" },
    "diff.failed": { en: "git could not compare: {problem}", zh: "git 无法比较：{problem}" },
    "review.base": {
      en: "{base} is no revision to compare with; name one, such as main or HEAD~3",
      zh: "{base} 不是可用于比较的版本；请给出如 main 或 HEAD~3 的版本",
    },
    "review.usage": { en: "usage: /review [WHAT TO LOOK AT] [--base REV]", zh: "用法：/review [关注点] [--base 版本]" },
    "review.read_only": {
      en: "this task only reads; {tool} is not part of it",
      zh: "本任务只读；不能使用 {tool}",
    },
    "review.read_only.advice": {
      en: "Give it as a task of its own, after this one.",
      zh: "请在本任务之后作为单独的任务提出。",
    },
    "review.clean": {
      en: "Nothing to review: nothing has changed, and there are no new files.",
      zh: "没有可审查的内容：没有任何修改，也没有新文件。",
    },
    "review.only_secret": {
      en: "Nothing to review: only files that may hold secrets have changed, and they are not shown to a model: {files}",
      zh: "没有可审查的内容：只修改了可能含机密的文件，这些文件不会给模型看：{files}",
    },
    "review.nothing": { en: "Nothing found.", zh: "未发现问题。" },
    "review.from": { en: "follows from {place}", zh: "由 {place} 引起" },
    "review.dropped": {
      en: "({n} findings pointed at no changed line and were dropped)",
      zh: "（{n} 条未指向修改行的意见已去掉）",
    },
    "workflow.outcome.verified": { en: "VERIFIED by {command}: {summary}", zh: "VERIFIED（{command}）：{summary}" },
    "workflow.outcome.failed": { en: "FAILED: {command}: {summary}", zh: "FAILED：{command}：{summary}" },
    "workflow.outcome.other": { en: "{outcome}: {reason}", zh: "{outcome}：{reason}" },
    "workflow.like_failures": { en: "({n} more like this: {names})", zh: "（另有 {n} 条同类：{names}）" },
    "workflow.more_failures": { en: "({n} more)", zh: "（另有 {n} 条）" },
    "workflow.answer_how": {
      en: 'Answer with: coder run --resume {id} "YOUR ANSWER"',
      zh: '回答方式：coder run --resume {id} "您的回答"',
    },
    "workflow.status.assessed": {
      en: "{intent}, {complexity} ({why}), risk {risk}",
      zh: "{intent}，{complexity}（{why}），风险 {risk}",
    },
    "workflow.status.foreseen": { en: "{text}; may {foreseen}", zh: "{text}；可能 {foreseen}" },
    "workflow.status.breakers": {
      en: "{idle} of {max_idle} steps without progress, {same} of {max_same} times the same call",
      zh: "无进展步数 {idle}/{max_idle}，同一调用 {same}/{max_same} 次",
    },
    "workflow.status.checks": { en: "{n} of {max} rounds", zh: "{n}/{max} 轮" },
    "workflow.cli.verify": {
      en: "run the project's tests now, or read a test program's output from stdin (--parse)",
      zh: "立即运行项目测试，或从标准输入解析测试输出（--parse）",
    },
    "workflow.cli.undo": {
      en: "take back what the last task of a session did to files",
      zh: "撤销会话中最近任务对文件的修改",
    },
    "workflow.flag.parse": {
      en: "run nothing: parse stdin as the output of this test program, print the result as JSON",
      zh: "不运行：将标准输入作为该测试程序的输出解析，并以 JSON 输出结果",
    },
    "workflow.flag.exit_code": { en: "with --parse: the program's exit code", zh: "配合 --parse：该程序的退出码" },
    "workflow.flag.count": { en: "how many tasks", zh: "任务数量" },
    "workflow.flag.all": {
      en: "undo everything in the workspace, after one confirmation",
      zh: "经一次确认后撤销工作区中的全部修改",
    },
    "workflow.flag.unclear": {
      en: "also take back what changed while a command ran and nobody knows who changed it",
      zh: "同时撤销命令运行期间发生、无法判断是谁所做的修改",
    },
    "workflow.flag.redo": { en: "bring back what was taken back", zh: "恢复已撤销的内容" },
    "workflow.parse_alone": {
      en: "--parse reads stdin and takes no command",
      zh: "--parse 读取标准输入，不接受命令",
    },
    "workflow.exit_code_alone": { en: "--exit-code needs --parse", zh: "--exit-code 需要与 --parse 一起使用" },
    "workflow.bad_number": { en: "{flag} needs a whole number, not {given}", zh: "{flag} 需要整数，而不是 {given}" },
    "workflow.undo_one": {
      en: "give one of -n, --all and --redo; --unclear goes with -n only",
      zh: "-n、--all 和 --redo 只能使用其中一个；--unclear 只能与 -n 一起使用",
    },
  }) satisfies Readonly<Record<string, Line>>;
