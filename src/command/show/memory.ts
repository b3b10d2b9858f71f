import { visible } from "../../contract/show/visible.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused } from "../text/answer.ts";
import { inColumns } from "../text/rows.ts";

/** Lists the rules files; one that is named opens in the user's editor, where there is one. coder itself writes none of them. */
export const memory: SlashCommand = {
  name: "memory",
  args: "[file]",
  help: "command.memory.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    const files = await port.about.memory();
    const data = files.map(({ file, state }) => ({ file, state }));
    const wanted = args.join(" ");
    if (wanted !== "") {
      const found = files.find(({ file, name }) => file === wanted || name === wanted);
      if (!found)
        return refused(lang, phrase("command.memory.unknown", { given: wanted }), phrase("command.memory.advice"));
      return { ...done(visible(found.file), { file: found.file, state: found.state }), edit: found.file };
    }
    const rows = files.map(({ name, state }) => [visible(name), say(lang, phrase(`command.memory.${state}`))]);
    return done([...inColumns(rows), say(lang, phrase("command.memory.how"))].join("\n"), data);
  },
};
