import type { MessageDelta } from "../../../contract/delta.ts";
import type { AssistantReply } from "../../../contract/message.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { Block } from "../blocks/block.ts";
import { DraftBlock } from "../blocks/draft.ts";
import { noteBlock } from "../blocks/note.ts";
import { ReplyBlock } from "../blocks/reply.ts";
import { ThinkingBlock } from "../blocks/thinking.ts";
import { type Look, words } from "../terminal/look.ts";

interface LiveReplyDeps {
  readonly look: Look;
  readonly now: () => number;
  readonly add: (block: Block) => void;
  /** The reply is structured: the end of the task shows it in words. */
  readonly isForm: () => boolean;
}

export class ReplyStreams {
  private readonly deps: LiveReplyDeps;
  private readonly open = new Map<string, LiveReply>();
  /** Stopped replies: the log will repeat text that is on the screen already. */
  private stopped: readonly { readonly runId: string; readonly reply: LiveReply }[] = [];

  /** The reply with a plan of which nobody has said yet what becomes of it. */
  private planning: ReplyBlock | null = null;

  constructor(deps: LiveReplyDeps) {
    this.deps = deps;
  }

  planAsked(): void {
    this.planning?.planAsked();
  }

  /** `false`: the plan stands in no reply. `null`: nothing becomes of it. */
  planned(plan: Plan | null, heading = ""): boolean {
    const { planning } = this;
    this.planning = null;
    planning?.planned(plan, heading);
    return planning !== null;
  }

  /** The reply was cut off; text that was not streamed is shown now. */
  cut(runId: string, index: number, attempt: number, text: string): void {
    const seen = this.stopped.find((one) => one.runId === runId && one.reply.isAt(index, attempt));
    (seen?.reply ?? this.of(runId, index, attempt)).cut(text);
    this.open.delete(runId);
  }

  of(runId: string, index: number, attempt: number): LiveReply {
    const known = this.open.get(runId);
    if (known?.isAt(index, attempt)) return known;
    // The end of the previous attempt was never reported.
    if (known?.broken()) this.deps.add(warning(this.deps.look, "block.broken_off"));
    const reply = new LiveReply(index, attempt, this.deps);
    this.open.set(runId, reply);
    return reply;
  }

  failed(runId: string): void {
    this.open.get(runId)?.failed();
  }

  /** Another attempt has yielded something. `true`: the scrollback holds text of the failed one. */
  replaces(runId: string, index: number, attempt: number): boolean {
    const known = this.open.get(runId);
    if (!known?.hasFailed || known.isAt(index, attempt)) return false;
    this.open.delete(runId);
    return known.broken();
  }

  get hasFailedWords(): boolean {
    return [...this.open.values()].some(({ hasFailed, hasWords }) => hasFailed && hasWords);
  }

  /** No more retries: the text stays. `true`: there is some. */
  givenUp(runId: string): boolean {
    const reply = this.open.get(runId);
    this.open.delete(runId);
    reply?.failed();
    reply?.stopped();
    return reply?.hasWords ?? false;
  }

  replied(runId: string, index: number, attempt: number, reply: AssistantReply): void {
    const own = this.of(runId, index, attempt);
    own.replied(reply);
    this.planning = own.planning;
    this.open.delete(runId);
  }

  stop(): void {
    this.stopped = [...this.open].map(([runId, reply]) => ({ runId, reply }));
    for (const { reply } of this.stopped) reply.stopped();
    this.open.clear();
  }
}

class LiveReply {
  private readonly index: number;
  private readonly attempt: number;
  private readonly deps: LiveReplyDeps;
  private readonly thoughts: ThinkingBlock[] = [];
  private readonly replies: ReplyBlock[] = [];
  private now: ThinkingBlock | ReplyBlock | null = null;
  private drafts: DraftBlock | null = null;
  private text = "";
  hasFailed = false;
  /** Streamed live, so that the elapsed time is the time spent thinking. */
  private isHappening = true;

  constructor(index: number, attempt: number, deps: LiveReplyDeps) {
    this.index = index;
    this.attempt = attempt;
    this.deps = deps;
  }

  hear(delta: MessageDelta): void {
    if (delta.kind === "text" && delta.text !== "") this.say(delta.text);
    if (delta.kind === "thinking" && delta.text !== "") this.think(delta.text);
    if (delta.kind === "tool_call_start") {
      this.pause();
      this.draft().begin(delta.ordinal, delta.tool);
    }
    if (delta.kind === "tool_call_args") this.draft().push(delta.ordinal, delta.text);
  }

  replied(reply: AssistantReply): void {
    this.drafts?.drop();
    if (this.text === "" && this.thoughts.length === 0) this.show(reply);
    else this.complete(reply);
    this.pause();
  }

  /** The attempt failed: lines that were not taken yet are dropped. `true`: some are in the scrollback. */
  broken(): boolean {
    this.drafts?.drop();
    for (const block of [...this.thoughts, ...this.replies]) block.drop();
    this.now = null;
    return this.replies.some(({ isSeen }) => isSeen);
  }

  failed(): void {
    this.hasFailed = true;
    this.drafts?.drop();
    for (const block of this.thoughts) block.drop();
  }

  get planning(): ReplyBlock | null {
    return this.replies.findLast(({ hasOpenPlan }) => hasOpenPlan) ?? null;
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
    this.stopped();
  }

  stopped(): void {
    this.drafts?.drop();
    this.pause();
    for (const block of this.replies) block.planned(null);
  }

  private complete(reply: AssistantReply): void {
    if (reply.text.trim() === this.text.trim()) return;
    const isContinued = reply.text.startsWith(this.text);
    if (!isContinued) {
      if (this.replies.some((block) => block.isSeen)) this.deps.add(warning(this.deps.look, "block.other_reply"));
      for (const block of this.replies) block.drop();
      this.now = null;
    }
    const rest = isContinued ? reply.text.slice(this.text.length) : reply.text;
    if (rest.trim() !== "") this.say(rest);
  }

  /** Nothing was streamed: shows the parts in their order. */
  private show({ text, thinking, parts }: AssistantReply): void {
    let [shownText, shownThinking] = [0, 0];
    this.isHappening = false;
    for (const part of parts ?? []) {
      if (part.kind === "text") {
        this.say(text.slice(shownText, shownText + part.length));
        shownText += part.length;
      } else if (part.kind === "thinking") {
        this.think(thinking.slice(shownThinking, shownThinking + part.length));
        shownThinking += part.length;
      }
    }
    if (shownThinking < thinking.length) this.think(thinking.slice(shownThinking));
    if (shownText < text.length) this.say(text.slice(shownText));
  }

  private say(text: string): void {
    this.text += text;
    if (this.deps.isForm() && /^\s*[{[`]/.test(this.text)) return;
    if (!(this.now instanceof ReplyBlock)) {
      // Blank lines between two parts belong to neither.
      if (text.trim() === "") return;
      this.replies.push(this.begin(new ReplyBlock(this.deps.look)));
    }
    this.now?.push(text);
  }

  private think(text: string): void {
    if (!(this.now instanceof ThinkingBlock))
      this.thoughts.push(this.begin(new ThinkingBlock(this.deps.look, this.deps.now)));
    this.now?.push(text);
  }

  private begin<T extends ThinkingBlock | ReplyBlock>(block: T): T {
    this.pause();
    this.now = block;
    this.deps.add(block);
    return block;
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

function warning(look: Look, key: "block.broken_off" | "block.other_reply"): Block {
  return noteBlock(look, words(look, key), true);
}
