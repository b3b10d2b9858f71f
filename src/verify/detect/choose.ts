import { realpathSync } from "node:fs";
import type { PlanVerification } from "../../contract/plan.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Check, LeftOut, Offer } from "../../contract/verification.ts";
import { type Detected, detectChecks } from "./detect.ts";
import { findNode, type Manager } from "./node.ts";
import { isListed, listedCommands, runnerOf } from "./whitelist.ts";

export interface ChooseFrom {
  readonly workspace: string;
  /** Relative to the workspace if inside it. */
  readonly changed: readonly string[];
  /** `workflow.verify_commands`. */
  readonly configured: readonly string[];
  /** `workflow.verify_allowed` of the user's own configuration. */
  readonly added: readonly string[];
  readonly plan: PlanVerification | null;
  /** VF-2: whether a project's plain test command, which is not on the list, runs without asking. Absent: it does not. */
  readonly runsPlain?: (command: string) => boolean;
}

export type Choice =
  | { readonly kind: "run"; readonly checks: readonly Check[]; readonly left: readonly LeftOut[] }
  /** The task stays UNVERIFIED. */
  | { readonly kind: "none"; readonly why: Phrase; readonly advice?: Phrase; readonly unlisted?: readonly string[] }
  /** Runs once the user allows it; until then the same as `none`. */
  | {
      readonly kind: "offer";
      readonly check: Check & { readonly offer: Offer };
      readonly left: readonly LeftOut[];
      readonly why: Phrase;
      readonly advice: Phrase;
    };

const maxChecks = 10;

/** VF-2, VF-3. */
export function chooseChecks(from: ChooseFrom): Choice {
  const { configured, added, plan } = from;
  const root = realpathSync.native(from.workspace);
  if (plan?.mode === "none") return none(phrase("verify.plan_none"));
  // Stop on failure only if the plan says so: one attempt should show the failures of all projects.
  const how = { required: plan?.required ?? true, stopOnFail: plan?.stop_on_fail ?? false };
  if (plan !== null && plan.mode !== "test") return planned(root, from, plan);
  const command = configured.find((one) => one.trim() !== "");
  if (command !== undefined) {
    if (!isListed(command, added)) return refused("verify.configured_refused", command, added, {});
    // A configured command does not stand in for the plan's commands: report those that may not run.
    return settled([named(root, "", command)], from, how, plan ? unlistedIn(plan, added) : []);
  }
  // A test plan without commands means the project's own tests; with a command it means that command.
  if (plan?.commands.some((one) => one.trim() !== "")) return planned(root, from, plan);
  return settled(detectChecks(root, from.changed), from, how);
}

/** PL-3: listed commands only, one after the other, each in the changed files' projects that use it. */
function planned(root: string, from: ChooseFrom, plan: PlanVerification): Choice {
  const { changed, added } = from;
  const { mode, required, stop_on_fail: stopOnFail } = plan;
  const commands = [...new Set(plan.commands.filter((one) => one.trim() !== ""))];
  const [first] = commands;
  if (first === undefined) return none(phrase("verify.plan_empty", { mode }));
  const projects = detectChecks(root, changed);
  // A command that coder detects by itself stays allowed when a plan names it too.
  const ownOf = (command: string) => projects.filter((one) => one.kind !== "none" && one.command === command);
  const isOwn = (command: string) =>
    mode === "test" && ownOf(command).length > 0 && (commands.length === 1 || from.runsPlain?.(command) === true);
  const isKnown = (command: string) => isListed(command, added) || isOwn(command);
  const unlisted = commands.filter((one) => !isKnown(one));
  if (unlisted.length === commands.length)
    return { ...refused("verify.plan_refused", first, added, { mode }), unlisted };
  const found = commands.filter(isKnown).flatMap((command) => {
    const own = ownOf(command);
    return own.length > 0 ? own : [named(root, "", command)];
  });
  return settled(found, from, { required, stopOnFail }, unlistedIn({ ...plan, commands: unlisted }, added));
}

