import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";

let home = "";
let ws = "";

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "coder-obeyed-")));
  ws = join(home, "ws");
  mkdirSync(join(ws, "src", "deep"), { recursive: true });
  mkdirSync(join(ws, "other"));
  writeFileSync(join(home, "outside"), "word[\n");
  writeFileSync(join(ws, "rules"), "dist\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function asks(command: string): readonly string[] {
  const settings = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => false },
  };
  const { decision, reasons } = judgeShell(deps, command, { mode: "default", preset: null, sandbox: "ready" });
  return decision === "allow" ? [] : reasons.map((reason) => say("en", reason));
}

const searches = [
  "rg x",
  "rg x src",
  "rg --files src/deep",
  "fd x",
  "fd x src",
  "fd --search-path src x",
  "fdfind x .",
];

test("[PO-7] [SA-links] a search is asked about where what it is to leave out stands behind a link that leads out", () => {
  symlinkSync(join(home, "outside"), join(ws, "src", ".ignore"));
  const out = [`${join(home, "outside")} is outside the workspace`];
  expect([...searches, "tree --gitignore"].map((line) => [line, asks(line)])).toEqual(
    [...searches, "tree --gitignore"].map((line) => [line, out]),
  );
  const fine = ["rg x other", "fd x other", "tree", "grep -r x .", "rg x rules", "find . -name x"];
  expect(fine.map((line) => [line, asks(line)])).toEqual(fine.map((line) => [line, []]));
});

test.each([".gitignore", ".rgignore", ".fdignore", ".git"])("[PO-7] [SA-links] so it is for %s", (name) => {
  symlinkSync(home, join(ws, name));
  expect(asks("rg x src").length).toBe(1);
  expect(asks("fd x").length).toBe(1);
});

test("[PO-7] a link that stays inside, and an ordinary file, are no reason to ask", () => {
  symlinkSync("rules", join(ws, ".gitignore"));
  writeFileSync(join(ws, "src", ".ignore"), "dist\n");
  expect(searches.filter((line) => asks(line).length > 0)).toEqual([]);
});
