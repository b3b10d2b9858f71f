// One attempt of a model to reply: its thoughts, its words and the calls that it is writing, in the order in which they come.
import type { MessageDelta } from "../../../contract/delta.ts";
import type { AssistantReply } from "../../../contract/message.ts";
import type { Block } from "../blocks/block.ts";
import { DraftBlock } from "../blocks/draft.ts";
import { brokenBlock, otherReplyBlock } from "../blocks/fault.ts";
import { ReplyBlock } from "../blocks/reply.ts";
import { ThinkingBlock } from "../blocks/thinking.ts";
import type { Look } from "../terminal/look.ts";

interface LiveReplyDeps {
  readonly look: Look;
  readonly now: () => number;
  readonly add: (block: Block) => void;
  /** The answer is asked for as JSON: what it says is told at the end of the task, in words. */
  readonly isForm: () => boolean;
}

/** The open ones, by their run. */
export class ReplyStreams {
  private readonly deps: LiveReplyDeps;
  private readonly open = new Map<string, LiveReply>();
  /** Those that were stopped: what the log then says about them stands there already. */
  private stopped: readonly { readonly runId: string; readonly turn: LiveReply }[] = [];

  constructor(deps: LiveReplyDeps) {
    this.deps = deps;
  }

  /** It never came to its end: what had come of it is told, where nobody saw it come. */
  cut(runId: string, index: number, attempt: number, text: string): void {
    const seen = this.stopped.find((one) => one.runId === runId && one.turn.isAt(index, attempt))?.turn;
    const turn = seen ?? this.of(runId, index, attempt);
    turn.cut(text);
    this.open.delete(runId);
  }

  of(runId: string, index: number, attempt: number): LiveReply {
    const known = this.open.get(runId);
    if (known?.isAt(index, attempt)) return known;
    // Nobody has told its end.
    if (known?.broken()) this.deps.add(brokenBlock(this.deps.look));
    const turn = new LiveReply(index, attempt, this.deps);
    this.open.set(runId, turn);
    return turn;
  }

  /** It is asked for again: what came of it stays in sight until there is something in its place. */
  failed(runId: string): void {
    this.open.get(runId)?.failed();
  }

  /** Another attempt has come to something. `true`: what stands in the scrollback of the one before it is worth nothing. */
  replaces(runId: string, index: number, attempt: number): boolean {
    const known = this.open.get(runId);
    if (!known?.hasFailed || known.isAt(index, attempt)) return false;
    this.open.delete(runId);
    return known.broken();
  }

  /** Something can be read of a reply that has failed. */
  get hasFailedWords(): boolean {
    return [...this.open.values()].some(({ hasFailed, hasWords }) => hasFailed && hasWords);
  }

  /** It is not asked for again: its words stay. `true`: there are some. */
  givenUp(runId: string): boolean {
    const turn = this.forget(runId);
    turn?.failed();
    turn?.stopped();
    return turn?.hasWords ?? false;
  }

  forget(runId: string): LiveReply | undefined {
    const known = this.open.get(runId);
    this.open.delete(runId);
    return known;
  }

  stop(): void {
    this.stopped = [...this.open].map(([runId, turn]) => ({ runId, turn }));
    for (const { turn } of this.stopped) turn.stopped();
    this.open.clear();
  }
}

class LiveReply {
  private readonly index: number;
  private readonly attempt: number;
  private readonly deps: LiveReplyDeps;
  private readonly thoughts: ThinkingBlock[] = [];
  private readonly replies: ReplyBlock[] = [];
  /** The one that goes on now. */
  private now: ThinkingBlock | ReplyBlock | null = null;
  private drafts: DraftBlock | null = null;
  private text = "";
  hasFailed = false;
  /** It happens now, so that thinking takes the time that passes. */
  private isHappening = true;

  constructor(index: number, attempt: number, deps: LiveReplyDeps) {
    this.index = index;
    this.attempt = attempt;
    this.deps = deps;
  }

