import { CoderError } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import type { History } from "../../machine/history/history.ts";

/** RB-1: limit per session for undo contents. A single task keeps at most a quarter of it. */
const maxBytes = 2 ** 30;

/** Forgets contents that the oldest tasks replaced once a session keeps too much. Undoing those tasks then reports it. */
export class UndoRoom {
  private readonly forget: (hashes: readonly string[]) => void;
  private readonly limit: number;
  private gone: ReadonlySet<string> = new Set();

  constructor(forget: (hashes: readonly string[]) => void, limit = maxBytes) {
    this.forget = forget;
    this.limit = limit;
  }

  tidy(history: Pick<History, "tasks" | "entries">): void {
    if ((history.tasks.at(-1)?.changes.length ?? 0) === 0) return;
    const all = outdated(history, this.limit);
    const old = all.filter((hash) => !this.gone.has(hash));
    try {
      if (old.length > 0) this.forget(old);
    } catch (error) {
      // The database is busy or the disk full: try again after the next task.
      if (!(error instanceof CoderError && error.info.code === "E_STORE")) throw error;
      return;
    }
    this.gone = new Set(all);
  }
}

/** Contents needed only by tasks beyond the limit. The newest task keeps all of its own. */
function outdated({ tasks, entries }: Pick<History, "tasks" | "entries">, limit: number): readonly string[] {
  const needed = new Set(entries.flatMap(imagesIn));
  const old = new Set<string>();
  let left = limit;
  for (const [age, { changes }] of [...tasks].reverse().entries()) {
    const sizes = sizesOf(changes, needed);
    for (const size of sizes.values()) left -= size;
    for (const hash of sizes.keys()) (left >= 0 || age === 0 ? needed : old).add(hash);
  }
  return [...old].filter((hash) => !needed.has(hash));
}

/** Sizes by content hash, without contents that are needed anyway. */
function sizesOf(changes: readonly FileChange[], needed: ReadonlySet<string>): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { before, after } of changes) {
    if (before !== null && !needed.has(before.hash)) sizes.set(before.hash, before.size);
    if (after !== null && !needed.has(after.hash)) sizes.set(after.hash, after.size);
  }
  return sizes;
}

function imagesIn(entry: History["entries"][number]): readonly string[] {
  if (entry.kind === "user" || entry.kind === "steer")
    return (entry.attachments ?? []).flatMap(({ images = [] }) => images.map(({ hash }) => hash));
  if (entry.kind !== "step" && entry.kind !== "command") return [];
  return [...entry.results.values()].flatMap(({ images = [] }) => images.map(({ hash }) => hash));
}
