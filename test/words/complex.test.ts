import { describe, expect, test } from "bun:test";
import { say } from "../../src/contract/text/catalogue.ts";
import { assessTask } from "../../src/words/assess.ts";
import { complexWords } from "../../src/words/complex-words.ts";
import { enumeratedGoals } from "../../src/words/enumeration.ts";

const usual = { chars: 80, separators: 2, words: 14, goals: 2 };
const why = (text: string, thresholds = usual): string => {
  const { complexity, why: reason } = assessTask(text, thresholds, false);
  return `${complexity}: ${reason ? say("en", reason) : ""}`;
};
const simple = "simple: one simple task";

const enumerations: readonly (readonly [form: string, text: string, goals: readonly string[]])[] = [
  ["1.", "1. add login\n2. add logout", ["add login", "add logout"]],
  ["1. in one line", "Please: 1. add login 2. add logout", ["add login", "add logout"]],
  ["1. right before Chinese", "请做：1.加登录2.加注册", ["加登录", "加注册"]],
  ["1)", "1) add login\n2) add logout\n3) test it", ["add login", "add logout", "test it"]],
  ["1) in one line", "do 1) login; 2) logout", ["login", "logout"]],
  ["(1)", "(1) login (2) logout", ["login", "logout"]],
  ["（1）", "（1）加登录；（2）加注册", ["加登录", "加注册"]],
  ["１．", "１．加登录\n２．加注册", ["加登录", "加注册"]],
  ["1、", "1、加登录\n2、加注册", ["加登录", "加注册"]],
  ["①", "①加登录②加注册", ["加登录", "加注册"]],
  ["一、", "一、加登录\n二、加注册", ["加登录", "加注册"]],
  ["一、 in one line", "请完成：一、加登录 二、加注册", ["加登录", "加注册"]],
  ["（一）", "（一）加登录\n（二）加注册", ["加登录", "加注册"]],
  ["A.", "A. add login\nB. add logout", ["add login", "add logout"]],
  ["A. in one line", "Do this: A. add login B. add logout", ["add login", "add logout"]],
  ["- bullets", "please\n- add login\n- add logout", ["add login", "add logout"]],
  ["* bullets", "* add login\n* add logout", ["add login", "add logout"]],
  ["+ bullets", "+ add login\n+ add logout", ["add login", "add logout"]],
  ["· bullets", "· add login\n· add logout", ["add login", "add logout"]],
  ["a)", "a) add login\nb) add logout", ["add login", "add logout"]],
  ["headings", "## 1. add login\n## 2. add logout", ["add login", "add logout"]],
  ["• bullets", "•add login\n•add logout", ["add login", "add logout"]],
  ["boxes", "- [ ] add login\n- [x] add logout", ["add login", "add logout"]],
  ["bold", "1. **login**\n2. **logout**", ["login", "logout"]],
  ["items with details", "1. login\n   - form\n   - route\n2. logout", ["login", "logout"]],
  ["bullets with steps inside", "- login\n  1. form\n  2. route\n- logout", ["login", "logout"]],
  ["all of them 1.", "1. login\n1. logout", ["login", "logout"]],
];

describe("an explicit enumeration", () => {
  for (const [form, text, goals] of enumerations) {
    test(`[PL-1] is recognised in the form ${form} and makes the task complex`, () => {
      expect(enumeratedGoals(text)).toEqual([...goals]);
      expect(why(text)).toBe(`complex: lists ${goals.length} goals`);
    });
  }

  const none = [
    ...[
      "upgrade from 1.0 to 2.0",
      "use 1.2.3 and 2.3.4",
      "python 3. 10 is out",
      "1. just this",
      "- just this",
      "(1) only",
    ],
    ...[
      "a - b - c",
      "write to A. Smith",
      "see section 2. and 3. of it",
      "统一、整齐",
      "- \n- ",
      "1.\n2.",
      "A. B. Smith wrote it",
    ],
    ...["-v and -x are flags", "set x=1) and y=2)"],
  ];
  for (const text of none) {
    test(`[PL-1] is not seen in ${JSON.stringify(text)}`, () => expect(enumeratedGoals(text)).toEqual([]));
  }

  test("[PL-1] is not looked for in fenced code and pasted logs", () => {
    expect(enumeratedGoals("explain\n```md\n1. a\n2. b\n```")).toEqual([]);
    const log = Array.from({ length: 5 }, (_, at) => `2026-01-0${at + 1} 10:00:00 1. x 2. y`).join("\n");
    expect(enumeratedGoals(`explain\n${log}`)).toEqual([]);
  });

  test("[PL-1] keeps a long goal short and at most 50 of them", () => {
    const [first] = enumeratedGoals(`1. ${"é".repeat(900)}\n2. b`);
    expect([...(first ?? "")].length).toBe(200);
    expect(enumeratedGoals(Array.from({ length: 80 }, (_, at) => `- goal ${at}`).join("\n")).length).toBe(50);
  });
});

