import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { symbolsByGrammar } from "../../src/index/symbol/by-grammar.ts";
import { symbolsByLook } from "../../src/index/symbol/by-look.ts";
import { type GrammarName, parserFor } from "../../src/index/symbol/grammar.ts";
import { type Language, languageOf } from "../../src/index/symbol/language.ts";
import { visibleIn } from "../../src/index/symbol/names.ts";
import { cpuMs } from "../support/cpu.ts";

const samples: Readonly<Record<GrammarName, readonly [source: string, names: string]>> = {
  typescript: [
    'import x from "y";\nexport async function load<T>(a: T): Promise<T> {\n  function inner() {}\n  return a;\n}\nexport abstract class Box {\n  size = 1;\n  open(): void {\n    if (this.size) {\n    }\n  }\n}\ninterface Shape {\n  side: number;\n}\nexport type Side = "a" | "b";\nexport const limit = 3;\nenum Kind {\n  A,\n}\n',
    "load Box open Shape Side limit Kind",
  ],
  tsx: [
    "export function View({ name }) {\n  return <p>{name}</p>;\n}\nclass Old {\n  render() {\n    return <b/>;\n  }\n}\nconst style = {};\n",
    "View Old render style",
  ],
  python: [
    'LIMIT = 3\n\nclass Box:\n    """def fake(): pass"""\n    @property\n    def size(self):\n        return 1\n\nasync def load(path):\n    return path\n',
    "LIMIT Box size load",
  ],
  go: [
    "package a\n\ntype Box struct{ n int }\n\nconst Limit = 3\n\nfunc (b *Box) Size() int {\n\treturn b.n\n}\n\nfunc Load(path string) error { return nil }\n",
    "Box Limit Size Load",
  ],
  rust: [
    "pub struct Box2 { n: u8 }\nimpl Box2 {\n    pub fn size(&self) -> u8 { self.n }\n}\nconst LIMIT: u8 = 3;\nmod inner {\n    fn hidden() {}\n}\nmacro_rules! twice { () => {} }\ntrait Shape { fn side(&self) -> u8; }\n",
    "Box2 size LIMIT inner hidden twice Shape side",
  ],
  java: [
    "package a;\npublic class Box {\n  private final int n = 1;\n  public int size() {\n    return n;\n  }\n  enum Kind { A }\n}\ninterface Shape {\n  int side(int a);\n}\n",
    "Box size Kind Shape side",
  ],
  cpp: [
    "#define LIMIT 3\nnamespace a {\nclass Box {\n public:\n  int size() const { return 1; }\n};\n}\nstatic int *load(const char *path) {\n  return 0;\n}\nint Box::open(int n)\n{\n  return n;\n}\n",
    "LIMIT a Box size load Box::open",
  ],
  ruby: [
    "module A\n  class Box\n    def size\n      1\n    end\n    def self.load!(path)\n    end\n  end\nend\n",
    "A Box size load!",
  ],
  php: [
    "<?php\nnamespace A;\nabstract class Box {\n  public function size(): int { return 1; }\n}\nfunction load($path) { return $path; }\n",
    "Box size load",
  ],
};

describe.each(Object.entries(samples) as [GrammarName, readonly [string, string]][])(
  "%s",
  (language, [source, names]) => {
    test(`[CX-4] ${language}: its grammar finds what is defined, with its last line`, async () => {
      const parser = await parserFor(language);
      const symbols = await symbolsByGrammar(source, language, parser!);
      expect(symbols?.map(({ name }) => name).join(" ")).toBe(names);
      const lines = source.split("\n");
      for (const { name, line, end, text } of symbols ?? []) {
        expect(lines[line - 1]).toContain(text.replace(/…$/, ""));
        expect(lines[line - 1]).toContain(name);
        expect(end).toBeGreaterThanOrEqual(line);
      }
    });

    test(`[CX-4] ${language}: the look of lines finds most of it too, and nothing that is not there`, () => {
      const found = symbolsByLook(source, language).map(({ name }) => name);
      const all = new Set(names.split(" "));
      expect(found.filter((name) => !all.has(name))).toEqual([]);
      expect(found.length).toBeGreaterThan(all.size * 0.7);
    });
  },
);

