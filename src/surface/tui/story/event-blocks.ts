import { commitNotice } from "../../../command/text/commit-notice.ts";
import type { MessageDelta } from "../../../contract/delta.ts";
import type { Event, EventOf } from "../../../contract/event.ts";
import type { CallResult } from "../../../contract/message.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import { asideBlock } from "../blocks/aside.ts";
import type { Block } from "../blocks/block.ts";
import type { CallDeps } from "../blocks/call.ts";
import { faultBlock, JobNotes, noteBlock, noteOf, sessionBlock } from "../blocks/note.ts";
import { OutcomeBlock } from "../blocks/outcome.ts";
import { formBlock } from "../blocks/reply.ts";
import { answerBlock, saidBlock } from "../blocks/said.ts";
import type { SubBlock } from "../blocks/sub.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { CallBlocks } from "./call-blocks.ts";
import { ModeBlocks } from "./mode-blocks.ts";
import { type LastReply, PlanBlocks, type PlanBlocksDeps } from "./plan-blocks.ts";
import { ReplyStreams } from "./reply-stream.ts";
import { RetryBlocks } from "./retry-blocks.ts";
import { TaskBlocks } from "./task-blocks.ts";

type StoryDeps = Omit<CallDeps, "lists"> &
  Pick<PlanBlocksDeps, "tellsSteps"> & {
    /** `before`: inserts in front of that block, if it was not taken yet. */
    readonly add: (block: Block, before?: Block) => void;
    /** A structured answer in words; `null`: not structured. */
    readonly structured: (taskId: string) => string | null;
    /** The stored title of the session that was opened; "": unknown. */
    readonly title: () => string;
    /** The input is on the screen already, as it was typed. */
    readonly isTyped: (inputId: string) => boolean;
  };

/** After these, nothing becomes of a plan in a reply but what stands there. */
const leavesPlan: ReadonlySet<string> = new Set<Event["type"]>([
  ...(["plan.rejected", "tool.decided", "tool.intended", "tool.settled", "model.replied"] as const),
  ...(["cancel.requested", "task.summarized", "task.ended"] as const),
]);

type AdmittedInput = EventOf<"input.admitted">;
type Handlers = { readonly [Type in Event["type"]]?: (event: EventOf<Type>, isPast: boolean) => void };

export class EventBlocks {
  private readonly deps: StoryDeps;
  private readonly look: Look;
  /** Admitted inputs are shown when they are delivered. */
  private readonly waiting = new Map<string, AdmittedInput>();
  private readonly replies: ReplyStreams;
  private readonly calls: CallBlocks;
  private readonly plans: PlanBlocks;
  private readonly modes: ModeBlocks;
  private readonly jobs = new JobNotes();
  private readonly header = { title: "" };
  private sessionId = "";
  private task: TaskBlocks | null = null;
  /** The input of the last model task, in case the task is continued. */
  private asked: AdmittedInput | undefined;
  private readonly retry: RetryBlocks;
  private last: LastReply = { text: "", calls: null };
  private settled: CallResult | null = null;
  private isFallback = false;
  /** The last notice: the event of the command that caused it is stored after it. */
  private notice: Block | null = null;

  constructor(deps: StoryDeps) {
    this.deps = deps;
    this.look = deps.look;
    this.calls = new CallBlocks(deps, deps.add);
    this.replies = new ReplyStreams({ ...deps, isForm: () => this.task?.isForm === true });
    this.retry = new RetryBlocks(deps, this.replies);
    this.plans = new PlanBlocks(deps, this.calls, this.replies);
    this.modes = new ModeBlocks(deps.look, deps.add);
  }

  hear(published: Published): void {
    if (published.kind === "event" && published.recorded.accepted)
      this.event(published.recorded.event, published.state);
    if (published.kind === "delta") this.delta(published.delta);
    if (published.kind === "output") this.calls.output(published.callId, published.stream, published.text);
    if (published.kind === "session") this.session(published.state);
    if (published.kind !== "fatal") return;
    this.stop();
    this.modes.end();
    this.add(faultBlock(this.look, published.error));
  }

  /** `state`: the state after the event; `null`: the event is from before this session was opened. */
  event(event: Event, state: SessionState | null): void {
    this.before(event);
    this.task?.hear(event, state);
    if (this.task?.isByMode && event.type === "tool.settled") this.settled = event.result;
    if (this.calls.hear(event)) return;
    // A damaged log may hold any type, such as "constructor".
    if (!Object.hasOwn(this.handlers, event.type)) this.remark(event);
    else (this.handlers[event.type] as (event: Event, isPast: boolean) => void)(event, state === null);
  }

