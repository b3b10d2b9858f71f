import type { PermissionRule } from "../../contract/permission.ts";
import type { PathFact } from "../../contract/tool.ts";
import { globsMeet, isExactGlob, plainPath, ruleGlob, shellGlob } from "./glob.ts";

export interface RulePath {
  readonly fact: PathFact;
  /** The shell will expand it. */
  readonly isGlob: boolean;
  /** Includes everything below it. */
  readonly isDeep: boolean;
}

/**
 * Whether a path may be one that a rule forbids. Both the given and the resolved name count: a symlink must not lead around a rule. Case is
 * ignored: on some disks `SECRETS` is `secrets`.
 */
export function mayBePath(rule: string, { fact, isGlob, isDeep }: RulePath, workspace: string): boolean {
  const forbidden = ruleGlob(fold(rule));
  const names = [absolute(fact.given, workspace), ...(fact.real === null ? [] : [fact.real])];
  return names.some((name) => {
    const seen = rule.startsWith("/") ? fold(name) : within(fold(name), fold(workspace), isDeep);
    if (seen === null) return false;
    const path = isGlob ? shellGlob(seen) : plainPath(seen);
    return globsMeet(forbidden, isDeep ? [...path, "many"] : path);
  });
}

/** Whether a path is certainly one that a rule allows: by its real path, case-sensitive. */
export function isPath(rule: string, fact: PathFact, workspace: string): boolean {
  if (fact.real === null) return false;
  const seen = rule.startsWith("/") ? fact.real : within(fact.real, workspace);
  return seen !== null && globsMeet(ruleGlob(rule), plainPath(seen));
}

export function isExactPath(rule: PermissionRule): boolean {
  return rule.path !== undefined && isExactGlob(rule.path);
}

/** The paths that allow rules name exactly, for this deed, as written. */
export function exactlyAllowed(rules: readonly PermissionRule[], deed: "read" | "write"): readonly string[] {
  return rules.flatMap((rule) => {
    const isMeant = rule.decision === "allow" && (rule.tool === undefined || rule.tool === deed);
    return isMeant && rule.path !== undefined && isExactPath(rule) ? [rule.path.replace(/\\(.)/gs, "$1")] : [];
  });
}

/** Relative to the workspace; `null` = outside. With `isDeep`, a parent directory contains the whole workspace. */
export function within(path: string, workspace: string, isDeep = false): string | null {
  const root = workspace.endsWith("/") ? workspace : `${workspace}/`;
  if (`${path}/` === root || path === root || (isDeep && root.startsWith(path.endsWith("/") ? path : `${path}/`)))
    return "";
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** Lexically: the resolved path is in `real`. */
function absolute(given: string, workspace: string): string {
  const names: string[] = [];
  for (const name of (given.startsWith("/") ? given : `${workspace}/${given}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

// HFS+ ignores these code points in names, and decomposes accented letters.
function fold(path: string): string {
  return path
    .replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

/** An unknown file: no allow rule can name it. */
export function unknownPath(given: string): PathFact {
  return { given, real: null, inside: false, exists: false, kind: "none" };
}
