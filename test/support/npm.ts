// npm as it is on a stranger's machine: nothing of ours in its environment, an empty home, no registry.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export interface NpmRan {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Without npm's look for a newer npm: it asks the real registry, and prints a notice when the answer comes in time. */
export function bareEnvironment(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return { PATH: process.env.PATH ?? "", HOME: home, LANG: "C", npm_config_update_notifier: "false" };
}

/** `args` begins with npm's command; ours stand before the rest, which may hold a `--`. */
export async function npm(
  [command = "", ...args]: readonly string[],
  cwd: string,
  home: string,
  registry?: string,
): Promise<NpmRan> {
  const quiet = ["--no-audit", "--no-fund", "--fetch-retries=0"];
  const from = registry === undefined ? ["--offline"] : [`--registry=${registry}`];
  const child = Bun.spawn(["npm", command, ...quiet, ...from, ...args], {
    cwd,
    env: { ...bareEnvironment(home), npm_config_cache: join(home, "npm-cache") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, out, err };
}
