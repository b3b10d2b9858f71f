// VF-5: runs the same tests on a copy of the workspace without the task's changes.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "../../contract/message.ts";
import type { Confinement } from "../../contract/sandbox.ts";
import type { BeforeRun } from "../../contract/tool.ts";
import type { History } from "../../machine/history/history.ts";
import { copyTree } from "../../platform/files/change/tree-copy.ts";
import { isWithin } from "../../platform/files/path.ts";
import { isFolderStamp, isLinkStamp } from "../../platform/files/stamp.ts";
import { makePrivateTemp } from "../../platform/sandbox/home/private-folder.ts";
import { secretsOf } from "../../platform/sandbox/secret/hidden-files.ts";
import { sandboxState } from "../../platform/sandbox/state.ts";
import { netChanges } from "../task/net-changes.ts";

export interface BaselineFacts {
  readonly workspace: string;
  readonly history: History;
  readonly bytes: (hash: string) => Uint8Array | null;
  readonly ownFolder: string;
  readonly signal: AbortSignal;
}

let count = 0;

/**
 * Mounts a reverted copy over the workspace: only under the original path do symlinks and installed packages resolve into it, hence `null`
 * without bubblewrap. The copy is in this process's temporary directory, which the next process cleans up after kill -9.
 */
export async function before(confine: Confinement, facts: BaselineFacts): Promise<BeforeRun | null> {
  const { workspace, history, ownFolder, signal } = facts;
  const state = await sandboxState();
  const changes = revertible(history.task?.changes ?? [], workspace);
  if (state.kind !== "ready" || state.name === "seatbelt" || changes === null) return null;
  const isLost = history.task?.unkept.some((one) => !history.task?.byChecks.has(one));
  if (isLost || !confine.writable.includes(workspace)) return null;
  makePrivateTemp(confine.temp);
  count += 1;
  const folder = join(dirname(confine.temp), `before-${count}`);
  const to = join(folder, "workspace");
  const end = (): void => rmSync(folder, { recursive: true, force: true });
  const leftOut = [".git", ".coder"].map((name) => join(workspace, name));
  const secrets = new Set((await secretsOf(confine)).filter((path) => !confine.allowed.includes(path)));
  const copied = await copyTree({
    ...{ from: workspace, to, own: changes.map(({ real }) => real), signal },
    isEmpty: (path) => secrets.has(path),
    isLeftOut: (path) => leftOut.includes(path) || path === ownFolder,
  }).catch((error: unknown) => {
    end();
    throw error;
  });
  if (copied === null || !revert(changes, workspace, to, facts.bytes)) {
    end();
    return null;
  }
  const over = [
    { path: workspace, source: to, isWritable: true },
    ...copied.shared.map((path) => ({ path, source: path })),
    ...copied.caches.map((path, at) => ({ path, source: emptyFolder(folder, at), isWritable: true })),
  ];
  return { confine: { ...confine, over }, place: (real) => join(to, real.slice(workspace.length)), end };
}

function emptyFolder(parent: string, at: number): string {
  const path = join(parent, String(at));
  mkdirSync(path);
  return path;
}

/** `null` = the task's changes cannot be reverted in a copy. */
function revertible(changes: readonly FileChange[], workspace: string): readonly FileChange[] | null {
  const all = netChanges(changes);
  const isUnsupported = ({ before: old, after, real }: FileChange): boolean =>
    isLinkStamp(old) || isLinkStamp(after) || isFolderStamp(old) || isFolderStamp(after) || !isWithin(real, workspace);
  return all.length === 0 || all.some(isUnsupported) ? null : all;
}

/** New modification times make build tools rebuild these files. */
function revert(changes: readonly FileChange[], workspace: string, to: string, bytes: BaselineFacts["bytes"]): boolean {
  for (const { real, before: old } of changes) {
    const place = join(to, real.slice(workspace.length));
    rmSync(place, { recursive: true, force: true });
    if (old === null) continue;
    const content = bytes(old.hash);
    if (content === null) return false;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content, { mode: old.mode });
  }
  return true;
}
