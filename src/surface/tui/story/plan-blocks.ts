import type { EventOf } from "../../../contract/event.ts";
import type { Plan } from "../../../contract/plan.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import type { Block } from "../blocks/block.ts";
import { noteBlock } from "../blocks/note.ts";
import { changedPlanBlock, planBlock } from "../blocks/plan.ts";
import { answerBlock } from "../blocks/said.ts";
import type { Look } from "../terminal/look.ts";
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
      const isTold = plan.steps.every(({ title }) => last.text.includes(title));
      this.add(planBlock(this.look, plan, isTold), place);
    }
    if (plan) this.begin(plan);
    this.calls.announce(calls, "plan", place);
  }

  changed(plan: Plan, before?: Block): void {
    const block = changedPlanBlock(this.look, plan, this.plan);
    this.begin(plan);
    if (block) this.add(block, before);
  }

  answered({ answer, words, plan }: EventOf<"plan.answered">, last: LastReply): void {
    const place = last.calls ?? undefined;
    const told = { yes: "accepted", no: "refused", edit: "edited" } as const;
    if (!plan) this.add(noteBlock(this.look, say(this.look.lang, phrase(`workflow.plan.${told[answer]}`))), place);
    if (words !== "") this.add(answerBlock(this.look, words), place);
    if (plan) this.changed(plan, place);
  }
}
