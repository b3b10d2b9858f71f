// Trees on the disk for tests of looking at them: quick to make, with links, modes and names that are not UTF-8.
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import type { LookLimits } from "../../../src/platform/changes/limits.ts";
import { type LookResult, lookAfter, lookBefore, openSight } from "../../../src/platform/changes/look.ts";
import { inMemory } from "../../support/places.ts";

export interface Ground {
  readonly root: string;
  readonly path: (name: string) => string;
  readonly put: (name: string, content: string | Uint8Array, mode?: number) => void;
  readonly sh: (command: string) => void;
  readonly [Symbol.dispose]: () => void;
}

export function makeGround(name = "coder-look-"): Ground {
  const root = realpathSync(mkdtempSync(join(inMemory, name)));
  const path = (one: string): string => join(root, one);
  return {
    root,
    path,
    put: (one, content, mode) => {
      mkdirSync(dirname(path(one)), { recursive: true });
      writeFileSync(path(one), content, mode === undefined ? {} : { mode });
    },
    sh: (command) => sh(command, root),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function sh(command: string, cwd: string): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", HOME: cwd };
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", command], { cwd, env });
  if (exitCode !== 0) throw new Error(`${command}: ${stderr.toString()}`);
}

export const gitStart =
  "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first --allow-empty";

/** Long enough ago that no look has to doubt a time. */
export const settled = "sleep 0.05";

/** Every name below a folder with its kind, mode and content, `.git` and `.coder` left out. */
export function treeOf(folder: string, prefix = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, prefix)).sort()) {
    if (prefix === "" && (name === ".git" || name === ".coder")) continue;
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const stat = lstatSync(join(folder, path));
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
    else if (stat.isFile()) found[path] = `${mode} ${readFileSync(join(folder, path), "latin1")}`;
    else if (stat.isDirectory()) {
      found[path] = `${mode} folder`;
      Object.assign(found, treeOf(folder, path));
    } else found[path] = "other";
  }
  return found;
}

/** What a look before and a look after say of work done between them. */
export async function seen(
  ground: Ground,
  work: () => unknown,
  more: { readonly limits?: Partial<LookLimits>; readonly never?: readonly string[] } = {},
): Promise<LookResult> {
  const before = await lookBefore(openSight(ground.root, more.never, more.limits));
  await work();
  return await lookAfter(before);
}

/** Each change in one line: what was, and what is. */
export function told({ changes, unkept }: LookResult): Record<string, string> {
  const lines = changes.map((one) => {
    const doubt = one.change.doubt === undefined ? "" : ` (${one.change.doubt})`;
    return [one.change.path, `${sideOf(one, "before")} → ${sideOf(one, "after")}${doubt}`];
  });
  return Object.fromEntries([...lines, ...unkept.map(({ path, why }) => [path, why])].sort());
}

function sideOf({ change, beforeBytes, afterBytes }: PlannedChange, side: "before" | "after"): string {
  const stamp = change[side];
  const bytes = side === "before" ? beforeBytes : afterBytes;
  if (stamp === null || bytes === null) return "nothing";
  const text = Buffer.from(bytes).toString("latin1");
  return `${stamp.mode.toString(8)}${text === "" ? "" : ` ${text}`}`;
}