function unlistedIn({ mode, commands, required }: PlanVerification, added: readonly string[]): readonly LeftOut[] {
  const unlisted = [...new Set(commands)].filter((one) => one.trim() !== "" && !isListed(one, added));
  return unlisted.map((command) => ({
    cwd: "",
    why: phrase("verify.plan_refused", { mode, command: visible(command), list: listText(added) }),
    ...(required ? { needed: command } : {}),
  }));
}

/** VF-3: what is known about the project's test script applies to a named command too. */
function named(root: string, cwd: string, command: string): Detected {
  const manager = /^(npm|pnpm|yarn) test .*--watch=false$/.exec(command)?.[1];
  const script = manager === undefined ? null : findNode(root, [cwd], manager as Manager);
  return script ?? { kind: "run", cwd, command, runner: runnerOf(command) };
}

function settled(
  projects: readonly Detected[],
  from: ChooseFrom,
  how: Pick<Check, "required" | "stopOnFail">,
  leftBefore: readonly LeftOut[] = [],
): Choice {
  const runs = projects.flatMap((one) => {
    const way = wayOf(one, from);
    if (one.kind === "none" || way === null) return [];
    const { command, cwd, runner } = one;
    return [{ command, cwd, runner, ...how, ...(way === "plain" ? { isPlain: true as const } : {}) }];
  });
  if (runs.length > 0) {
    const left = [...leftBefore, ...projects.flatMap((one) => leftOut(one, from)), ...tooMany(runs)];
    return { kind: "run", checks: runs.slice(0, maxChecks), left };
  }
  const offered = projects.find((one) => one.kind === "offer");
  if (offered) {
    const { command, cwd, runner, why, script } = offered;
    const offer = { why, ...(script === undefined ? {} : { script }) };
    const left = projects.flatMap((one) => (one === offered ? [] : leftOut(one, from)));
    const not = { why: phrase("verify.not_run", { why }), advice: howToAllow(command) };
    return { kind: "offer", check: { command, cwd, runner, ...how, offer }, left, ...not };
  }
  const nothing = projects.find((one) => one.kind === "none");
  return nothing ? none(nothing.why, nothing.advice) : none(phrase("verify.outside"));
}

/** Why the check may run without asking. */
function wayOf(found: Detected, { added, runsPlain }: ChooseFrom): "listed" | "plain" | null {
  if (found.kind === "run") return "listed";
  if (found.kind === "none") return null;
  if (isListed(found.command, added)) return "listed";
  return runsPlain?.(found.command) ? "plain" : null;
}

function leftOut(found: Detected, from: ChooseFrom): readonly LeftOut[] {
  const { cwd } = found;
  if (found.kind === "run" || wayOf(found, from) !== null) return [];
  const advice = found.kind === "offer" ? howToAllow(found.command) : found.advice;
  return [{ cwd, why: found.why, ...(advice ? { advice } : {}) }];
}

function tooMany(runs: readonly { readonly cwd: string }[]): readonly LeftOut[] {
  const rest = runs.slice(maxChecks);
  const paths = rest.map(({ cwd }) => visible(cwd)).join(", ");
  return rest.length > 0 ? [{ cwd: "", why: phrase("verify.more_projects", { max: maxChecks, paths }) }] : [];
}

function refused(
  key: "verify.configured_refused" | "verify.plan_refused",
  command: string,
  added: readonly string[],
  args: { readonly mode?: string },
): Extract<Choice, { kind: "none" }> {
  const why = phrase(key, { command: visible(command), list: listText(added), ...args });
  return none(why, howToAllow(command));
}

function none(why: Phrase, advice?: Phrase): Extract<Choice, { kind: "none" }> {
  return { kind: "none", why: phrase("verify.not_run", { why }), ...(advice ? { advice } : {}) };
}

function howToAllow(command: string): Phrase {
  return phrase("verify.allow", { command: JSON.stringify(command) });
}

function listText(added: readonly string[]): string {
  return [...listedCommands, ...added.filter((one) => one.trim() !== "")].map(visible).join(", ");
}
