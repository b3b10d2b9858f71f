import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findRipgrep } from "../../src/platform/ripgrep.ts";
import { findFiles, searchText } from "../../src/platform/search.ts";
import { makeWorkspace, type Workspace } from "../tool/workspace.ts";

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
      expect(await files("*.ts")).toEqual({ found: ["src/a.ts", "src/deep/b.ts", "src.ts"], more: false, notes: [] });
      expect(await files("src/*.ts")).toEqual({ found: ["src/a.ts"], more: false, notes: [] });
      expect(await files("deep/*", { real: ws.path("src") })).toEqual({
        found: ["src/deep/.gitignore", "src/deep/b.ts"],
        more: false,
        notes: [],
      });
    });

    test("stops at the limit and says so", async () => {
      expect(await files("*", { max: 2 })).toEqual({ found: [".gitignore", "data.bin"], more: true, notes: [] });
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
