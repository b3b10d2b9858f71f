// What a call that is asked about would do to files: planned for the question, so that nobody is asked about what cannot be done, and
// planned again after a yes, so that nothing is done but what was shown.
import type { ErrorInfo, Result } from "../../contract/error.ts";
import type { Call, FileChange } from "../../contract/message.ts";
import type { AnyTool, ChangePlan } from "../../contract/tool.ts";
import { callState, type SessionState } from "../../machine/state.ts";
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
  /** Of the questions that are open, for as long as they are. */
  private readonly plans = new Map<Call["id"], Kept>();
  /** Made by `prepare` for a decision that has not been taken yet. */
  private readonly fresh = new Map<Call["id"], Kept>();
  /** Where a plan that is to be prepared may go: what was judged along with it. */
  private readonly wanted = new Map<Call["id"], readonly string[]>();

  constructor(deps: PipelineDeps) {
    this.deps = deps;
  }

  /** Why a call that would be asked about cannot be carried out; `null` = it can, or that is not the model's to know unasked. `undefined`: it has to be prepared. */
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

  /** `false`: nothing of this call is wanted. */
  async prepare(call: Call, tool: AnyTool): Promise<boolean> {
    const outside = this.wanted.get(call.id);
    this.wanted.delete(call.id);
    if (outside === undefined) return false;
    this.fresh.set(call.id, { input: call.input, plan: await this.make(call, tool, outside) });
    return true;
  }

  /** As it was planned for the question; after a crash it is planned once more, and stays so. */
  async of(call: Call, tool: AnyTool): Promise<Planned> {
    const known = (): Planned | undefined => this.plans.get(call.id)?.plan;
    if (known()) return known() as Planned;
    const plan = await this.make(call, tool, callState(this.deps.state().run, call.id)?.outside ?? []);
    return known() ?? this.keep(call, plan);
  }

  has({ id }: Call): boolean {
    return this.plans.has(id);
  }

  /** What a yes is given to, for the log; `undefined` = it changes no files. */
  shown({ id }: Call): string | undefined {
    const plan = this.plans.get(id)?.plan;
    return plan?.ok && plan.value.changes.length > 0
      ? digest(plan.value.changes.map(({ change }) => change))
      : undefined;
  }

  /** Whether this is what the person has said yes to. */
  isAsShown({ id }: Call, { run }: SessionState, changes: readonly FileChange[]): boolean {
    const shown = callState(run, id)?.shown;
    return shown === undefined || shown === digest(changes);
  }

  over({ id }: Pick<Call, "id">): void {
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