describe("the rules in their order", () => {
  test("[PL-1] 80 code points are complex, 79 are not", () => {
    expect(why("x".repeat(80))).toBe("complex: 80 characters (80 or more)");
    expect(why("x".repeat(79))).toBe(simple);
    expect(why("😀".repeat(80))).toBe("complex: 80 characters (80 or more)");
    expect(why("😀".repeat(79))).toBe(simple);
  });

  test("[PL-1] two separators are complex, one is not", () => {
    for (const mark of ["，", ",", ";", "；"]) {
      expect(why(`a${mark}b${mark}c`)).toBe("complex: 2 commas or semicolons (2 or more)");
      expect(why(`a${mark}b`)).toBe(simple);
    }
    expect(why("改标题，改颜色；改字体")).toBe("complex: 2 commas or semicolons (2 or more)");
    expect(why("a、b、c")).toBe(simple);
  });

  test("[PL-1] 14 words are complex, 13 are not; two Chinese characters count as one word", () => {
    const words = (n: number): string => Array.from({ length: n }, () => "ab").join(" ");
    expect(why(words(14))).toBe("complex: 14 words (14 or more)");
    expect(why(words(13))).toBe(simple);
    expect(why("的".repeat(27))).toBe("complex: 14 words (14 or more)");
    expect(why("的".repeat(26))).toBe(simple);
    expect(why(`${words(6)} ${"的".repeat(16)}`)).toBe("complex: 14 words (14 or more)");
    expect(why("don't rename_this foo.bar-baz in it's well-known x y z a b c")).toBe(simple);
  });

  test("[PL-1] the first rule that holds is the reason", () => {
    const all = "x, y, z ".repeat(20);
    expect(why(`1. refactor ${all}\n2. b`)).toBe("complex: lists 2 goals");
    expect(why(`refactor ${all}`)).toStartWith("complex: 168 characters");
    expect(why("refactor a, b, c")).toBe('complex: the word "refactor"');
    expect(why("x a, b, c d e f g h i j k l m n o")).toBe("complex: 2 commas or semicolons (2 or more)");
  });

  test("[PL-1] thresholds are the caller's", () => {
    const none = { chars: 1000, separators: 10, words: 100, goals: 3 };
    expect(why("1. a\n2. b", none)).toBe(simple);
    expect(why("x".repeat(300), none)).toBe(simple);
    expect(why("abc", { ...none, chars: 3 })).toBe("complex: 3 characters (3 or more)");
    expect(why("a b", { ...none, words: 2 })).toBe("complex: 2 words (2 or more)");
  });
});

