import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { glob } from "../../src/tool/search/glob.ts";
import { grep } from "../../src/tool/search/grep.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
  ws.put(".gitignore", "node_modules/\n*.log\n!keep.log\n");
  ws.put(".git/config", "needle\n");
  ws.put(".hidden/h.ts", "needle\n");
  ws.put("src/a.ts", "one\nneedle here\n");
  ws.put("src/deep/b.ts", "needle\r\n");
  ws.put("src/deep/c.py", "x = 'needle'\n");
  ws.put("debug.log", "needle\n");
  ws.put("keep.log", "needle\n");
  ws.put("node_modules/p/i.ts", "needle\n");
  ws.put("-e", "dash\n");
});
afterAll(() => ws[Symbol.dispose]());

const globbed = async (input: object): Promise<string> => told(await ws.run(glob, input));
const grepped = async (input: object, more: object = {}): Promise<string> => told(await ws.run(grep, input, more));

const ignoredNote = "(ignored files are left out; bash with find shows them)";

describe("glob", () => {
  const cases: readonly (readonly [input: object, found: string])[] = [
    [{ pattern: "*.ts" }, ".hidden/h.ts\nsrc/a.ts\nsrc/deep/b.ts"],
    [{ pattern: "**/*.ts" }, ".hidden/h.ts\nsrc/a.ts\nsrc/deep/b.ts"],
    [{ pattern: "src/*.ts" }, "src/a.ts"],
    [{ pattern: "src/**" }, "src/a.ts\nsrc/deep/b.ts\nsrc/deep/c.py"],
    [{ pattern: "src/" }, "src/a.ts\nsrc/deep/b.ts\nsrc/deep/c.py"],
    [{ pattern: "./src/**/*.{ts,py}" }, "src/a.ts\nsrc/deep/b.ts\nsrc/deep/c.py"],
    [{ pattern: "{src,nope}/**/b.ts" }, "src/deep/b.ts"],
    [{ pattern: "src/{a.ts,deep/c.py}" }, "src/a.ts\nsrc/deep/c.py"],
    [{ pattern: "deep/*.ts", path: "src" }, "src/deep/b.ts"],
    [{ pattern: "*.py", path: "src/deep" }, "src/deep/c.py"],
    [{ pattern: "*.log" }, "keep.log"],
    [{ pattern: "**/*" }, "-e\n.gitignore\n.hidden/h.ts\nkeep.log\nsrc/a.ts\nsrc/deep/b.ts\nsrc/deep/c.py"],
    [{ pattern: "!*.ts" }, "-e\n.gitignore\nkeep.log\nsrc/deep/c.py"],
    [{ pattern: "-e" }, "-e"],
    [{ pattern: "include:x" }, `(no files)\n(for all files below a folder: include:x/**)\n${ignoredNote}`],
    [{ pattern: "**" }, "-e\n.gitignore\n.hidden/h.ts\nkeep.log\nsrc/a.ts\nsrc/deep/b.ts\nsrc/deep/c.py"],
    [{ pattern: "nothing/*.ts,*.py" }, `(no files)\n(several endings: *.{ts,py})\n${ignoredNote}`],
  ];
  for (const [input, found] of cases) {
    test(`${JSON.stringify(input)} finds what is there and not ignored, sorted`, async () =>
      expect(await globbed(input)).toBe(found));
  }

  test("an absolute pattern is taken as one below the searched folder", async () => {
    expect(await globbed({ pattern: `${ws.root}/src/*.ts` })).toBe("src/a.ts");
  });

  test("at most 200 paths, and it says so", async () => {
    const other = makeWorkspace();
    try {
      for (let index = 0; index < 201; index++) other.put(`f${String(index).padStart(3, "0")}`, "");
      const lines = told(await other.run(glob, { pattern: "f*" })).split("\n");
      expect([lines.length, lines[0], lines[199], lines[200]]).toEqual([
        201,
        "f000",
        "f199",
        "(1 more not shown; narrow the pattern)",
      ]);
    } finally {
      other[Symbol.dispose]();
    }
  });

  test("a bad pattern, a file for a folder, a place outside", async () => {
    expect(await globbed({ pattern: "[a" })).toStartWith("E_INVALID_ARGS: invalid pattern: error parsing glob '[a'");
    expect(await globbed({ pattern: "*", path: "src/a.ts" })).toBe(
      "E_INVALID_ARGS: src/a.ts is not a folder\nUse read for a file, or give the folder it is in.",
    );
    expect(await globbed({ pattern: "*", path: "/etc" })).toStartWith("E_POLICY_DENIED");
  });
});

