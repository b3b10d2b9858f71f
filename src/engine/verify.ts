// What verifies, chosen and read. Loaded when a task has changed files, or the model wants to know.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { History } from "../context/history.ts";
import type { EventBody } from "../contract/event.ts";
import type { Settings } from "../contract/settings.ts";
import type { ChecksResult } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { CheckRun } from "../contract/tool.ts";
import type { VerificationResult } from "../contract/verification.ts";
import { mostChecks } from "../machine/recovery.ts";
import type { SessionState, TaskCore } from "../machine/state.ts";
import { isFolderStamp } from "../platform/files/stamp.ts";
import { wishForChecks } from "../verify/asked.ts";
import { type Choice, chooseChecks } from "../verify/choose.ts";
import { whetherToCheck } from "../verify/when.ts";

type Chosen = Extract<EventBody, { type: "checks.chosen" }> | Extract<ChecksResult, { kind: "none" }>;

type Offered = Extract<Choice, { kind: "offer" }>;

/** VF-1…3. `mayOffer`: somebody can be asked about the command, and was not asked before. */
export function chooseFor(
  settings: Settings,
  state: SessionState,
  history: History,
  mayOffer: (command: string) => boolean,
): Chosen {
  const { workflow, toolsOff, workspace } = settings;
  if (state.task.phase !== "VERIFYING") return { kind: "none", reason: phrase("verify.nothing") };
  const { task, isAfterUndo = false } = state.task;
  const changed = changedIn(history);
  const wish = wishForChecks(task.input.text);
  const wanted = whetherToCheck({
    changed,
    mode: state.mode,
    asked: wish === "asked",
    declined: wish === "declined",
    autoVerify: workflow.autoVerify,
    bashAllowed: !toolsOff.includes("bash") && !toolsOff.includes("diagnostics"),
    attempts: isAfterUndo ? 0 : task.rounds.length,
    maxAttempts: mostChecks(task),
  });
  if (!wanted.wanted) return { kind: "none", reason: wanted.why, ...(wanted.needless ? { needless: true } : {}) };
  const { verifyCommands: configured, verifyAllowed: added } = workflow;
  const plan = state.plan?.verification ?? null;
  const choice = chooseChecks({ workspace, changed, configured, added, plan });
  const chosen = choice.kind === "offer" ? asked(choice, task, mayOffer) : choice;
  if (chosen.kind !== "run")
    return { kind: "none", reason: chosen.why, wanted: true, ...(chosen.advice ? { advice: chosen.advice } : {}) };
  const { checks, left } = chosen;
  const ids = { taskId: task.id, runId: `r${state.runs + 1}` };
  return { type: "checks.chosen", ...ids, checks, ...(left.length > 0 ? { left } : {}) };
}

/** VF-2: once, and not again while what was agreed to is repaired. */
function asked(choice: Offered, { agreed }: TaskCore, mayOffer: (command: string) => boolean): Choice {
  const { check, left } = choice;
  const { offer: _, ...rest } = check;
  if (agreed?.command === check.command && agreed.cwd === check.cwd)
    return { kind: "run", checks: [{ ...rest, isAgreed: true }], left };
  return mayOffer(check.command) ? { kind: "run", checks: [check], left } : choice;
}

/** The arguments of a `diagnostics` call without a command, filled in; unchanged where nothing was found. */
export function chosenCall(args: string, { workspace, workflow }: Settings, history: History): string {
  const { verifyCommands: configured, verifyAllowed: added } = workflow;
  const chosen = chooseChecks({ workspace, changed: changedIn(history), configured, added, plan: null });
  const [check] = chosen.kind === "run" ? chosen.checks : [];
  return check ? JSON.stringify({ command: check.command, path: check.cwd || "." }) : args;
}

function changedIn(history: History): readonly string[] {
  const files = (history.task?.changes ?? []).filter(({ before, after }) => !isFolderStamp(before ?? after));
  return [...new Set(files.map(({ path }) => path))];
}

export async function readCheck(
  ran: CheckRun,
  { lang, workspace }: Settings,
  { tasks }: History,
): Promise<VerificationResult> {
  const { parseOutput } = await import("../verify/parse.ts");
  const { reportsOf } = await import("../verify/reports.ts");
  const { textIn } = await import("../verify/workspace.ts");
  const { command, cwd, exitCode, output, timedOut, began } = ran;
  return parseOutput({
    ...{ runner: "auto", command, exitCode, output, timedOut, cwd, lang },
    reports: reportsOf(command, cwd, began),
    exists: (path) => existsSync(join(cwd, path)),
    textOf: (path) => textIn(workspace, join(cwd, path)),
    touched: tasks.flatMap(({ changes }) => changes.map(({ real }) => relative(cwd, real))),
  });
}
