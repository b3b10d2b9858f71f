// The status line. Parts of low weight are dropped first when there is little room.

import { dollars, inDollars } from "../../../contract/show/money.ts";
import { visible } from "../../../contract/show/visible.ts";
import type { Mode } from "../../../contract/task.ts";
import type { StatusField } from "../../../contract/ui.ts";
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
  return port.settings.ui.statusline.fields.flatMap((field) => partOf[field](port, look, branch) ?? []);
}

const partOf: Readonly<Record<StatusField, (port: EnginePort, look: Look, branch: string | null) => Part | null>> = {
  mode: (port, { theme }) => ({ text: modeStyle(port.state().mode, theme)(`● ${port.state().mode}`), weight: 9 }),
  preset: (port, { theme }) => dimmed(theme, port.state().preset, 4),
  model: (port, look) => {
    const { model } = port.state();
    return { text: model === "" ? look.theme.warn(words(look, "tui.status.no_model")) : visible(model), weight: 8 };
  },
  context: (port, look) => meter(port.context(), look),
  cost: (port) => {
    const { cost } = port.state();
    return cost === null || cost === 0 ? null : { text: dollars(cents(cost)), weight: 6 };
  },
  jobs: (port, look) => {
    const n = port.state().jobs.filter(({ end }) => end === null).length;
    return n === 0 ? null : { text: look.theme.warn(words(look, "tui.status.jobs", { n })), weight: 7 };
  },
  sandbox: (port, look) => safety(port.sandboxState(), look),
  trust: (port, look) => {
    const { trust } = port.settings;
    const isUntrusted = trust.ignored.length > 0 && trust.state !== "trusted";
    return isUntrusted ? { text: look.theme.warn(words(look, "tui.status.untrusted")), weight: 3 } : null;
  },
  branch: (_, { theme }, branch) => dimmed(theme, branch, 2),
  folder: (port, { theme }) => dimmed(theme, port.settings.workspace.split("/").at(-1) ?? null, 1.5),
  session: (port, { theme }) => dimmed(theme, port.state().id || null, 1),
};

function dimmed(theme: Theme, text: string | null, weight: number): Part | null {
  return text === null ? null : { text: theme.dim(visible(text)), weight };
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
