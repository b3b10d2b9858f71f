// VF-2: what lets a check run: the list, being the project's own tests in the sandbox, or the user's approval.
import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Mode } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { SessionState } from "../../machine/state.ts";
import { isListed } from "../../verify/detect/whitelist.ts";
import { field } from "../call/result.ts";
import { isTyped } from "../call/tool-context.ts";
import type { Judge } from "../judge/judge.ts";
import { needsOwnYes, ownCheck } from "../judge/own-check.ts";

export interface CheckDeps {
  readonly settings: Settings;
  readonly judge: Pick<Judge, "canHold">;
  readonly isInteractive: () => boolean;
  /** The user refused this command when it was offered in this workspace. */
  readonly isRefusedCheck: (command: string) => boolean;
}

/** `plain`: unlisted, but the project's own tests: runs in the sandbox unasked. `asked`: the policy decides as for any command. */
export type CheckStanding =
  | { readonly kind: "listed" | "plain" | "asked" }
  | { readonly kind: "refused"; readonly reasons: readonly Phrase[] };

export function mayByItself(mode: Mode): boolean {
  return mode === "auto-edit" || mode === "yolo";
}

export async function plainRuns(deps: CheckDeps, mode: Mode): Promise<(command: string) => boolean> {
  const isHeld = mayByItself(mode) && (await deps.judge.canHold());
  return (command) => isHeld && !deps.isRefusedCheck(command);
}

/** `null` = a look at the project is needed. */
export function standingAtOnce(call: Call, state: SessionState, { workflow }: Settings): CheckStanding | null {
  const own = ownCheck(call, state);
  if (own?.isPlain) return { kind: mayByItself(state.mode) ? "plain" : "asked" };
  if (needsOwnYes(call, state)) return { kind: "listed" };
  const commands = commandsOf(call);
  return commands.length > 0 && commands.every(({ command }) => isListed(command, workflow.verifyAllowed))
    ? { kind: "listed" }
    : null;
}

export function commandsOf({ input }: Call): readonly { readonly command: string; readonly path: string }[] {
  const also = (field(input, "also") ?? []) as readonly unknown[];
  return [input, ...also].flatMap((one) => {
    const [command, path = "."] = [field(one, "command"), field(one, "path")];
    return typeof command === "string" ? [{ command, path: String(path) }] : [];
  });
}

export function overBudget(state: SessionState, { workflow }: Settings): readonly Phrase[] | null {
  // It has a limit of its own, and its record would not fit another.
  if (state.model.startsWith("builtin/")) return null;
  const isByModel = state.task.phase === "EXECUTING" || state.task.phase === "PLANNING";
  if (!isByModel || isTyped(state) || state.checksRun < workflow.maxDiagnostics) return null;
  return [phrase("check.budget", { n: workflow.maxDiagnostics })];
}
