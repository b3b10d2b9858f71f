import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PastTask } from "../../../src/contract/undo.ts";
import { freshTask } from "../../../src/machine/history/task-record.ts";
import { commitMessage, givenMessage, pullRequest, type Story } from "../../../src/tool/git/commit-message.ts";

const task = (title: string, more: Partial<PastTask> = {}): PastTask => ({
  ...{ taskId: "t1", title, kind: "task", changes: [], unkept: [], undone: false },
  ...more,
});

const story = (more: Partial<Story>): Story => ({
  lang: "en",
  tasks: [task("mend it", { told: "Fix it now" })],
  stats: [{ change: "modify", path: "a.ts", added: 1, removed: 2 }],
  isWhole: true,
  withoutSecrets: (text) => text,
  ...more,
});

const subject = (told: string, more: Partial<Story> = {}): string =>
  commitMessage(story({ tasks: [task("make it work please", { told })], ...more })).split("\n", 1)[0] ?? "";

describe("[RB-4] the proposed subject", () => {
  for (const [told, expected] of [
    ["I've fixed the   greeting. It was wrong.", "Fix the greeting"],
    ["Done. Added a test for src/a.ts. All pass.", "Add a test for src/a.ts"],
    ["## Summary\n\n- **Renamed** `total` to `sum`\n- more", "Rename total to sum"],
    ["## Summary\n\n- **calc.js**: add() returns the sum", "calc.js: add() returns the sum"],
    ["I could not run the tests. I fixed the sum.", "Fix the sum"],
    ["I was unable to finish this.", "Change a.ts"],
    ["我无法运行测试。已修复登录错误。", "修复登录错误"],
    ["You asked me to make it work please, and I did.", "Change a.ts"],
    ["```ts\nconst a = 1;\n```\nThe parser takes blanks.", "The parser takes blanks"],
    ["好的。我已经修复登录错误。测试通过。", "修复登录错误"],
    ["Made\u001b[31m it red\u202e text\u0000", "Make [31m it red text"],
    ["Make it work, please!", "Change a.ts"],
    ["Shall I go on?", "Change a.ts"],
    ["Done.", "Change a.ts"],
    ["???", "Change a.ts"],
    ["", "Change a.ts"],
    [`${"word ".repeat(30)}`, `Word ${"word ".repeat(12)}word…`],
    ["字".repeat(60), `${"字".repeat(35)}…`],
  ] as const) {
    test(`of ${JSON.stringify(told.slice(0, 40))} is ${JSON.stringify(expected.slice(0, 40))}`, () => {
      expect(subject(told)).toBe(expected);
    });
  }

  test("is made from the files where the model said nothing of them, in both languages", () => {
    const stat = (path: string, change: "create" | "delete" | "modify" = "modify") => ({
      ...{ change, path, added: 1, removed: 0 },
    });
    for (const [stats, en, zh] of [
      [[stat("src/a.ts", "create")], "Add src/a.ts", "新增 src/a.ts"],
      [[stat("a.ts", "delete"), stat("b.ts", "delete")], "Remove a.ts and b.ts", "删除 a.ts 和 b.ts"],
      [
        [stat("src/a.ts"), stat("src/x/b.ts", "create"), stat("src/c.ts")],
        "Change 3 files in src",
        "修改 src 中的 3 个文件",
      ],
      [[stat("a.ts"), stat("b/c.ts"), stat("d.ts")], "Change 3 files", "修改 3 个文件"],
    ] as const)
      expect([subject("", { stats }), subject("", { stats, lang: "zh" })]).toEqual([en, zh]);
  });

  test("[RB-4] is never what was asked, nor is any other line", () => {
    const tasks = ["one", "two"].map((name) => task(`secretly asked ${name}`, { told: `Changed part ${name}.` }));
    for (const text of [commitMessage(story({ tasks })), pullRequest(story({ tasks }))]) {
      expect(text).not.toContain("secretly asked");
      expect(text).toContain("Change part one");
    }
  });

  test("[RB-4] is no sentence of the request, whatever its length, language or line it stands on", () => {
    const long = `mend the sum XYZZY ${"blah ".repeat(20_000)}`;
    for (const [asked, told] of [
      ["-\n\nplease fix the add function, my plan is XYZZY", "Please fix the add function, my plan is XYZZY."],
      [long, long.slice(0, 300)],
      ["请修复 XYZZY 里的加法函数,谢谢", "请修复 XYZZY 里的加法函数"],
      ['fix"; $(touch /tmp/x) `id` XYZZY\u202e\n-m --amend', 'Fix"; $(touch /tmp/x) `id` XYZZY'],
      ["look at this\n\nXYZZY has to go away today", "XYZZY has to go away today! I did it."],
    ] as const) {
      const { title, asked: kept } = freshTask("t1", asked, null, 0);
      const message = commitMessage(story({ tasks: [task(title, { asked: kept, told })] }));
      expect([asked.slice(0, 40), message.includes("XYZZY")]).toEqual([asked.slice(0, 40), false]);
    }
  });

  test("is one visible line of at most 72 columns, whatever was asked", () => {
    const any = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
    );
    fc.assert(
      fc.property(any, (title) => {
        const line = subject(title);
        expect(line).not.toBe("");
        expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: 300 },
    );
  });

  test("[TP-6] holds no secret, nor does the message that the person gives", () => {
    const withoutSecrets = (text: string) => text.replaceAll("hunter2", "[REDACTED]");
    expect(subject("Added hunter2 to it.", { withoutSecrets })).toBe("Add [REDACTED] to it");
    expect(givenMessage("say hunter2\r\n\r\nmore\u0007 \n\n", withoutSecrets)).toBe("say [REDACTED]\n\nmore\n");
  });
});

