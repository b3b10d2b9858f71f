import { expect, test } from "bun:test";
import { judgeArguments } from "../../../src/policy/shell/arguments.ts";
import type { Program, Word } from "../../../src/policy/shell/verdict/judgement.ts";

const word = (value: string): Word => ({ kind: "literal", value, text: value });
const any: Word = { kind: "any", text: "$x" };
const one = (start: string): Word => ({ kind: "one", start, text: `"${start}$x"` });
const glob = (start: string): Word => ({ kind: "glob", pattern: `${start}*`, start, text: `${start}*` });

/** The paths it would read, or the key of the problem. */
function judge(program: Program, ...args: readonly (string | Word)[]): readonly string[] | string {
  const words = args.map((arg) => (typeof arg === "string" ? word(arg) : arg));
  const judged = judgeArguments("prog", program, words);
  return "problem" in judged ? judged.problem.key : judged.reads.map(({ path }) => path);
}

const plain: Program = {
  flags: "ab",
  valued: { n: "number", f: "read", t: "text", s: /^[a-z]$/ },
  long: { "--all": null, "--count": "number", "--file": "read", "--word": "text" },
  attached: { "--color": /^(?:always|never)$/, "--glob": "text" },
  hasCount: true,
  rest: "read",
};

test("[PO-4] options are known by their letters and exact names, and their values by what they are", () => {
  const fine: readonly (readonly [string[], string[]])[] = [
    [["-a"], []],
    [["-ab", "x"], ["x"]],
    [["-n", "5", "-n5", "-an5", "-n", "-5", "x"], ["x"]],
    [["-5", "x"], ["x"]],
    [
      ["-f", "p", "-fq", "-t", "-a", "-s", "z"],
      ["p", "q"],
    ],
    [
      ["--all", "--count=3", "--count", "4", "--file=p", "--file", "q", "--word", "--all"],
      ["p", "q"],
    ],
    [["--color=always", "--glob=*"], []],
    [
      ["--", "-z", "--odd"],
      ["-z", "--odd"],
    ],
    [
      ["-", "x"],
      ["-", "x"],
    ],
  ];
  expect(fine.map(([args]) => judge(plain, ...args))).toEqual(fine.map(([, reads]) => reads));
  const refused = [
    "-z",
    "-az",
    "-n",
    "-nx",
    "-s",
    "-sq1",
    "--al",
    "--all=1",
    "--count",
    "--count=x",
    "--color",
    "--color=x",
    "--glob",
  ];
  expect(refused.filter((arg) => typeof judge(plain, arg) !== "string")).toEqual([]);
  expect(judge(plain, "-s", "Q")).toBe("shell.value");
  const digits: Word = { kind: "one", start: "", text: "$#", isNumber: true };
  expect([judge(plain, "-n", digits), judge(plain, "-n", one("5")), judge(plain, "-s", digits)]).toEqual([
    ...[[], "shell.value", "shell.value"],
  ]);
  expect([judge({ operands: ["number"] }, digits), judge({ operands: ["number"], neverBegins: "@" }, digits)]).toEqual([
    [],
    [],
  ]);
});

test("[PO-4] [SA-expansion-flags] a glob in the place of a value may hand over files as well, and moves what stands behind it", () => {
  const search: Program = { valued: { g: "text" }, operands: ["text"], rest: "read" };
  expect([judge(search, "-g", glob("x")), judge(search, "-g", glob("x"), "a")]).toEqual([
    ["x*", "x*"],
    ["x*", "x*", "a"],
  ]);
  expect(judge({ ...search, operands: [/^a$/] }, "-g", glob("x"), "a")).toBe("shell.value");
  expect(judge({ ...search, rest: "revision" }, "-g", glob("x"))).toBe("shell.value");
});

