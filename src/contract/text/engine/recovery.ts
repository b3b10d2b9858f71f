import type { Line } from "../catalogue.ts";

export const recoveryText = () =>
  ({
    "check.failed": { en: "{command} failed: {summary}", zh: "{command} 未通过：{summary}" },
    "check.unclear": {
      en: "{command} says nothing about the code: {summary}",
      zh: "{command} 没有说明代码是否正确：{summary}",
    },
    "check.no_command": {
      en: "no test command was given or found for this project",
      zh: "没有给出测试命令，也没有为该项目找到测试命令",
    },
    "check.not_listed": {
      en: "{command} is not on the list of test commands: {list}",
      zh: "{command} 不在测试命令列表中：{list}",
    },
    "check.other_word": {
      en: "{command} does more than run some of the tests: {word} is neither a file or test of this workspace nor a filter {head} is known to take",
      zh: "{command} 不只是运行部分测试：{word} 既不是此工作区的文件或测试，也不是已知 {head} 接受的筛选条件",
    },
    "check.only_whole": {
      en: "{command} runs all of its tests: it takes neither files nor names of tests",
      zh: "{command} 只能运行全部测试：不接受文件或测试名称",
    },
    "check.no_names": {
      en: "{command} takes files, but how its runner takes test names is unknown",
      zh: "{command} 接受文件，但不清楚其测试工具如何接受测试名称",
    },
    "check.refused_before": {
      en: "the user already declined {command} as a check in this workspace",
      zh: "此工作区曾建议用 {command} 检查，用户拒绝了",
    },
    "check.reused": {
      en: "{summary} (from the last run; no file has changed since)",
      zh: "{summary}（沿用上次运行的结果；此后没有文件改变）",
    },
    "check.not_listed.advice": {
      en: "Use a command from that list, or none: coder picks the check after the task separately. Only the user can extend the list (workflow.verify_allowed in their own config.json).",
      zh: "请使用列表中的命令，或不运行：任务结束后的检查会另行选择。只有用户本人可以添加命令（其 config.json 中的 workflow.verify_allowed）。",
    },
    "check.budget": {
      en: "the model has used up the {n} checks it may run by itself in one task",
      zh: "模型在一个任务中可自行运行的 {n} 次检查已用完",
    },
    "check.old": {
      en: "{summary}; {n} of them also failed before the task",
      zh: "{summary}；其中 {n} 个在任务开始前就已失败",
    },
    "check.old.alone": {
      en: "Only failures from before the task are left, and nothing else passed: repair those first, then verify again.",
      zh: "只剩任务开始前就有的失败，没有其他测试通过：请先修复它们，再重新验证。",
    },
    "check.ask_rollback": {
      en: "the check still fails; this undoes the last changes of the task",
      zh: "检查仍未通过；此操作将撤回任务的最后一次修改",
    },
    "check.hidden": {
      en: "it failed without {files}, which stays hidden from commands",
      zh: "它因缺少 {files} 而失败，而这些文件仍对命令隐藏",
    },
    "check.ask_show": {
      en: "{command} failed without {files}, which is hidden from commands because it may hold secrets. Do the checks need it? Yes shows it to all commands in this workspace, no keeps it hidden; the answer is saved, and /permissions can remove it",
      zh: "{command} 因缺少 {files} 而失败；该文件可能含有机密，因此对命令隐藏。检查是否需要它？选“是”则此工作区的所有命令都能看到它，选“否”则继续隐藏；回答会被保存，可用 /permissions 撤回",
    },
    "check.denied": { en: "{command} was not allowed to run", zh: "{command} 未获准运行" },
    "run.plan_missing": {
      en: "This task needs a plan. Begin your next reply with [PLAN] and its numbered steps, or call the plan tool; then carry it out.",
      zh: "此任务需要计划。请在下一次回复开头写 [PLAN] 和编号步骤，或调用 plan 工具，然后执行。",
    },
    "run.step_next": {
      en: "Now step {id}: {title} ({n} more after it). Report it with the plan tool when it is done.",
      zh: "现在执行步骤 {id}：{title}（其后还有 {n} 步）。完成后请用 plan 工具报告。",
    },
    "run.step_next_files": {
      en: "Now step {id}: {title} ({n} more after it). Expected files: {files}. It counts as done when they are there, or when you report it with the plan tool.",
      zh: "现在执行步骤 {id}：{title}（其后还有 {n} 步）。预期文件：{files}。这些文件就绪，或你用 plan 工具报告后，该步骤即视为完成。",
    },
    "run.step_doubted": {
      en: "You have started a later step, but step {id} ({title}) is still open. Report it with the plan tool: done, or skipped with a reason. If it is not done, do it first.",
      zh: "你已开始后面的步骤，但步骤 {id}（{title}）尚未结束。请用 plan 工具报告：已完成，或说明原因后跳过。如尚未完成，请先完成它。",
    },
    "run.steps_open": {
      en: "These steps of the plan are still open: {steps}. Finish them, or report each with the plan tool as done, or as skipped with a reason. Then answer.",
      zh: "计划中仍有未结束的步骤：{steps}。请完成它们，或用 plan 工具逐一报告为已完成，或说明原因后跳过，然后再作答。",
    },
    "run.plan_go_on": {
      en: "The plan is accepted. Carry it out now, step by step.",
      zh: "计划已接受。现在请逐步执行。",
    },
    "run.retrying": {
      en: "{text}. Retrying in {time} (attempt {n}).",
      zh: "{text}。将在 {time}后重试（第 {n} 次）。",
    },
    "run.nothing_waits": {
      en: "Not waiting for any model",
      zh: "当前没有在等待模型",
    },
    "run.goes_on": {
      en: "The task had stopped here; the user has continued it. Carry on where you left off.",
      zh: "任务曾在此处停止；用户让它继续。请从中断处接着做。",
    },
    "run.goes_on.needs_answer": {
      en: "The task had stopped because nobody could answer your question. The user has continued it: ask again if you still need the answer.",
      zh: "任务曾因无人回答你的问题而停止。用户让它继续：如仍需要答案，请再次提问。",
    },
    "run.goes_on.denied": {
      en: "The task had stopped because something was not allowed. The user has continued it, and may have allowed more: retry what is still needed, or find another way.",
      zh: "任务曾因某项操作不被允许而停止。用户让它继续，并可能已放宽许可：请再次尝试仍需要的操作，或另寻办法。",
    },
    "run.goes_on.blocked": {
      en: "The task had stopped at an obstacle. The user has continued it: check whether the obstacle is gone, then carry on.",
      zh: "任务曾因障碍而停止。用户让它继续：请先确认障碍是否已消除，再接着做。",
    },
    "run.goes_on.max_iter": {
      en: "The task had stopped because many steps made no progress. The user has continued it: try a different approach.",
      zh: "任务曾因多步没有新进展而停止。用户让它继续：请换一种做法。",
    },
    "run.plan_nobody": {
      en: "nobody can confirm it in this run. Leave out deletions and anything irreversible, or say which flag (--mode auto-edit, --mode yolo) would allow it",
      zh: "本次运行无人可以确认。请去掉会删除或无法撤回的操作，或说明哪个参数（--mode auto-edit、--mode yolo）可以允许它",
    },
    "run.question": { en: "the model asks: {question}", zh: "模型提问：{question}" },
    "run.plan_execute": {
      en: 'carry out the plan with /plan run default or /plan run auto-edit (coder run --continue "/plan run auto-edit"), change it with /plan edit or in your own words, or leave it',
      zh: '用 /plan run default 或 /plan run auto-edit 执行计划（coder run --continue "/plan run auto-edit"），用 /plan edit 或直接说明来修改，或就此保留',
    },
    "run.plan_not_open": { en: "no plan is waiting for an answer", zh: "没有等待确认的计划" },
    "run.plan_none": { en: "this session has no plan", zh: "本会话中没有计划" },
    "run.plan_none.advice": {
      en: "To get one: /mode plan, then say what you want. To use one from a file: /plan replay FILE.",
      zh: "要制定计划：先 /mode plan，再说出需求。使用文件中的计划：/plan replay 文件。",
    },
    "run.plan_single": {
      en: "the model sent no usable plan; the task continues as one step",
      zh: "模型没有给出可执行的计划；任务作为一个步骤继续",
    },
    "run.plan_goals": {
      en: "the model sent no usable plan; the task continues with the goals you listed",
      zh: "模型没有给出可执行的计划；任务按你列出的目标继续",
    },
    "run.plan_replans": {
      en: "the plan has been changed {n} times in this task, the maximum; follow it as it is, or mark steps blocked",
      zh: "本任务中计划已修改 {n} 次，不能再改；请按现有计划执行，或将步骤标记为 blocked",
    },
    "run.needs_answer": {
      en: "the task needs an answer first; continue the session with the answer",
      zh: "需要先回答一个问题；请带着答案继续该会话",
    },
    "run.nobody_answers": {
      en: "nobody can answer in this run; it ends here with the questions",
      zh: "本次运行无人可以回答；任务到此结束，并列出问题",
    },
    "run.plan_refused": {
      en: "The user rejected this plan. Propose another one.",
      zh: "用户不接受这个计划。请提出另一个计划。",
    },
    "run.plan_refused_with_words": {
      en: "The user rejected this plan and says: {words}. Propose another one.",
      zh: "用户不接受这个计划，并说：{words}。请提出另一个计划。",
    },
    "run.plan_edited": {
      en: "The user changed the plan. Carry out this one instead: {plan} {words}",
      zh: "用户修改了计划。请改为执行这个计划：{plan} {words}",
    },
    "run.plan_unsound": {
      en: "The plan cannot be carried out: {problems}\nSend a corrected plan first; nothing in this reply was carried out.",
      zh: "这个计划无法执行：{problems}\n请先发送修正后的计划；本次回复中的操作均未执行。",
    },
    "summary.failed_risk": {
      en: "The changes are still there, although {command} fails with them.",
      zh: "修改仍保留，但 {command} 在修改后未通过。",
    },
    "summary.left_risk": { en: "Not checked: {why}.", zh: "未检查：{why}。" },
    "task.plan_blocked": {
      en: "plan step {id} is blocked: {title}",
      zh: "计划的第 {id} 步受阻：{title}",
    },
    "recovery.none": { en: "cannot be repaired automatically", zh: "无法自动修复" },
    "recovery.repair": {
      en: "{command} failed; fixing (attempt {n} of {max})",
      zh: "{command} 未通过；正在修复（第 {n} 次，共 {max} 次）",
    },
    "recovery.attempts": {
      en: "{command} still fails after {n} checks; coder stops here",
      zh: "{command} 检查 {n} 次后仍未通过；不再尝试",
    },
    "recovery.same_failure": {
      en: "the same failures as in check {n}",
      zh: "第 {n} 次检查发现的失败再次出现",
    },
    "recovery.growing": {
      en: "the number of failures grew twice in a row ({first}, {second}, {now})",
      zh: "失败数量连续两次增加（{first}、{second}、{now}）",
    },
    "recovery.early": {
      en: "Stopped after {n} of {max} checks: {why}",
      zh: "共可检查 {max} 次，第 {n} 次后提前停止：{why}",
    },
    "recovery.rollback": { en: "undoing the change that broke it: {why}", zh: "正在撤销导致失败的修改：{why}" },
    "recovery.retry": { en: "retrying {call} once: {why}", zh: "再试一次 {call}：{why}" },
    "recovery.fallback": { en: "using {tool} instead: {why}", zh: "改用 {tool}：{why}" },
    "recovery.ask": { en: "asking you how to continue: {why}", zh: "询问你如何继续：{why}" },
    "recovery.question": {
      en: "The task cannot continue: {what}.\n{steps}\nHow should it continue?",
      zh: "任务无法继续：{what}。\n{steps}\n应如何继续？",
    },
    "recovery.option.done": { en: "Done: try again", zh: "已处理：请重试" },
    "recovery.option.without": { en: "Continue without it, another way", zh: "换一种方法继续，不用它" },
    "recovery.blocked.missing": { en: "{name} is missing, which {call} needs", zh: "缺少 {call} 所需的 {name}" },
    "recovery.blocked.denied": { en: "{call} is not allowed: {why}", zh: "{call} 不被允许：{why}" },
    "recovery.blocked.access": { en: "{call} has no permission for {path}", zh: "{call} 没有访问 {path} 的权限" },
    "recovery.blocked.failed": { en: "{call} failed: {why}", zh: "{call} 失败：{why}" },
    "recovery.step.install": { en: "Install {name}.", zh: "请安装 {name}。" },
    "recovery.step.grant": {
      en: "Give this user access to {path}, or name another place.",
      zh: "请授予当前用户访问 {path} 的权限，或指定其他位置。",
    },
    "recovery.step.allow": {
      en: "Allow it with a rule (see /permissions) or another mode (--mode, /mode).",
      zh: "请用规则（见 /permissions）或其他模式（--mode、/mode）允许它。",
    },
    "recovery.step.by_hand": {
      en: "Do by hand what {call} should have done.",
      zh: "请手动完成 {call} 本应完成的操作。",
    },
    "recovery.step.unblock": {
      en: "Do this step by hand, or say how to do it.",
      zh: "请手动完成这一步，或说明如何完成。",
    },
    "recovery.replan": { en: "trying another way, once: {why}", zh: "换一种方法再试一次：{why}" },
  }) satisfies Readonly<Record<string, Line>>;
