// Finds sessions recorded under the old path of a project that was moved or renamed.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "../../contract/ids.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { openGit } from "../../platform/git/plumbing.ts";

export interface Moved {
  readonly from: string;
  readonly rows: readonly SessionRow[];
}

/**
 * Evidence of a move: snapshots that are here and no longer at the old path; a missing old path and a commit of the sessions in this
 * repository; or a symlink from the old path to here.
 */
export async function movedHere(store: Store, workspace: string): Promise<readonly Moved[]> {
  const places = Map.groupBy(store.elsewhere(workspace), ({ workspace: from }) => from);
  const here = snapshotsIn(workspace);
  const found: Moved[] = [];
  for (const [from, rows] of places) {
    if (leadsTo(from, workspace)) {
      found.push({ from, rows });
      continue;
    }
    const carried = here.size > 0 && rows.some(({ id }) => here.has(id)) ? snapshotsIn(from) : null;
    const isCarried = carried !== null && rows.some(({ id }) => here.has(id) && !carried.has(id));
    const heads = new Set(rows.flatMap(({ head }) => head || []));
    const isSame = isCarried || (!existsSync(from) && (await hasCommit(workspace, heads)));
    if (!isSame) continue;
    // If the old path exists, only sessions whose snapshots are not there moved.
    const ours = existsSync(from) ? rows.filter(({ id }) => here.has(id) && !carried?.has(id)) : rows;
    found.push({ from, rows: ours });
  }
  return found;
}

function leadsTo(from: string, workspace: string): boolean {
  try {
    return realpathSync(from) === workspace;
  } catch {
    return false;
  }
}

function snapshotsIn(workspace: string): ReadonlySet<string> {
  try {
    const names = readdirSync(join(workspace, ".coder", "sessions"));
    return new Set(names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : [])));
  } catch {
    return new Set();
  }
}

const patienceMs = 5_000;

async function hasCommit(workspace: string, heads: ReadonlySet<string>): Promise<boolean> {
  if (heads.size === 0) return false;
  const git = openGit(workspace, AbortSignal.timeout(patienceMs));
  if (!git.ok) return false;
  const stdin = [...heads].map((head) => `${head}^{commit}\n`).join("");
  const checked = await git.value.run("cat-file", ["--batch-check"], { stdin });
  return checked.ok && /^[0-9a-f]+ commit /m.test(checked.value.out.toString());
}

export function moveHere(store: Store, moved: readonly Moved[], workspace: string) {
  const done: SessionId[] = [];
  const held: SessionId[] = [];
  for (const { from, rows } of moved) {
    for (const { id, events } of rows) {
      const opened = store.open(id);
      if (!opened.ok) {
        if (opened.reason === "held") held.push(id);
        continue;
      }
      const event = { v: 1, at: Date.now(), type: "session.moved", from, to: workspace } as const;
      try {
        opened.log.append({ from: events + 1, entries: [{ event, accepted: true }], blobs: [], durable: true });
        done.push(id);
      } finally {
        opened.log.close();
      }
    }
  }
  return { done, held };
}