  hear(delta: MessageDelta): void {
    switch (delta.kind) {
      case "text":
        if (delta.text !== "") this.say(delta.text);
        return;
      case "thinking":
        if (delta.text !== "") this.think(delta.text);
        return;
      case "tool_call_start":
        this.pause();
        this.draft().begin(delta.ordinal, delta.tool);
        return;
      case "tool_call_args":
        this.draft().push(delta.ordinal, delta.text);
        return;
    }
  }

  /** What counts in the end. Whatever was not seen while it came is shown now. */
  replied(reply: AssistantReply): void {
    this.drafts?.drop();
    if (this.text === "" && this.thoughts.length === 0) this.tell(reply);
    else this.complete(reply);
    this.pause();
  }

  /** It failed: what was not taken yet is never shown. `true`: something of it stands in the scrollback. */
  broken(): boolean {
    this.drafts?.drop();
    for (const block of [...this.thoughts, ...this.replies]) block.drop();
    this.now = null;
    return this.replies.some(({ isSeen }) => isSeen);
  }

  /** What it has said can still be read; its thoughts and calls led to nothing. */
  failed(): void {
    this.hasFailed = true;
    this.drafts?.drop();
    for (const block of this.thoughts) block.drop();
  }

  get hasWords(): boolean {
    return this.text.trim() !== "";
  }

  isAt(index: number, attempt: number): boolean {
    return this.index === index && this.attempt === attempt;
  }

  cut(text: string): void {
    this.drafts?.drop();
    if (text.startsWith(this.text)) this.say(text.slice(this.text.length));
    this.pause();
  }

  /** It was stopped: what came of it until then stays. */
  stopped(): void {
    this.drafts?.drop();
    this.pause();
  }

  private complete(reply: AssistantReply): void {
    if (reply.text.trim() === this.text.trim()) return;
    if (reply.text.startsWith(this.text)) {
      this.say(reply.text.slice(this.text.length));
      return;
    }
    const isSeen = this.replies.some((block) => block.isSeen);
    for (const block of this.replies) block.drop();
    this.now = null;
    if (isSeen) this.deps.add(otherReplyBlock(this.deps.look));
    if (reply.text.trim() !== "") this.say(reply.text);
  }

  /** Nothing was seen of it: it is told in its own order. */
  private tell({ text, thinking, parts }: AssistantReply): void {
    let [said, thought] = [0, 0];
    this.isHappening = false;
    for (const part of parts ?? []) {
      if (part.kind === "text") {
        this.say(text.slice(said, said + part.length));
        said += part.length;
      } else if (part.kind === "thinking") {
        this.think(thinking.slice(thought, thought + part.length));
        thought += part.length;
      }
    }
    if (thought < thinking.length) this.think(thinking.slice(thought));
    if (said < text.length) this.say(text.slice(said));
  }

  private say(text: string): void {
    this.text += text;
    if (this.deps.isForm() && /^\s*[{[`]/.test(this.text)) return;
    const isOpen = this.now instanceof ReplyBlock;
    // Blank lines between two parts are no part of a reply.
    if (!isOpen && text.trim() === "") return;
    if (!isOpen) {
      this.pause();
      this.now = new ReplyBlock(this.deps.look);
      this.replies.push(this.now);
      this.deps.add(this.now);
    }
    this.now?.push(text);
  }

  private think(text: string): void {
    if (!(this.now instanceof ThinkingBlock)) {
      this.pause();
      this.now = new ThinkingBlock(this.deps.look, this.deps.now);
      this.thoughts.push(this.now);
      this.deps.add(this.now);
    }
    this.now.push(text);
  }

  private pause(): void {
    this.now?.end(this.isHappening);
    this.now = null;
  }

  private draft(): DraftBlock {
    if (this.drafts === null) {
      this.drafts = new DraftBlock(this.deps.look);
      this.deps.add(this.drafts);
    }
    return this.drafts;
  }
}
