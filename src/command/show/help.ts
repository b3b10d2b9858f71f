import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, tooMany } from "../text/answer.ts";

/** Gets the other commands as an argument: importing `all.ts` would be circular. */
export function help(others: readonly SlashCommand[]): SlashCommand {
  const self: SlashCommand = {
    name: "help",
    args: "",
    help: "command.help.help",
    whileRunning: true,
    run: (port, args) => {
      const { lang } = port.settings;
      const rows = [self, ...others].map((one) => ({
        name: `/${one.name}`,
        args: one.args,
        help: say(lang, phrase(one.help)),
      }));
      const lines = rows.map((row) => `${`${row.name} ${row.args}`.padEnd(40)} ${row.help}`);
      return (
        tooMany(lang, "/help", args, 0) ?? done([...lines, "", say(lang, phrase("command.help.more"))].join("\n"), rows)
      );
    },
  };
  return self;
}
