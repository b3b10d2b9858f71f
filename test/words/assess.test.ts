import { describe, expect, test } from "bun:test";
import type { Foreseen, TaskIntent } from "../../src/contract/task.ts";
import { phrase, say } from "../../src/contract/text/catalogue.ts";
import { assessTask } from "../../src/words/assess.ts";

const usual = { chars: 80, separators: 2, words: 14, goals: 2 };
const assess = (text: string, isFirst = true) => assessTask(text, usual, isFirst);

test("[SM-3] an assessment says intent, complexity with its reason, risk, what is foreseen and what is missing", () => {
  expect(assess("Fix the typo in README.md")).toEqual({
    kind: "task",
    intent: "change",
    complexity: "simple",
    why: phrase("plan.simple"),
    riskLevel: "medium",
    foreseen: ["write"],
    missing: [],
  });
  expect(assess("1. delete the dist folder\n2. 运行测试")).toEqual({
    kind: "task",
    intent: "change",
    complexity: "complex",
    why: phrase("plan.complex.goals", { n: 2 }),
    riskLevel: "high",
    foreseen: ["delete", "exec"],
    missing: [],
  });
});

const intents: readonly (readonly [intent: TaskIntent, texts: readonly string[]])[] = [
  [
    "question",
    [
      ...["What does this function do?", "why is the sky blue", "How do I add a route?", "is there a test for it?"],
      ...["explain how the scheduler works", "Where is the config loaded?", "list the open todos", "Does it work?"],
      ...[
        "这个函数是怎么实现的？",
        "为什么测试会失败",
        "解释一下调度器",
        "这里有 bug 吗",
        "如何添加路由？",
        "What's this?",
      ],
      ...["I'm wondering whether we should migrate to Postgres", "I would like to understand when you delete a file"],
      ...["I want to know which files are touched when I run the build", "Walk me through the build, then the tests"],
      ...["Give me an overview of what was changed", "Write me a short explanation of how we deploy"],
      ...["我想知道构建的时候会改动哪些文件，顺序是什么", "对比一下方案A和方案B，优点，缺点，以及迁移成本"],
    ],
  ],
  [
    "change",
    [
      ...["Fix the typo", "please add a test", "can you add a test for parse()?", "Could you please rename foo?"],
      ...["Why does the test fail? Fix it.", "find out why it fails and fix it", "run the tests and fix failures"],
      ...["I want you to remove the flag", "let's simplify this", "I need you to update the docs"],
      ...[
        "修复登录的错误",
        "请添加一个测试",
        "把标题改成蓝色",
        "帮我写一个脚本",
        "看看为什么失败，然后修复",
        "能不能加一个按钮？",
      ],
    ],
  ],
  [
    "run",
    [
      "run the tests",
      "please build it",
      "npm install lodash",
      "运行测试",
      "跑一下测试",
      "启动服务",
      "Don't forget to run the tests",
    ],
  ],
  ["review", ["review my changes", "please do a code review", "审查一下我的改动", "评审这个分支"]],
  ["other", ["hello", "你好", "The delete button does not work", "删除按钮不起作用", "thanks!", ""]],
  ["other", ["I get this when I start the app, or not", "这个报错怎么解决比较好，我已经看过文档"]],
  ["change", ["Rework the report module", "Write me a CLI", "Write a summary of the changes into NOTES.md"]],
];

for (const [intent, texts] of intents) {
  for (const text of texts) {
    test(`[SM-3] ${JSON.stringify(text)} has the intent ${intent}`, () => expect(assess(text).intent).toBe(intent));
  }
}

