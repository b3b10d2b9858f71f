import { extname } from "node:path";
import { exportForms } from "../../contract/export.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, failedWith, refused, tooMany } from "../text/answer.ts";

export const exportSession: SlashCommand = {
  name: "export",
  args: "[md|html|json] [file]",
  help: "command.export.help",
  whileRunning: true,
  run: async (port, args) => {
    const { lang } = port.settings;
    const named = exportForms.find((one) => one === args[0]);
    const rest = named ? args.slice(1) : args;
    const extra = tooMany(lang, "/export", rest, 1);
    if (extra) return extra;
    const [file = null] = rest;
    const ending = extname((file ?? "").toLowerCase()).slice(1);
    const form = named ?? exportForms.find((one) => one === ending) ?? "md";
    if (!port.state().id) return refused(lang, phrase("command.export.nothing"), phrase("command.nothing.advice"));
    const written = await port.exportSession(form, file);
    if (!written.ok) return failedWith(lang, written.error);
    return done(say(lang, phrase("export.written", { ...written.value })), { ...written.value, format: form });
  },
};
