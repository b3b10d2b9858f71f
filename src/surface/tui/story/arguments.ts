import { exportForms } from "../../../contract/export.ts";
import { visible } from "../../../contract/show/visible.ts";
import { modes, presets } from "../../../contract/task.ts";
import { themes } from "../../../contract/ui.ts";
import type { EnginePort } from "../../../engine/port.ts";
import type { Choice } from "../prompt/menu.ts";

const MOST = 50;

/** `command`: without its slash. Empty if any value is possible. */
export async function argumentsOf(port: EnginePort, command: string): Promise<readonly Choice[]> {
  const fixed = words[command];
  if (fixed) return fixed.map((value) => ({ value, label: value }));
  if (command === "model")
    return (await port.knownModels())
      .filter(({ isUsable }) => isUsable)
      .map(({ ref }) => ({ value: visible(ref), label: visible(ref) }));
  if (command !== "resume") return [];
  return port.sessions(MOST).map(({ id, title }) => ({ value: id, label: id, about: visible(title) }));
}

const words: Readonly<Record<string, readonly string[]>> = {
  mode: modes,
  permissions: presets,
  theme: themes,
  lang: ["en", "zh"],
  plan: ["yes", "no", "export", "edit", "run", "replay"],
  export: exportForms,
  diff: ["--send"],
  vim: ["on", "off"],
};
