// Chooses and parses checks. Loaded when a task has changed files, or the model runs a check.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { EventBody } from "../../contract/event.ts";
import { type Fields, isRecord, parsedJson } from "../../contract/json.ts";
import type { PlanVerification } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import type { ChecksResult } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { CheckRun } from "../../contract/tool.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { History } from "../../machine/history/history.ts";
import { mostChecks } from "../../machine/recovery.ts";
import { currentTask, type SessionState, type TaskCore } from "../../machine/state.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import { type Choice, type ChooseFrom, chooseChecks } from "../../verify/detect/choose.ts";
import { whetherToCheck } from "../../verify/detect/when.ts";
import { runnerOf } from "../../verify/detect/whitelist.ts";
import { narrow, type Wish } from "../../verify/relate/narrow.ts";
import { wishForChecks } from "../../words/check/wish-for-checks.ts";
import type { Moment } from "../effect/row.ts";
import { isChanged, netChanges } from "../task/net-changes.ts";
import { unlistedCheck } from "./checks.ts";
import { type CheckDeps, plainRuns } from "./standing.ts";

type Chosen = Extract<EventBody, { type: "checks.chosen" }> | Extract<ChecksResult, { kind: "none" }>;

type OfferChoice = Extract<Choice, { kind: "offer" }>;

/** VF-1…3. `mayOffer`: the user can be asked about the command. */
export async function chooseFor(deps: CheckDeps, at: Moment, mayOffer: (command: string) => boolean): Promise<Chosen> {
  const { state, history } = at;
  const { workflow, toolsOff } = deps.settings;
  if (state.task.phase !== "VERIFYING") return { kind: "none", reason: phrase("verify.nothing") };
  const { task, isAfterUndo = false } = state.task;
  const wish = wishForChecks(task.input.text);
  const wanted = whetherToCheck({
    // Reverted changes are checked as well, and so is code that the model knows to fail.
    changed: isAfterUndo || history.task?.isKnownWrong ? changedIn(history) : stillChangedIn(history),
    mode: state.mode,
    asked: wish === "asked",
    declined: wish === "declined",
    autoVerify: workflow.autoVerify,
    bashAllowed: !toolsOff.includes("bash") && !toolsOff.includes("diagnostics"),
    attempts: isAfterUndo ? 0 : task.rounds.length,
    maxAttempts: mostChecks(task),
  });
  if (!wanted.wanted) return { kind: "none", reason: wanted.why, ...(wanted.needless ? { needless: true } : {}) };
  const choice = await choiceFor(deps, at, plannedChecks(state, task, wish === "asked"));
  const chosen = choice.kind === "offer" ? withApproval(choice, task, mayOffer) : choice;
  if (chosen.kind !== "run") {
    const unlisted = "unlisted" in chosen ? (chosen.unlisted ?? []) : [];
    const results = unlisted.map((command) => unlistedCheck(command, deps.settings.lang));
    const details = { ...(chosen.advice ? { advice: chosen.advice } : {}), ...(results.length > 0 ? { results } : {}) };
    return { kind: "none", reason: chosen.why, wanted: true, ...details };
  }
  const { checks } = chosen;
  const left = chosen.left.map((one) =>
    one.needed === undefined ? one : { ...one, result: unlistedCheck(one.needed, deps.settings.lang) },
  );
  const ids = { taskId: task.id, runId: `r${state.runs + 1}` };
  return { type: "checks.chosen", ...ids, checks, ...(left.length > 0 ? { left } : {}) };
}

async function choiceFor(deps: CheckDeps, at: Moment, plan: PlanVerification | null): Promise<Choice> {
  const { state, history } = at;
  const runsPlain = await plainRuns(deps, state.mode);
  const changed = changedIn(history);
  if (changed.length > 0) return choose(deps.settings, changed, { plan, runsPlain });
  const { choiceNow } = await import("./check-now.ts");
  return choiceNow(deps.settings, history, { plan, runsPlain });
}

/** From the plan of this task. A model's plan cannot drop checks that the user asked for. */
function plannedChecks({ plan, planTask }: SessionState, task: TaskCore, isAsked: boolean): PlanVerification | null {
  if (plan === null || planTask !== task.id) return null;
  return plan.verification.mode === "none" && isAsked && !task.input.plan ? null : plan.verification;
}

function planNow(state: SessionState): PlanVerification | null {
  const task = currentTask(state);
  return task ? plannedChecks(state, task, wishForChecks(task.input.text) === "asked") : null;
}

/** VF-2: asks once per task; repairs reuse the approval. */
function withApproval(choice: OfferChoice, { agreed }: TaskCore, mayOffer: (command: string) => boolean): Choice {
  const { check, left } = choice;
  const { offer: _, ...rest } = check;
  if (agreed?.command === check.command && agreed.cwd === check.cwd)
    return { kind: "run", checks: [{ ...rest, isAgreed: true }], left };
  return mayOffer(check.command) ? { kind: "run", checks: [check], left } : choice;
}

