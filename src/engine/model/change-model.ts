import type { Result } from "../../contract/error.ts";
import type { Effort, ModelChoice } from "../../contract/settings.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { LiveSession } from "../session/session.ts";
import { priceProblem } from "./cost.ts";

interface ChangeDeps {
  readonly chooseModel: (ref: string, effort?: Effort) => Result<ModelChoice>;
  readonly persistModel: (ref: string) => Promise<Result<void>>;
}

/** SL-1: takes effect at once; a failure to remember it is only told. `limit`: the cost that the task may reach. */
export async function changeModel(
  deps: ChangeDeps,
  open: { model: ModelChoice | null; readonly live: LiveSession | null },
  limit: number | null,
  { ref, effort }: { readonly ref: string; readonly effort: Effort | undefined },
): Promise<Result<Phrase | null>> {
  const choice = deps.chooseModel(ref, effort);
  if (!choice.ok) return choice;
  const unpriced = priceProblem(choice.value, limit);
  if (unpriced) return { ok: false, error: unpriced };
  open.model = choice.value;
  open.live?.loop.push({ type: "model.changed", model: ref });
  open.live?.modelChanged();
  const { effort: applied } = choice.value;
  if (effort !== undefined && applied)
    open.live?.loop.push({ type: "notice.given", text: phrase("models.effort.is", { effort: applied.level }) });
  const kept = await deps.persistModel(ref);
  const unsupported = effort !== undefined && !applied ? phrase("models.effort.untaken", { model: ref }) : null;
  return { ok: true, value: kept.ok ? unsupported : kept.error.text };
}
