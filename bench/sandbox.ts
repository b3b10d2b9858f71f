// One command in the sandbox against the same command without, taken in turn, in an ordinary repository.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runShell } from "../src/platform/process/shell.ts";
import { confinementFor } from "../src/platform/sandbox/confine.ts";

export async function timeSandbox(folder: string, times: number): Promise<{ plain: number[]; confined: number[] }> {
  const [workspace, home] = [join(folder, "sandbox-ws"), join(folder, "sandbox-home")];
  for (const path of [join(workspace, ".coder"), join(home, ".ssh"), join(home, ".aws")])
    mkdirSync(path, { recursive: true });
  Bun.spawnSync(["git", "init", "-q", workspace]);
  const facts = { workspace, addDirs: [], home, coderHome: join(home, ".coder"), network: false, readOnly: false };
  const once = async (isConfined: boolean): Promise<number> => {
    const started = performance.now();
    const result = await runShell({
      command: "true",
      cwd: workspace,
      timeoutMs: 10_000,
      maxStreamBytes: 4096,
      signal: new AbortController().signal,
      marker: "bench",
      confine: isConfined ? confinementFor(facts) : null,
      onOutput: () => {},
      onSpawn: async () => {},
    });
    if (!result.ok || result.value.exitCode !== 0) throw new Error(JSON.stringify(result));
    return performance.now() - started;
  };
  const [plain, confined]: [number[], number[]] = [[], []];
  for (let n = -2; n < times; n++) {
    const pair = [await once(false), await once(true)] as const;
    if (n < 0) continue;
    plain.push(pair[0]);
    confined.push(pair[1]);
  }
  return { plain, confined };
}
