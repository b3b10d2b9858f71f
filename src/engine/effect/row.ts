import type { Effect } from "../../contract/effect.ts";
import type { EventBody } from "../../contract/event.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { History } from "../../machine/history/history.ts";
import type { SessionState } from "../../machine/state.ts";
import type { Jobs } from "../call/jobs.ts";
import type { Pipeline } from "../call/pipeline.ts";
import type { CheckDeps } from "../check/standing.ts";
import type { Judge } from "../judge/judge.ts";
import type { EffectAnswer, Loop } from "../loop/loop.ts";
import type { Overview } from "../session/overview.ts";
import type { SessionModel } from "../session/session-model.ts";

export interface EffectPorts extends CheckDeps {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly loop: Loop;
  readonly models: SessionModel;
  readonly pipeline: Pipeline;
  readonly judge: Judge;
  readonly jobs: Jobs;
  readonly overview: Overview | null;
  readonly hints: () => string;
  /** The current rules as events, if they differ from those the model was told. */
  readonly rules: (state: SessionState, history: History) => readonly EventBody[];
  /** The user can be asked to show commands these hidden files, and was not asked before. */
  readonly mayShow: (files: readonly string[]) => boolean;
  readonly lookAhead: () => void;
  readonly stopRun: (runId: string) => Promise<void>;
  readonly traceId: () => string;
}

export interface Moment {
  readonly state: SessionState;
  readonly history: History;
}

type Now<E extends Effect, A> = (ports: EffectPorts, effect: E, at: Moment) => A;
type Later<E extends Effect> = (ports: EffectPorts, effect: E, signal: AbortSignal) => Promise<readonly EventBody[]>;

/** `now`: answers within the batch, without a commit of its own; `null` = needs `later`. `outlivesRun`: a cancel does not wait for it. */
export type EffectRow<E extends Effect> =
  | { readonly now: Now<E, EffectAnswer>; readonly later?: undefined }
  | { readonly now?: Now<E, EffectAnswer | null>; readonly later: Later<E>; readonly outlivesRun?: true };

export function answer(...bodies: readonly EventBody[]): EffectAnswer {
  return { bodies, blobs: [] };
}

/** For work that pushes its own events. */
export async function pushing(work: Promise<void>): Promise<readonly []> {
  await work;
  return [];
}
