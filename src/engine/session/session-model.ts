import { systemText } from "../../context/system.ts";
import type { ModelPort } from "../../contract/delta.ts";
import { CoderError } from "../../contract/error.ts";
import type { RunId } from "../../contract/ids.ts";
import type { PartialText } from "../../contract/store.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { subWith } from "../../machine/state.ts";
import { subToolbox } from "../call/sub-agent.ts";
import type { Loop } from "../loop/loop.ts";
import { Calibration } from "../model/calibration.ts";
import { costLimit, priceOf, priceProblem } from "../model/cost.ts";
import { type ModelCallDeps, requestTokens } from "../model/model-call.ts";
import { Patience } from "../model/patience.ts";
import { Fallback } from "../question/model-fallback.ts";
import type { LiveDeps } from "./session.ts";

export class SessionModel {
  private readonly deps: LiveDeps;
  private readonly loop: () => Loop;
  private readonly ports = new Map<string, Promise<ModelPort>>();
  /** Models that were called: some servers know their window only after that. */
  private readonly called = new Map<string, ModelPort>();
  private readonly givenNotices = new Set<string>();
  readonly fallback: Fallback;
  readonly patience = new Patience();
  private readonly calibration = new Calibration();
  private measured = { tokens: 0, window: 0 };

  constructor(deps: LiveDeps, loop: () => Loop) {
    this.deps = deps;
    this.loop = loop;
    const { settings, model, chooseModel, takeModel, isInteractive } = deps;
    this.fallback = new Fallback({
      ...{ settings, model, chooseModel, takeModel, isInteractive },
      problemWith: (choice) => priceProblem(choice, costLimit(settings, loop().state)),
      push: (body) => loop().push(body),
      publish: (offer) => deps.publish({ kind: "fallback", offer }),
    });
  }

  port(): Promise<ModelPort> {
    const choice = this.deps.model();
    if (!choice) throw new CoderError({ code: "E_CONFIG", text: phrase("session.no_model") });
    // Another effort level sends other requests.
    const key = `${choice.ref} ${choice.effort?.level ?? ""}`;
    const known = this.ports.get(key) ?? this.deps.openModel(choice);
    this.ports.set(key, known);
    return known;
  }

  /** CX-5: how full the window of the session is, also while a sub-agent with its own window runs, and right after a resume. */
  get context(): { readonly tokens: number; readonly window: number } {
    const { history } = this.loop();
    if (this.measured.tokens > 0 || history.entries.length === 0) return this.measured;
    const own = this.callDeps();
    this.measured = { tokens: Math.round(requestTokens(own) * this.calibration.ratio), window: own.window };
    return this.measured;
  }

  /** `runId`: absent for the task's run. */
  callDeps(model: ModelPort = noModel, runId: RunId = ""): ModelCallDeps {
    const { settings } = this.deps;
    const loop = this.loop();
    const sub = subWith(loop.state, runId);
    const { specs, tools } = sub ? subToolbox(this.deps, sub.kind) : this.deps;
    const choice = this.deps.model();
    const ref = choice?.ref ?? "";
    if (model !== noModel) this.called.set(ref, model);
    const window = this.called.get(ref)?.window ?? choice?.contextWindow ?? 128_000;
    const { workspace, addDirs } = settings;
    const { fallback, patience, calibration, tell } = this;
    return {
      ...{ settings, model, specs, tools, window, ref, fallback, patience, calibration, tell },
      // One text is kept per session: that of the task's own run.
      keepPartial: sub ? () => {} : this.keepPartial,
      isSub: sub !== undefined,
      runId,
      system: systemText({ os: this.deps.os, workspace, addDirs, prompt: loop.state.prompt }),
      price: choice && priceOf(choice),
      state: () => loop.state,
      history: loop.history.of(runId),
      checks: this.deps,
      task: loop.history,
      imageBytes: (hash) => this.deps.log.blob(hash),
      onDelta: (delta) => this.deps.publish({ kind: "delta", delta }),
      onContext: (tokens) => {
        if (!sub) this.measured = { tokens, window };
        this.deps.publish({ kind: "context", tokens, window, ...(sub ? { isInner: true } : {}) });
      },
      onCompacting: () => this.deps.publish({ kind: "compacting" }),
    };
  }

  /** A failing store fails again with the next event and is reported then. */
  private readonly keepPartial = (partial: PartialText): void => {
    try {
      this.deps.log.keepPartial(partial);
    } catch (error) {
      if (!(error instanceof CoderError)) throw error;
    }
  };

  private readonly tell = (text: Phrase): void => {
    const what = `${text.key} ${String(text.args?.model)}`;
    if (this.givenNotices.has(what)) return;
    this.givenNotices.add(what);
    this.loop().push({ type: "notice.given", text });
  };
}

const noModel: ModelPort = {
  stream: () => {
    throw new CoderError({ code: "E_INTERNAL", text: phrase("session.no_model") });
  },
};
