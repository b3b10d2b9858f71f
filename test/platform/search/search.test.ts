import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { findRipgrep } from "../../../src/platform/search/ripgrep.ts";
import { findFiles, searchText } from "../../../src/platform/search/search.ts";
import { makeWorkspace, type Workspace } from "../../tool/workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
  ws.put(".gitignore", "node_modules/\n*.log\n");
  ws.put(".git/config", "needle\n");
  ws.put("src/a.ts", "one\nneedle\r\n");
  ws.put("src/deep/b.ts", "needle\n");
  ws.put("src/deep/.gitignore", "c.ts\n");
  ws.put("src/deep/c.ts", "needle\n");
  ws.put("src/.env", "needle\n");
  ws.put("src.ts", "needle\n");
  ws.put("debug.log", "needle\n");
  ws.put("node_modules/p/i.ts", "needle\n");
  ws.put("data.bin", Buffer.from("needle\0"));
  ws.put("gbk.txt", Buffer.from("6e6565646c65d6d0cec40a", "hex"));
});
afterAll(() => ws[Symbol.dispose]());

const base = () => ({
  root: ws.root,
  real: ws.root,
  max: 100,
  signal: new AbortController().signal,
  timeoutMs: 20_000,
});

test("our own ripgrep is found and runs", async () => {
  const path = await findRipgrep();
  expect(path).toContain("ripgrep");
  expect(Bun.spawnSync([path!, "--version"]).stdout.toString()).toStartWith("ripgrep ");
});

for (const [way, program] of [
  ["ripgrep", undefined],
  ["the search without ripgrep", null],
] as const) {
  describe(way, () => {
    const files = async (glob: string, more: object = {}) => {
      const result = await findFiles({ ...base(), glob, ...more }, program);
      return result.ok ? result.value : result.error.code;
    };
    const hits = async (pattern: string, more: object = {}) => {
      const result = await searchText({ ...base(), pattern, ...more }, program);
      return result.ok ? result.value : result.error.code;
    };
    const places = async (pattern: string, more: object = {}) => {
      const result = await hits(pattern, more);
      return typeof result === "string"
        ? result
        : result.found.map(({ path, line, text }) => `${path}:${line}:${text}`);
    };

    test("finds files by glob, ignored ones left out", async () => {
      const all = { more: false, notes: [] };
      expect(await files("*.ts")).toEqual({ found: ["src/a.ts", "src/deep/b.ts", "src.ts"], total: 3, ...all });
      expect(await files("src/*.ts")).toEqual({ found: ["src/a.ts"], total: 1, ...all });
      expect(await files("deep/*", { real: ws.path("src") })).toEqual({
        found: ["src/deep/.gitignore", "src/deep/b.ts"],
        total: 2,
        ...all,
      });
    });

    test("stops at the limit and says so", async () => {
      expect(await files("*", { max: 2 })).toEqual({
        found: [".gitignore", "data.bin"],
        total: 8,
        more: true,
        notes: [],
      });
      expect(await hits("needle", { max: 1 })).toMatchObject({ more: true, found: [{ line: 1 }] });
    });

    test("finds lines, in text of any encoding, and not in binary data", async () => {
      expect(((await places("needle")) as string[]).sort()).toEqual([
        "gbk.txt:1:needle中文",
        "src.ts:1:needle",
        "src/.env:1:needle",
        "src/a.ts:2:needle",
        "src/deep/b.ts:1:needle",
      ]);
      expect(await places("^needle$", { real: ws.path("src/a.ts") })).toEqual(["src/a.ts:2:needle"]);
      expect(await places("needle", { glob: "src/**/*.ts" })).toEqual(["src/a.ts:2:needle", "src/deep/b.ts:1:needle"]);
      expect(await places("needle", { glob: "*.txt" })).toEqual(["gbk.txt:1:needle中文"]);
    });

    test("leaves out what may not be shown and counts it", async () => {
      const isHidden = (path: string): boolean => path.endsWith(".env");
      expect(await hits("needle", { real: ws.path("src"), isHidden })).toEqual({
        found: [
          { path: "src/a.ts", line: 2, text: "needle" },
          { path: "src/deep/b.ts", line: 1, text: "needle" },
        ],
        more: false,
        notes: ["files left out because they may hold secrets: 1"],
      });
    });

    test("a bad expression is the caller's fault, a cancel nobody's", async () => {
      expect(await hits("a(")).toBe("E_INVALID_ARGS");
      expect(await hits("needle", { signal: AbortSignal.abort() })).toBe("E_CANCELLED");
      expect(await files("*", { signal: AbortSignal.abort() })).toBe("E_CANCELLED");
    });
  });
}

