import type { PermissionRule } from "../../contract/permission.ts";
import type { PathFact } from "../../contract/tool.ts";
import { globsMeet, isExactGlob, plainPath, ruleGlob, shellGlob } from "./glob.ts";

/** A path as a rule sees it. */
export interface RulePath {
  readonly fact: PathFact;
  /** The shell will put names in its place. */
  readonly isGlob: boolean;
  /** All that lies below it is meant too. */
  readonly isDeep: boolean;
}

/**
 * Whether a path may be what a rule forbids. Both names count, as given and as resolved: a link must not lead around a rule.
 * Letter case does not: on some disks `SECRETS` is `secrets`.
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

/** Whether a path is for certain what a rule allows: by its real name, to the letter. */
export function isPath(rule: string, fact: PathFact, workspace: string): boolean {
  if (fact.real === null) return false;
  const seen = rule.startsWith("/") ? fact.real : within(fact.real, workspace);
  return seen !== null && globsMeet(ruleGlob(rule), plainPath(seen));
}

/** Whether the rule means this one path and no other. */
export function isExactPath(rule: PermissionRule): boolean {
  return rule.path !== undefined && isExactGlob(rule.path);
}

/** The paths that allow rules name to the last letter, for this deed, as they are written. */
export function exactlyAllowed(rules: readonly PermissionRule[], deed: "read" | "write"): readonly string[] {
  return rules.flatMap((rule) => {
    const isMeant = rule.decision === "allow" && (rule.tool === undefined || rule.tool === deed);
    return isMeant && rule.path !== undefined && isExactPath(rule) ? [rule.path.replace(/\\(.)/gs, "$1")] : [];
  });
}

/** Relative to the workspace; `null` = outside of it. A folder above it holds all of it when everything below is meant. */
export function within(path: string, workspace: string, isDeep = false): string | null {
  const root = workspace.endsWith("/") ? workspace : `${workspace}/`;
  if (`${path}/` === root || path === root || (isDeep && root.startsWith(path.endsWith("/") ? path : `${path}/`)))
    return "";
  return path.startsWith(root) ? path.slice(root.length) : null;
}

/** As text alone: what the disk says is in `real`. */
function absolute(given: string, workspace: string): string {
  const names: string[] = [];
  for (const name of (given.startsWith("/") ? given : `${workspace}/${given}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

// HFS+ ignores these code points in names, and stores letters with marks in two parts.
function fold(path: string): string {
  return path
    .replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .normalize("NFC")
    .toLowerCase();
}

/** Which file is meant is not known: no rule that allows can name it. */
export function unknownPath(given: string): PathFact {
  return { given, real: null, inside: false, exists: false, kind: "none" };
}
