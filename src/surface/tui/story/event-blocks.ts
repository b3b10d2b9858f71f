// Maps events to blocks. Holds open blocks only.
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
  /** `before`: inserts in front of that block, if it was not taken yet. */
  readonly add: (block: Block, before?: Block) => void;
  /** A structured answer in words; `null`: not structured. */
  readonly structured: (taskId: string) => string | null;
  /** The input is on the screen already, as it was typed. */
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
  /** The input of the last model task, in case the task is continued. */
  private asked: ReturnType<InputBlocks["begins"]>;
  private readonly retry: RetryBlocks;
  private last: LastReply = { text: "", calls: null };
  /** The result of a commit that `git.mode` made. */
  private settled: CallResult | null = null;
  private isFallback = false;
  /** The last notice: the event of the command that caused it is stored after it. */
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

  /** `state`: the state after the event; `null`: the event is from before this session was opened. */
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

  /** Events within a task. */
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

  /** Other output follows; `isMode`: it names a change of the mode already. */
  interrupt(isMode: boolean): void {
    if (isMode) this.modes.drop();
    this.modes.end();
  }

  /** Ends what any other event ends. */
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
    // These carry no text, and the attempt may still fail.
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

  /** `isRepeated`: the retry is shown instead. */
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

  /** No more deltas will come; the text so far stays. */
  private stop(): void {
    this.retry.giveUp();
    this.turns.stop();
  }

  /** Another session was opened, or the same one again. */
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
