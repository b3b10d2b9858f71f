// Waits for the end of a shell; shared by foreground commands, jobs and programs.
import type { Ended } from "./kill.ts";
import type { StartedShell } from "./start.ts";
import { endTree } from "./tree.ts";

/** After the shell's exit its output may still be in transit, or held open by processes that it left behind. */
const STREAM_GRACE_MS = 100;
/** A process closes its streams a moment before it exits. */
const EXIT_GRACE_MS = 20;

/** Opens the gate, waits for the shell's exit or for a stop, and ends the rest of its process tree. */
export async function conclude<S>(
  { shell, tree }: StartedShell,
  stop: Promise<S>,
  reading: Promise<unknown>,
): Promise<Ended & { readonly stopped: S | null }> {
  const exited = shell.child.exited.then(() => null);
  // Resolves only after the shell's exit, but rejects at once.
  const flowing = Promise.all([shell.open(), reading]);
  const stopped = await Promise.race([exited, stop, flowing.then(() => exited)]);
  if (stopped === null) await waitAtMost(STREAM_GRACE_MS, flowing);
  const { ended, left } = await endTree(tree, stopped === null ? EXIT_GRACE_MS : 0);
  // The streams are closed now, unless a process could not be ended.
  await waitAtMost(left.length > 0 ? 0 : 1000, Promise.all([flowing, exited]));
  return { stopped, ended, left };
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

export async function pump(reader: ChunkReader, take: (chunk: Uint8Array) => unknown): Promise<void> {
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) take(value);
}

type ChunkReader = { read: () => Promise<{ value?: Uint8Array | undefined }> };
