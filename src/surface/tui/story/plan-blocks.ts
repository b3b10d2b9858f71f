import type { EventOf } from "../../../contract/event.ts";
import type { Plan } from "../../../contract/plan.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import { type Block, Still } from "../blocks/block.ts";
import { noteBlock } from "../blocks/note.ts";
import { listLines, planDetail, planHeading } from "../blocks/plan.ts";
import { answerBlock } from "../blocks/said.ts";
import { howFar, planItems } from "../blocks/todos.ts";
import { type Look, words } from "../terminal/look.ts";
import type { CallBlocks } from "./call-blocks.ts";
import type { ReplyStreams } from "./reply-stream.ts";

/** The reply that a plan may come from: its text, and the first block of its calls, which wait for the plan. */
export interface LastReply {
  readonly text: string;
  readonly calls: Block | null;
}

export interface PlanBlocksDeps {
  readonly look: Look;
  readonly add: (block: Block, before?: Block) => void;
  /** Nothing stands below that shows how far the plan is: a step that has ended is told. */
  readonly tellsSteps: boolean;
}

/** A plan is told once, where it stands in the reply; the list below follows its steps. */
export class PlanBlocks {
  private readonly deps: PlanBlocksDeps;
  private readonly calls: CallBlocks;
  private readonly replies: ReplyStreams;
  private plan: Plan | null = null;
  /** The question about it shows it until it is answered. */
  private asked: { readonly plan: Plan; readonly before: Block | undefined } | null = null;

  constructor(deps: PlanBlocksDeps, calls: CallBlocks, replies: ReplyStreams) {
    this.deps = deps;
    this.calls = calls;
    this.replies = replies;
  }

  begin(plan: Plan | null): void {
    this.plan = plan;
    if (plan) this.calls.planned(plan);
  }

  settled({ plan, needsConfirmation, calls = [] }: EventOf<"plan.settled">, last: LastReply): void {
    const before = last.calls ?? undefined;
    const isList = plan !== null && plan.steps.length > 1;
    if (needsConfirmation && isList) {
      this.asked = { plan, before };
      this.replies.planAsked();
    } else if (isList) this.tell(plan, planHeading(this.deps.look, plan), last.text, before);
    else this.replies.planned(null);
    if (plan) this.begin(plan);
    this.calls.announce(calls, "plan", before);
  }

  /** Shows a new list; where the same one only moves on, the list below the story does. */
  changed(plan: Plan, text = ""): void {
    const { look } = this.deps;
    const [now, old] = [planItems(plan), this.plan ? planItems(this.plan) : null];
    this.begin(plan);
    const known = new Map((old ?? []).map((item) => [item.id, item]));
    const isSameList = now.length === old?.length && now.every(({ id, text }) => known.get(id)?.text === text);
    if (!isSameList || this.replies.planned(plan, planHeading(look, plan))) {
      if (!isSameList) this.tell(plan, old ? words(look, "workflow.plan.edited") : planHeading(look, plan), text);
      return;
    }
    const isOpen = (status: Plan["steps"][number]["status"]) => status === "pending" || status === "in_progress";
    const ended = now.filter(({ id, status }) => !isOpen(status) && known.get(id)?.status !== status);
    if (ended.length > 0 && this.deps.tellsSteps) this.show(plan, howFar(look, now), ended);
  }

  answered({ answer, words, plan }: EventOf<"plan.answered">, last: LastReply): void {
    const { look, add } = this.deps;
    const before = last.calls ?? undefined;
    const outcomes = { yes: "accepted", no: "refused", edit: "edited" } as const;
    const shown = plan ?? this.asked?.plan ?? null;
    this.asked = null;
    if (shown) this.tell(shown, planHeading(look, shown), "", before);
    if (plan) this.begin(plan);
    add(noteBlock(look, say(look.lang, phrase(`workflow.plan.${outcomes[answer]}`))), before);
    if (words !== "") add(answerBlock(look, words), before);
  }

  /** Nothing becomes of a plan that was written or asked about. */
  giveUp(): void {
    const { asked } = this;
    this.asked = null;
    if (asked) this.tell(asked.plan, planHeading(this.deps.look, asked.plan), "", asked.before);
    else this.replies.planned(null);
  }

  /** In the reply that it was written in; `text`: a reply without a heading for its plan, which lists its steps anyway. */
  private tell(plan: Plan, heading: string, text: string, before?: Block): void {
    if (this.replies.planned(plan, heading)) return;
    const isListed = text !== "" && plan.steps.every(({ title }) => text.includes(title));
    this.show(plan, heading, isListed ? [] : planItems(plan), before);
  }

  private show(plan: Plan, heading: string, items: ReturnType<typeof planItems>, before?: Block): void {
    const { look, add } = this.deps;
    add(new Still(look, "step", () => listLines(look, heading, items), planDetail(look, plan)), before);
  }
}
