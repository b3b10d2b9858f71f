import type { Event } from "../../../contract/event.ts";
import type { Call } from "../../../contract/message.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { Block } from "../blocks/block.ts";
import { CallBlock, type CallDeps, type Lists } from "../blocks/call.ts";
import type { CalledBy } from "../blocks/call-result.ts";
import { SubBlock } from "../blocks/sub.ts";
import { planItems, todoItems } from "../blocks/todos.ts";

export class CallBlocks {
  private readonly deps: Omit<CallDeps, "lists">;
  private readonly add: (block: Block, before?: Block) => void;
  private readonly open = new Map<string, CallBlock | SubBlock>();
  private readonly subs = new Map<string, SubBlock>();
  private lists: Lists = { todos: [], plan: [] };

  constructor(deps: Omit<CallDeps, "lists">, add: (block: Block, before?: Block) => void) {
    this.deps = deps;
    this.add = add;
  }

  announce(calls: readonly Call[], by: CalledBy, before?: Block): Block | null {
    const deps = { ...this.deps, lists: () => this.lists };
    const blocks = calls
      .filter(({ id }) => !this.open.has(id))
      .map((call) => {
        const block = call.role === "delegates" ? new SubBlock(call, deps) : new CallBlock(call, by, deps);
        this.open.set(call.id, block);
        this.add(block, before);
        return block;
      });
    return blocks[0] ?? null;
  }

  /** `false`: the event is about no open call. */
  hear(event: Event): boolean {
    if (event.type === "sub.started") {
      const block = this.open.get(event.callId);
      if (block instanceof SubBlock) this.subs.set(event.subId, block);
      return true;
    }
    const inner = "runId" in event && event.runId !== undefined ? this.subs.get(event.runId) : undefined;
    if (inner && event.type !== "run.stopped") {
      inner.hearInner(event);
      this.note(event);
      return true;
    }
    if (!("callId" in event) || event.type === "job.started") return false;
    const block = this.open.get(event.callId);
    block?.hear(event);
    this.note(event);
    if (event.type === "tool.settled") {
      this.open.delete(event.callId);
      for (const [runId, sub] of this.subs) if (sub === block) this.subs.delete(runId);
    }
    return true;
  }

  output(callId: string, stream: "stdout" | "stderr", text: string): void {
    const block = this.open.get(callId);
    if (block instanceof CallBlock) block.output(stream, text);
    else this.subs.get(callId.split("/", 1)[0] ?? "")?.output(callId, stream, text);
  }

  /** Those that work now. */
  get running(): readonly SubBlock[] {
    return [...this.subs.values()];
  }

  isInner(runId: string): boolean {
    return this.subs.has(runId);
  }

  planned(plan: Plan): void {
    this.lists = { ...this.lists, plan: planItems(plan) };
  }

  close(): void {
    for (const block of this.open.values()) block.close();
    this.open.clear();
    this.subs.clear();
  }

  private note(event: Event): void {
    if (event.type !== "tool.settled") return;
    const { todos, plan } = event.result;
    if (todos) this.lists = { ...this.lists, todos: todoItems(todos) };
    if (plan) this.planned(plan);
  }
}