test("[RB-4] the body names each file with its lines, and what verified it, in both languages", () => {
  const stats: Story["stats"] = [
    { change: "create", path: "new.ts", added: 12, removed: 0 },
    { change: "delete", path: "old.ts", added: 0, removed: 3 },
    { change: "rename", path: "b.ts", from: "a.ts", added: 1, removed: 1 },
    { change: "modify", path: "x\u001b.png", added: null, removed: null },
  ];
  const verified = [
    { command: "pytest -q", passed: 12 },
    { command: "tsc", passed: null },
  ];
  const tasks = [task("mend it", { told: "Fix it now", verified })];
  expect(commitMessage(story({ stats, tasks }))).toBe(
    "Fix it now\n\n- create new.ts (+12)\n- delete old.ts (-3)\n- rename a.ts to b.ts (+1 -1)\n- modify x\\u001b.png (not text)\n\n" +
      "Verified: pytest -q (12 passed)\nVerified: tsc\n",
  );
  expect(commitMessage(story({ stats: stats.slice(0, 1), tasks, lang: "zh" }))).toBe(
    "Fix it now\n\n- 新增 new.ts（+12）\n\n已验证：pytest -q（12 项通过）\n已验证：tsc\n",
  );
});

test("[RB-4] [VF-6] evidence is not claimed for what was changed after it, or is only a part of what was checked", () => {
  const checked = task("First", { verified: [{ command: "pytest -q", passed: 1 }] });
  expect(commitMessage(story({ tasks: [checked, task("Second")] }))).not.toContain("Verified");
  expect(commitMessage(story({ tasks: [checked], isWhole: false }))).not.toContain("Verified");
  expect(pullRequest(story({ tasks: [checked, task("Second")] }))).toContain("\n\nNot verified automatically.\n\n");
  expect(commitMessage(story({ tasks: [task("First"), { ...checked, taskId: "t2" }] }))).toContain(
    "Verified: pytest -q",
  );
});

test("[RB-4] a thousand files are fifty lines and a number", () => {
  const stats = Array.from({ length: 1000 }, (_, at) => ({
    ...{ change: "create" as const, path: `f${at}`, added: 1, removed: 0 },
  }));
  const lines = commitMessage(story({ stats })).trimEnd().split("\n");
  expect(lines.length).toBe(53);
  expect(lines.at(-1)).toBe("- and 950 more");
});
