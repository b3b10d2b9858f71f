// What verifies, chosen and read. Loaded when a task has changed files, or the model wants to know.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { History } from "../context/history.ts";
import type { EventBody } from "../contract/event.ts";
import type { Settings } from "../contract/settings.ts";
import type { ChecksResult } from "../contract/task.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { CheckRun } from "../contract/tool.ts";
import type { VerificationResult } from "../contract/verification.ts";
import type { SessionState } from "../machine/state.ts";
import { isFolderStamp } from "../platform/files/stamp.ts";
import { wishForChecks } from "../verify/asked.ts";
import { chooseChecks } from "../verify/choose.ts";
import { whetherToCheck } from "../verify/when.ts";

type Chosen = Extract<EventBody, { type: "checks.chosen" }> | Extract<ChecksResult, { kind: "none" }>;

/** VF-1…3. */
export function chooseFor(settings: Settings, state: SessionState, history: History): Chosen {
  const { workflow, toolsOff, workspace } = settings;
  if (state.task.phase !== "VERIFYING") return { kind: "none", reason: phrase("verify.nothing") };
  const { task } = state.task;
  const changed = changedIn(history);
  const wish = wishForChecks(task.input.text);
  const wanted = whetherToCheck({
    changed,
    mode: state.mode,
    asked: wish === "asked",
    declined: wish === "declined",
    autoVerify: workflow.autoVerify,
    bashAllowed: !toolsOff.includes("bash") && !toolsOff.includes("diagnostics"),
    attempts: task.rounds.length,
    maxAttempts: task.limits.maxChecks ?? 0,
  });
  if (!wanted.wanted) return { kind: "none", reason: wanted.why };
  const chosen = chooseChecks({
    workspace,
    changed,
    configured: workflow.verifyCommands,
    added: workflow.verifyAllowed,
    plan: state.plan?.verification ?? null,
  });
  if (chosen.kind !== "run")
    return { kind: "none", reason: chosen.why, wanted: true, ...(chosen.advice ? { advice: chosen.advice } : {}) };
  return { type: "checks.chosen", taskId: task.id, runId: `r${state.runs + 1}`, checks: chosen.checks };
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

export async function readCheck(ran: CheckRun, { lang, workflow }: Settings): Promise<VerificationResult> {
  const { parseOutput } = await import("../verify/parse.ts");
  const { reportsOf } = await import("../verify/reports.ts");
  const { command, cwd, exitCode, output, timedOut, began } = ran;
  return parseOutput({
    ...{ runner: "auto", command, exitCode, output, timedOut, cwd, lang },
    reports: reportsOf(command, cwd, began),
    exists: (path) => existsSync(join(cwd, path)),
    // Of a program that nobody knows, the person's own word is that it verifies.
    exitCodeDecides: workflow.verifyAllowed.includes(command),
  });
}
