// `/context`: what the next request of the task would consist of. Loaded on demand.
import { messageParts } from "../../context/parts.ts";
import { estimateTokens } from "../../context/tokens.ts";
import type { Settings } from "../../contract/settings.ts";
import { type ContextKind, contextKinds, type WindowUse } from "../../contract/show/insight.ts";
import type { Loop } from "../loop/loop.ts";
import type { ModelCallDeps } from "./model-call.ts";

type Fixed = Pick<ModelCallDeps, "system" | "specs" | "window">;

/** `loop`: `null` before the first message. `ratio`: how much more a provider counts than we. */
export function windowUse(
  { system, specs, window }: Fixed,
  { compactAt, autoCompact }: Settings,
  loop: Loop | null,
  ratio: number,
): WindowUse {
  const own: readonly (readonly [ContextKind, number])[] = [
    ["system", estimateTokens(system)],
    ["tools", estimateTokens(JSON.stringify(specs))],
  ];
  const tokens = new Map([...own, ...(loop ? messageParts(loop.history, loop.state.view) : [])]);
  const parts = contextKinds.map((kind) => ({ kind, tokens: Math.round((tokens.get(kind) ?? 0) * ratio) }));
  return { parts, window, compactsAt: autoCompact ? Math.floor(window * compactAt) : null };
}
