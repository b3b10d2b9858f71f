import type { EventOf } from "../../../contract/event.ts";
import type { Plan } from "../../../contract/plan.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import { planLines } from "../../../machine/plan/lines.ts";
import { type Block, Still } from "../blocks/block.ts";
import { readable } from "../blocks/long-text.ts";
import { noteBlock } from "../blocks/note.ts";
import { answerBlock } from "../blocks/said.ts";
import { howFar, itemLines, planItems } from "../blocks/todos.ts";
import { cut, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import type { CallBlocks } from "./call-blocks.ts";

/** The reply that a plan may come from: its text, and the first block of its calls, which wait for the plan. */
export interface LastReply {
  readonly text: string;
  readonly calls: Block | null;
}

export class PlanBlocks {
  private readonly look: Look;
  private readonly calls: CallBlocks;
  private readonly add: (block: Block, before?: Block) => void;
  private plan: Plan | null = null;

  constructor(look: Look, calls: CallBlocks, add: (block: Block, before?: Block) => void) {
    this.look = look;
    this.calls = calls;
    this.add = add;
  }

  begin(plan: Plan | null): void {
    this.plan = plan;
    if (plan) this.calls.planned(plan);
  }

  settled({ plan, calls = [] }: EventOf<"plan.settled">, last: LastReply): void {
    const place = last.calls ?? undefined;
    if (plan && plan.steps.length > 1) {
      const risk = words(this.look, `plan.level.${plan.risk_level}`);
      const text = words(this.look, "block.plan", { title: oneLine(plan.title), n: plan.steps.length, risk });
      const isListed = plan.steps.every(({ title }) => last.text.includes(title));
      this.show(plan, text, isListed ? [] : planItems(plan), place);
    }
    if (plan) this.begin(plan);
    this.calls.announce(calls, "plan", place);
  }

  /** Shows the new plan, or the steps that have ended. A step that begins is visible anyway. */
  changed(plan: Plan, before?: Block): void {
    const [now, old] = [planItems(plan), this.plan ? planItems(this.plan) : []];
    this.begin(plan);
    const known = new Map(old.map((item) => [item.id, item]));
    const isSameList = now.length === old.length && now.every(({ id, text }) => known.get(id)?.text === text);
    const isOpen = (status: Plan["steps"][number]["status"]) => status === "pending" || status === "in_progress";
    const ended = now.filter(({ id, status }) => !isOpen(status) && known.get(id)?.status !== status);
    if (!isSameList) this.show(plan, words(this.look, "workflow.plan.edited"), now, before);
    else if (ended.length > 0) this.show(plan, howFar(this.look, now), ended, before);
  }

  answered({ answer, words, plan }: EventOf<"plan.answered">, last: LastReply): void {
    const place = last.calls ?? undefined;
    const outcomes = { yes: "accepted", no: "refused", edit: "edited" } as const;
    if (!plan) this.add(noteBlock(this.look, say(this.look.lang, phrase(`workflow.plan.${outcomes[answer]}`))), place);
    if (words !== "") this.add(answerBlock(this.look, words), place);
    if (plan) this.changed(plan, place);
  }

  private show(plan: Plan, text: string, items: ReturnType<typeof planItems>, before?: Block): void {
    const { look } = this;
    const lines = (): readonly string[] => [
      `${look.theme.accent("≡")} ${cut(text, look.width() - 2)}`,
      ...itemLines(look, items, []),
    ];
    const whole = planLines(plan, look.lang).join("\n");
    const detail = { title: words(look, "block.call.plan"), lines: (width: number) => readable(whole, width) };
    this.add(new Still(look, "step", lines, detail), before);
  }
}
