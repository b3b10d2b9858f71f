import { systemText } from "../context/system.ts";
import type { ModelPort } from "../contract/delta.ts";
import { CoderError } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { priceOf } from "./cost.ts";
import type { LiveDeps } from "./live.ts";
import type { Loop } from "./loop.ts";
import type { ModelCallDeps } from "./model-call.ts";

/** The models of one session: each opened once, and all that a call of one needs. */
export class SessionModel {
  private readonly deps: LiveDeps;
  private readonly loop: () => Loop;
  private readonly ports = new Map<string, Promise<ModelPort>>();
  context = { tokens: 0, window: 0 };

  constructor(deps: LiveDeps, loop: () => Loop) {
    this.deps = deps;
    this.loop = loop;
  }

  port(): Promise<ModelPort> {
    const choice = this.deps.model();
    if (!choice) throw new CoderError({ code: "E_CONFIG", text: phrase("session.no_model") });
    const known = this.ports.get(choice.ref) ?? this.deps.openModel(choice);
    this.ports.set(choice.ref, known);
    return known;
  }

  /** Without a model: for what only looks at the request that would be made. */
  callDeps(model: ModelPort = noModel): ModelCallDeps {
    const { settings, specs, tools } = this.deps;
    const loop = this.loop();
    const choice = this.deps.model();
    const window = choice?.contextWindow ?? 128_000;
    return {
      settings,
      model,
      specs,
      tools,
      system: systemText({ os: this.deps.os, workspace: settings.workspace, addDirs: settings.addDirs }),
      window,
      price: choice && priceOf(choice),
      compactAt: settings.compactAt,
      keepRecent: settings.keepRecent,
      state: () => loop.state,
      history: loop.history,
      imageBytes: (hash) => this.deps.log.blob(hash),
      onDelta: (delta) => this.deps.publish({ kind: "delta", delta }),
      onContext: (tokens) => {
        this.context = { tokens, window };
        this.deps.publish({ kind: "context", tokens, window });
      },
    };
  }
}

const noModel: ModelPort = {
  stream: () => {
    throw new CoderError({ code: "E_INTERNAL", text: phrase("session.no_model") });
  },
};
