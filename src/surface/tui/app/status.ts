// The status line. Parts of low weight are dropped first when there is little room.

import { dollars, inDollars } from "../../../contract/show/money.ts";
import { visible } from "../../../contract/show/visible.ts";
import type { Mode } from "../../../contract/task.ts";
import type { EnginePort } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Theme } from "../terminal/theme.ts";
import { visibleWidth } from "../terminal/width.ts";

interface Part {
  readonly text: string;
  readonly weight: number;
}

const GAP = "  ";

export function statusLine(port: EnginePort, look: Look, branch: string | null): string {
  const width = look.width() - 1;
  let parts = partsOf(port, look, branch);
  while (parts.length > 1 && lengthOf(parts) > width) {
    const least = Math.min(...parts.map(({ weight }) => weight));
    parts = parts.filter(({ weight }) => weight !== least);
  }
  return parts.map(({ text }) => text).join(GAP);
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + visibleWidth(text) + GAP.length, -GAP.length);
}

function modeStyle(mode: Mode, theme: Theme): (text: string) => string {
  return { plan: theme.accent, default: theme.plain, "auto-edit": theme.good, yolo: theme.bad }[mode];
}

function partsOf(port: EnginePort, look: Look, branch: string | null): readonly Part[] {
  const { theme } = look;
  const state = port.state();
  const { trust } = port.settings;
  const isUntrusted = trust.ignored.length > 0 && trust.state !== "trusted";
  const jobs = state.jobs.filter(({ end }) => end === null).length;
  const all: readonly (Part | null)[] = [
    { text: modeStyle(state.mode, theme)(`● ${state.mode}`), weight: 9 },
    state.preset === null ? null : { text: theme.dim(state.preset), weight: 4 },
    { text: state.model === "" ? theme.warn(words(look, "tui.status.no_model")) : visible(state.model), weight: 8 },
    meter(port.context(), look),
    state.cost === null || state.cost === 0 ? null : { text: dollars(cents(state.cost)), weight: 6 },
    jobs === 0 ? null : { text: theme.warn(words(look, "tui.status.jobs", { n: jobs })), weight: 7 },
    safety(port.sandboxState(), look),
    isUntrusted ? { text: theme.warn(words(look, "tui.status.untrusted")), weight: 3 } : null,
    branch === null ? null : { text: theme.dim(visible(branch)), weight: 2 },
  ];
  return all.filter((part) => part !== null);
}

function cents(micro: number): number {
  return Math.max(0.01, Math.round(inDollars(micro) * 100) / 100);
}

function meter({ tokens, window }: ReturnType<EnginePort["context"]>, look: Look): Part | null {
  if (window === 0 || tokens === 0) return null;
  const share = Math.min(1, tokens / window);
  const style = share >= 0.9 ? look.theme.bad : share >= 0.7 ? look.theme.warn : look.theme.dim;
  return { text: style(words(look, "tui.status.context", { percent: Math.round(share * 100) })), weight: 7 };
}

function safety(sandbox: ReturnType<EnginePort["sandboxState"]>, look: Look): Part | null {
  if (sandbox === "unknown") return null;
  const text = words(look, `tui.status.sandbox.${sandbox}`);
  return { text: sandbox === "on" ? look.theme.dim(text) : look.theme.warn(text), weight: sandbox === "on" ? 3 : 7.5 };
}
