// A project whose folder was renamed or moved: its sessions still name the place where it was.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "../../contract/ids.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { openGit } from "../../platform/git/plumbing.ts";

/** Sessions that were made where this folder was before. */
export interface Moved {
  readonly from: string;
  readonly rows: readonly SessionRow[];
}

/**
 * Known by what moved along with it: the snapshots that lie in it and no longer where its sessions say; or, where the old
 * place is gone, the commit that they began at, which its repository has; or by a link that was left at the old place.
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
    // Where something else is by now, only those are ours whose snapshots are not there.
    const ours = existsSync(from) ? rows.filter(({ id }) => here.has(id) && !carried?.has(id)) : rows;
    found.push({ from, rows: ours });
  }
  return found;
}

function leadsTo(from: string, workspace: string): boolean {
  try {
    return realpathSync(from) === workspace;
  } catch {
    return false; // It is gone, or nobody may look.
  }
}

/** Ids of sessions whose snapshots lie in a workspace. */
function snapshotsIn(workspace: string): ReadonlySet<string> {
  try {
    const names = readdirSync(join(workspace, ".coder", "sessions"));
    return new Set(names.flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : [])));
  } catch {
    // There are none, or nobody may look.
    return new Set();
  }
}

const patienceMs = 5_000;

/** Whether the repository here has one of these commits. */
async function hasCommit(workspace: string, heads: ReadonlySet<string>): Promise<boolean> {
  if (heads.size === 0) return false;
  const git = openGit(workspace, AbortSignal.timeout(patienceMs));
  if (!git.ok) return false;
  const stdin = [...heads].map((head) => `${head}^{commit}\n`).join("");
  const told = await git.value.run("cat-file", ["--batch-check"], { stdin });
  return told.ok && /^[0-9a-f]+ commit /m.test(told.value.out.toString());
}

/** What could be moved, and what another process has open. */
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
