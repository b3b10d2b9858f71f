// One command in the sandbox against the same command without, taken in turn, in an ordinary repository.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runShell } from "../src/platform/process/shell.ts";
import { confinementFor } from "../src/platform/sandbox/confine.ts";

/** As a person has them who works with several languages. */
export const toolchains: readonly string[] = [
  ...[".local/bin", ".local/lib", ".cargo/bin", ".cargo/registry", ".rustup", ".nvm", ".pyenv", ".cache", ".npm"],
];

/** `shown`: what of the home folder a command is shown. */
export async function timeSandbox(
  folder: string,
  times: number,
  shown: readonly string[] = [],
): Promise<{ plain: number[]; confined: number[] }> {
  const [workspace, home] = [join(folder, `sandbox-ws${shown.length}`), join(folder, `sandbox-home${shown.length}`)];
  for (const path of [join(workspace, ".coder"), ...[".ssh", ".aws", ...shown].map((name) => join(home, name))])
    mkdirSync(path, { recursive: true });
  if (shown.length > 0) writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = A Person\n");
  Bun.spawnSync(["git", "init", "-q", workspace]);
  const places = { workspace, addDirs: [], home, coderHome: join(home, ".coder") };
  const facts = { ...places, network: false, readOnly: false, env: { PATH: "/usr/local/bin:/usr/bin:/bin" } };
  const once = async (isConfined: boolean): Promise<number> => {
    const started = performance.now();
    const result = await runShell({
      command: "true",
      cwd: workspace,
      timeoutMs: 10_000,
      maxStreamBytes: 4096,
      signal: new AbortController().signal,
      marker: "bench",
      // As in a session: what is measured is the command, not the first of a task.
      confine: isConfined ? { ...confinementFor(facts), loopback: "bench" } : null,
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
