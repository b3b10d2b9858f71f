// One broken program, given to coder as a person would, and what came of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case } from "./fault.ts";
import { layModules } from "./packages.ts";
import { projectFiles } from "./program.ts";
import { inFolder, lay, passes } from "./tests.ts";

/**
 * `overfitted`: VERIFIED, and the hidden tests fail. `claimed`: VERIFIED, and the visible tests do not even pass. `left`: given
 * up, and the file is not as it was.
 */
export type Verdict = "fixed" | "unfixed" | "overfitted" | "claimed" | "left" | "broken";

export interface Trial {
  readonly name: string;
  readonly by: Case["by"];
  readonly verdict: Verdict;
  readonly seconds: number;
  /** Runs of the tests that the model asked for, and the engine's own. */
  readonly checks: number;
  readonly note: string;
}

const longestMs = 10 * 60_000;

export async function trial(argv: readonly string[], { program, name, by, broken }: Case): Promise<Trial> {
  return await inFolder(projectFiles(program, broken), async (folder) => {
    layModules(program, folder);
    const began = performance.now();
    const { outcome, checks, note } = await fixIn(argv, folder);
    const seconds = (performance.now() - began) / 1000;
    const isSame = readFileSync(join(folder, program.path), "utf8") === broken;
    const verdict = await judge(folder, outcome, isSame);
    return { name, by, verdict, seconds, checks, note: verdict === "broken" ? note : "" };
  });

  async function judge(folder: string, outcome: string | null, isSame: boolean): Promise<Verdict> {
    if (outcome === null) return "broken";
    if (outcome !== "VERIFIED") return isSame ? "unfixed" : "left";
    // As it was seen: what was done to the tests themselves does not count.
    lay(folder, { [program.test.path]: program.test.text, [program.hidden.path]: program.hidden.text });
    if (!(await passes(folder, program.test.path, program.runner))) return "claimed";
    return (await passes(folder, program.hidden.path, program.runner)) ? "fixed" : "overfitted";
  }
}

interface Ran {
  /** `null`: coder did not come to an end as it should. */
  readonly outcome: string | null;
  readonly checks: number;
  readonly note: string;
}

async function fixIn(argv: readonly string[], folder: string): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), "coder-mechanic-home-"));
  const args = ["run", "--mode", "auto-edit", "--model", "builtin/mechanic", "--output", "stream-json"];
  const { CODER_MODEL: _, ...env } = process.env;
  try {
    const child = Bun.spawn([...argv, ...args, "fix the failing test"], {
      ...{ cwd: folder, env: { ...env, CODER_HOME: home, LANG: "C" }, timeout: longestMs, killSignal: "SIGKILL" },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const lines = out.split("\n").filter((line) => line !== "");
    const all = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const result = all.findLast(({ type }) => type === "result");
    const outcome = typeof result?.outcome === "string" ? result.outcome : null;
    return { outcome, checks: all.filter(isCheck).length, note: `exit ${child.exitCode} ${err.slice(-500)}` };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function isCheck({ type, event }: Readonly<Record<string, unknown>>): boolean {
  if (type !== "event") return false;
  const { type: kind, result } = event as { readonly type: string; readonly result?: { readonly data?: unknown } };
  const data = result?.data;
  return kind === "tool.settled" && typeof data === "object" && data !== null && "verification" in data;
}
