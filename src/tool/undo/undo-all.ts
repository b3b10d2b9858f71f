import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, ToolContext } from "../../contract/tool.ts";
import type { PastPort, PastTask } from "../../contract/undo.ts";
import { openSight } from "../../platform/changes/look.ts";
import { rollback } from "../../platform/changes/rollback.ts";
import type { Turning } from "../../platform/changes/rollback-folders.ts";
import { isFolderStamp, keyOf } from "../../platform/files/stamp.ts";
import { reportAll } from "./undo-report.ts";

/** The number of files that would be dropped, or why none can be. */
export async function countAll(past: PastPort, ctx: ToolContext): Promise<Result<number>> {
  const plan = await planAll(past, ctx);
  return plan.ok
    ? ok(plan.value.changes.filter(({ change }) => !isFolderStamp(change.before ?? change.after)).length)
    : plan;
}

/** RB-3: resets the whole workspace to git's state. The intent keeps dropped content, like every write. */
export async function planAll(past: PastPort, { root }: ToolContext): Promise<Result<ChangePlan>> {
  const found = await rollback(openSight(root, past.never));
  if (!found.ok) return found;
  const turnings = found.value;
  if (turnings.length === 0) {
    const advice = phrase("undo.all.nothing.advice");
    return fail("E_INVALID_ARGS", phrase("undo.all.nothing", { root: visible(root) }), { advice });
  }
  const tasks = takenWith(turnings, past.tasks()).map(({ taskId }) => taskId);
  return ok({
    changes: turnings.map(({ path, real, now, target }) => ({
      change: { path, real, before: now?.stamp ?? null, after: target?.stamp ?? null },
      beforeBytes: now?.bytes ?? null,
      afterBytes: target?.bytes ?? null,
    })),
    ...reportAll(turnings, tasks),
  });
}

/**
 * Tasks fully reverted by this: they count as undone and a redo restores them. A task with a file still as it left it (because that was
 * committed) can be undone on its own.
 */
function takenWith(turnings: readonly Turning[], tasks: readonly PastTask[]): readonly PastTask[] {
  const turned = new Map(turnings.map((one) => [one.real, keyOf(one.target?.stamp ?? null)]));
  return tasks.filter(({ kind, undone, changes }) => {
    if (kind !== "task" || undone || !changes.some(({ real }) => turned.has(real))) return false;
    const byPath = [...Map.groupBy(changes, ({ real }) => real)];
    return byPath.every(([real, made]) => {
      const [before, after] = [keyOf(made[0]?.before ?? null), keyOf(made.at(-1)?.after ?? null)];
      return before === after || (turned.has(real) && turned.get(real) !== after);
    });
  });
}
