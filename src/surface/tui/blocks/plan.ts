import type { Plan } from "../../../contract/plan.ts";
import { planLines } from "../../../machine/plan/lines.ts";
import { cut, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { type Detail, Still } from "./block.ts";
import { readable } from "./long-text.ts";
import { howFar, itemLines, planItems } from "./todos.ts";

/** `isTold`: the reply above lists the steps already. */
export function planBlock(look: Look, plan: Plan, isTold: boolean): Still {
  const items = planItems(plan);
  const risk = words(look, `plan.level.${plan.risk_level}`);
  const text = words(look, "block.plan", { title: oneLine(plan.title), n: items.length, risk });
  const lines = (): readonly string[] => [headLine(look, text), ...(isTold ? [] : itemLines(look, items, []))];
  return new Still(look, "step", lines, detailOf(look, plan));
}

/** `null`: only a step has begun, which is visible anyway. */
export function changedPlanBlock(look: Look, plan: Plan, before: Plan | null): Still | null {
  const [now, old] = [planItems(plan), before ? planItems(before) : []];
  const known = new Map(old.map((item) => [item.id, item]));
  const isSameList = now.length === old.length && now.every(({ id, text }) => known.get(id)?.text === text);
  const ended = now.filter(
    ({ id, status }) => status !== "pending" && status !== "in_progress" && known.get(id)?.status !== status,
  );
  if (isSameList && ended.length === 0) return null;
  const text = isSameList ? howFar(look, now) : words(look, "workflow.plan.edited");
  const lines = (): readonly string[] => [
    headLine(look, text),
    ...(isSameList
      ? itemLines(
          look,
          ended,
          ended.map((item) => ({ ...item, status: "pending" as const })),
        )
      : itemLines(look, now, [])),
  ];
  return new Still(look, "step", lines, detailOf(look, plan));
}

function headLine(look: Look, text: string): string {
  return `${look.theme.accent("≡")} ${cut(text, look.width() - 2)}`;
}

function detailOf(look: Look, plan: Plan): Detail {
  const text = planLines(plan, look.lang).join("\n");
  return { title: words(look, "block.call.plan"), lines: (width) => readable(text, width) };
}