const foreseen: readonly (readonly [text: string, foreseen: readonly Foreseen[], risk: "low" | "medium" | "high"])[] = [
  ["add a test", ["write"], "medium"],
  ["添加一个测试", ["write"], "medium"],
  ["run the tests", ["exec"], "medium"],
  ["运行测试", ["exec"], "medium"],
  ["install lodash", ["exec", "network"], "medium"],
  ["安装依赖", ["exec", "network"], "medium"],
  ["summarise the page https://example.org and add it to the README", ["write", "network"], "medium"],
  ["delete the old log files", ["delete"], "high"],
  ["删除 build 目录", ["delete"], "high"],
  ["clean up and remove everything in dist/", ["delete"], "high"],
  ["remove the unused import", ["write"], "medium"],
  ["删除多余的注释", ["write"], "medium"],
  ["delete the function foo in a.ts", ["write"], "medium"],
  ["fix the bug, then run the tests and push", ["write", "exec", "network"], "medium"],
  ["deploy to production", ["exec", "network"], "high"],
  ["部署到生产环境", ["exec", "network"], "high"],
  ["run rm -rf build", ["exec", "delete"], "high"],
  ["fix it and force push", ["write", "exec", "network"], "high"],
  ["what does rm -rf do?", [], "low"],
  ["how do I delete a branch?", [], "low"],
  ["The delete button does not work", [], "low"],
  ["删除按钮不起作用", [], "low"],
  ["the test run fails", [], "low"],
];

for (const [text, expected, risk] of foreseen) {
  test(`[SM-3] ${JSON.stringify(text)} foresees ${expected.join(" and ") || "nothing"}, risk ${risk}`, () => {
    const { foreseen: found, riskLevel } = assess(text);
    expect({ found: [...found].sort(), riskLevel }).toEqual({ found: [...expected].sort(), riskLevel: risk });
  });
}

const pastes: readonly string[] = [
  "error: Your local changes would be overwritten by merge:\n\tsrc/a.ts\nPlease commit your changes or stash them.\nAborting",
  "ERROR: pip's resolver does not look at all packages\nTo update, run:\npip install --upgrade pip",
  "error[E0308]: mismatched types\n  --> src/main.rs:3:5\n\nerror: could not compile; run with --verbose",
  "make: *** [Makefile:10: all] Error 1\nfix x.c\nrun it again",
  "web_1  | Starting\nweb_1  | run it again",
  '{"level":"info","msg":"start"}\n{"level":"info","msg":"run; stop"}',
];
for (const paste of pastes)
  test(`[SM-3] what a pasted log says is no order of the person's: ${JSON.stringify(paste.slice(0, 40))}`, () => {
    expect(assess(`${paste}\n\nany idea?`)).toMatchObject({ intent: "question", foreseen: [] });
    expect(assess(`I get this, with every version\n\n${paste}`)).toMatchObject({ intent: "other", foreseen: [] });
    expect(assess(`${paste}\n\nfix it`).intent).toBe("change");
    expect(assess(`${paste}\nfix it`).intent).toBe("change");
  });

const forbidden: readonly (readonly [text: string, foreseen: readonly Foreseen[]])[] = [
  ["don't delete the files, add a test", ["write"]],
  ["do not delete anything and do not run commands, add a test", ["write"]],
  ["fix it without deleting files", ["write"]],
  ["add a test but never run it", ["write"]],
  ["rename foo instead of deleting the file", ["write"]],
  ["don't modify or delete any files; run the tests", ["exec"]],
  ["do not ask, delete the dist folder", ["delete"]],
  ["Don't forget to delete the dist folder", ["delete"]],
  ["do not touch a.ts. Delete the file b.ts", ["delete"]],
  ["don't edit a.ts or delete the file b.ts; add c.ts", ["write"]],
  ["不要删除文件，只修改 a.ts", ["write"]],
  ["修改 a.ts，别删除任何文件", ["write"]],
  ["不要修改、删除任何文件，运行测试", ["exec"]],
  ["请勿运行命令，修复错误", ["write"]],
  ["无需安装依赖，添加测试", ["write"]],
  ["不要忘记运行测试", ["exec"]],
  ["能不能帮我删除 dist 目录", ["delete"]],
  ["不要重构，直接删除旧文件", ["delete"]],
  ["修复，而不是删除文件", ["write"]],
  ["修复级别错误，删除旧文件", ["write", "delete"]],
];

for (const [text, expected] of forbidden) {
  test(`[SM-3] what is forbidden is not foreseen: ${JSON.stringify(text)}`, () => {
    expect([...assess(text).foreseen].sort()).toEqual([...expected].sort());
  });
}

