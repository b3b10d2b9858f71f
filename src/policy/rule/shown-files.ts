import type { PermissionRule } from "../../contract/permission.ts";
import type { PathFact } from "../../contract/tool.ts";
import { exactGlob, literalOf } from "./glob.ts";
import { isExactPath, isPath, mayBePath, within } from "./path.ts";

/** The tool name of rules about files that the sandbox hides from commands. */
const SANDBOX = "sandbox";

/** Whether rules show a hidden file to commands: `sandbox(…)`, or `read(…)` of exactly this file. `null`: no rule applies. */
export function shownByRules(
  rules: readonly PermissionRule[],
  fact: PathFact,
  workspace: string,
): "allow" | "deny" | null {
  const isDenied = ({ decision, tool, path }: PermissionRule): boolean =>
    decision === "deny" &&
    tool === SANDBOX &&
    (path === undefined || mayBePath(path, { fact, isGlob: false, isDeep: false }, workspace));
  if (rules.some(isDenied)) return "deny";
  return rules.some((rule) => isAllowed(rule, fact, workspace)) ? "allow" : null;
}

function isAllowed(rule: PermissionRule, fact: PathFact, workspace: string): boolean {
  const { decision, tool, path } = rule;
  if (decision !== "allow") return false;
  if (path === undefined) return tool === SANDBOX && fact.inside;
  const isMeant = tool === SANDBOX || ((tool === undefined || tool === "read") && isExactPath(rule));
  return isMeant && isPath(path, fact, workspace);
}

export function isAboutShown({ tool }: PermissionRule): boolean {
  return tool === SANDBOX || tool === "read";
}

/** Files and directories outside the workspace that rules show to commands. */
export function placesShownBy(rules: readonly PermissionRule[]): readonly string[] {
  const naming = rules.filter((rule) => rule.decision === "allow" && isAboutShown(rule));
  const places = naming.flatMap(({ path }) =>
    path === undefined ? [] : (literalOf(path.replace(/\/\*\*$/, "")) ?? []),
  );
  return places.filter((path) => /^\/[^/]+\/./s.test(path));
}

/** The rules that an answer about hidden files stores: for all commands in this workspace. */
export function shownRules(
  decision: "allow" | "deny",
  facts: readonly PathFact[],
  workspace: string,
): readonly PermissionRule[] {
  return facts.flatMap(({ real }) => {
    if (real === null) return [];
    return [
      { decision, tool: SANDBOX, path: exactGlob(within(real, workspace) ?? real), source: "always", by: "person" },
    ];
  });
}
