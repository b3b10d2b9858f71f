// Files that programs obey because another file names them, whatever their own names are.
import { basename, dirname, join, relative, resolve } from "node:path";
import { asideName } from "../../contract/path/protected.ts";
import { asBytes, joined, pathBytes, shown } from "../changes/file-tree.ts";
import { namedByConfig } from "../git/named.ts";
import { obeyedBelow } from "./differences.ts";
import { kindAt, listFolder } from "./obeyed-bytes.ts";
import type { Obeyed, Obeying } from "./obeyed-entry.ts";
import { isReadByGit } from "./where.ts";

/** Limit per named folder: a symlink to all sources would make them untouchable. */
const maxFiles = 500;

/** Whether a named folder exceeded the limit when first seen: a command must not be able to fill a folder to get it skipped. */
export type Largeness = Map<string, boolean>;

/** Files below the root that a config names or an obeyed symlink points to; for a folder, all files in it. */
export function namedIn(root: string, found: Obeying, isLarge: Largeness, isAfter: boolean): ReadonlySet<string> {
  const named = new Set<string>();
  for (const one of found.values()) {
    for (const path of namedBy(root, one)) {
      const inside = relative(root, path);
      if (inside === "" || inside.startsWith("..")) continue;
      const files = filesIn(root, asBytes(inside), isAfter ? (isLarge.get(inside) ?? false) : isLarge.get(inside));
      if (!isAfter && !isLarge.has(inside)) isLarge.set(inside, files === null);
      for (const file of files ?? []) named.add(file);
    }
  }
  return named;
}

function namedBy(root: string, one: Obeyed): readonly string[] {
  const { path, kind, isOfGit, content, stamp } = one;
  const real = resolve(root, shown(path));
  if (kind === "link") {
    if (content === null || (isOfGit && !isReadByGit(basename(path)))) return [];
    return obeyedBelow(one).map((rest) => join(resolve(dirname(real), content.toString()), rest));
  }
  const isConfig = isOfGit && kind === "file" && /(?:^|\/)config(?:\.worktree)?$/i.test(path);
  if (!isConfig) return [];
  const known = byConfig.get(real);
  if (known !== undefined && known.stamp === stamp) return known.named;
  const named = namedByConfig(dirname(real));
  byConfig.set(real, { stamp, named });
  return named;
}

/** Cached until the config changes. Its includes are not parsed here because they must stay unchanged anyway. */
const byConfig = new Map<string, { readonly stamp: unknown; readonly named: readonly string[] }>();

/** `null`: over the limit. `isLarge`: the earlier result; absent: not seen before. */
function filesIn(root: string, path: string, isLarge: boolean | undefined): readonly string[] | null {
  if (isLarge) return null;
  const files: string[] = [];
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const kind = kindAt(pathBytes(root, next));
    if (kind === "folder")
      for (const { name } of listFolder(pathBytes(root, next)) ?? []) open.push(joined(next, name));
    else if (!asideName.test(next)) files.push(next);
    if (isLarge === undefined && files.length + open.length > maxFiles) return null;
  }
  return files;
}
