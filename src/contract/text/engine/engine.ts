export const engineText = () =>
  ({
    "advice.policy": {
      en: "Use a mode that allows it (--mode auto-edit or yolo), or do it another way.",
      zh: "请改用允许该操作的模式（--mode auto-edit 或 yolo），或换一种做法。",
    },
    "advice.io": {
      en: "Check that the path exists and that you have access to it.",
      zh: "请检查路径是否存在以及是否有权限访问。",
    },
    "advice.timeout": {
      en: "Check what took effect; run it again with a larger timeout_s if it needs more time.",
      zh: "请先确认哪些操作已生效；如需更长时间，请加大 timeout_s 后重试。",
    },
    "advice.args": {
      en: "Correct the arguments and try again; nothing was changed.",
      zh: "请修正参数后重试；未做任何更改。",
    },
    "advice.conflict": {
      en: "Read the file again, then repeat the change on what is there now.",
      zh: "请重新读取文件，再基于当前内容修改。",
    },
    "advice.build": {
      en: "Start with the first failure and make the smallest fix.",
      zh: "请从第一个失败开始，做最小的修复。",
    },
    "advice.model": {
      en: "Check the base URL, the key and the network.",
      zh: "请检查接口地址、密钥和网络。",
    },
    "advice.stutter": {
      en: "The same call gave the same result many times: try another way.",
      zh: "同样的调用多次得到同样的结果：请换一种做法。",
    },
    "advice.max_iter": {
      en: "Say what is missing or narrow the task, then continue.",
      zh: "请补充信息或缩小任务范围后继续。",
    },
    "advice.cancelled": {
      en: "Check what already took effect, then resume with --continue.",
      zh: "请确认哪些操作已生效，然后用 --continue 继续。",
    },
    "advice.store": {
      en: "Check the free space and permissions of the CODER_HOME folder, then resume with --continue.",
      zh: "请检查 CODER_HOME 目录的剩余空间和权限，然后用 --continue 继续。",
    },
    "advice.config": { en: "Correct the setting named above.", zh: "请修正上面指出的设置。" },
    "advice.internal": {
      en: "This is a bug in coder. Its log has the details under the trace id.",
      zh: "这是 coder 自身的缺陷，日志中可按 trace id 查到详情。",
    },
    "cancel.line1": { en: "Cancelled by ESC", zh: "Cancelled by ESC" },
    "cancel.line2": {
      en: "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.",
      zh: "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.",
    },
    "cancel.left": { en: "Could not stop: {processes}", zh: "未能停止：{processes}" },
    "run.step_limit": { en: "step limit reached ({n})", zh: "已达到步数上限（{n}）" },
    "run.max_iter": {
      en: "No progress in {n} steps in a row; coder needs your help.",
      zh: "连续 {n} 步没有进展，需要你的帮助。",
    },
    "run.sub_stopped": {
      en: "the sub-agent stopped before it finished: {why}",
      zh: "子代理未完成即停止：{why}",
    },
    "run.sub_silent": { en: "no reason given", zh: "未说明原因" },
    "run.tokens": { en: "token budget used up ({used} of {max})", zh: "token 预算已用完（{used}/{max}）" },
    "run.cost": { en: "cost budget used up ({used} of {max})", zh: "费用预算已用完（{used}/{max}）" },
    "run.unknown_outcome": {
      en: "interrupted; outcome unknown, check whether it took effect",
      zh: "执行被中断；结果未知，请检查是否已生效",
    },
    "run.left_to_original": {
      en: "this call belongs to the session this one was copied from; it may still take effect there",
      zh: "该调用属于本会话所复制的原会话；它仍可能在那里生效",
    },
    "run.unknown_notice": {
      en: "coder was interrupted while a command ran. The command may or may not have taken effect; check it: {command}",
      zh: "coder 中断时有命令被打断；是否已生效未知，请检查：{command}",
    },
    "run.damaged_log": {
      en: "event {seq} of this session cannot be read: the log is damaged or was written by a newer version",
      zh: "无法理解此会话的事件 {seq}：日志已损坏，或由更新的版本写入",
    },
    "run.damaged_log.advice": {
      en: "Nothing was changed. Start a new session, or rebuild this one from its snapshot (--from-snapshot) in another CODER_HOME.",
      zh: "未做任何更改。请开始新会话，或在另一个 CODER_HOME 中用快照重建（--from-snapshot）。",
    },
    "run.survivor_ended": {
      en: "Stopped a process left behind by the interrupted command (pid {pid}).",
      zh: "已结束被中断命令遗留的进程（pid {pid}）。",
    },
    "run.cancelled_call": { en: "cancelled before it finished", zh: "在完成之前已取消" },
    "run.never_started": {
      en: "cancelled before it started; nothing happened",
      zh: "在开始之前已取消；未产生任何影响",
    },
    "run.stuttering": {
      en: "not executed: this call gave the same result {n} times",
      zh: "未执行：该调用已 {n} 次得到相同结果",
    },
    "run.repeat_advice": {
      en: "This call gave the same result {n} times. Do something else, or say what blocks you.",
      zh: "该调用已 {n} 次得到相同结果。请换一种做法，或说明受阻原因。",
    },
    "run.unknown_tool": {
      en: "no tool named {tool}; the tools are: {tools}",
      zh: "没有名为 {tool} 的工具；可用工具：{tools}",
    },
    "run.bad_args": { en: "invalid arguments for {tool}: {problem}", zh: "{tool} 的参数无效：{problem}" },
    "run.bad_json": {
      en: "the arguments for {tool} are not valid JSON: {problem}",
      zh: "{tool} 的参数不是有效的 JSON：{problem}",
    },
    "run.placeholder": {
      en: "the text contains the redaction placeholder {placeholder}, which must not be written to a file",
      zh: "文本包含脱敏占位符 {placeholder}，不能写入文件",
    },
    "run.file_changed": {
      en: "someone else changed {path} while the call was interrupted",
      zh: "调用中断期间 {path} 被他人修改",
    },
    "run.files_changed": {
      en: "someone else changed files while the call was interrupted: {path}; already as the call wanted them: {done}; not changed by it: {open}",
      zh: "调用中断期间有文件被他人修改：{path}；已按调用要求改好：{done}；未被改动：{open}",
    },
    "run.other_plan": {
      en: "files changed while the call was interrupted, so it would now do something else; nothing was changed: call it again",
      zh: "调用中断期间有文件被修改，重新执行的结果会不同；未做任何修改，请重新调用",
    },
    "run.crashed": { en: "internal error in {what}", zh: "{what} 发生内部错误" },
    "run.refused_reply": { en: "the provider's filter blocked the reply", zh: "提供商的过滤器拦截了回复" },
    "run.refused_reply.advice": {
      en: "Phrase the task differently, or choose another model.",
      zh: "请换一种说法，或选择其他模型。",
    },
    "run.limit_reply": {
      en: "the model reached its output limit before it said anything",
      zh: "模型在给出任何内容之前就达到了输出上限",
    },
    "run.limit_reply.advice": {
      en: 'Raise the limit ("models": { "provider/name": { "max_output": N } } in the config), or choose another model.',
      zh: '请提高上限（配置中的 "models": { "provider/name": { "max_output": N } }），或选择其他模型。',
    },
    "run.cut_reply": {
      en: "The reply was cut off at the model's output limit; ask the model to continue if something is missing.",
      zh: "回复因达到模型输出上限而被截断；如有缺失请让它继续。",
    },
    "run.empty_reply": { en: "the model sent an empty reply", zh: "模型返回了空回复" },
    "run.cpu_limit": {
      en: "a program used {n} s of processor time and was stopped: commands that run without approval get no more",
      zh: "有程序用满了 {n} 秒处理器时间，已被终止：未经询问就运行的命令最多只有这么多",
    },
    "run.timed_out": { en: "the command exceeded its time limit and was stopped", zh: "命令超时并已被终止" },
    "policy.tool_off": { en: "the tool {tool} is switched off (tools.off)", zh: "工具 {tool} 已被关闭（tools.off）" },
    "run.overflow": {
      en: "the session does not fit the model's context window, even without its older parts",
      zh: "即使省略旧内容，会话仍超出模型的上下文窗口",
    },
    "run.overflow_advice": {
      en: "Shorten it with /compact, start a new session with /new, choose a model with a larger window, or make the task smaller.",
      zh: "请用 /compact 压缩、用 /new 开始新会话、选择上下文更大的模型，或缩小任务。",
    },
    "task.plan_refused": { en: "you rejected the plan twice", zh: "你已两次拒绝计划" },
    "task.timed_out": { en: "time budget used up", zh: "时间预算已用完" },
    "task.internal": { en: "the task was stopped by an internal error", zh: "任务因内部错误而停止" },
    "approval.waiting": { en: "calls waiting for an answer after this one: {n}", zh: "此后还有 {n} 个调用等待答复" },
    "approval.sub": { en: "requested by a sub-agent: {title}", zh: "由子代理提出：{title}" },
    "approval.refused": { en: "the user said no", zh: "用户拒绝了" },
    "approval.denied": { en: "not allowed:\n{reasons}", zh: "不允许：\n{reasons}" },
    "approval.refused_with_words": { en: "the user said no: {words}", zh: "用户拒绝了：{words}" },
    "verify.ended_before": {
      en: "the task ended before its changes were tested",
      zh: "任务在检查更改之前就已结束",
    },
    "summary.planted_risk": {
      en: "Commands created or changed files that other programs run automatically; see the notices for what coder did with them: {paths}",
      zh: "命令创建或修改了其他程序会自动运行的文件；coder 的处理结果见通知：{paths}",
    },
    "summary.workspace_risk": {
      en: "A command removed, moved or replaced the folder {workspace} itself, with everything in it. /undo restores its files, but not its .git folder.",
      zh: "有命令删除、移动或替换了目录 {workspace} 本身及其全部内容。/undo 会恢复其中的文件，但不会恢复 .git 目录。",
    },
    "summary.denied_call_risk": { en: "Not allowed, so not done: {calls}", zh: "未获允许，因而未执行：{calls}" },
    "summary.failed_call_risk": { en: "Failed during the task: {calls}", zh: "过程中失败：{calls}" },
    "summary.skipped_step": { en: "Plan step {id} was skipped: {title}", zh: "计划步骤 {id} 已跳过：{title}" },
    "summary.open_step": { en: "Plan step {id} is still open: {title}", zh: "计划步骤 {id} 尚未完成：{title}" },
    "summary.unverified_risk": {
      en: "No test run has checked these changes.",
      zh: "这些更改未经任何测试运行检查。",
    },
    "summary.rollback": {
      en: "The session store keeps the previous content of {n} file(s).",
      zh: "{n} 个文件的原内容已保存在会话存储中。",
    },
    "summary.rollback_left": {
      en: "/undo does not touch: {files}.",
      zh: "/undo 不会改动：{files}。",
    },
    "summary.rollback_more": { en: "And {n} more.", zh: "另有 {n} 个。" },
    "answer.unfit": {
      en: "the final answer does not match the schema: {problems}",
      zh: "最终回答不符合 schema：{problems}",
    },
    "answer.unfit.advice": {
      en: "The retry failed too. Simplify the schema or the task, or choose another model.",
      zh: "重试后仍不符合。请简化 schema 或任务，或选择其他模型。",
    },
    "answer.repair": {
      en: "the final answer does not match the schema; asking once more",
      zh: "最终回答不符合 schema；再要求一次",
    },
    "sandbox.shown.advice": {
      en: "If it needs them, call it again with show: {files}; the user is asked then. Where nobody can be asked: {flags}",
      zh: "如确实需要，请以 show: {files} 再次调用；届时会询问用户。无人可询问时：{flags}",
    },
    "sandbox.blamed.advice": {
      en: "It may already have had effects: check first. If it needs more than the sandbox gives, call it again with network: true or no_sandbox: true; the user is asked then.",
      zh: "它可能已产生影响：请先检查。如确需沙箱之外的权限，请以 network: true 或 no_sandbox: true 再次调用；届时会询问用户。",
    },
    "approval.no_always": {
      en: "this cannot be always allowed: it is risky in itself, or no rule could describe it",
      zh: "此操作不能始终允许：它本身有风险，或没有规则能准确描述",
    },
    "approval.no_always.advice": {
      en: "Answer yes for this call, or write a rule yourself (permissions.rules in the config, --allow).",
      zh: "请仅对本次调用回答 yes，或自行编写规则（配置中的 permissions.rules 或 --allow）。",
    },
    "approval.changed": {
      en: "{path} changed after the user was asked: the call would no longer do what they approved; nothing was changed",
      zh: "询问用户之后 {path} 发生了变化：此调用的结果已与用户同意的不同；未做任何修改",
    },
    "approval.changed.advice": {
      en: "Read it again and repeat the call; the user is asked again.",
      zh: "请重新读取并再次调用；届时会再次询问用户。",
    },
    "approval.not_open": { en: "question {call} is not open", zh: "问题 {call} 当前未打开" },
    "approval.not_open.advice": {
      en: "Answer the question that was asked last; this one may have been answered or cancelled already.",
      zh: "请回答最近提出的问题；该问题可能已被回答或取消。",
    },
    "session.no_model.advice": {
      en: "Ways to give coder a model:\n  step by step               coder setup\n  a key in the environment   ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY … and --model provider/name\n  a local server             ollama, lmstudio, llamacpp or vllm: --model ollama/NAME\n  any compatible server      --base-url URL --model openai-chat/NAME\n  no AI, no network          --model builtin/mechanic (small repairs, searches, test runs)",
      zh: "为 coder 提供模型的方式：\n  逐步设置              coder setup\n  环境变量中的密钥      ANTHROPIC_API_KEY、OPENAI_API_KEY、GEMINI_API_KEY … 加 --model provider/name\n  本地服务              ollama、lmstudio、llamacpp 或 vllm：--model ollama/名称\n  任何兼容的服务        --base-url URL --model openai-chat/名称\n  不用 AI、不用网络     --model builtin/mechanic（小修复、搜索、运行测试）",
    },
    "question.no_such_answer": {
      en: "the open question cannot be answered with {answer}",
      zh: "当前问题不能用 {answer} 回答",
    },
    "question.no_such_answer.advice": { en: "Possible answers: {answers}.", zh: "可用的回答：{answers}。" },
    "question.no_plan": { en: "the edited plan is missing", zh: "缺少修改后的计划" },
    "question.no_plan.advice": { en: "Send it as “plan”.", zh: "请在 “plan” 中发送。" },
    "clarify.not_open": { en: "no question is open, or the answer is empty", zh: "没有待回答的问题，或回答为空" },
    "clarify.not_open.advice": { en: "Send it as an input instead.", zh: "请改为作为输入发送。" },
    "verify.steps_open": {
      en: "{done} of {all} plan steps are done",
      zh: "计划的 {all} 个步骤中完成了 {done} 个",
    },
    "verify.passed_unfinished": {
      en: "{command} passed, but the task did not finish",
      zh: "{command} 已通过，但任务没有完成",
    },
    "verify.taken_back": {
      en: "The changes failed their check and were undone: nothing is left of them",
      zh: "修改未通过检查，已全部撤销",
    },
    "verify.nothing": { en: "nothing to verify", zh: "没有需要验证的内容" },
    "input.slash_alone": {
      en: "Nothing after /.",
      zh: "/ 后面没有内容。",
    },
    "input.slash_alone.advice": { en: "Type /help for the commands.", zh: "输入 /help 查看命令。" },
    "input.bang_alone": {
      en: "Nothing after !.",
      zh: "! 后面没有内容。",
    },
    "input.bang_alone.advice": { en: "Type a shell command, for example !ls.", zh: "请输入 shell 命令，例如 !ls。" },
    "input.looks_like_path": {
      en: "{word} is not a command; coder treats the text as a task.",
      zh: "{word} 不是命令，已作为任务处理。",
    },
    "input.unknown_command": {
      en: "Unknown command {word}.",
      zh: "没有命令 {word}。",
    },
    "input.unknown_command.advice": {
      en: "Did you mean {nearest}? Type /help for all commands.",
      zh: "是否想用 {nearest}？输入 /help 查看全部命令。",
    },
    "input.busy": {
      en: "{command} cannot run during a task.",
      zh: "任务运行期间不能执行 {command}。",
    },
    "input.busy.advice": { en: "Interrupt the task, or wait until it ends.", zh: "请先取消任务，或等它结束。" },
    "approval.no_scope": { en: "the scope {scope} is not available here", zh: "此处不能使用范围 {scope}" },
    "approval.no_scope.advice": { en: "Available here: {scopes}.", zh: "此处可用：{scopes}。" },
    "session.mode_back": { en: "Mode {mode}, as when you left this session.", zh: "模式 {mode}，与本会话上次一致。" },
    "session.mode_other": {
      en: "Mode {mode}; you left this session in {left}.",
      zh: "当前模式 {mode}；本会话上次为 {left}。",
    },
    "session.no_price": {
      en: "A cost budget of {max} is set, but the price of {model} is unknown.",
      zh: "已设置费用预算 {max}，但不知道 {model} 的价格。",
    },
    "session.no_price.advice": {
      en: 'Set the price of a million tokens in US dollars in config.json, for example "models": { {model}: { "price": { "input": 3, "output": 15 } } }, or remove the budget (--max-cost, max_cost).',
      zh: '请在 config.json 中写明每百万 token 的美元价格，例如 "models": { {model}: { "price": { "input": 3, "output": 15 } } }，或去掉预算（--max-cost、max_cost）。',
    },
    "session.no_model": {
      en: "No model is configured.",
      zh: "尚未配置模型。",
    },
  }) as const;
