// How every shell comes to its end, whoever waits for it.
import type { Ended } from "./kill.ts";
import type { StartedShell } from "./start.ts";
import { endTree } from "./tree.ts";

/** After the shell's end its output may still be on its way, or be held open by what it left running. */
const STREAM_GRACE_MS = 100;
/** A process closes its streams a moment before it is gone. */
const EXIT_GRACE_MS = 20;

export interface Concluded<S> extends Ended {
  /** `null`: it ended by itself. */
  readonly stopped: S | null;
}

/** Opens the gate, waits for the shell's exit or for a stop, and ends what is then left of its tree. */
export async function conclude<S>(
  { shell, tree }: StartedShell,
  stop: Promise<S>,
  reading: Promise<unknown>,
): Promise<Concluded<S>> {
  const exited = shell.child.exited.then(() => null);
  // Over only with the shell's exit; its fault comes through at once.
  const flowing = Promise.all([shell.open(), reading]);
  const stopped = await Promise.race([exited, stop, flowing.then(() => exited)]);
  if (stopped === null) await waitAtMost(STREAM_GRACE_MS, flowing);
  const { ended, left } = await endTree(tree, stopped === null ? EXIT_GRACE_MS : 0);
  // Nobody holds the streams any more, unless somebody could not be stopped.
  await waitAtMost(left.length > 0 ? 0 : 1000, Promise.all([flowing, exited]));
  return { stopped, ended, left };
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
