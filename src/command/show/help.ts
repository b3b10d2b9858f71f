import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";

/** Gets the other commands as an argument: importing `all.ts` would be circular. */
export function help(others: readonly SlashCommand[]): SlashCommand {
  const self: SlashCommand = {
    name: "help",
    args: "",
    help: "command.help.help",
    whileRunning: true,
    run: (port) => {
      const { lang } = port.settings;
      const all = [self, ...others];
      const rows = all.map((one) => ({ name: `/${one.name}`, args: one.args, help: say(lang, phrase(one.help)) }));
      const lines = rows.map(({ name, args, help }) => `${`${name} ${args}`.padEnd(40)} ${help}`);
      return done([...lines, "", say(lang, phrase("command.help.more"))].join("\n"), rows);
    },
  };
  return self;
}
