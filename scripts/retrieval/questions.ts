// Questions about this project as somebody asks who does not know its files, and the files that answer them. Written by hand, before
// the search was tried on them; any of the files counts.
export interface Asked {
  readonly question: string;
  readonly files: readonly string[];
}

const ask = (question: string, ...files: string[]): Asked => ({ question, files });

export const questions: readonly Asked[] = [
  ask("Where is it decided that a run which makes no progress is stopped?", "src/machine/breakers.ts"),
  ask("Where is decided whether a task is complex enough to need a plan?", "src/words/assess.ts"),
  ask("Which file says that a file name like .env or id_rsa may hold secrets?", "src/policy/paths.ts"),
  ask("How long do we wait between retries of a failed model call?", "src/model/fault/retry.ts"),
  ask(
    "Where are secrets replaced in tool output before the model sees it?",
    "src/policy/redact.ts",
    "src/engine/call/redact.ts",
    "src/engine/call/bound-output.ts",
  ),
  ask("Where is the table of error codes with their exit codes?", "src/contract/error.ts"),
  ask("Where is the seccomp filter built?", "src/platform/sandbox/linux/seccomp.ts"),
  ask("Where does coder decide how much of a long command output the model gets?", "src/engine/call/bound-output.ts"),
  ask("Where is it checked that only one process writes to a session?", "src/store/lease.ts"),
  ask("Which commands may verify without the person having added them?", "src/verify/detect/whitelist.ts"),
  ask("Where is it decided that a change of documentation alone needs no check?", "src/verify/detect/when.ts"),
  ask(
    "Where does the verdict VERIFIED or FAILED come from, exit code and summary together?",
    "src/verify/result/verdict.ts",
  ),
  ask("Where is pytest output parsed?", "src/verify/parse/other/pytest.ts"),
  ask(
    "How are tool calls recognised that a weak model wrote into its text?",
    "src/model/reply/text-calls.ts",
    "src/model/reply/text-call-forms.ts",
  ),
  ask("Where is a trailing comma in tool arguments repaired?", "src/model/reply/arguments.ts"),
  ask(
    "Where is bubblewrap called with its mounts?",
    "src/platform/sandbox/linux/bubblewrap.ts",
    "src/platform/sandbox/linux/mounts.ts",
  ),
  ask("Where does Ctrl+C cancel once and kill the second time?", "src/surface/headless/run.ts"),
  ask("Where is the old text of an edit found when indentation differs?", "src/tool/edit/match.ts"),
  ask("What suggests similar lines when the text to replace is not in the file?", "src/tool/edit/nearest.ts"),
  ask("Where is the encoding of a text file detected, GBK for example?", "src/platform/files/text/encoding.ts"),
  ask("Where are old sessions chosen for removal by age and size?", "src/main/session/retention.ts"),
  ask("Which file gives unused database pages back to the disk?", "src/store/shrink.ts"),
  ask("Where does the database schema and its migration steps live?", "src/store/schema.ts"),
  ask("Where is a project's config kept from loosening what the person set?", "src/config/project/project.ts"),
  ask("Where are JSON comments in the config file handled?", "src/config/file/jsonc.ts"),
  ask(
    "Where does a misspelt config key get the name that was probably meant?",
    "src/config/file/nearest.ts",
    "src/config/file/check.ts",
  ),
  ask("Where are the built-in providers with their base URLs listed?", "src/config/model/providers.ts"),
  ask("Where is the system prompt put together?", "src/context/system.ts"),
  ask("Where are tokens estimated for Chinese and Latin text?", "src/context/tokens.ts"),
  ask("Where is the conversation pruned when the context overflows?", "src/context/compact.ts"),
  ask(
    "Who ends processes that a killed coder left behind?",
    "src/platform/process/survivor.ts",
    "src/platform/process/orphans.ts",
  ),
  ask("Where does the shell wait until its pid is on disk?", "src/platform/process/gate.ts"),
  ask("Where are find -exec and -delete judged?", "src/policy/shell/wrapper/find.ts"),
  ask(
    "Which sed scripts are considered harmless?",
    "src/policy/shell/language/sed-script.ts",
    "src/policy/shell/language/sed.ts",
  ),
  ask("Where are redirections in a shell command judged?", "src/policy/shell/redirect.ts"),
  ask(
    "Where is the answer held against --output-schema?",
    "src/engine/structured-output/check-answer.ts",
    "src/engine/structured-output/validate.ts",
    "src/main/run/output-schema.ts",
    "src/engine/structured-output/schema.ts",
  ),
  ask("Where is the session exported as HTML?", "src/surface/export/html.ts", "src/surface/export/page.ts"),
  ask("How does git's index file get parsed?", "src/platform/git/index-file.ts"),
  ask("Where is the patch format with *** Begin Patch read?", "src/tool/patch/envelope.ts", "src/tool/patch/parse.ts"),
  ask("Where does the time budget of a task pause while a person is asked?", "src/engine/loop/task-timer.ts"),
  ask("Where is undo of a single file planned?", "src/tool/undo/turn-back.ts", "src/tool/undo/plan-undo.ts"),
  ask(
    "取消之后在哪里停止所有子进程？",
    "src/platform/process/kill.ts",
    "src/platform/process/tree.ts",
    "src/engine/loop/task-scope.ts",
    "src/platform/process/conclude.ts",
  ),
  ask("退出码是在哪里定义的？", "src/contract/error.ts"),
  ask("会话快照写到哪里？由哪个文件实现？", "src/store/snapshot.ts", "src/engine/session/snapshot.ts"),
  ask("在哪里估算文本的令牌数？", "src/context/tokens.ts"),
  ask("沙箱的挂载点在哪里决定？", "src/platform/sandbox/linux/mounts.ts", "src/platform/sandbox/linux/bubblewrap.ts"),
  ask("模型请求失败后的重试退避时间在哪里计算？", "src/model/fault/retry.ts"),
  ask("费用预算超出时在哪里停止任务？", "src/machine/budget.ts"),
  ask(
    "撤销操作的合并冲突在哪里处理？",
    "src/platform/changes/merge.ts",
    "src/tool/undo/settle.ts",
    "src/tool/undo/turn-back.ts",
  ),
  ask("提供商列表在哪个文件里？", "src/config/model/providers.ts"),
  ask("哪里解析 jest 的测试输出？", "src/verify/parse/javascript/jest.ts", "src/verify/parse/javascript/jest-json.ts"),
  ask("权限预设的允许和拒绝表在哪里？", "src/policy/mode-table.ts"),
];
