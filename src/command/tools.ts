import type { SlashCommand } from "../engine/port.ts";
import { done, tooMany } from "./answer.ts";

export const tools: SlashCommand = {
  name: "tools",
  args: "",
  help: "command.tools.help",
  whileRunning: true,
  run: async (port, args) => {
    const specs = await port.toolSpecs();
    const lines = specs.map((spec) => `${spec.name.padEnd(13)}${spec.description.split(/(?<=\.)\s/)[0] ?? ""}`);
    return (
      tooMany(port.settings.lang, "/tools", args, 0) ??
      done(
        lines.join("\n"),
        specs.map(({ name, description }) => ({ name, description })),
      )
    );
  },
};
