import { say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { toolPhrase } from "../text/plain-words.ts";

export const tools: SlashCommand = {
  name: "tools",
  args: "",
  help: "command.tools.help",
  whileRunning: true,
  run: async (port) => {
    const { lang } = port.settings;
    const specs = await port.toolSpecs();
    const lines = specs.map(({ name, description }) => {
      const own = toolPhrase(name);
      return `${name.padEnd(13)}${own ? say(lang, own) : (description.split(/(?<=\.)\s/)[0] ?? "")}`;
    });
    const data = specs.map(({ name, description }) => ({ name, description }));
    return done(lines.join("\n"), data);
  },
};
