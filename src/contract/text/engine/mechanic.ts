import type { Line } from "../catalogue.ts";

export const mechanicText = () =>
  ({
    "demo.about": {
      en: "run a whole task on a sample project, without key or network; with a folder: on its failing tests",
      zh: "在示例项目上演示一个完整任务，无需密钥和网络；给出目录时：修复其中失败的测试",
    },
    "demo.what": {
      en: "This run uses the model {model}: fixed rules built into coder, no AI, no key, no network. Only this run uses it; your configuration is not changed.",
      zh: "本次运行使用的模型是 {model}：coder 自带的固定规则，不是 AI，无需密钥和网络。仅在此处使用；你的配置保持不变。",
    },
    "demo.sample": {
      en: "Sample project with one failing test: {folder}\n(a temporary folder, kept so that you can look at it; its session is stored beside it)",
      zh: "有一个失败测试的示例项目：{folder}\n（临时目录，会保留以便查看；会话记录在其旁边）",
    },
    "demo.folder": { en: "Folder: {folder}", zh: "目录：{folder}" },
    "demo.wish": { en: "fix the failing test", zh: "修复失败的测试" },
    "demo.verifies": {
      en: "The model is done. Running the project's tests:\n    {said}\n",
      zh: "模型已完成。正在运行项目的测试：\n    {said}\n",
    },
    "demo.next": {
      en: 'This is how coder does a task: with its tools and rules, in its sandbox where the machine has one, and checked by the project\'s own tests. In your own project:\n  coder run --mode auto-edit --model builtin/mechanic "fix the failing test"',
      zh: '这就是 coder 完成一个任务的过程：通过工具和规则、在（本机支持时的）沙箱中进行，并用项目自己的测试验证。在你自己的项目中：\n  coder run --mode auto-edit --model builtin/mechanic "修复失败的测试"',
    },
    "demo.unsolved": {
      en: "Nothing was repaired (see above). `coder doctor` checks this machine for problems.",
      zh: "没有修复任何内容（见上文）。`coder doctor` 会检查本机的问题。",
    },
    "demo.model": {
      en: 'With an AI model coder takes any task:\n  coder setup                                    find a model or enter a key, and remember it\n  coder run --model ollama/NAME "…"              a server on this machine\n  coder run --model anthropic/NAME "…"           with ANTHROPIC_API_KEY, openai/NAME with OPENAI_API_KEY, …\nIn a checkout, `npm start -- setup` is `coder setup`.',
      zh: '使用真正的模型，coder 可以承担任何任务：\n  coder setup                                    查找或输入模型并记住\n  coder run --model ollama/NAME "…"              本机上的服务\n  coder run --model anthropic/NAME "…"           需要 ANTHROPIC_API_KEY；openai/NAME 需要 OPENAI_API_KEY 等\n在源码目录中，`npm start -- setup` 即 `coder setup`。',
    },
    "demo.no_folder": { en: "{folder} is not a folder", zh: "{folder} 不是目录" },
    "demo.no_folder.advice": {
      en: "Name a folder with a project whose tests fail, or no folder to use a sample.",
      zh: "请给出一个测试失败的项目目录；不给出时会创建示例。",
    },
    "demo.no_temp": {
      en: "could not create the sample project in {folder}: {why}",
      zh: "无法在 {folder} 中创建示例项目：{why}",
    },
    "demo.no_temp.advice": {
      en: "Set TMPDIR to an existing, writable folder with free space.",
      zh: "请把 TMPDIR 设为存在、可写且有空间的目录。",
    },
    "mechanic.unknown_model": {
      en: "Unknown model {model}: the only built-in model is builtin/mechanic.",
      zh: "未知模型 {model}：coder 自带的只有 builtin/mechanic。",
    },
    "mechanic.what": {
      en: "I am builtin/mechanic, coder's built-in offline model: fixed rules, no AI, no network.",
      zh: "我是 builtin/mechanic，coder 自带的离线模型：固定规则，没有人工智能，不联网。",
    },
    "mechanic.can": {
      en: "I can do this (in English or Chinese):\n- run the tests and explain what fails: “why do the tests fail?”\n- fix a failing test by trying small changes (Python, JavaScript, TypeScript): “fix the failing test”\n- rename by name: “rename total to sum”\n- find: “where is parse defined?”, “find usages of parse”, “list TODOs”\n- apply the project's own formatter or linter: “format”, “fix lint”\n- summarise what has changed: “summarise the diff”",
      zh: "我能做的事（中文或英文）：\n- 运行测试并解释失败：“为什么测试失败？”\n- 通过尝试小改动修复失败的测试（Python、JavaScript、TypeScript）：“修复失败的测试”\n- 按名称重命名：“把 total 重命名为 sum”\n- 查找：“parse 在哪里定义”“parse 的引用”“列出 TODO”\n- 使用项目自带的格式化或 lint 工具：“格式化”“修复 lint”\n- 总结改动：“总结改动”",
    },
    "mechanic.add_model": {
      en: "For everything else coder needs an AI model: --model provider/name with its key (for example OPENAI_API_KEY or ANTHROPIC_API_KEY), a server on this machine (--model ollama/NAME), or CODER_MODEL. `coder models` lists them, `coder doctor` says what is missing.",
      zh: "其他任务需要真正的模型：用 --model provider/name 并设置密钥（例如 OPENAI_API_KEY 或 ANTHROPIC_API_KEY），或本机服务（--model ollama/NAME），或设置 CODER_MODEL。`coder models` 列出模型，`coder doctor` 说明缺少什么。",
    },
    "mechanic.refused": {
      en: "I cannot do this; nothing was changed.",
      zh: "我做不了这件事；没有做任何改动。",
    },
    "mechanic.later": {
      en: "I did not handle your message sent meanwhile: {text}",
      zh: "期间写下的内容我没有处理：{text}",
    },
    "mechanic.no_more": {
      en: "I have nothing more to try. This is what I did and found before the last check:\n\n{text}",
      zh: "我没有更多可以尝试的了。最后一次检查之前我所做和发现的：\n\n{text}",
    },
    "mechanic.lost": {
      en: "The record of this task does not match what I would have done: another model, another version of coder, or a shortened history. I stop here; look at the files, or revert the changes with /undo, and ask again.",
      zh: "此任务的记录与我会做的不符：可能是另一个模型、另一个版本的 coder，或被缩短的历史。我到此为止；请检查文件，或用 /undo 撤回改动，然后重新提出请求。",
    },
    "mechanic.no_tool": {
      en: "I need the tool {tool} for this, but it is switched off.",
      zh: "这需要工具 {tool}，但它已被关闭。",
    },
    "mechanic.stopped": { en: "Stopped before anything was changed.", zh: "在做任何改动之前已停止。" },
    "mechanic.no_project": {
      en: "I found no tests I can run here: no pyproject.toml, pytest.ini, package.json with a test script, go.mod or Cargo.toml.",
      zh: "这里没有找到我能运行的测试：没有 pyproject.toml、pytest.ini、带 test 脚本的 package.json、go.mod 或 Cargo.toml。",
    },
    "mechanic.runs_tests": { en: "Running the tests: {command}", zh: "运行测试：{command}" },
    "mechanic.not_run": {
      en: "{command} could not run the tests:\n{why}\nIn auto-edit mode (--mode auto-edit) I may run them without asking.",
      zh: "{command} 无法运行测试：\n{why}\n在 auto-edit 模式（--mode auto-edit）下我可以不经询问运行。",
    },
    "mechanic.environment": {
      en: "The tests say nothing about the code yet: {summary}\n{more}",
      zh: "测试还没有说明代码的情况：{summary}\n{more}",
    },
    "mechanic.nothing_to_fix": {
      en: "All tests pass; there is nothing to fix. {summary}",
      zh: "所有测试都通过；没有需要修复的。{summary}",
    },
    "mechanic.all_pass": { en: "All tests pass. {summary}", zh: "所有测试都通过。{summary}" },
    "mechanic.puts_back": { en: "Restoring everything as it was.", zh: "我把一切恢复原样。" },
    "mechanic.not_put_back": {
      en: "I could not restore everything, probably because something else changed the file meanwhile:\n{list}\nIt may still contain one of my attempts. Look at it, or revert it with /undo.",
      zh: "我没能把一切恢复原样，可能是文件期间被其他程序改动了：\n{list}\n其中可能仍有我的尝试。请检查，或用 /undo 撤回。",
    },
    "mechanic.screens": {
      en: "Trying {n} small changes in one process, without writing a file: which of them make the failing tests pass?",
      zh: "在一个进程中试验 {n} 处小改动，不写入任何文件：看哪些能让失败的测试通过",
    },
    "mechanic.attempt": {
      en: "Attempt {n}: {place}, {what}\n{change}",
      zh: "第 {n} 次尝试：{place}，{what}\n{change}",
    },
    "mechanic.fixed": {
      en: "Fixed (attempts: {n}); the tests pass ({summary}).",
      zh: "尝试 {n} 次后修复；测试通过（{summary}）。",
    },
    "mechanic.fixed.change": { en: "{place}: {what}\n{change}", zh: "{place}：{what}\n{change}" },
    "mechanic.fixed.look": {
      en: "I found this by trying small changes, not by understanding the program. The tests pass, but please read the change too. /undo reverts it.",
      zh: "这是通过尝试小改动找到的，而不是理解了程序：测试认可它，也请你看一遍。/undo 可以撤回。",
    },
    "mechanic.not_fixed": {
      en: "I could not fix it with one small change ({n} tried); the files are as they were.",
      zh: "我没能用一个小改动修复它（尝试了 {n} 个）；文件保持原样。",
    },
    "mechanic.not_fixed.why": { en: "I had to stop early: {why}", zh: "我不得不提前结束：{why}" },
    "mechanic.not_fixed.stopped": { en: "I was interrupted, or the time was up.", zh: "我被停止，或时间已到。" },
    "mechanic.not_fixed.harmful": {
      en: "I did not touch functions that delete, run or send something: {names}",
      zh: "我没有改动会删除、执行或发送内容的函数：{names}",
    },
    "mechanic.not_fixed.partly": {
      en: "This change alone made fewer tests fail; I reverted it too:\n{change}",
      zh: "仅这一处就减少了失败的测试；我也把它撤回了：\n{change}",
    },
    "mechanic.explained": { en: "{summary}", zh: "结果：{summary}" },
    "mechanic.failure": { en: "- {name}\n  at {place}\n  {what}", zh: "- {name}\n  位置 {place}\n  {what}" },
    "mechanic.failure.pair": { en: "expected {expected}, got {got}", zh: "期望 {expected}，得到 {got}" },
    "mechanic.failure.awaited": {
      en: "expected an error ({name}), but none came",
      zh: "期望出现错误（{name}），但没有出现",
    },
    "mechanic.suspects": { en: "The bug is most likely in: {names}", zh: "错误最可能在：{names}" },
    "mechanic.may_fix": { en: "Say “fix the failing test” and I will try.", zh: "说“修复失败的测试”，我可以试试。" },
    "mechanic.found": { en: "{n} found:\n{list}", zh: "找到 {n} 处：\n{list}" },
    "mechanic.not_searched": { en: "I could not search for {what}: {why}", zh: "无法搜索 {what}：{why}" },
    "mechanic.found_none": { en: "Nothing found for {what}.", zh: "没有找到 {what}。" },
    "mechanic.rename.bad": { en: "{name} is not a valid name in a program.", zh: "{name} 不是程序可以使用的名称。" },
    "mechanic.rename.taken": {
      en: "{name} is already used in {paths}: renaming could mix up two things. Nothing was changed.",
      zh: "{name} 已被使用（{paths}）：重命名可能混淆两者。没有做任何改动。",
    },
    "mechanic.rename.many": {
      en: "{name} occurs in too many files for me ({n}). Nothing was changed.",
      zh: "{name} 出现的文件太多（{n} 个）。没有做任何改动。",
    },
    "mechanic.rename.long": {
      en: "{name} occurs too often for me: the list of places is too long. Nothing was changed.",
      zh: "{name} 出现次数太多：位置列表过长。没有做任何改动。",
    },
    "mechanic.rename.unread": {
      en: "{name} occurs in files that I could not read completely ({paths}); renaming it in only some files would break the program. Nothing was changed.",
      zh: "{name} 出现在我无法完整读取的文件中（{paths}），只改一部分文件会破坏程序。没有做任何改动。",
    },
    "mechanic.rename.does": {
      en: "Renaming {from} to {to} in {n} files.",
      zh: "在 {n} 个文件中把 {from} 重命名为 {to}。",
    },
    "mechanic.rename.done": {
      en: "Renamed {from} to {to}: {n} places in {paths}. I treated every {from} as the same thing; strings, comments and other files were not changed.",
      zh: "已把 {from} 重命名为 {to}：共 {n} 处，位于 {paths}。所有 {from} 都被视为同一个；字符串、注释和其他文件未改动。",
    },
    "mechanic.rename.left": { en: "Also mentioned in: {paths}", zh: "其他地方也提到：{paths}" },
    "mechanic.rename.failed": { en: "A file could not be changed: {why}", zh: "有文件无法修改：{why}" },
    "mechanic.tidy.none": {
      en: "I found no formatter or linter that I know in this project: a script `format`, `lint:fix` or `lint` in package.json, prettier, biome, eslint, ruff, black, go or cargo.",
      zh: "没有找到我认识的格式化或 lint 工具：package.json 中的 `format`、`lint:fix` 或 `lint` 脚本，或 prettier、biome、eslint、ruff、black、go、cargo。",
    },
    "mechanic.tidy.does": { en: "Running the project's own tool: {command}", zh: "使用项目自带的工具：{command}" },
    "mechanic.tidy.done": { en: "{command}:\n{output}", zh: "{command} 的结果：\n{output}" },
    "mechanic.tidy.refused": {
      en: "{command} was not run:\n{why}\nRun it yourself, or allow it with --allow 'bash({command})'.",
      zh: "{command} 没有运行：\n{why}\n请自行运行，或用 --allow 'bash({command})' 允许。",
    },
    "mechanic.diff.none": { en: "Nothing has changed since the last commit.", zh: "自上次提交以来没有改动。" },
    "mechanic.diff.failed": { en: "The changes could not be read: {why}", zh: "无法读取改动：{why}" },
    "mechanic.diff": {
      en: "{n} files changed, +{plus} −{minus}:\n{list}",
      zh: "{n} 个文件有改动，+{plus} −{minus}：\n{list}",
    },
    "mechanic.diff.untracked": { en: "{n} files are new to git: {paths}", zh: "{n} 个文件尚未被 git 跟踪：{paths}" },
    "mechanic.diff.part": {
      en: "The diff was too long for me: I counted only its beginning and end, so there is more.",
      zh: "差异太长：这里只统计了开头和结尾，实际更多。",
    },
    "mechanic.diff.in": { en: "in {names}", zh: "涉及 {names}" },
    "mechanic.diff.new": { en: "new: {names}", zh: "新增：{names}" },
    "mechanic.diff.gone": { en: "deleted: {names}", zh: "删除：{names}" },
    "mechanic.kind.boundary": { en: "the boundary of a comparison", zh: "比较的边界" },
    "mechanic.kind.direction": { en: "the direction of a comparison", zh: "比较的方向" },
    "mechanic.kind.equality": { en: "equal or not equal", zh: "相等或不相等" },
    "mechanic.kind.arithmetic": { en: "another operator", zh: "另一个运算符" },
    "mechanic.kind.logic": { en: "and or or", zh: "与或或" },
    "mechanic.kind.negation": { en: "an inverted condition", zh: "条件取反" },
    "mechanic.kind.step": { en: "one more or one less (off by one)", zh: "多一或少一" },
    "mechanic.kind.constant": { en: "another number", zh: "另一个数值" },
    "mechanic.kind.text": { en: "another string", zh: "另一个字符串" },
    "mechanic.kind.truth": { en: "true or false", zh: "真或假" },
    "mechanic.kind.name": { en: "another name", zh: "另一个名称" },
    "mechanic.kind.word": { en: "another function", zh: "另一个函数" },
    "mechanic.kind.arguments": { en: "the order of arguments", zh: "参数的顺序" },
    "mechanic.kind.operands": { en: "the order of operands", zh: "操作数的顺序" },
    "mechanic.kind.return": { en: "a return", zh: "返回语句" },
    "mechanic.kind.await": { en: "a missing await", zh: "缺少 await" },
    "mechanic.kind.guard": { en: "a missing case", zh: "缺少的情况" },
    "mechanic.kind.assign": { en: "an assignment", zh: "赋值" },
    "mechanic.kind.order": { en: "the sort order", zh: "排序的顺序" },
    "mechanic.kind.fallback": { en: "a value that may be missing", zh: "可能缺失的值" },
    "mechanic.kind.wrap": { en: "a missing conversion", zh: "缺少转换" },
    "mechanic.kind.lines": { en: "the order of lines", zh: "语句的顺序" },
    "mechanic.kind.flow": { en: "the control flow", zh: "控制流" },
    "mechanic.kind.limit": { en: "a least or a largest value", zh: "最小值或最大值" },
    "mechanic.kind.start": { en: "what it starts with", zh: "初始值" },
    "mechanic.kind.missing": { en: "a missing statement", zh: "缺少的语句" },
  }) as const satisfies Readonly<Record<string, Line>>;