test("[PO-4] [SA-expansion-flags] a word that may begin with a dash is no operand, unless no option of the program matters", () => {
  const open = [any, one(""), one("-"), glob(""), glob("-"), glob("--")];
  expect(open.map((arg) => judge(plain, arg))).toEqual(open.map(() => "shell.maybe_option"));
  expect([judge(plain, glob("src/")), judge(plain, one("src/"))]).toEqual([["src/*"], ["/"]]);
  expect([judge(plain, "--", glob("")), judge(plain, "--", any)]).toEqual([["*"], "shell.maybe_option"]);
  expect([judge(plain, one("--glob=")), judge(plain, glob("--glob=")), judge(plain, one("--color="))]).toEqual([
    [],
    [],
    "shell.maybe_option",
  ]);
  expect([judge(plain, "-t", any), judge(plain, "-n", glob("1")), judge(plain, "-t", one(""))]).toEqual([
    "shell.value",
    "shell.value",
    [],
  ]);
  const free: Program = { rest: "text", takesAnyWord: true };
  expect([judge(free, any), judge(free, one("")), judge(free, glob("")), judge(free, glob("/etc/"))]).toEqual([
    [],
    [],
    [],
    ["/etc/*"],
  ]);
  const reader: Program = { rest: "read", takesAnyWord: true };
  expect([judge(reader, glob("")), judge(reader, any), judge(reader, one(""))]).toEqual([["*"], ["/"], ["/"]]);
});

test("[PO-4] [SA-second-operand] operands have their places, and a glob may fill all that follow", () => {
  const two: Program = { operands: ["text", "read"] };
  expect([judge(two, "x", "y"), judge(two, "x"), judge(two, "x", "y", "z")]).toEqual([["y"], [], "shell.operand"]);
  expect([judge(two, glob("a")), judge(two, "x", glob("a"))]).toEqual(["shell.operand", "shell.operand"]);
  const grep: Program = {
    operands: ["text"],
    rest: "read",
    valued: { e: "text" },
    long: { "--regexp": "text" },
    firstBy: ["-e", "--regexp"],
    atLeast: 1,
  };
  expect([judge(grep, "x", "a", "b"), judge(grep, "-e", "x", "a"), judge(grep, "-ex", "a"), judge(grep)]).toEqual([
    ["a", "b"],
    ["a"],
    ["a"],
    "shell.too_few",
  ]);
  expect([judge(grep, "--regexp=x", "a"), judge(grep, "--regexp", "x", "a")]).toEqual([["a"], ["a"]]);
  expect([judge(grep, glob("a")), judge(grep, glob("a"), "b")]).toEqual([["a*"], ["a*", "b"]]);
  expect(judge({ operands: ["number"], rest: "read" }, glob("a"))).toBe("shell.value");
});

test("[PO-4] an option behind an operand is also the name of a file, for programs that do not reorder", () => {
  expect([judge(plain, "x", "-a"), judge({ flags: "a", operands: ["read"] }, "x", "-a")]).toEqual([
    ["-a", "x"],
    "shell.operand",
  ]);
  const ordered: Program = { flags: "a", rest: "text", hasOrderedOptions: true };
  expect([judge(ordered, "-a", "x", "-z", any), judge(ordered, "-z")]).toEqual(["shell.maybe_option", "shell.option"]);
  expect(judge(ordered, "-a", "x", "-z", one("-"))).toEqual([]);
});

test("[PO-4] words that name further words, revisions and subcommands are told apart", () => {
  const at: Program = { rest: "read", neverBegins: "@" };
  expect([judge(at, "a@b"), judge(at, "@a"), judge(at, glob("x")), judge(at, glob("")), judge(at, one(""))]).toEqual([
    ...[["a@b"], "shell.operand", ["x*"], "shell.operand", "shell.operand"],
  ]);
  expect([judge(at, one("@")), judge(at, one("x")), judge(at, any)]).toEqual([
    ...["shell.operand", ["/"], "shell.operand"],
  ]);
  expect(judge({ rest: "revision" }, "HEAD:.env", "main")).toEqual(["HEAD:.env", ".env", "main"]);
  const sub: Program = { commands: { log: plain, "": { long: { "--version": null } } } };
  expect([judge(sub, "log", "-a", "x"), judge(sub, "--version"), judge(sub, "push"), judge(sub, any)]).toEqual([
    ["x"],
    [],
    "shell.operand",
    "shell.maybe_option",
  ]);
  expect([judge(sub, ""), judge({ commands: { log: plain } })]).toEqual(["shell.operand", "shell.operand"]);
  expect(judge({ commands: { log: plain } }, "constructor")).toBe("shell.operand");
});