const looks: readonly (readonly [Language, string, string])[] = [
  [
    "csharp",
    "public sealed class Box : Shape\n{\n    private static async Task<int> Load(string path)\n    {\n        if (x)\n",
    "Box Load",
  ],
  ["bash", "load() {\n  echo\n}\nfunction open_it {\n", "load open_it"],
  ["kotlin", "data class Box(val n: Int)\nfun load(path: String) = 1\n", "Box load"],
  ["swift", "public struct Box {\n  func size() -> Int { 1 }\n", "Box size"],
  ["lua", "local function load(path)\nend\nfunction M.open()\n", "load M.open"],
  ["elixir", "defmodule A.Box do\n  def size?(x), do: x\n  defp hidden(x) do\n", "A.Box size? hidden"],
  ["sql", "CREATE TABLE IF NOT EXISTS boxes (\n  n int\n);\ncreate or replace function size()\n", "boxes size"],
  ["markdown", "# Boxes\n\ntext\n\n### How to open\n", "Boxes How to open"],
];

for (const [language, source, names] of looks) {
  test(`[CX-4] ${language}, without a grammar: found by the look of lines`, () => {
    const found = symbolsByLook(source, language).map(({ name }) => name);
    expect(found.join(" ")).toBe(names);
  });
}

test("[CX-4] [SA-secrets] long texts are left out of definitions, short ones are not", () => {
  const shown = (line: string) => symbolsByLook(`${line}\n`, "typescript")[0]?.text;
  expect(shown(`export const token = "${"s".repeat(40)}";`)).toBe('export const token = "…";');
  expect(shown(`export const token = "${"s".repeat(150)}`)).toBe('export const token = "…"');
  expect(shown("export const kinds = ['a', 'b'];")).toBe("export const kinds = ['a', 'b'];");
});

test("[CX-4] [SA-secrets] a long definition is cut between words, so that no half of a secret is left of one", async () => {
  const word = "k".repeat(40);
  const line = `export function padded(${"a: string, ".repeat(5)}) { return 1 } // ${word}`;
  const far = `export const far = "${"s".repeat(260)}"; // ${word}`;
  const parser = await parserFor("typescript");
  if (parser === null) throw new Error("no grammar");
  const exact = (await symbolsByGrammar(`${line}\n${far}\n`, "typescript", parser)) ?? [];
  expect([...symbolsByLook(`${line}\n`, "typescript"), ...exact].map(({ text }) => text)).toEqual([
    `${line.slice(0, -41)}…`,
    `${line.slice(0, -41)}…`,
    'export const far = "…"; //',
  ]);
});

test("[CX-4] what other files can use is told apart from what they cannot", () => {
  const visible = (source: string, language: Language): readonly string[] => {
    const symbols = symbolsByLook(source, language);
    return symbols.filter(visibleIn(symbols, language)).map(({ name }) => name);
  };
  expect(visible("export const a = 1;\nconst b = 2;\n", "typescript")).toEqual(["a"]);
  expect(visible("const a = 1;\nfunction b() {}\n", "tsx")).toEqual(["a", "b"]);
  expect(visible("func Open() {}\nfunc hide() {}\n", "go")).toEqual(["Open"]);
  expect(visible("pub fn a() {}\nfn b() {}\n", "rust")).toEqual(["a"]);
  expect(visible("def a():\n    pass\ndef _b():\n    pass\n", "python")).toEqual(["a"]);
});

const hostile = fc.array(
  fc.constantFrom(
    ..."*&(){}<>[],.:;#= \t~_-aA0".split(""),
    "public ",
    "int ",
    "def ",
    "export ",
    "function ",
    "class ",
    "fn ",
  ),
  { minLength: 100, maxLength: 300 },
);

