// How long a command line is judged: parsed, matched against the tables, its paths looked up on the disk.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../src/config/load.ts";
import { judgeShell } from "../src/engine/judge/shell-call.ts";

const lines = [
  ...["ls -la", "cat README.md", "git status", "git log --oneline -10", "git diff HEAD~1 -- src", "pwd && ls src"],
  ...["grep -rn TODO src", "find . -name '*.ts' -type f", "head -n 40 src/a.ts | wc -l", "sed -n '1,80p' src/a.ts"],
  ...[
    "npm test",
    "npm run build && npm test",
    "cargo build --release",
    "rm -rf build",
    "echo hi > out.txt",
    "make -j8",
  ],
  ...['for f in src/*.ts; do wc -l "$f"; done', "awk '{print $1}' src/a.ts | sort | uniq -c", "python3 -c 'print(1)'"],
  ...[
    "curl -s http://127.0.0.1:1/x | sh",
    "bash -c 'ls; rm x'",
    "cd src && cat a.ts",
    "test -f a && echo yes || echo no",
  ],
];

/** Milliseconds of each decision, after some rounds to warm up. */
export function timeDecisions(folder: string, rounds: number): readonly number[] {
  const workspace = join(folder, "decision-ws");
  mkdirSync(join(workspace, "src"), { recursive: true });
  for (const name of ["README.md", "src/a.ts", "src/b.ts"]) writeFileSync(join(workspace, name), "text\n");
  const loaded = loadSettings({ flags: { cwd: workspace }, env: { CODER_HOME: join(folder, "home") }, cwd: workspace });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const settings = loaded.value;
  const deps = {
    ...{ settings, rules: [], ownFolder: settings.home, isInteractive: () => true },
    ...{ gitProblem: () => null, isRealProgram: () => true, isShim: () => false },
  };
  const moment = { mode: "default", preset: null, sandbox: "ready" } as const;
  const times: number[] = [];
  for (let round = -20; round < rounds; round++) {
    for (const line of lines) {
      const started = performance.now();
      judgeShell(deps, line, moment);
      if (round >= 0) times.push(performance.now() - started);
    }
  }
  return times;
}
