// Starts a shell whose pid is on disk before anything of its command runs.
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { type Environment, type GatedShell, spawnGated } from "./gate.ts";
import { adoptOrphans, rememberChild } from "./orphans.ts";
import { hasProc, readProc } from "./proc.ts";
import { spawnInTerminal } from "./pty.ts";
import { addTree, endTree, removeTree, type Tree } from "./tree.ts";

export interface StartRequest {
  readonly command: string;
  readonly cwd: string;
  /** The environment of this program when absent. */
  readonly env?: Environment;
  /** Unique among all calls of all sessions: strays are found by it. */
  readonly marker: string;
  /** In a terminal of its own, for programs that write only to one. */
  readonly isTerminal?: boolean;
  /** The command does not start before this has resolved; when it rejects, the command never starts. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
}

/** A shell that waits at its gate. `release` must be called when all of it is gone. */
export interface StartedShell {
  readonly shell: GatedShell;
  readonly tree: Tree;
  readonly release: () => void;
}

export async function startShell(request: StartRequest): Promise<Result<StartedShell>> {
  const { command, cwd, env = process.env, marker } = request;
  if (command.includes("\0")) return fail("E_INVALID_ARGS", phrase("bash.nul"));
  await adoptOrphans();
  const spawn = request.isTerminal ? spawnInTerminal : spawnGated;
  const spawned = spawn(command, cwd, env, marker);
  if (!spawned.ok) return spawned;
  const { child } = spawned.value;
  const start = readProc(child.pid)?.start ?? 0;
  const tree: Tree = { pid: child.pid, start, marker };
  const forget = rememberChild(child.pid);
  addTree(tree);
  const release = (): void => {
    removeTree(tree);
    void child.exited.finally(forget);
  };
  try {
    await request.onSpawn(child.pid, hasProc() ? String(start) : "");
    return ok({ shell: spawned.value, tree, release });
  } catch (error) {
    await endTree(tree);
    release();
    throw error;
  }
}