test("[CX-4] no short line makes a pattern slow, and a long one is not matched at all", async () => {
  const languages = [
    ...new Set(
      ["ts", "py", "go", "rs", "java", "c", "rb", "php", "cs", "sh", "kt", "swift", "sql"].map(
        (end) => languageOf(`a.${end}`)!,
      ),
    ),
  ];
  await fc.assert(
    fc.asyncProperty(hostile, fc.constantFrom(...languages), async (pieces, language) => {
      const line = pieces.join("").slice(0, 300);
      // A few milliseconds, where no pattern tries more and more ways through the line.
      expect(await cpuMs(() => symbolsByLook(`${line}\n`.repeat(20), language))).toBeLessThan(1_000);
    }),
    { numRuns: 300 },
  );
  const found = symbolsByLook(`function one() {}\nfunction ${"x".repeat(5_000_000)}() {}\nfunction two() {}`, "tsx");
  expect(found.map(({ name }) => name)).toEqual(["one", "two"]);
});

test("[CX-4] a file nested without end is given up within its time, and the parser goes on to work", async () => {
  const parser = await parserFor("typescript");
  for (const source of [
    "(".repeat(60_000),
    "x=[".repeat(20_000),
    "class A { b() {".repeat(4000),
    "`${".repeat(15_000),
  ]) {
    expect(await cpuMs(() => symbolsByGrammar(source, "typescript", parser!))).toBeLessThan(3_000);
  }
  expect((await symbolsByGrammar("function ok() {}", "typescript", parser!))?.map(({ name }) => name)).toEqual(["ok"]);
});

test("[CX-4] broken text, halves of characters and NUL bytes are parsed as far as they make sense", async () => {
  const parser = await parserFor("typescript");
  const source = `export class {\n${"\ud800".repeat(50)}\u0000\nexport function after() {}\n`;
  const names = (await symbolsByGrammar(source, "typescript", parser!))?.map(({ name }) => name);
  expect(names).toContain("after");
});

describe("JavaScript that exports by assigning", () => {
  const source = [
    'const fs = require("fs");',
    'const { join } = require("path"), got = require("got").default;',
    'var util_1 = __importDefault(require("util"));',
    'const later = await import("./later.js");',
    "exports.Box = class {",
    "  open() {}",
    "};",
    "exports.load = async function (path) {};",
    "exports.LIMIT = 3;",
    'exports.other = require("./other");',
    "function total(lines) {}",
    "Box.prototype.close = function () {};",
    "module.exports = { total, sum(a) {}, mean: (a) => a, text: 'x' };",
    "module.exports.Last = class Last {};",
    "local.value = 4;",
    "",
  ].join("\n");

  test("[CX-4] its definitions are told by the grammar; what require brings in is none", async () => {
    const symbols = (await symbolsByGrammar(source, "tsx", (await parserFor("tsx"))!)) ?? [];
    expect(symbols.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      ...["class Box", "method open", "function load", "value LIMIT", "function total", "method close"],
      ...["method sum", "function mean", "class Last"],
    ]);
    expect(symbols[0]).toMatchObject({ line: 5, end: 7 });
  });

  test("[CX-4] they are told by the look of lines too", () => {
    const symbols = symbolsByLook(source, "tsx").map(({ name, kind }) => `${kind} ${name}`);
    for (const one of ["class Box", "function load", "value LIMIT", "function total", "method close", "class Last"])
      expect(symbols).toContain(one);
    for (const name of ["fs", "got", "util_1", "later", "other", "join"])
      expect(symbols.map((one) => one.split(" ")[1])).not.toContain(name);
  });

  test("[CX-4] a class or function that is the whole export has its own name", async () => {
    const parser = (await parserFor("tsx"))!;
    for (const [line, expected] of [
      ["module.exports = class Store {\n  get() {}\n};\n", "class Store, method get"],
      ["module.exports = function start() {};\n", "function start"],
      ["module.exports = require('./lib');\n", ""],
    ] as const)
      expect(
        ((await symbolsByGrammar(line, "tsx", parser)) ?? []).map(({ name, kind }) => `${kind} ${name}`).join(", "),
      ).toBe(expected);
  });
});

