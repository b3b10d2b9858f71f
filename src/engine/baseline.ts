import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { History } from "../context/history.ts";
import type { FileChange } from "../contract/message.ts";
import type { Confinement } from "../contract/sandbox.ts";
import { sandboxState } from "../platform/sandbox/state.ts";

/**
 * The same sandbox, in which the files that the task has changed are as they were before it: their old contents are mounted over
 * them, nothing on the disk moves. `null` where that cannot be: without bubblewrap, or when files are gone, over which nothing can
 * be mounted. A file that the task has made is seen as an empty one.
 */
export async function before(
  confine: Confinement,
  history: History,
  bytes: (hash: string) => Uint8Array | null,
): Promise<Confinement | null> {
  const state = await sandboxState();
  if (state.kind !== "ready" || state.name === "seatbelt") return null;
  const folder = join(dirname(confine.temp), "before");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const over: { path: string; source: string }[] = [];
  for (const [at, { real, before: old, after }] of firstAndLast(history.task?.changes ?? []).entries()) {
    if (after === null) return null;
    const content = old === null ? new Uint8Array() : bytes(old.hash);
    if (content === null) return null;
    const source = join(folder, String(at));
    writeFileSync(source, content, { mode: old?.mode ?? 0o600 });
    over.push({ path: real, source });
  }
  return { ...confine, over };
}

/** Of plain files only: folders and links are not what tests are about. */
function firstAndLast(changes: readonly FileChange[]): readonly FileChange[] {
  const net = new Map<string, FileChange>();
  for (const one of changes) net.set(one.real, { ...one, before: (net.get(one.real) ?? one).before });
  const isPlain = (stamp: FileChange["after"]): boolean => stamp === null || stamp.mode <= 0o7777;
  return [...net.values()].filter(
    ({ before: old, after }) => isPlain(old) && isPlain(after) && !(old === null && after === null),
  );
}