for (const [way, program] of [
  ["ripgrep", undefined],
  ["the search without ripgrep", null],
] as const) {
  describe(`[TL-1] whose rules count, with ${way}`, () => {
    let home: Workspace;
    const saved = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
    beforeEach(() => {
      home = makeWorkspace();
      process.env.HOME = home.root;
      delete process.env.XDG_CONFIG_HOME;
    });
    afterEach(() => {
      for (const [name, value] of Object.entries(saved)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      home[Symbol.dispose]();
    });
    const found = async (root: string, real = root): Promise<readonly string[]> => {
      const wish = { ...base(), root: home.path(root), real: home.path(real), glob: "**" };
      const result = await findFiles(wish, program);
      return result.ok ? result.value.found : [result.error.code];
    };

    for (const isRepository of [true, false]) {
      test(`rules above a workspace that is ${isRepository ? "a" : "in no"} repository hide nothing in it`, async () => {
        for (const name of [".gitignore", ".ignore", ".rgignore"]) home.put(name, "*\n");
        if (isRepository) home.put("ws/.git/HEAD", "ref: refs/heads/main\n");
        home.put("ws/.gitignore", "out/\n");
        home.put("ws/a/b.txt", "needle\n");
        home.put("ws/a/out/c.txt", "needle\n");
        expect(await found("ws")).toEqual([".gitignore", "a/b.txt"]);
        expect(await found("ws", "ws/a")).toEqual(["a/b.txt"]);
        const text = await searchText(
          { ...base(), root: home.path("ws"), real: home.path("ws/a"), pattern: "needle" },
          program,
        );
        expect(text.ok && text.value.found).toEqual([{ path: "a/b.txt", line: 1, text: "needle" }]);
      });
    }

    test("rules of the repository above the workspace count, and end where another repository begins", async () => {
      home.put("repo/.git/HEAD", "ref: refs/heads/main\n");
      home.put("repo/.git/info/exclude", "excluded\n");
      home.put("repo/.gitignore", "out/\nother.txt\n");
      home.put("repo/ws/out/a.txt", "");
      home.put("repo/ws/excluded", "");
      home.put("repo/ws/sub/.git/HEAD", "ref: refs/heads/main\n");
      home.put("repo/ws/sub/other.txt", "");
      home.put("repo/ws/kept.txt", "");
      expect(await found("repo/ws")).toEqual(["kept.txt", "sub/other.txt"]);
    });

    test(".ignore counts more than .gitignore, and a named folder is searched though it is ignored", async () => {
      home.put("ws/.git/HEAD", "ref: refs/heads/main\n");
      home.put("ws/.gitignore", "*.log\nnode_modules/\n");
      home.put("ws/.ignore", "!keep.log\nsecret.txt\n");
      home.put("ws/keep.log", "");
      home.put("ws/drop.log", "");
      home.put("ws/secret.txt", "");
      home.put("ws/node_modules/p/i.ts", "");
      home.put("ws/node_modules/p/x.log", "");
      expect(await found("ws")).toEqual([".gitignore", ".ignore", "keep.log"]);
      expect(await found("ws", "ws/node_modules/p")).toEqual(["node_modules/p/i.ts"]);
    });

    test("the rules a person has for all repositories count", async () => {
      home.put("ws/.git/HEAD", "ref: refs/heads/main\n");
      home.put("ws/a.swp", "");
      home.put("ws/b.txt", "");
      home.put(".config/git/ignore", "*.swp\n");
      expect(await found("ws")).toEqual(["b.txt"]);
      home.put(".gitconfig", "[core]\n\texcludesFile = ~/mine\n");
      home.put("mine", "b.txt\n");
      expect(await found("ws")).toEqual(["a.swp"]);
    });
  });
}

test("[TL-1] words outside ASCII are found in UTF-8, UTF-16, GBK and windows-1252, in one order", async () => {
  using other = makeWorkspace();
  other.put("enc/1-gbk.txt", Buffer.from("b5dad2bbd0d00ad6d0cec40a", "hex"));
  other.put("enc/2-utf8.txt", "第一行\n中文\n");
  other.put("enc/3-utf16.txt", Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from("中文\n", "utf16le")]));
  other.put("enc/4-latin.txt", Buffer.from("caf\xe9 x\n", "latin1"));
  // The bytes of é in Latin-1, and of 中 in GBK, occur here as parts of other characters.
  other.put("enc/5-other.txt", "需要 \u05ba\u0390 caf\u00e9\n");
  const places = async (pattern: string, max = 100): Promise<readonly string[]> => {
    const result = await searchText({ ...base(), root: other.root, real: other.path("enc"), pattern, max });
    return result.ok
      ? [...result.value.found.map(({ path, line }) => `${path}:${line}`), String(result.value.more)]
      : [];
  };
  expect(await places("中文")).toEqual(["enc/1-gbk.txt:2", "enc/2-utf8.txt:2", "enc/3-utf16.txt:1", "false"]);
  expect(await places("^中.$", 2)).toEqual(["enc/2-utf8.txt:2", "enc/3-utf16.txt:1", "false"]);
  expect(await places("中+文|é x")).toEqual([
    ...["enc/1-gbk.txt:2", "enc/2-utf8.txt:2", "enc/3-utf16.txt:1", "enc/4-latin.txt:1", "false"],
  ]);
  expect(await places("中文", 2)).toEqual(["enc/1-gbk.txt:2", "enc/2-utf8.txt:2", "true"]);
  expect(await places("é")).toEqual(["enc/4-latin.txt:1", "enc/5-other.txt:1", "false"]);
  expect(await places("[é]")).toEqual(["enc/5-other.txt:1", "false"]);
});