describe("what a CommonJS file calls its own in more than one way", () => {
  const source = [
    "var app = exports = module.exports = {};",
    "app.init = function init() {",
    "};",
    "app.get = app.read = function (path) {",
    "};",
    "app.size = 4;",
    "exports.first = exports.second = (x) => x;",
    "exports.gone = exports.later = void 0;",
    "module.exports = exports = class Hello {",
    "  greet() {",
    "  }",
    "};",
    "var Store = module.exports = function Store() {",
    "};",
    "exports.Box = class Inner {",
    "};",
    'const made = new (require("./made"))();',
    'exports.one = exports.two = require("./other");',
    "",
  ].join("\n");

  const told = [
    ...["1 value app", "2 function init", "4 function get", "4 function read", "7 function first", "7 function second"],
    ...["9 class Hello", "10 method greet", "13 function Store", "15 class Box"],
  ];

  test("[CX-4] every name of a chain of exports is told, and so is what is put on the exported object", async () => {
    const symbols = (await symbolsByGrammar(source, "tsx", (await parserFor("tsx"))!)) ?? [];
    expect(symbols.map(({ name, kind, line }) => `${line} ${kind} ${name}`)).toEqual(told);
  });

  test("[CX-4] the look of lines tells the same names", () => {
    const symbols = symbolsByLook(source, "tsx").map(({ name, kind, line }) => `${line} ${kind} ${name}`);
    expect(symbols).toEqual(told);
  });

  test("[CX-4] what is the whole export can be meant by other files, whatever else is exported by name", async () => {
    const text =
      "exports = module.exports = createApp;\nfunction createApp() {\n}\nexports.request = createApp.request;\n";
    for (const symbols of [
      (await symbolsByGrammar(text, "tsx", (await parserFor("tsx"))!)) ?? [],
      symbolsByLook(text, "tsx"),
    ])
      expect(symbols.filter(visibleIn(symbols, "tsx")).map(({ name }) => name)).toEqual(["createApp", "request"]);
  });
});

test("[CX-4] a name that is only handed on is found where it is handed on, and defined where it is defined", async () => {
  const source =
    'export { a, b as c, default as d } from "./x.ts";\nexport * as ns from "./y.ts";\nexport * from "./z.ts";\nconst own = 1;\nexport { own };\n';
  for (const symbols of [
    (await symbolsByGrammar(source, "typescript", (await parserFor("typescript"))!)) ?? [],
    symbolsByLook(source, "typescript"),
  ]) {
    expect(symbols.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      ...["export a", "export c", "export d", "export ns", "value own"],
    ]);
    expect(symbols.filter(visibleIn(symbols, "typescript")).map(({ name }) => name)).toEqual(["own"]);
  }
});

test("[CX-4] a file over 64 KiB is told by its grammar as a short one is, to its last definition, with two at the same time", async () => {
  const part = (at: number): string =>
    `exports.made${at} = function (a) {\n  // ${"about it ".repeat(12)}\n  return a + ${at};\n};\n`;
  const source = Array.from({ length: 1_500 }, (_, at) => part(at)).join("");
  expect(source.length).toBeGreaterThan(200_000);
  const parser = (await parserFor("tsx"))!;
  const [symbols, other] = await Promise.all([
    symbolsByGrammar(source, "tsx", parser),
    symbolsByGrammar(source.replaceAll("made", "other"), "tsx", parser),
  ]);
  expect(symbols?.length).toBe(1_500);
  expect(symbols?.at(-1)).toMatchObject({ name: "made1499", kind: "function", line: 5_997, end: 6_000 });
  expect(other?.at(-1)?.name).toBe("other1499");
});
