// Which block an event begins, or belongs to. It holds what is open, and nothing of what is over.
import { commitNotice } from "../../../command/text/commit-notice.ts";
import type { MessageDelta } from "../../../contract/delta.ts";
import type { Event, EventOf } from "../../../contract/event.ts";
import type { CallResult } from "../../../contract/message.ts";
import { phrase, say } from "../../../contract/text/catalogue.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import type { Block } from "../blocks/block.ts";
import type { CallDeps } from "../blocks/call.ts";
import { faultBlock, internalBlock } from "../blocks/fault.ts";
import { JobNotes, noteBlock, noteOf, sessionBlock } from "../blocks/note.ts";
import { outcomeBlock } from "../blocks/outcome.ts";
import { formBlock } from "../blocks/reply.ts";
import { answerBlock } from "../blocks/said.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { CallBlocks } from "./call-blocks.ts";
import { InputBlocks } from "./input-blocks.ts";
import { ModeBlocks } from "./mode-blocks.ts";
import { type LastReply, PlanBlocks } from "./plan-blocks.ts";
import { ReplyStreams } from "./reply-stream.ts";
import { RetryBlocks } from "./retry-blocks.ts";
import { TaskBlocks } from "./task-blocks.ts";

type StoryDeps = Omit<CallDeps, "lists" | "counted"> & {
  /** `before`: where that stands, if it is not taken yet. */
  readonly add: (block: Block, before?: Block) => void;
  /** An answer that was asked for as JSON, in words; `null` = it is none. */
  readonly structured: (taskId: string) => string | null;
  /** It stands there already, as it was typed. */
  readonly isTyped: (inputId: string) => boolean;
};

export class EventBlocks {
  private readonly deps: StoryDeps;
  private readonly look: Look;
  private readonly inputs: InputBlocks;
  private readonly turns: ReplyStreams;
  private readonly calls: CallBlocks;
  private readonly plans: PlanBlocks;
  private readonly modes: ModeBlocks;
  private readonly jobs = new JobNotes();
  private readonly header = { title: "" };
  private sessionId = "";
  private task: TaskBlocks | null = null;
  /** What the newest task of a model began with: it may go on. */
  private asked: ReturnType<InputBlocks["begins"]>;
  private readonly retry: RetryBlocks;
  private last: LastReply = { text: "", calls: null };
  /** Of a commit that nobody asked for. */
  private settled: CallResult | null = null;
  private isFallback = false;
  /** What was noted just before: a command that has something to tell is stored after that. */
  private notice: Block | null = null;

  constructor(deps: StoryDeps) {
    this.deps = deps;
    this.look = deps.look;
    this.calls = new CallBlocks(deps, deps.add, () => {
      const { task } = this;
      return (files) => task?.edited(files);
    });
    this.turns = new ReplyStreams({ ...deps, isForm: () => this.task?.isForm === true });
    this.retry = new RetryBlocks(deps, this.turns);
    this.plans = new PlanBlocks(deps.look, this.calls, deps.add);
    this.modes = new ModeBlocks(deps.look, deps.add);
    this.inputs = new InputBlocks(deps);
  }

  hear(published: Published): void {
    switch (published.kind) {
      case "event":
        if (published.recorded.accepted) this.event(published.recorded.event, published.state);
        return;
      case "delta":
        this.delta(published.delta);
        return;
      case "output":
        this.calls.output(published.callId, published.stream, published.text);
        return;
      case "session":
        this.session(published.state);
        return;
      case "fatal":
        this.stop();
        this.modes.end();
        this.add(faultBlock(this.look, published.error));
        return;
      case "context":
      case "compacting":
      case "fallback":
        return;
    }
  }

  /** `state`: after it; `null` = it happened before this session was opened. */
  event(event: Event, state: SessionState | null): void {
    this.before(event);
    this.task?.hear(event, state);
    if (this.task?.isByMode && event.type === "tool.settled") this.settled = event.result;
    if (!this.calls.hear(event)) this.begins(event, state === null);
  }

  /** Sessions, inputs and tasks. */
  private begins(event: Event, isPast: boolean): void {
    switch (event.type) {
      case "session.started":
        this.sessionId = event.sessionId;
        this.modes.begin(event.mode);
        if (event.forkedFrom !== null) this.note(words(this.look, "export.forked", { id: event.forkedFrom }));
        return;
      case "session.resumed":
        this.modes.begin(event.mode);
        return;
      case "mode.changed":
        this.modes.change(event.mode, isPast);
        return;
      case "input.admitted":
        this.header.title ||= oneLine(event.typed ?? event.text);
        this.inputs.admitted(event, this.notice);
        return;
      case "input.delivered":
        this.inputs.delivered(event.inputIds);
        return;
      case "input.returned":
        this.inputs.returned(event.inputIds);
        return;
      case "task.started":
        this.begin(event);
        return;
      case "task.continued":
        this.task = new TaskBlocks(this.asked, event.at);
        this.note(words(this.look, "export.continued"));
        return;
      default:
        this.goesOn(event);
    }
  }

