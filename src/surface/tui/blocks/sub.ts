// A sub-agent: its calls below its line while it works, one line for all of them afterwards.
import type { Event, EventOf } from "../../../contract/event.ts";
import type { Call, CallResult } from "../../../contract/message.ts";
import { say } from "../../../contract/text/catalogue.ts";
import { cut, oneLine, wrap } from "../terminal/fit.ts";
import { words } from "../terminal/look.ts";
import { counted, shownTime } from "../terminal/measure.ts";
import { type Detail, WholeBlock } from "./block.ts";
import { CallBlock, type CallDeps } from "./call.ts";
import { errorLines } from "./call-result.ts";
import { joined, ready } from "./lines.ts";

const shownCalls = 4;
/** Of a call that runs, in the full view. */
const shownLive = 12;
/** Older calls are dropped; the final answer counts. */
const keptCalls = 200;

export class SubBlock extends WholeBlock {
  readonly group = "step";
  private readonly deps: CallDeps;
  private readonly asked: CallBlock;
  private calls: CallBlock[] = [];
  private readonly byId = new Map<string, CallBlock>();
  private count = 0;
  private trouble = "";
  private result: CallResult | null = null;

  constructor(call: Call, deps: CallDeps) {
    super();
    this.deps = deps;
    this.asked = new CallBlock(call, "model", deps);
  }

  hear(event: Event): void {
    if (event.type === "tool.settled") this.result = event.result;
    this.asked.hear(event);
  }

  hearInner(event: Event): void {
    if (event.type === "model.replied") {
      this.trouble = "";
      for (const call of event.reply.calls) this.announce(call);
    } else if (event.type === "model.failed") this.trouble = this.failure(event);
    else if ("callId" in event && event.callId) this.byId.get(event.callId)?.hear(event);
  }

  output(callId: string, stream: "stdout" | "stderr", text: string): void {
    this.byId.get(callId)?.output(stream, text);
  }

  close(): void {
    this.asked.close();
  }

  get isOver(): boolean {
    return this.asked.isSettled;
  }

  override live(room: number): readonly string[] {
    if (this.isTaken || room < 1) return [];
    if (this.isOver) return this.lines().slice(0, room);
    const { look } = this.deps;
    const inner = this.calls
      .slice(-Math.min(shownCalls, Math.max(0, room - 1)))
      .flatMap((call) => call.live(room > 6 ? 3 : 1));
    const trouble = this.trouble === "" ? [] : [look.theme.warn(cut(this.trouble, look.width() - 2))];
    const below = [...inner, ...trouble].slice(-Math.max(0, room - 1));
    return [this.asked.head(), ...(room > 1 ? below : []).map((line) => `  ${line}`)];
  }

  get detail(): Detail {
    const { look } = this.deps;
    const calls = [...this.calls];
    const more = this.count - calls.length;
    const { asked } = this;
    return {
      title: asked.title(),
      lines: (width) => {
        const below = [
          "",
          look.theme.bold(counted(look, "block.calls.n", this.count)),
          ...(more > 0 ? [look.theme.dim(words(look, "block.earlier", { n: more }))] : []),
          ...calls.flatMap((call) => (call.isSettled ? [wrap(call.head(), width)[0] ?? ""] : call.live(shownLive))),
        ];
        return joined([asked.detail?.lines(width) ?? ready([], width), ready(below, width)]);
      },
    };
  }

  private announce(call: Call): void {
    const { look } = this.deps;
    const inner = { ...this.deps, diffs: null, look: { ...look, width: () => Math.max(10, look.width() - 2) } };
    const block = new CallBlock(call, "model", inner);
    this.count++;
    this.calls.push(block);
    this.byId.set(call.id, block);
    if (this.calls.length <= keptCalls) return;
    const [oldest] = this.calls;
    if (oldest) this.byId.delete(oldest.call.id);
    this.calls = this.calls.slice(1);
  }

  private failure({ error, retryInMs }: EventOf<"model.failed">): string {
    const { look } = this.deps;
    const text = oneLine(say(look.lang, error.text));
    return retryInMs === null ? text : words(look, "block.retry", { text, time: shownTime(look, retryInMs) });
  }

  protected lines(): readonly string[] {
    const { look } = this.deps;
    const head = this.asked.head();
    const calls = this.count === 0 ? [] : [counted(look, "block.calls.n", this.count)];
    const [first = ""] = this.result?.output.trimStart().split("\n", 1) ?? [];
    const answer = this.result?.status === "done" ? oneLine(first) : "";
    const below = [...calls, answer].filter((part) => part !== "").join(" · ");
    const failed = errorLines(look, this.result?.error ?? null, false);
    return [head, ...(below === "" ? [] : [look.theme.dim(cut(`  ${below}`, look.width()))]), ...failed];
  }
}
