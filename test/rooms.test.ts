import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { glossaryViolations } from "./support/glossary.ts";
import { roomViolations, type SourceFile } from "./support/rooms.ts";

const root = join(import.meta.dir, "..");

function sources(pattern: string): readonly SourceFile[] {
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root })].sort();
  return paths.map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
}

test("every import, name and README in src keeps the borders between rooms", () => {
  expect(roomViolations(sources("src/**/*.{ts,tsx,md}"))).toEqual([]);
});

const glossary = readFileSync(join(root, "docs", "dev", "glossary.md"), "utf8");

test("no file and no type in src is named by a word that the glossary says to avoid", () => {
  expect(glossaryViolations(glossary, sources("src/**/*.ts"))).toEqual([]);
});

test("a file and a type that are named by a word to avoid are found, with the word to use", () => {
  const planted = { path: "src/engine/chat-thread.ts", source: "export interface StepInvocation {\n}\n" };
  expect(glossaryViolations(glossary, [...sources("src/**/*.ts"), planted])).toEqual([
    'src/engine/chat-thread.ts: chat thread says "thread"; the word is "session"',
    'src/engine/chat-thread.ts: step invocation says "invocation"; the word is "call"',
  ]);
});

test("the tests of a room lie in the folders of what they test", () => {
  const rooms = readdirSync(join(root, "src"));
  const folders = rooms.flatMap((room) => [
    ...new Set([...new Bun.Glob(`test/${room}/**/*.test.ts`).scanSync({ cwd: root })].map((path) => dirname(path))),
  ]);
  expect(folders.length).toBeGreaterThan(50);
  expect(folders.filter((path) => !existsSync(join(root, path.replace(/^test/, "src"))))).toEqual([]);
});

test("no record of a decision is longer than 40 lines", () => {
  const folder = join(root, "docs", "dev", "adr");
  const long = readdirSync(folder).filter((name) => readFileSync(join(folder, name), "utf8").split("\n").length > 41);
  expect(long).toEqual([]);
});

const readmes = (...rooms: string[]): SourceFile[] =>
  rooms.map((room) => ({ path: `src/${room}/README.md`, source: "Owns words.\n" }));

test("allowed imports pass, type-only and dynamic ones included", () => {
  const files = [
    ...readmes("contract", "platform", "tool", "engine", "command", "surface"),
    { path: "src/tool/read.ts", source: 'import type { A } from "../contract/tool.ts";\nimport fs from "node:fs";' },
    { path: "src/engine/loop.ts", source: 'import { read } from "../tool/read.ts";\nimport "./port.ts";' },
    {
      path: "src/surface/tui/screen.ts",
      source: 'import type { Port } from "../../engine/port.ts";\nimport "./keys.ts";',
    },
    { path: "src/main.ts", source: 'const tui = await import("./surface/tui/screen.ts");' },
  ];
  expect(roomViolations(files)).toEqual([]);
});

