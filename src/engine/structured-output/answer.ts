import type { Settings } from "../../contract/settings.ts";
import type { History } from "../../machine/history/history.ts";
import type { HistoryPort } from "../port.ts";
import { isReview, reviewIn, reviewText } from "../task/review.ts";
import { extractJson } from "./extract.ts";

/** The answer of a task that had to fit a schema; `null` = none had to. */
export function structuredAnswer(
  history: History | undefined,
  taskId: string,
  { workspace, lang }: Settings,
): ReturnType<HistoryPort["structured"]> {
  const task = history?.tasks.findLast((one) => one.taskId === taskId);
  if (!task || task.fits === null) return null;
  const found = task.fits ? extractJson(task.lastText) : null;
  if (!found || !("value" in found)) return isReview(history, taskId) ? null : "unfit";
  const review = reviewIn(history, taskId, found.value, workspace);
  return review ? { text: reviewText(review, lang), value: review } : found;
}
