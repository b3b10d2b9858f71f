// What a command costs that removes every file of a large repository: the whole program, with all that it keeps for an undo.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installedIn } from "../test/support/binary.ts";
import { startScriptedServer } from "../test/support/scripted-server.ts";
import { git, makeRepository } from "./changes.ts";
import { median } from "./rows.ts";

interface RemovalCost {
  /** Of the whole run. */
  readonly ms: number;
  /** The most that the program's own process has held, without those that it starts. */
  readonly mib: number;
}

/** One way to have it done. */
export interface Way {
  readonly name: string;
  readonly flags: readonly string[];
  /** So long the model waits with its call: meanwhile the index of the workspace is made. */
  readonly thinksMs: number;
}

/** Of each number of files and each way, the middle of several runs; in turns, so that a noisy moment hits all of them. */
export async function costOfRemoval(
  scratch: string,
  { files, rounds, ways }: { files: readonly number[]; rounds: number; ways: readonly Way[] },
): Promise<readonly (readonly RemovalCost[])[]> {
  // As people start it: the launcher says how closely the runtime is to follow what is in use (ADR 32).
  const launcher = installedIn(mkdtempSync(join(scratch, "installed-")));
  const places = files.map((count) => makeRepository(mkdtempSync(join(scratch, "removal-")), count + 1, "src"));
  const runs: RemovalCost[][][] = places.map(() => ways.map(() => []));
  for (let round = 0; round < rounds; round++)
    for (const [way, { flags, thinksMs }] of ways.entries())
      for (const [at, workspace] of places.entries()) {
        const home = mkdtempSync(join(scratch, "home-"));
        const call = { tool: "bash", input: { command: "rm -rf src" } };
        using server = startScriptedServer([{ delayMs: thinksMs, calls: [call] }, { text: "Removed." }]);
        const model = ["--base-url", server.url, "--model", "openai-chat/mock", "--mode", "yolo"];
        runs[at]?.[way]?.push(
          await once([launcher, "run", ...model, ...flags, "Remove the sources."], workspace, home),
        );
        rmSync(home, { recursive: true, force: true });
        for (const argv of [["checkout", "-q", "--", "src"], ["status"]]) git(workspace, argv);
      }
  for (const workspace of places) rmSync(workspace, { recursive: true, force: true });
  const middle = (list: readonly RemovalCost[]) => ({
    ms: median(list.map(({ ms }) => ms)),
    mib: median(list.map(({ mib }) => mib)),
  });
  return runs.map((byWay) => byWay.map(middle));
}

/** What `wait4` says would be the most of any process that the program has started, too. */
async function once(command: readonly string[], cwd: string, home: string): Promise<RemovalCost> {
  const said = join(home, "said");
  const started = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, CODER_HOME: home },
    stdin: "ignore",
    stdout: "ignore",
    // A line for each file: nobody reads them meanwhile.
    stderr: Bun.file(said),
  });
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 5);
  const code = await child.exited;
  const ms = performance.now() - started;
  clearInterval(look);
  if (code !== 0 && code !== 3)
    throw new Error(`the run ended with ${code}: ${readFileSync(said, "utf8").slice(-1000)}`);
  return { ms, mib: peak };
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 2 ** 10;
  } catch {
    // It has just ended.
    return 0;
  }
}
