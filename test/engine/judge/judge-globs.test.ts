// Wildcards beside options: what the shell makes of them depends on the names of files.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";

let ws = "";
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), "coder-globs-")));
  mkdirSync(join(ws, "src"));
  writeFileSync(join(ws, "src/a.ts"), "a\n");
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

const write = (name: string): void => writeFileSync(join(ws, name), "x\n");

function isAllowed(command: string): boolean {
  const given = { workspace: ws, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings: given, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    ...{ isRealProgram: () => true, isShim: () => false },
  };
  return judgeShell(deps, command, { mode: "default", preset: null, sandbox: "ready" }).decision === "allow";
}

const lines = [
  "grep -rn x src --include=*.ts",
  "grep -rn --include=*.ts x src",
  "grep -rn --include *.ts x src",
  "grep -rnE 'a|b' --include=*.{ts,tsx} .",
  "rg x -g *.ts",
  "rg --glob *.ts x src",
  "rg --files -g *.ts",
  "ls --ignore=*.ts src",
  "tree -I *.ts src",
];

test("[PO-4] [SA-expansion-flags] a wildcard in an option runs unasked where no file is called like it, and where plain files are", () => {
  expect(lines.filter((line) => !isAllowed(line))).toEqual([]);
  for (const name of ["b.ts", "--include=b.ts", "-b.tsx"]) write(name);
  rmSync(join(ws, "-b.tsx"));
  expect(lines.filter((line) => line.includes("=") && !isAllowed(line))).toEqual([]);
});

test("[PO-4] [SA-expansion-flags] it is asked about where a name would be another option, or leads out", () => {
  write("--pre=x.ts");
  expect(lines.filter((line) => !line.includes("=") && isAllowed(line))).toEqual([]);
  rmSync(join(ws, "--pre=x.ts"));
  symlinkSync("/etc/passwd", join(ws, "out.ts"));
  expect(lines.filter((line) => !line.includes("=") && isAllowed(line))).toEqual([]);
  symlinkSync("/etc/passwd", join(ws, "--include=out.ts"));
  expect(isAllowed("grep -rn x src --include=*.ts")).toBe(false);
});

test("[PO-4] [SA-expansion-flags] what stands behind such a wildcard may be a file instead of a pattern", () => {
  expect([isAllowed("rg -g *.ts '/etc/passwd'"), isAllowed("rg -g '*.ts' '/etc/passwd'")]).toEqual([false, true]);
});
