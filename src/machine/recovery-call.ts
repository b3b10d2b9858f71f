import { errorTable } from "../contract/error.ts";
import type { Blockage, Rung } from "../contract/task.ts";
import { type Phrase, phrase, type TextKey } from "../contract/text/catalogue.ts";
import type { Substitute } from "../contract/tool.ts";
import { blockageOf, blockageOfStep, nameOf } from "./blockage.ts";
import type { FailedCall } from "./state.ts";

export interface Stuck {
  readonly failure: FailedCall | null;
  /** Recovery attempts so far: each rung at most once per task. */
  readonly rungs: readonly Rung[];
  readonly note: Phrase;
  readonly isPlanned: boolean;
  readonly canAsk: boolean;
  readonly isSpent: boolean;
  readonly substitute: Substitute | null;
}

interface CallRung {
  readonly rung: Rung;
  readonly reason: Phrase;
  readonly blockage: Blockage;
  readonly fallback?: Substitute;
}

/** SM-8 for failed calls: retry (reads only) → fallback tool → ask the user. A blocked plan is also changed, once. */
export function afterFailedCall(stuck: Stuck): CallRung {
  const { failure, rungs, note, isPlanned, canAsk, isSpent, substitute } = stuck;
  const blockage = failure ? blockageOf(failure) : blockageOfStep(note);
  const why = blockage.what;
  const isLeft = (rung: Rung): boolean => !isSpent && !rungs.includes(rung);
  const ask = { rung: "ask", reason: phrase("recovery.ask", { why }), blockage } as const;
  if (failure && isLeft("retry") && mayPass(failure))
    return { rung: "retry", reason: phrase("recovery.retry", { call: nameOf(failure), why }), blockage };
  const fallback = failure && isLeft("fallback") && mayHelp(failure) ? substitute : null;
  if (fallback) {
    const reason = phrase("recovery.fallback", { tool: fallback.tool, why });
    return { rung: "fallback", reason, blockage, fallback };
  }
  if (failure && canAsk && isLeft("ask")) return ask;
  if (isPlanned && isLeft("replan"))
    return { rung: "replan", reason: phrase("recovery.replan", { why: note }), blockage };
  if (isPlanned && canAsk && isLeft("ask")) return ask;
  return { rung: "stop", reason: why, blockage };
}

const lasting: readonly TextKey[] = [
  ...(["file.missing", "file.missing_near", "file.parent_is_file", "file.denied", "file.read_only"] as const),
  ...(["file.read_only_disk", "file.no_space", "file.link_loop", "pdf.no_tool", "git.no_git"] as const),
];

/** A denial is the user's decision: no other tool may get around it. */
function mayHelp({ error }: FailedCall): boolean {
  if (error === null || lasting.includes(error.text.key)) return false;
  const { class: kind } = errorTable[error.code];
  return kind === "io" || kind === "input";
}

function mayPass({ access, error }: FailedCall): boolean {
  if (access !== "read" || error === null || lasting.includes(error.text.key)) return false;
  return error.code === "E_TOOL_TIMEOUT" || error.code === "E_IO";
}
