// `/compact`, between two tasks. Loaded on demand.
import { compactOnDemand } from "../../context/compact.ts";
import { CoderError, fail, ok, type Result } from "../../contract/error.ts";
import type { AskedNotes, Compaction } from "../../contract/event.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Loop } from "../loop/loop.ts";
import type { SessionModel } from "../session/session-model.ts";
import { askNotes } from "./ask-notes.ts";
import { compactLimits, type ModelCallDeps, summarySource, tellContext } from "./model-call.ts";

/** `null`: nothing would shrink. Nothing is stored before the summary is complete, so a kill or cancel changes nothing. */
export async function compactSession(
  loop: Loop,
  models: SessionModel,
  focus: string,
  signal: AbortSignal,
): Promise<Result<Compaction | null>> {
  const bare = models.callDeps();
  const { view } = loop.state;
  const source = { ...summarySource(loop.state), focus };
  const byRule = compactOnDemand(loop.history, view, compactLimits(bare), source);
  if (byRule === null) {
    // After a resume the context has not been measured yet.
    tellContext(bare);
    return ok(null);
  }
  const asked = await notesOf(loop, models, focus, signal);
  if (signal.aborted) return fail("E_CANCELLED", phrase("compact.cancelled"));
  // A task may have started meanwhile, and may have made room itself.
  if (loop.state.task.phase !== "IDLE" || loop.state.view !== view)
    return fail("E_CONFLICT", phrase("input.busy", { command: "/compact" }), { advice: phrase("input.busy.advice") });
  const written = asked?.text ?? "";
  const compaction = compactOnDemand(loop.history, view, compactLimits(bare), { ...source, written }) ?? byRule;
  await loop.pushStored({ type: "context.compacted", compaction, ...(asked ? { notes: asked } : {}) });
  tellContext(models.callDeps());
  return ok(compaction);
}

async function notesOf(
  loop: Loop,
  models: SessionModel,
  focus: string,
  signal: AbortSignal,
): Promise<AskedNotes | null> {
  let deps: ModelCallDeps;
  try {
    deps = models.callDeps(await models.port());
  } catch (error) {
    // If no model can be opened, the summary is made by rule.
    if (!(error instanceof CoderError)) throw error;
    return null;
  }
  const room = Math.floor((deps.window * deps.settings.compactAt) / deps.calibration.ratio);
  return askNotes(deps, { runId: `r${loop.state.runs}`, index: 0, attempt: 1, focus, room }, signal);
}