/** Like `fillCheck`, but leaves invalid arguments for the tool to refuse. */
export async function filledCheck(args: string, at: Moment, deps: CheckDeps): Promise<string> {
  if (!isWanted(args)) return args;
  const filled = await fillCheck(args, at, deps);
  return filled.kind === "filled" ? filled.args : args;
}

function isWanted(args: string): boolean {
  const parsed = parseObject(args);
  if (parsed === null) return false;
  const isList = (value: unknown): boolean =>
    value === undefined || value === null || (Array.isArray(value) && value.every((one) => typeof one === "string"));
  const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === "string";
  const { command, path, filter, files, tests } = parsed;
  return [command, path, filter].every(isText) && [files, tests].every(isList);
}

/** Some models send an empty string for "no arguments". */
function parseObject(text: string): Fields | null {
  const value = text.trim() === "" ? {} : parsedJson(text);
  return isRecord(value) ? value : null;
}

type Filled =
  | { readonly kind: "filled"; readonly args: string }
  | { readonly kind: "none"; readonly reasons: readonly Phrase[] };

/** Completes a `diagnostics` call without a command, or for some tests only, with the actual commands. */
export async function fillCheck(args: string, at: Moment, deps: CheckDeps): Promise<Filled> {
  const { command, path, files, tests, filter, ...rest } = (parseObject(args) ?? {}) as WantedCheck;
  const wish = { files: files ?? [], tests: tests ?? [], filter: filter ?? "" };
  const choice =
    typeof command === "string"
      ? typedCheck(command, path === "." ? "" : (path ?? ""))
      : await choiceOf(wish, at, deps);
  if (choice.kind === "none") return { kind: "none", reasons: [choice.why, ...(choice.advice ? [choice.advice] : [])] };
  const checks = choice.kind === "run" ? choice.checks : [choice.check];
  if (checks.length === 0) return { kind: "none", reasons: [phrase("check.no_command")] };
  const found: { readonly command: string; readonly path: string }[] = [];
  for (const one of checks) {
    const made = narrow(one, wish);
    if (typeof made !== "string") return { kind: "none", reasons: [made] };
    found.push({ command: made, path: one.cwd || "." });
  }
  const [first, ...also] = found;
  return { kind: "filled", args: JSON.stringify({ ...first, ...(also.length > 0 ? { also } : {}), ...rest }) };
}

/** Raw arguments of the model: some send `null` for a missing value. */
type WantedCheck = {
  readonly [K in keyof Wish | "command" | "path"]?: (K extends keyof Wish ? Wish[K] : string) | null;
};

/** Named files select the project as changed files do. */
async function choiceOf({ files }: Wish, at: Moment, deps: CheckDeps): Promise<Choice> {
  if (files.length === 0) return choiceFor(deps, at, planNow(at.state));
  const runsPlain = await plainRuns(deps, at.state.mode);
  return choose(deps.settings, files, { plan: null, runsPlain });
}

/** A typed command is taken as is; the policy decides whether it runs. */
export function typedCheck(command: string, cwd: string): Extract<Choice, { kind: "run" }> {
  const check = { command, cwd, runner: runnerOf(command), required: true, stopOnFail: false };
  return { kind: "run", checks: [check], left: [] };
}

export type HowToChoose = Pick<ChooseFrom, "plan" | "runsPlain">;

export function choose({ workspace, workflow }: Settings, changed: readonly string[], how: HowToChoose): Choice {
  const { verifyCommands: configured, verifyAllowed: added } = workflow;
  return chooseChecks({ workspace, changed, configured, added, ...how });
}

/** Excludes files that the checks themselves wrote. */
export function changedIn({ task }: History): readonly string[] {
  const files = (task?.changes ?? []).filter(
    (one) => !task?.byChecks.has(one) && !isFolderStamp(one.before ?? one.after),
  );
  return [...new Set(files.map(({ path }) => path))];
}

/** Excludes files that the task restored: they need no check. */
function stillChangedIn(history: History): readonly string[] {
  const { changes = [], unkept = [] } = history.task ?? {};
  const same = netChanges(changes).filter((one) => !isChanged(one));
  const back = new Set(same.map(({ path }) => path));
  // Unkept changes cannot be compared, so every file stays.
  return unkept.length > 0 ? changedIn(history) : changedIn(history).filter((path) => !back.has(path));
}

export async function readCheck(
  ran: CheckRun,
  { lang, workspace }: Settings,
  { tasks }: History,
): Promise<VerificationResult> {
  const { parseOutput } = await import("../../verify/parse.ts");
  const { reportsOf } = await import("../../verify/result/reports.ts");
  const { textIn } = await import("../../verify/detect/workspace.ts");
  const { command, cwd, place = cwd, exitCode, output, timedOut, began } = ran;
  return parseOutput({
    ...{ runner: "auto", command, exitCode, output, timedOut, cwd, lang },
    reports: reportsOf(command, place, began),
    exists: (path) => existsSync(join(place, path)),
    textOf: (path) => textIn(workspace, join(cwd, path)),
    touched: tasks.flatMap(({ changes }) => changes.map(({ real }) => relative(cwd, real))),
  });
}