const unclear: readonly (readonly [question: string, texts: readonly string[]])[] = [
  [
    "What does that refer to?",
    [
      ...[
        "fix it",
        "Fix this",
        "please fix that!",
        "can you fix it please?",
        "do it again",
        "change that",
        "Debug this now",
      ],
      ...[
        "fix this issue",
        "solve the problem",
        "finish it",
        "修复它",
        "把它修好",
        "帮我修一下这个",
        "改一下这个",
        "解决这个问题吧",
      ],
      ...["请处理一下这个。", "这个问题处理一下"],
    ],
  ],
  [
    "Which error? Paste its text, or name the command that shows it.",
    [
      ...["fix this error", "Please fix this error.", "what does this error mean?", "why do I get this error?"],
      ...[
        "help me with this error",
        "explain the following exception",
        "修复这个错误",
        "看看这个报错",
        "这个错误怎么解决？",
        "解释一下上面的错误",
      ],
    ],
  ],
  [
    "Nothing is attached here. Which file do you mean? Give its path, or paste the text.",
    [
      "summarize the attached file",
      "look at the screenshot",
      "read my attached log please",
      "看一下附件",
      "分析截图",
      "总结附件内容",
    ],
  ],
  [
    "Nothing follows the colon. What should come after it?",
    [
      "fix the following error:",
      "Implement the following:",
      "the output is as follows:",
      "实现以下功能：",
      "请修复下面的错误:",
    ],
  ],
];

describe("a first input that cannot be started", () => {
  for (const [question, texts] of unclear) {
    for (const text of texts) {
      test(`[SM-3] ${JSON.stringify(text)} is asked about`, () => {
        const { missing } = assess(text);
        expect(missing.map((one) => (typeof one.question === "string" ? "" : say("en", one.question)))).toEqual([
          question,
        ]);
        expect(assess(text, false).missing).toEqual([]);
      });
    }
  }

  test("[SM-7] one question comes with options in both languages, where there are sensible ones", () => {
    const [asked] = assess("fix it").missing;
    expect(asked?.options.map((one) => (typeof one === "string" ? one : [say("en", one), say("zh", one)]))).toEqual([
      ["The project's failing tests: run them and look", "项目中失败的测试：运行并查看"],
      ["The uncommitted changes", "尚未提交的更改"],
    ]);
    expect(assess("看一下附件").missing[0]?.options).toEqual([]);
  });
});

const clear: readonly string[] = [
  ...[
    "fix the tests",
    "fix the build",
    "fix lint",
    "fix this function in a.ts",
    "fix it in src/a.ts",
    "fix this error in the login page",
  ],
  ...[
    "fix this error: x is undefined",
    "fix this\n\nTypeError: x",
    "fix this `foo`",
    "run it",
    "run this project",
    "explain this project",
  ],
  ...[
    "explain this",
    "review this",
    "review it",
    "test it",
    "improve this codebase",
    "continue",
    "go on",
    "undo",
    "do the todo list",
  ],
  ...[
    "fix all issues",
    "fix the issue with the login",
    "fix issue #12",
    "solve the problem of slow queries",
    "fix bugs",
  ],
  ...[
    "what is this?",
    "what does this project do?",
    "why is this slow?",
    "add the attached file feature to the mail form",
  ],
  ...[
    "fix the upload of the attached file",
    "take a screenshot of the page",
    "make a screenshot test",
    "the following test fails: a",
  ],
  ...[
    "sort the list below 10",
    "print the following: abc",
    "do this for all files",
    "change it to blue in style.css",
    "fix the error",
  ],
  ...[
    "fix the error in the log",
    "debug the server",
    "check this repo",
    "clean it up",
    "update it",
    "hi",
    "finish the README",
    "fix typo",
  ],
  ...[
    "修复测试",
    "修复登录页的错误",
    "修复这个错误：x 未定义",
    "这个项目是做什么的？",
    "看看这个项目",
    "解释这个函数 foo",
    "运行它",
    "继续",
  ],
  ...[
    "修复 a.ts 里的这个问题",
    "处理附件上传功能",
    "给截图功能加测试",
    "以下划线开头的变量重命名",
    "改一下标题",
    "这个错误码是多少 404",
    "优化这个项目",
  ],
];

describe("what can be started is never questioned", () => {
  test("[SM-3] there are at least 40 examples", () => expect(clear.length).toBeGreaterThanOrEqual(40));
  for (const text of clear) {
    test(`[SM-3] ${JSON.stringify(text)} is not asked about`, () => expect(assess(text).missing).toEqual([]));
  }
});