  private readonly handlers: Handlers = {
    "session.started": ({ sessionId, mode, forkedFrom }) => {
      this.sessionId = sessionId;
      this.modes.begin(mode);
      if (forkedFrom !== null) this.note(words(this.look, "export.forked", { id: forkedFrom }));
    },
    "session.resumed": ({ mode }) => this.modes.begin(mode),
    "mode.changed": ({ mode }, isPast) => this.modes.change(mode, isPast),
    "input.admitted": (event) => {
      this.header.title ||= oneLine(event.typed ?? event.text);
      this.waiting.set(event.inputId, event);
      // The notice is the message of the slash command that made this call.
      if (event.kind === "tool" && event.text.startsWith("/")) this.showInput(event, this.notice);
    },
    "input.delivered": ({ inputIds }) => {
      for (const id of inputIds) this.deliver(id);
    },
    "input.returned": ({ inputIds }) => {
      for (const id of inputIds) this.waiting.delete(id);
    },
    "task.started": (event) => this.begin(event),
    "task.continued": ({ at }) => {
      this.task = new TaskBlocks(this.asked, at);
      this.note(words(this.look, "export.continued"));
    },
    "task.assessed": ({ assessment }) => {
      for (const { question } of assessment.missing)
        this.note(typeof question === "string" ? question : say(this.look.lang, question), true);
    },
    "aside.answered": (event) => this.add(asideBlock(this.look, event)),
    "clarification.answered": ({ text }) => this.add(answerBlock(this.look, text)),
    "run.started": (event) => this.begun(event),
    "model.replied": (event) => this.replied(event),
    "model.failed": (event) => this.retry.failed(event),
    "reply.cut": (event) => this.cut(event),
    "plan.settled": (event) => this.plans.settled(event, this.last),
    "plan.changed": ({ plan }) => this.plans.changed(plan, this.last.text),
    "plan.answered": (event) => this.plans.answered(event, this.last),
    "internal.reported": ({ traceId, what }) =>
      this.add(faultBlock(this.look, { code: "E_INTERNAL", text: phrase("block.internal", { what }), traceId })),
    "cancel.requested": () => this.stop(),
    "task.summarized": () => {
      this.stop();
      this.calls.close();
    },
    "task.ended": (event) => this.end(event),
  };

  get runningSubs(): readonly SubBlock[] {
    return this.calls.running;
  }

  /** Other output follows; `isMode`: it names a change of the mode already. */
  interrupt(isMode: boolean): void {
    this.modes.end(isMode);
  }

  private before(event: Event): void {
    if (event.type !== "mode.changed") this.modes.end();
    if (event.type !== "input.admitted") this.notice = null;
    if (leavesPlan.has(event.type)) this.plans.giveUp();
    if (event.type === "retry.due") this.retry.due();
    if (event.type === "cancel.requested" || event.type === "task.summarized") this.retry.giveUp();
  }

  private remark(event: Event): void {
    const job = this.jobs.noteOf(this.look, event);
    if (job !== null) this.note(job);
    // The notice has named the model already.
    const isNamed = event.type === "model.changed" && this.isFallback;
    this.isFallback = event.type === "notice.given" && event.text.key === "models.fallback.given";
    const note = isNamed ? null : noteOf(this.look, event);
    if (note) this.notice = this.note(note.text, note.isWarning);
  }

  private begin({ inputId, at }: EventOf<"task.started">): void {
    const input = this.waiting.get(inputId);
    // A call that a command made is shown itself.
    if (input?.kind === "tool") this.waiting.delete(inputId);
    else this.deliver(inputId);
    this.task = new TaskBlocks(input, at);
    if (this.task.kind === "task") this.asked = input;
    this.settled = null;
  }

  private deliver(id: string): void {
    const input = this.waiting.get(id);
    this.waiting.delete(id);
    if (input) this.showInput(input, null);
  }

  private showInput(input: AdmittedInput, before: Block | null): void {
    if (!this.deps.isTyped(input.inputId)) this.add(saidBlock(this.look, input), before ?? undefined);
  }

  private begun({ calls }: EventOf<"run.started">): void {
    const kind = this.task?.kind ?? "task";
    if (this.task?.isByMode) return;
    for (const call of calls) {
      const own = call.role === "checks" ? "check" : call.role === "undoes" ? "tool" : "model";
      this.calls.announce([call], kind === "task" ? own : kind);
    }
  }

  private delta(delta: MessageDelta): void {
    const { runId, modelCallIndex: index, attempt } = delta;
    if (this.calls.isInner(runId)) return;
    // These carry no text, and the attempt may still fail.
    if (delta.kind === "start" || delta.kind === "error") return;
    this.retry.answered(runId, index, attempt);
    this.replies.of(runId, index, attempt).hear(delta);
  }

  private replied({ runId, index, attempt, reply }: EventOf<"model.replied">): void {
    this.retry.answered(runId, index, attempt);
    this.replies.replied(runId, index, attempt, reply);
    this.last = { text: reply.text, calls: this.calls.announce(reply.calls, "model") };
  }

  /** `isRepeated`: the retry is shown instead. */
  private cut({ runId, index, attempt, text, why, isRepeated }: EventOf<"reply.cut">): void {
    if (isRepeated || this.calls.isInner(runId)) return;
    this.replies.cut(runId, index, attempt, text);
    this.note(words(this.look, "block.cut_reply", { why: phrase(`export.cut_reply.${why}`) }), true);
  }

  private end(event: EventOf<"task.ended">): void {
    if (this.task?.isForm) this.add(formBlock(this.look, this.deps.structured(event.taskId), this.task.lastText));
    const ended = this.task?.ended(event) ?? null;
    if (this.task?.isByMode) this.note(say(this.look.lang, commitNotice(this.settled)));
    else if (ended) this.add(new OutcomeBlock(ended, this.deps));
    this.task = null;
    this.last = { text: "", calls: null };
  }

  /** No more deltas will come; the text so far stays. */
  private stop(): void {
    this.retry.giveUp();
    this.replies.stop();
  }

  private session(state: SessionState): void {
    if (state.id === this.sessionId) return;
    this.stop();
    this.calls.close();
    this.modes.end();
    this.waiting.clear();
    this.sessionId = state.id;
    this.header.title = oneLine(this.deps.title());
    this.task = null;
    this.modes.begin(state.mode);
    this.plans.begin(state.plan);
    if (state.tasks > 0) this.add(sessionBlock(this.look, state, () => this.header.title));
  }

  private note(text: string, isWarning = false): Block {
    const block = noteBlock(this.look, text, isWarning);
    this.add(block);
    return block;
  }

  private add(block: Block, before?: Block): void {
    this.deps.add(block, before);
  }
}
