import { phrase, say } from "../contract/text/catalogue.ts";
import type { SlashCommand } from "../engine/port.ts";
import { done, failedWith, tooMany } from "./answer.ts";

export const model: SlashCommand = {
  name: "model",
  args: "[provider/name]",
  help: "command.model.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/model", args, 1);
    if (extra) return extra;
    const [ref] = args;
    if (ref === undefined) {
      const now = port.state().model;
      return done(say(lang, now ? phrase("command.model.is", { model: now }) : phrase("session.no_model")), {
        model: now || null,
      });
    }
    const changed = await port.setModel(ref);
    if (!changed.ok) return failedWith(lang, changed.error);
    const lines = [say(lang, phrase("command.model.is", { model: ref }))];
    if (changed.value) lines.push(say(lang, changed.value));
    return done(lines.join("\n"), { model: ref, warning: changed.value ? say(lang, changed.value) : null });
  },
};