test("[TL-1] a pattern that leaves out, leaves out whole folders below the searched one", async () => {
  using other = makeWorkspace();
  other.put("not/a/b/x.ts", "");
  other.put("not/a/y.ts", "");
  other.put("not/b/z.ts", "");
  const names = async (glob: string): Promise<readonly string[]> => {
    const result = await findFiles({ ...base(), root: other.root, real: other.path("not"), glob });
    return result.ok ? result.value.found : [];
  };
  expect(await names("!b")).toEqual(["not/a/y.ts"]);
  expect(await names("!a/b")).toEqual(["not/a/y.ts", "not/b/z.ts"]);
  expect(await names("!?")).toEqual([]);
  expect(await names("!not")).toEqual(["not/a/b/x.ts", "not/a/y.ts", "not/b/z.ts"]);
});

test("[CAN-1] a cancel while the program is looked for is heard", async () => {
  for (const program of [undefined, null]) {
    const cancel = new AbortController();
    const searching = findFiles({ ...base(), glob: "**", signal: cancel.signal }, program);
    queueMicrotask(() => cancel.abort());
    expect(await searching).toMatchObject({ ok: false, error: { code: "E_CANCELLED" } });
  }
});

test("without ripgrep it is said which files and lines were not searched", async () => {
  using other = makeWorkspace();
  other.put("big.txt", "needle\n".repeat(700_000));
  other.put("long.txt", `${"x".repeat(3000)}needle\n`);
  const { root } = other;
  expect(await searchText({ ...base(), root, real: root, pattern: "needle" }, null)).toEqual({
    ok: true,
    value: {
      found: [],
      more: false,
      notes: [
        "files too big to be searched without ripgrep: 1",
        "lines searched only at their start without ripgrep: 1",
      ],
    },
  });
});

test("without ripgrep the first names of a crowded folder are found, and all are counted", async () => {
  using other = makeWorkspace();
  const { root } = other;
  for (let index = 0; index < 5_000; index++) closeSync(openSync(`${root}/${(index * 7919) % 5_000}`, "w"));
  const result = await findFiles({ ...base(), root, real: root, glob: "*", max: 2 }, null);
  expect(result).toEqual({ ok: true, value: { found: ["0", "1"], total: 5_000, more: true, notes: [] } });
});

test("a program that cannot be started is done without, and none is started after a cancel", async () => {
  const program = ws.put("not-a-program", "");
  const [{ signal }, wish] = [{ signal: AbortSignal.abort() }, { ...base(), pattern: "needle", glob: "*.txt" }];
  const found = { found: [{ path: "gbk.txt", line: 1, text: "needle中文" }], more: false, notes: [] };
  expect(await searchText(wish, program)).toEqual({ ok: true, value: found });
  expect(await findFiles({ ...base(), glob: "*.txt" }, `${program}-gone`)).toMatchObject({
    ok: true,
    value: { found: ["gbk.txt"] },
  });
  expect(await searchText({ ...wish, signal }, program)).toMatchObject({ ok: false, error: { code: "E_CANCELLED" } });
});

test("a search that takes too long is ended", async () => {
  ws.put("long.txt", "a line of some length\n".repeat(1_000_000));
  const result = await searchText({ ...base(), pattern: "(?=z)l", timeoutMs: 1 });
  expect(result.ok ? result.value : result.error).toMatchObject({ code: "E_TOOL_TIMEOUT", sideEffect: "none" });
});
