// The words of docs/guide/verification.md for asking for a check; a test keeps the page and these tables in sync.
import { entriesOf, once } from "../phrase-table.ts";

export const english = once(() => ({
  tests: entriesOf("tests, test suite, test suites, testsuite, test cases, specs, unit test, suite"),
  run: entriesOf("run, rerun, re-run, execute, launch, start, kick off"),
  sure: entriesOf(
    "make sure, making sure, ensure, ensuring, be sure, see to it, guarantee, verify, check, double check",
    "double-check, confirm, see, tell me, let me know, prove, keep",
  ),
  make: entriesOf("make, get, keep, have"),
  pass: entriesOf(
    "pass, passes, to pass, passing, are passing, keep passing, continue to pass, succeed, are green",
    "is green, green, stay green, remain green, are ok, work, don't break, do not break, aren't broken",
  ),
  must: entriesOf("must, should, have to, has to, need to, needs to"),
  verify: entriesOf("verify, validate, test, retest, re-test, double check, double-check"),
  changes: entriesOf(
    "change, changes, fix, fixes, work, result, results, implementation, solution, edit, edits, refactoring",
    "refactor, patch, modification, modifications",
  ),
  works: entriesOf("works, work, is fixed, is correct, is right, builds, compiles, is not broken, isn't broken"),
  lead: entriesOf(
    "and, then, also, please, pls, now, just, first, next, finally, lastly, afterwards, but, so, always, only",
    "at least, let's, can you, could you, would you, will you, you should, you must, you need to, you have to",
    "i want you to, i need you to, i'd like you to, after that, i would like you to, make sure to",
    "make sure you, make sure that you, be sure to, ensure you, ensure that you, remember to, don't forget to",
    "do not forget to, never forget to, when done, when finished, when you are done, when you're done",
    "once done, once you are done, once you're done, at the end, in the end, go ahead and, try to",
    "immediately, automatically",
  ),
  not: entriesOf(
    "don't, dont, do not, never, not, no, without, avoid, skip, instead of, rather than, no need to, needn't",
    "need not, shouldn't, should not, mustn't, must not, can't, cannot, won't, refrain from, stop",
    "don't have to, do not have to, don't need to, do not need to, don't bother to, don't bother, no need for",
    "not necessary to",
  ),
  /** At the start of a sentence: makes it a statement or a question. */
  statement: entriesOf(
    "the, a, an, this, that, these, those, my, our, your, their, its, it, he, she, they, we, i, you, there",
    "here, when, whenever, if, while, because, since, as, why, how, what, where, who, which, although, though",
    "currently, ci, did, does, is, are, was, were",
  ),
  /** Before the verb, followed by a word such as “to” or “that”: the task is to build something that runs the tests. */
  builds: entriesOf(
    "script, scripts, target, targets, button, job, jobs, step, steps, workflow, pipeline, hook, command",
    "task, alias, action, makefile, dockerfile, function, tool, cli, bot, cron, rule, recipe, menu, endpoint",
    "option, flag",
  ),
  /** After the tests: the sentence is about another thing, or about every future run. */
  otherThing: entriesOf(
    "runner, script, scripts, server, folder, directory, dir, file, files, data, database, db, env",
    "environment, container, harness, framework, job, jobs, task, tasks, command, button, workflow, page",
    "report, in ci, in the ci, in parallel, in the pipeline, in a pipeline, in watch, in github, in docker",
    "in the background, on ci, on every, on each, on push, on save, on commit, on github, on windows, on mac",
    "for every, for each, every, nightly, slowly, faster, fast, whenever, take, takes, fail, fails, is, are",
    "was, were",
  ),
}));

export const chinese = once(() => ({
  tests: entriesOf("测试, 单测, 用例, 单元测试, 测试用例, 回归"),
  run: entriesOf("跑, 跑通, 运行, 执行, 重跑, 跑一下, 跑一遍, 跑下, 跑完, 运行一下, 执行一下"),
  sure: entriesOf("确保, 保证, 确认, 检查, 看看, 看一下, 直到, 让, 使, 告诉我"),
  pass: entriesOf("通过, 能过, 都过, 全过, 全绿, 跑通, 是绿的, 不挂, 没挂, 成功, 过了"),
  must: entriesOf("必须, 要, 需要, 应该, 务必, 都要, 全部"),
  verify: entriesOf("验证, 测一下, 测一测, 测试一下, 自测, 验证一下, 验证下, 检验一下, 回归一下"),
  changes: entriesOf("修改, 改动, 更改, 变更, 结果, 修复, 效果, 实现, 是否, 能否, 有没有"),
  not: entriesOf(
    "不要, 别, 不用, 无需, 无须, 不需要, 不必, 没必要, 避免, 禁止, 请勿, 勿, 不准, 不许, 不能, 不可, 跳过",
    "暂不, 先不, 先别, 不",
  ),
  otherThing: entriesOf(
    "脚本, 框架, 文件, 代码, 服务, 环境, 目录, 报告, 按钮, 命令, 数据, 工具, 器, 的, 时, 期间, 失败, 报错",
    "出错, 很, 太, 花, 会, 需要, 覆盖, 账号, 任务, 函数",
  ),
  statement: entriesOf(
    "怎么, 如何, 怎样, 为什么, 为何, 脚本, 按钮, 命令, 工具, ci, 流水线, 工作流, 钩子, hook, makefile, 用来",
    "用于, 支持, 允许, 自动, 定时, 每次, 每天, 当, 如果, 我们, 用户, 他, 它, 这样, 就可以, 才能, 便于, 方便",
    "以便, 会, 函数, 接口, 方法, 组件, 表单, 已经, 刚才, 刚刚",
  ),
}));