const planted: readonly (readonly [rule: string, path: string, source: string, finding: string])[] = [
  [
    "an adapter sees another",
    "src/tool/a.ts",
    'import { b } from "../store/b.ts";',
    "tool may import only contract, platform",
  ],
  ["a type-only import counts", "src/model/a.ts", 'import type { B } from "../config/b.ts";', "model may import only"],
  ["a re-export counts", "src/model/a.ts", 'const x = 1;\nexport { b } from "../tool/b.ts";', "model may import only"],
  ["a dynamic import counts", "src/verify/a.ts", 'const b = await import("../tool/b.ts");', "verify may import only"],
  [
    "an import over several lines counts",
    "src/index/a.ts",
    'import {\n  b,\n} from "../store/b.ts";',
    "index may import only",
  ],
  ["nobody calls up", "src/machine/a.ts", 'import { b } from "../engine/b.ts";', "machine may import only contract"],
  [
    "contract imports nothing",
    "src/contract/a.ts",
    'import { b } from "../machine/b.ts";',
    "contract may import only nothing",
  ],
  [
    "a surface reads the disk",
    "src/surface/tui/a.ts",
    'import { readFileSync } from "node:fs";',
    "surface touches no system",
  ],
  ["a tool starts a process", "src/tool/a.ts", 'const child = Bun.spawn(["ls"]);', "platform/process/ does"],
  ["a pure room touches node:", "src/policy/a.ts", 'import { readFileSync } from "node:fs";', "policy is pure"],
  ["a pure room touches node without prefix", "src/policy/a.ts", 'import fs from "fs/promises";', "policy is pure"],
  ["a pure room touches bun:", "src/context/a.ts", 'import { Database } from "bun:sqlite";', "context is pure"],
  [
    "a surface looks behind the port",
    "src/surface/tui/a.ts",
    'import { b } from "../../engine/loop.ts";',
    "surface may import only",
  ],
  [
    "a command looks behind the port",
    "src/command/a.ts",
    'import { b } from "../engine/loop.ts";',
    "command may import only",
  ],
  [
    "a surface sees another",
    "src/surface/tui/a.ts",
    'import { b } from "../http/b.ts";',
    "surfaces never import each other",
  ],
  ["src sees the tests", "src/engine/a.ts", 'import { b } from "../../test/support/b.ts";', "outside src/"],
  [
    "a barrel",
    "src/tool/index.ts",
    '// All tools.\nexport * from "./a.ts";\nexport { b } from "./b.ts";\n',
    "a barrel",
  ],
  ["a utils folder", "src/tool/utils/a.ts", "", 'the name "utils"'],
  ["a types file", "src/tool/types.ts", "", 'the name "types.ts"'],
  ["a manager", "src/store/SessionManager.ts", "", 'the name "SessionManager.ts"'],
  ["a branch on a name", "src/engine/a.ts", 'if (call.tool === "bash") stop();', "branches on a tool's name"],
  ["a helper", "src/store/sql-helper.ts", "", 'the name "sql-helper.ts"'],
];

for (const [rule, path, source, finding] of planted) {
  test(`a planted violation is found: ${rule}`, () => {
    const room = path.split("/")[1] ?? "";
    expect(roomViolations([...readmes(room), { path, source }])).toEqual([expect.stringContaining(finding)]);
  });
}

test("two files of one name in a room, and a folder that nobody reads at a glance, are found", () => {
  const empty = (path: string): SourceFile => ({ path, source: "" });
  const twice = ["src/tool/read/plan.ts", "src/tool/edit/plan.ts", "src/store/plan.ts"].map(empty);
  expect(roomViolations([...readmes("tool", "store"), ...twice])).toEqual([
    "src/tool/read/plan.ts and src/tool/edit/plan.ts have one name in one room",
  ]);
  const many = Array.from({ length: 26 }, (_, at) => empty(`src/tool/a/f${at}.ts`));
  expect(roomViolations([...readmes("tool"), ...many])).toEqual(["src/tool/a holds 26 files, at most 25 are allowed"]);
});

test("a type name that means two things in a room is found, a short alias that means the same is not", () => {
  const files = [
    "interface Row {\n  a: 1;\n}\n",
    "type Row = string;\n",
    'type Lang = "en";\n',
    'type Lang = "en";\n',
  ].map((source, at) => ({ path: `src/tool/f${at}.ts`, source }));
  expect(roomViolations([...readmes("tool"), ...files])).toEqual([
    "src/tool/f0.ts and src/tool/f1.ts: Row means several things",
  ]);
});

test("a room without README, with a long one, or unknown to the design is found", () => {
  const files = [
    { path: "src/tool/a.ts", source: "" },
    { path: "src/store/README.md", source: "1\n2\n3\n4\n5\n6\n" },
    { path: "src/shared/a.ts", source: "" },
  ];
  expect(roomViolations(files)).toEqual([
    "src/tool has no README.md",
    "src/store/README.md has 6 lines, at most 5 are allowed",
    "src/shared is not a room of the design",
  ]);
});
