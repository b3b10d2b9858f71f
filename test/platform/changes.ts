// Changes of files in a temporary workspace, as a writing tool would plan them.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import type { PlannedChange } from "../../src/contract/tool.ts";
import type { ApplyOptions } from "../../src/platform/files/change/apply.ts";
import { stampOf } from "../../src/platform/files/open.ts";
import { snapshot, type Workspace } from "../tool/workspace.ts";

export function optionsFor(ws: Workspace): ApplyOptions {
  return { root: ws.root, addDirs: [], tempTag: "s/r1/1/0" };
}

/** A change from what is on disk to the given content; `null` deletes. */
export function changeIn(ws: Workspace, name: string, content: string | null, freshMode?: number): PlannedChange {
  const real = ws.path(name);
  const old = existsSync(real) ? readFileSync(real) : null;
  const mode = old ? lstatSync(real).mode : 0o644;
  const after = content === null ? null : Buffer.from(content);
  const stamps = { before: old && stampOf(old, mode), after: after && stampOf(after, freshMode ?? mode) };
  return { change: { path: name, real, ...stamps }, beforeBytes: old, afterBytes: after };
}

const files = ["a.txt", "dir/b.txt", "dir/deep/c.txt", "d.txt"];

export interface Wish {
  /** The contents of four files; `null` = it is not there. */
  readonly before: readonly (string | null)[];
  readonly after: readonly (string | null)[];
  /** Whether a program's mode changes too, and nothing else of it. */
  readonly hasMode?: boolean;
}

/** Empties the workspace, puts the files there, and plans the changes. */
export function setUpIn(ws: Workspace, { before, after, hasMode = false }: Wish): readonly PlannedChange[] {
  rmSync(ws.root, { recursive: true });
  mkdirSync(ws.root);
  for (const [index, content] of before.entries()) if (content !== null) ws.put(files[index]!, content);
  if (hasMode) ws.put("run.sh", "run");
  const program = hasMode ? [changeIn(ws, "run.sh", "run", 0o755)] : [];
  const changes = files.flatMap((name, index) =>
    before[index] === after[index] ? [] : [changeIn(ws, name, after[index] ?? null)],
  );
  return [...program, ...changes];
}

/** Without folders. */
export function filesIn(ws: Workspace): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(ws.root)).filter(([, content]) => !content.endsWith(" folder")));
}
