// A plan, wherever it came from: a heading, its steps, and the whole of it as the full view.
import type { Plan } from "../../../contract/plan.ts";
import { planLines } from "../../../machine/plan/lines.ts";
import { afterPlan, planFromText } from "../../../machine/plan/text.ts";
import { clean, cut, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { MarkdownStream } from "../terminal/markdown-stream.ts";
import type { Detail } from "./block.ts";
import { readable } from "./long-text.ts";
import { itemLines, planItems } from "./todos.ts";

export function planHeading(look: Look, plan: Plan): string {
  const risk = words(look, `plan.level.${plan.risk_level}`);
  return words(look, "block.plan", { title: oneLine(plan.title), n: plan.steps.length, risk });
}

export function listLines(look: Look, heading: string, items: ReturnType<typeof planItems>): readonly string[] {
  return [`${look.theme.accent("≡")} ${cut(heading, look.width() - 2)}`, ...itemLines(look, items, [])];
}

export function planDetail(look: Look, plan: Plan): Detail {
  const whole = planLines(plan, look.lang).join("\n");
  return { title: words(look, "block.call.plan"), lines: (width) => readable(whole, width) };
}

const marker = /^[^\]】〕]*[\]】〕][\s:：*_`-]*/;

/** The part of a reply from the line that opens a plan on: shown as the plan that it becomes, and in place while it is written. */
export class WrittenPlan {
  private readonly look: Look;
  private text = "";
  private settled: { readonly plan: Plan; readonly heading: string } | null = null;
  /** The question about it shows it. */
  isAsked = false;

  constructor(look: Look) {
    this.look = look;
  }

  push(text: string): void {
    this.text += text;
  }

  settle(plan: Plan, heading: string): void {
    this.settled = { plan, heading };
  }

  get detail(): Detail | null {
    return this.settled && planDetail(this.look, this.settled.plan);
  }

  lines(): readonly string[] {
    const { look, settled } = this;
    const plan = settled?.plan ?? this.read();
    if (plan === null || (plan.steps.length < 2 && settled === null))
      return this.markdown(this.text.replace(marker, ""));
    const rest = afterPlan(this.text);
    const list = listLines(look, settled?.heading ?? words(look, "block.call.plan"), planItems(plan));
    return rest === "" ? list : [...list, "", ...this.markdown(rest)];
  }

  private read(): Plan | null {
    const found = planFromText(this.text, { planId: "", createdAt: "", goal: "" });
    return found && "plan" in found ? found.plan : null;
  }

  private markdown(text: string): readonly string[] {
    const stream = new MarkdownStream(this.look.theme, this.look.width);
    stream.push(clean(text));
    stream.finish();
    return stream.take();
  }
}
