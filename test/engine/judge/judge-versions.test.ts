// Versions of programs for which a version manager stands in: files of the project say what it starts.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import type { JudgeDeps } from "../../../src/engine/judge/deed-facts.ts";
import { judgeShell } from "../../../src/engine/judge/shell-call.ts";
import { isManaged, isRealProgram, shimsIn } from "../../../src/platform/find-program.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "coder-versions-")));
  for (const folder of ["ws/sub", "shims", "bin"]) mkdirSync(join(root, folder), { recursive: true });
  program("shims/python3", '#!/usr/bin/env bash\nexec pyenv exec python3 "$@"\n');
  program("bin/rustup", "\u007fELF");
  symlinkSync("rustup", join(root, "bin/cargo"));
  program("bin/curl", "#!/bin/sh\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function program(name: string, text: string): void {
  writeFileSync(join(root, name), text);
  chmodSync(join(root, name), 0o755);
}

function isAllowed(command: string, sandbox: "ready" | "missing" = "ready"): boolean {
  const workspace = join(root, "ws");
  const path = `${join(root, "shims")}:${join(root, "bin")}`;
  const given = { workspace, addDirs: [], sandbox: "auto" } as Partial<Settings> as Settings;
  const deps: JudgeDeps = {
    ...{ settings: given, rules: [], ownFolder: "/nowhere", gitProblem: () => null, isInteractive: () => true },
    isRealProgram: (name) => isRealProgram(name, path, [workspace]),
    isManaged: (name) => isManaged(name, path, [workspace]),
    isShim: shimsIn(path, [workspace]),
  };
  return judgeShell(deps, command, { mode: "default", preset: null, sandbox }).decision === "allow";
}

const write = (name: string, text: string): void => writeFileSync(join(root, "ws", name), text);

test("[PO-4] the version behind a version manager is told unasked where the project names nothing but versions", () => {
  expect([isAllowed("python3 --version"), isAllowed("cargo --version && python3 -V")]).toEqual([true, true]);
  write(".python-version", "3.11.2\n");
  write(".tool-versions", "# ours\npython 3.11.2 system\nnodejs 20.1.0\n");
  write("package.json", '{"engines":{"node":">=20"}}');
  expect([isAllowed("python3 --version"), isAllowed("cargo -V")]).toEqual([true, true]);
});

test("[PO-4] [SA-executing-flags] it asks where the project may name a program, without a sandbox, and for all but a version", () => {
  const hostile: readonly (readonly [string, string])[] = [
    [".tool-versions", "python path:/tmp/evil\n"],
    [".tool-versions", "python ../../ws/evil\n"],
    [".python-version", "../../ws/evil\n"],
    ["mise.toml", "[env]\n_.source = 'x'\n"],
    [".mise.local.toml", ""],
    [".prototools", ""],
    ["rust-toolchain.toml", "[toolchain]\npath = 'evil'\n"],
    ["rust-toolchain", "stable\n"],
    ["package.json", '{"volta":{"node":"20.0.0"}}'],
  ];
  for (const [name, text] of hostile) {
    write(name, text);
    expect([name, isAllowed("python3 --version")]).toEqual([name, false]);
    rmSync(join(root, "ws", name));
  }
  writeFileSync(join(root, ".tool-versions"), "python path:x\n");
  expect(isAllowed("python3 --version")).toBe(false);
  rmSync(join(root, ".tool-versions"));
  expect(isAllowed("python3 --version")).toBe(true);
  const others = [
    "python3 -c 1",
    "python3 --version x",
    "cd sub && python3 --version",
    "cargo build",
    "cargo +x --version",
    "curl --version",
  ];
  expect(others.filter((line) => isAllowed(line))).toEqual([]);
  expect(isAllowed("python3 --version", "missing")).toBe(false);
});

test("[PO-4] versions of package managers and of Go are told unasked in the sandbox, and nothing else of theirs", () => {
  program("bin/npm", "#!/usr/bin/env node\n");
  program("bin/go", "\u007fELF");
  program("shims/pip", '#!/usr/bin/env bash\nexec pyenv exec pip "$@"\n');
  const versions = ["npm --version", "npm -v", "npx -v", "go version", "pip --version", "npm -v && go version"];
  expect(versions.filter((line) => !isAllowed(line))).toEqual([]);
  expect(versions.filter((line) => isAllowed(line, "missing"))).toEqual([]);
  const others = [
    ...[
      "npm",
      "npm -v x",
      "npm version",
      "npm --version --prefix x",
      "npm ls",
      "npx x",
      "go",
      "go env",
      "go version x",
      "pip list",
    ],
    ...[
      "yarn -v",
      "pnpm -v",
      "cd sub && npm -v",
      "./npm -v",
      "NODE_OPTIONS=x npm -v",
      "GOTOOLCHAIN=x go version",
      "npm -v > x",
    ],
  ];
  expect(others.filter((line) => isAllowed(line))).toEqual([]);
  write(".tool-versions", "python path:/tmp/evil\n");
  expect([isAllowed("pip --version"), isAllowed("npm -v")]).toEqual([false, true]);
});