describe("grep", () => {
  const cases: readonly (readonly [input: object, found: string])[] = [
    [
      { pattern: "needle" },
      ".hidden/h.ts:1:needle\nkeep.log:1:needle\nsrc/a.ts:2:needle here\nsrc/deep/b.ts:1:needle\nsrc/deep/c.py:1:x = 'needle'",
    ],
    [{ pattern: "needle", path: "src/deep" }, "src/deep/b.ts:1:needle\nsrc/deep/c.py:1:x = 'needle'"],
    [{ pattern: "needle", path: "src/a.ts" }, "src/a.ts:2:needle here"],
    [{ pattern: "needle", path: "debug.log" }, "debug.log:1:needle"],
    [{ pattern: "needle", glob: "*.py" }, "src/deep/c.py:1:x = 'needle'"],
    [
      { pattern: "needle", glob: "**/*", path: "src" },
      "src/a.ts:2:needle here\nsrc/deep/b.ts:1:needle\nsrc/deep/c.py:1:x = 'needle'",
    ],
    [{ pattern: "needle", glob: "src/*.ts" }, "src/a.ts:2:needle here"],
    [{ pattern: "needle", glob: "!src" }, ".hidden/h.ts:1:needle\nkeep.log:1:needle"],
    [{ pattern: "^needle$", path: "src" }, "src/deep/b.ts:1:needle"],
    [{ pattern: "needle(?= here)" }, "src/a.ts:2:needle here"],
    [
      { pattern: "needle", path: "src", max_matches: 2 },
      "src/a.ts:2:needle here\nsrc/deep/b.ts:1:needle\n(more than 2 matches; narrow the search)",
    ],
    [
      { pattern: "needle", path: "src", max_matches: 3 },
      "src/a.ts:2:needle here\nsrc/deep/b.ts:1:needle\nsrc/deep/c.py:1:x = 'needle'",
    ],
    [{ pattern: "--version" }, "(no matches)\n(ignored files are left out, unless path names them)"],
    [
      { pattern: "a\\nb", path: "-e", glob: "*.ts,*.py" },
      "(no matches)\n(one line is searched at a time: no pattern fits over a line break)\n(several endings: *.{ts,py})\n(path is a file: glob had no meaning)",
    ],
    [{ pattern: "dash", path: "-e" }, "-e:1:dash"],
  ];
  for (const [input, found] of cases) {
    test(`${JSON.stringify(input)} gives path:line:text`, async () => expect(await grepped(input)).toBe(found));
  }

  test("a bad expression is explained in one line", async () => {
    expect(await grepped({ pattern: "a(" })).toBe(
      "E_INVALID_ARGS: invalid pattern: regex parse error: (?:a() ^ error: unclosed group\nThe pattern is a regular expression: write \\( \\[ \\{ \\. for these characters themselves.",
    );
  });

  test("a config file of the person or the repository does not change the search", async () => {
    const config = ws.put("rgrc", "--invert-match\n");
    process.env.RIPGREP_CONFIG_PATH = config;
    try {
      expect(await grepped({ pattern: "needle", path: "src/a.ts" })).toBe("src/a.ts:2:needle here");
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });

  test("names with line breaks stay on their line, and of a long line what is around the hit is shown", async () => {
    ws.put("odd/x\ny.txt", `hit\n${"z".repeat(3000)} the hit ${"y".repeat(3000)}\n`);
    const lines = (await grepped({ pattern: "hit", path: "odd" })).split("\n");
    expect(lines[0]).toBe("odd/x\\ny.txt:1:hit");
    expect(lines[1]).toMatch(/^odd\/x\\ny\.txt:2:… {2}the hit y* …$/);
    expect(lines.length).toBe(2);
  });

  test("GBK and Latin-1 lines are shown as text", async () => {
    ws.put("enc/gbk.txt", Buffer.from("686974d6d0cec40a", "hex"));
    ws.put("enc/latin.txt", Buffer.from("hit caf\xe9\n", "latin1"));
    expect(await grepped({ pattern: "hit", path: "enc" })).toBe("enc/gbk.txt:1:hit中文\nenc/latin.txt:1:hit café");
  });

  test("binary data does not disturb the other hits", async () => {
    ws.put(
      "mix/a.bin",
      Buffer.concat([Buffer.from("hit\n".repeat(30_000)), Buffer.from([0, 0]), Buffer.from("hit\n")]),
    );
    ws.put("mix/b.txt", "hit\n");
    const text = await grepped({ pattern: "hit", path: "mix", max_matches: 2000 });
    expect(text.split("\n").filter((line) => !/^mix\/(?:a\.bin|b\.txt):\d+:hit$/.test(line))).toEqual([
      "(more than 2000 matches; narrow the search)",
    ]);
    expect(await grepped({ pattern: "^hit$", path: "mix", glob: "b*" })).toBe("mix/b.txt:1:hit");
    ws.put("bin/only.bin", Buffer.from("hit\0\n"));
    expect(await grepped({ pattern: "hit", path: "bin/only.bin" })).toBe(
      "(no matches)\n(files with matches searched only up to their first NUL byte: 1)",
    );
  });

  test("[PO-7] secrets are left out of a search over a folder, not of one in the named file", async () => {
    ws.put("conf/.env", "KEY=needle\n");
    ws.put("conf/a.txt", "needle\n");
    const isSecret = (path: string): boolean => path.endsWith(".env");
    expect(await grepped({ pattern: "needle", path: "conf" }, { isSecret })).toBe(
      "conf/a.txt:1:needle\n(files left out because they may hold secrets: 1)",
    );
    expect(await grepped({ pattern: "needle", path: "conf/.env" }, { isSecret })).toBe("conf/.env:1:KEY=needle");
  });

  test("pipes and links that lead out are not followed", async () => {
    ws.put("trap/a.txt", "root\n");
    Bun.spawnSync(["mkfifo", ws.path("trap/pipe")]);
    symlinkSync("/etc", ws.path("trap/etc"));
    expect(await grepped({ pattern: "root", path: "trap" })).toBe("trap/a.txt:1:root");
    expect(await grepped({ pattern: "root", path: "trap/pipe" })).toStartWith("E_INVALID_ARGS: trap/pipe is a pipe");
    expect(await grepped({ pattern: "root", path: "trap/etc" })).toStartWith("E_POLICY_DENIED");
  });

  test("[CAN-1] a cancel ends the search and its process", async () => {
    const cancel = new AbortController();
    const searching = ws.run(grep, { pattern: "needle" }, { signal: cancel.signal });
    cancel.abort();
    expect(told(await searching)).toStartWith("E_CANCELLED");
  });
});
