// A small project of several languages, with what everyday commands name, in which lines are judged as the program judges them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Mode } from "../../src/contract/task.ts";
import type { JudgeDeps } from "../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../src/engine/judge/shell-call.ts";
import { hardening } from "../../src/policy/shell/programs/hardening.ts";
import { helpers } from "../../src/policy/shell/programs/scripts.ts";
import { baseName } from "../../src/policy/shell/verdict/destructive.ts";
import type { SimpleCommand } from "../../src/policy/shell/verdict/judgement.ts";
import { type Traced, trace } from "../../test/support/strace.ts";
import { judgeDeps, systemPath } from "../fuzz-policy/deps.ts";

const files: Readonly<Record<string, string>> = {
  "README.md": "# App\n\nTODO: words\n",
  Makefile: "all:\n\techo all\ntest:\n\techo test\n",
  "package.json": '{"name":"app","version":"1.0.0","scripts":{"build":"tsc"},"dependencies":{"react":"18.0.0"}}\n',
  "package-lock.json": '{"name":"app","lockfileVersion":3}\n',
  "tsconfig.json": '{"compilerOptions":{"strict":true}}\n',
  "src/App.tsx": "import { useState } from 'react';\nexport function App() { return useState(0)[0]; } // TODO\n",
  "src/api/client.ts": "export const client = () => fetch('/api');\n",
  "src/components/Button.tsx": "export const Button = () => null;\n",
  "src/main.py": "def main():\n    pass\n",
  "src/main.go": "package main\n\nfunc main() {}\n",
  "src/main.c": "int main(void) { return 0; }\n",
  "tests/app.test.ts": "test('a', () => {});\n",
  "scripts/run.py": "print('run')\n",
  "packages/core/src/lib.rs": "pub fn lib() {}\n",
  "packages/core/Cargo.toml": '[package]\nname = "core"\n',
  "go.mod": "module example.com/app\n",
  "pyproject.toml": "[project]\nname = 'app'\n",
  "data.json": '{"users":[{"id":1}]}\n',
  "data.csv": "a,b\n1,2\n",
  ".gitignore": "node_modules\ndist\n*.log\n.env\n",
  ".github/workflows/ci.yml": "on: push\n",
  "app.log": "error one\nwarn two\n",
  "dist/app.js": "var a\n",
  "dist/app.bin": "\u0001\u0002text in it\n",
  "node_modules/react/package.json": '{"name":"react"}\n',
  "node_modules/.bin/tsc": "#!/bin/sh\nexit 0\n",
};

const secrets: Readonly<Record<string, string>> = {
  ".env": "API_KEY=correct-horse-9f8e7d6c5b4a\n",
  ".npmrc": "//registry.example.com/:_authToken=npm_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e\n",
};

const setUp = `git init -q -b main . && git add . &&
git -c user.name=a -c user.email=a@example.com commit -qm first && git branch feature && git tag v1.0.0 &&
echo more >> README.md && git -c user.name=a -c user.email=a@example.com commit -qam second &&
echo '// changed' >> src/App.tsx && gzip -k app.log && tar czf dist/app.tgz src 2>/dev/null
python3 -c "import zipfile; zipfile.ZipFile('dist/app.zip', 'w').write('README.md')"`;

export class Project implements Disposable {
  readonly root = realpathSync.native(mkdtempSync(join(tmpdir(), "coder-everyday-")));
  readonly workspace = join(this.root, "app");
  private readonly deps: JudgeDeps;

  constructor(hasSecrets: boolean) {
    for (const folder of [this.workspace, join(this.root, "home"), join(this.root, "trace")]) mkdirSync(folder);
    for (const [name, text] of Object.entries({ ...files, ...(hasSecrets ? secrets : {}) })) {
      mkdirSync(dirname(join(this.workspace, name)), { recursive: true });
      writeFileSync(join(this.workspace, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    }
    const made = spawnSync("bash", ["-c", setUp], { cwd: this.workspace, env: this.environment, encoding: "utf8" });
    if (made.status !== 0) throw new Error(`the project could not be made: ${made.stderr}`);
    this.deps = judgeDeps(this.workspace, this.root);
  }

  get environment(): Record<string, string> {
    const home = join(this.root, "home");
    return { PATH: systemPath, HOME: home, LC_ALL: "C.UTF-8", USER: "somebody", ...hardening };
  }

  async judge(line: string, mode: Mode) {
    const moment = { mode, preset: null, sandbox: "ready" } as const;
    const first = judgeShell(this.deps, line, moment);
    if (!first.unknownObjects) return first;
    return judgeShell(this.deps, line, { ...moment, past: await lookFor(this.workspace, first.unknownObjects) });
  }

  /** Runs them without network and with a workspace that could be written. */
  async run(lines: readonly string[]): Promise<{ readonly found: readonly Traced[]; readonly isSame: boolean }> {
    const within = [
      ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
      ...["--bind", this.root, this.root, "--unshare-all", "--die-with-parent", "--chdir", this.workspace],
    ];
    const first = snapshot(this.workspace);
    const found = await trace(lines, {
      ...{ cwd: this.workspace, env: this.environment, seconds: 3, within, folder: join(this.root, "trace") },
      programs: (line) => this.programsOf(line),
    });
    return { found, isSame: first === snapshot(this.workspace) };
  }

  private programsOf(line: string): ReadonlySet<string> {
    const { judgement } = judgeShell(this.deps, line, { mode: "default", preset: null, sandbox: "ready" }).question;
    return namedIn(judgement?.commands ?? []);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What the judge believes to be started. Anything else is an effect. */
export function namedIn(commands: readonly SimpleCommand[]): ReadonlySet<string> {
  const names = commands.flatMap(({ words: [name] }) => (name?.kind === "literal" ? baseName(name.value) : []));
  return new Set(names.flatMap((name) => [name, ...(helpers[name] ?? [])]));
}

export function snapshot(at: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(at, { recursive: true, encoding: "utf8" }).sort()) {
    const found = lstatSync(join(at, name));
    hash.update(`${name} ${found.mode} ${found.mtimeMs} ${found.size}\n`);
    if (found.isFile()) hash.update(readFileSync(join(at, name)));
  }
  return hash.digest("hex");
}