  /** What a task consists of. */
  private goesOn(event: Event): void {
    switch (event.type) {
      case "task.assessed":
        for (const { question } of event.assessment.missing)
          this.note(typeof question === "string" ? question : say(this.look.lang, question), true);
        return;
      case "clarification.answered":
        this.add(answerBlock(this.look, event.text));
        return;
      case "run.started":
        this.begun(event);
        return;
      case "model.replied":
        this.replied(event);
        return;
      case "model.failed":
        this.retry.failed(event);
        return;
      case "reply.cut":
        this.cut(event);
        return;
      case "plan.settled":
        this.plans.settled(event, this.last);
        return;
      case "plan.changed":
        this.plans.changed(event.plan);
        return;
      case "plan.answered":
        this.plans.answered(event, this.last);
        return;
      default:
        this.ends(event);
    }
  }

  private ends(event: Event): void {
    switch (event.type) {
      case "internal.reported":
        this.add(internalBlock(this.look, event));
        return;
      case "cancel.requested":
        this.stop();
        return;
      case "task.summarized":
        this.stop();
        this.calls.close();
        return;
      case "task.ended":
        this.end(event);
        return;
      default:
        this.remark(event);
    }
  }

  /** Something else is told; the mode that it has changed is a part of that. */
  interrupt(isMode: boolean): void {
    if (isMode) this.modes.drop();
    this.modes.end();
  }

  /** What is over as soon as anything else happens. */
  private before(event: Event): void {
    if (event.type !== "mode.changed") this.modes.end();
    if (event.type !== "input.admitted") this.notice = null;
    if (event.type === "retry.due") this.retry.due();
    if (event.type === "cancel.requested" || event.type === "task.summarized") this.retry.giveUp();
  }

  private remark(event: Event): void {
    const job = this.jobs.noteOf(this.look, event);
    if (job !== null) this.note(job);
    // The notice has named the model already.
    const isSaid = event.type === "model.changed" && this.isFallback;
    this.isFallback = event.type === "notice.given" && event.text.key === "models.fallback.given";
    const note = isSaid ? null : noteOf(this.look, event);
    if (note) this.notice = this.note(note.text, note.isWarning);
  }

  private begin({ inputId, at }: EventOf<"task.started">): void {
    const input = this.inputs.begins(inputId);
    this.task = new TaskBlocks(input, at);
    if (this.task.kind === "task") this.asked = input;
    this.settled = null;
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
    // Nothing of a reply: it may fail like the one before.
    if (delta.kind === "start" || delta.kind === "error") return;
    this.retry.answered(runId, index, attempt);
    this.turns.of(runId, index, attempt).hear(delta);
  }

  private replied({ runId, index, attempt, reply }: EventOf<"model.replied">): void {
    this.retry.answered(runId, index, attempt);
    this.turns.of(runId, index, attempt).replied(reply);
    this.turns.forget(runId);
    this.last = { text: reply.text, calls: this.calls.announce(reply.calls, "model") };
  }

  /** What is given up for another attempt is told there. */
  private cut({ runId, index, attempt, text, why, isRepeated }: EventOf<"reply.cut">): void {
    if (isRepeated || this.calls.isInner(runId)) return;
    this.turns.cut(runId, index, attempt, text);
    this.note(words(this.look, "block.cut_reply", { why: phrase(`export.cut_reply.${why}`) }), true);
  }

  private end(event: EventOf<"task.ended">): void {
    if (this.task?.isForm) this.add(formBlock(this.look, this.deps.structured(event.taskId), this.task.said));
    const ended = this.task?.ended(event) ?? null;
    if (this.task?.isByMode) this.note(say(this.look.lang, commitNotice(this.settled)));
    else if (ended) this.add(outcomeBlock(this.look, ended));
    this.task = null;
    this.last = { text: "", calls: null };
  }

  /** No more deltas come; what has come stays. */
  private stop(): void {
    this.retry.giveUp();
    this.turns.stop();
  }

  /** Another one was opened, or the same again. */
  private session(state: SessionState): void {
    if (state.id === this.sessionId) return;
    this.stop();
    this.calls.close();
    this.modes.end();
    this.inputs.forget();
    this.sessionId = state.id;
    this.header.title = "";
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
