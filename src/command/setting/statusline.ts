import { phrase, say } from "../../contract/text/catalogue.ts";
import { type StatusField, type StatusLineSettings, statusFields } from "../../contract/ui.ts";
import type { CommandResult, EnginePort, SlashCommand } from "../../engine/port.ts";
import { done, refused, tooMany } from "../text/answer.ts";

const usage = "[fields NAME…|command COMMAND|command off]";

export const statusline: SlashCommand = {
  name: "statusline",
  args: usage,
  help: "command.statusline.help",
  whileRunning: true,
  run: async (port, [what, ...more]) => {
    const { lang, ui } = port.settings;
    if (what === undefined) return done(shown(port, ui.statusline), ui.statusline);
    if (what === "command" && more.length > 0) {
      const command = more.join(" ");
      const { fields } = ui.statusline;
      return await keep(port, command === "off" ? { fields } : { fields, command });
    }
    if (what !== "fields") return refused(lang, phrase("command.statusline.usage", { usage }));
    const unknown = more.find((name) => !isField(name));
    if (unknown !== undefined) {
      return refused(lang, phrase("command.statusline.unknown", { given: unknown, fields: statusFields.join(", ") }));
    }
    const fields = more.filter(isField);
    return (
      tooMany(lang, "/statusline", fields, statusFields.length) ?? (await keep(port, { ...ui.statusline, fields }))
    );
  },
};

function isField(name: string): name is StatusField {
  return statusFields.some((one) => one === name);
}

function shown({ settings }: EnginePort, { command, fields }: StatusLineSettings): string {
  const { lang } = settings;
  const rest = statusFields.filter((one) => !fields.includes(one));
  return [
    phrase("command.statusline.fields", { fields: fields.join(" ") || "–" }),
    ...(rest.length === 0 ? [] : [phrase("command.statusline.more", { fields: rest.join(" ") })]),
    phrase("command.statusline.command", { command: command ?? "–" }),
  ]
    .map((one) => say(lang, one))
    .join("\n");
}

async function keep(port: EnginePort, statusline: StatusLineSettings): Promise<CommandResult> {
  const { lang } = port.settings;
  const problem = await port.setUi({ statusline });
  const kept = problem ? `\n${say(lang, phrase("command.ui.not_kept", { problem }))}` : "";
  return { ...done(`${shown(port, statusline)}${kept}`, statusline), ui: { statusline } };
}
