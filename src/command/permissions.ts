import { type Preset, presets } from "../contract/task.ts";
import { phrase, say } from "../contract/text/catalogue.ts";
import { effectiveTable, type SlashCommand } from "../engine/port.ts";
import { done, refused, tooMany } from "./answer.ts";

export const permissions: SlashCommand = {
  name: "permissions",
  args: "[strict|balanced|auto-edit|yolo]",
  help: "command.permissions.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/permissions", args, 1);
    if (extra) return extra;
    const [wanted] = args;
    const found = presets.find((one): one is Preset => one === wanted);
    if (wanted !== undefined && !found)
      return refused(lang, phrase("command.permissions.unknown", { given: wanted, presets: presets.join(", ") }));
    if (found) port.setPreset(found);
    const preset = found ?? port.state().preset;
    const { mode } = port.state();
    const rows = effectiveTable(mode, preset);
    const head = say(lang, phrase("command.permissions.is", { mode, preset: preset ?? "–" }));
    const lines = rows.map((row) => `  ${row.decision.padEnd(7)}${row.source.padEnd(20)}${say(lang, row.what)}`);
    return done([head, ...lines].join("\n"), { mode, preset, rows });
  },
};
