// Plans file changes before the user is asked: an impossible change needs no question, and after approval the call does exactly what was
// shown, or nothing.
import type { ErrorInfo, Result } from "../../contract/error.ts";
import type { Call, FileChange } from "../../contract/message.ts";
import type { AnyTool, ChangePlan } from "../../contract/tool.ts";
import { callIn, type SessionState } from "../../machine/state.ts";
import { mayReadUnasked } from "../../policy/decide-deed.ts";
import type { Judged } from "../judge/deed-facts.ts";
import { type PipelineDeps, toolContext } from "./tool-context.ts";
import { changesKey } from "./write-intent.ts";

type Planned = Result<ChangePlan>;

interface Kept {
  readonly input: unknown;
  readonly plan: Planned;
}

const neverAborted = new AbortController().signal;

export class AskedChanges {
  private readonly deps: PipelineDeps;
  /** Plans of open questions. */
  private readonly plans = new Map<Call["id"], Kept>();
  private readonly fresh = new Map<Call["id"], Kept>();
  /** Calls that need `prepare`, with the outside paths that were judged with them. */
  private readonly wanted = new Map<Call["id"], readonly string[]>();

  constructor(deps: PipelineDeps) {
    this.deps = deps;
  }

  /** `null` = possible, or the model must not learn why not. `undefined`: call `prepare` first. */
  problem(call: Call, tool: AnyTool, state: SessionState, judged: Judged): ErrorInfo | null | undefined {
    if (!("plan" in tool)) return null;
    const fresh = this.fresh.get(call.id);
    this.fresh.delete(call.id);
    const prepared = fresh && fresh.input === call.input ? fresh.plan : undefined;
    const plan = prepared ?? this.planAtOnce(call, tool, state, judged.outside);
    if (plan === null) {
      this.wanted.set(call.id, judged.outside);
      return undefined;
    }
    this.plans.set(call.id, { input: call.input, plan });
    return plan.ok || !mayReadUnasked(judged) ? null : plan.error;
  }

  /** Returns false if no plan is wanted for this call. */
  async prepare(call: Call, tool: AnyTool): Promise<boolean> {
    const outside = this.wanted.get(call.id);
    this.wanted.delete(call.id);
    if (outside === undefined) return false;
    this.fresh.set(call.id, { input: call.input, plan: await this.make(call, tool, outside) });
    return true;
  }

  /** The plan made for the question; after a crash it is made once more and kept. */
  async of(call: Call, tool: AnyTool): Promise<Planned> {
    const known = (): Planned | undefined => this.plans.get(call.id)?.plan;
    if (known()) return known() as Planned;
    const plan = await this.make(call, tool, callIn(this.deps.state(), call.id)?.outside ?? []);
    return known() ?? this.keep(call, plan);
  }

  has({ id }: Call): boolean {
    return this.plans.has(id);
  }

  shown({ id }: Call): string | undefined {
    const plan = this.plans.get(id)?.plan;
    return plan?.ok && plan.value.changes.length > 0
      ? digest(plan.value.changes.map(({ change }) => change))
      : undefined;
  }

  isAsShown({ id }: Call, state: SessionState, changes: readonly FileChange[]): boolean {
    const shown = callIn(state, id)?.shown;
    return shown === undefined || shown === digest(changes);
  }

  forget({ id }: Pick<Call, "id">): void {
    this.plans.delete(id);
  }

  private keep(call: Call, plan: Planned): Planned {
    this.plans.set(call.id, { input: call.input, plan });
    return plan;
  }

  private planAtOnce(call: Call, tool: AnyTool, state: SessionState, outside: readonly string[]): Planned | null {
    if (!("plansAtOnce" in tool)) return null;
    return tool.plan(call.input as never, {
      ...toolContext(this.deps, state, call, neverAborted),
      allowedOutside: outside,
    });
  }

  private async make(call: Call, tool: AnyTool, allowedOutside: readonly string[]): Promise<Planned> {
    if (!("plan" in tool)) return { ok: true, value: { changes: [], text: "" } };
    return tool.plan(call.input as never, {
      ...toolContext(this.deps, this.deps.state(), call, neverAborted),
      allowedOutside,
    });
  }
}

function digest(changes: readonly FileChange[]): string {
  return Bun.CryptoHasher.hash("sha256", changesKey(changes), "hex");
}