describe("words that make a task complex", () => {
  const found: readonly (readonly [text: string, word: string])[] = [
    ...([
      ["Refactor the auth module", "Refactor"],
      ["we need refactoring here", "refactoring"],
    ] as const),
    ...([
      ["rewrite it in Rust", "rewrite"],
      ["move it step by step", "step by step"],
      ["step  by\nstep", "step  by\nstep"],
    ] as const),
    ...([
      ["重构登录模块", "重构"],
      ["把数据迁移过去", "迁移"],
      ["实现一个计算器", "实现一个"],
      ["请重构auth模块", "重构"],
    ] as const),
  ];
  for (const [text, word] of found) {
    test(`[PL-1] ${JSON.stringify(text)} is complex by ${JSON.stringify(word)}`, () =>
      expect(why(text)).toBe(`complex: the word "${word}"`));
  }

  const not = [
    ...[
      "fix the typo, don't refactor",
      "without refactoring",
      "只修错别字，不要重构",
      "open refactor_notes.md",
      "see src/migration/a.ts",
    ],
    ...[
      "call prerefactored()",
      "use foo-refactor",
      "change the port to 8080",
      "list all files",
      "列出所有文件",
      "这个函数是怎么实现的",
    ],
  ];
  for (const text of not)
    test(`[PL-1] ${JSON.stringify(text)} is not complex by a word`, () => expect(why(text)).toBe(simple));

  test("[PL-1] every word of the table makes a task complex, in English and in Chinese", () => {
    const words = complexWords.join(", ").split(", ");
    expect(words.filter((word) => why(word.replace("*", "")) === simple)).toEqual([]);
    const languages = words.map((word) => (/[\u4e00-\u9fff]/.test(word) ? "zh" : "en"));
    expect(languages.filter((one) => one === "zh").length).toBeGreaterThan(30);
    expect(languages.filter((one) => one === "en").length).toBeGreaterThan(30);
  });
});

describe("what is not counted", () => {
  const code = `\`\`\`ts\n${"const a = [1, 2, 3]; // refactor\n".repeat(10)}\`\`\``;
  const log = Array.from({ length: 6 }, (_, at) => `2026-01-01T10:00:0${at} ERROR refactor a, b, c, d`).join("\n");
  const trace = `Traceback (most recent call last):\n${'  File "a.py", line 3, in f\n    g(a, b, c)\n'.repeat(4)}ValueError: a, b, c`;
  const cases: readonly (readonly [what: string, text: string])[] = [
    ["fenced code", `explain this\n${code}`],
    ["a fence of tildes", `explain this\n${code.replaceAll("```", "~~~")}`],
    ["a fence that is never closed", `explain this\n${code.slice(0, -3)}`],
    ["code between fences in one line", "explain ```a, b, c, refactor``` now"],
    ["a pasted log", `explain this\n${log}`],
    ["a pasted stack trace", `explain this\n${trace}`],
    ["test output", `why\n${"FAIL src/a.test.ts, b, c\n".repeat(5)}`],
    ["compiler output", `why\n${"src/a.ts(1,2): error TS2322: a, b, c\n".repeat(5)}`],
    ["paths", `look at ${"src/some/long/path/to/a/file.test.ts ".repeat(4)}`],
    ["a path between Chinese", `修改${"src/some/long/path/to/a/file.test.ts ".repeat(4)}吧`],
    ["an address", `see https://example.org/${"a/".repeat(60)}`],
    ["a Windows path", `open C:\\Users\\me\\${"deep\\".repeat(20)}a.txt`],
  ];
  for (const [what, text] of cases) test(`[PL-1] ${what} is not counted`, () => expect(why(text)).toBe(simple));

  test("[PL-1] four lines of a log are counted, five are not", () => {
    const lines = (n: number): string => `why\n${"2026-01-01 10:00:00 something\n".repeat(n)}`;
    expect(why(lines(4))).toStartWith("complex: 123 characters");
    expect(why(lines(5))).toBe(simple);
  });

  test("[PL-1] what is said behind the code or the log counts", () => {
    expect(why(`${code}\nplease refactor`)).toBe('complex: the word "refactor"');
    expect(why(`${log}\nplease refactor`)).toBe('complex: the word "refactor"');
  });

  test("[PL-1] a list behind a log is no part of it", () => {
    expect(enumeratedGoals(`${log}\n- fix it\n- test it`)).toEqual(["fix it", "test it"]);
    expect(enumeratedGoals(`${log}\n  - fix it\n  - test it`)).toEqual(["fix it", "test it"]);
  });

  test("[PL-1] words with a slash or a dot that are no paths count", () => {
    expect(why("and/or e.g. i.e. a.m. v1.2 3.5 read/write x y z q r t u")).toBe("complex: 16 words (14 or more)");
  });
});
