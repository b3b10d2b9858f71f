import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { refused, tooMany } from "../text/answer.ts";

export const undo: SlashCommand = {
  name: "undo",
  args: "[n] [--unclear] | --all",
  help: "workflow.undo.help",
  whileRunning: false,
  run: (port, args) => {
    const { lang } = port.settings;
    const unclear = args.includes("--unclear");
    const rest = args.filter((one) => one !== "--unclear");
    const extra = tooMany(lang, "/undo", rest, 1);
    if (extra) return extra;
    const [given] = rest;
    if (given === "--all" && !unclear) return { ok: true, text: "", calls: [{ tool: "undo", input: { all: true } }] };
    if (given !== undefined && !/^[1-9]\d{0,2}$/.test(given)) return refused(lang, phrase("workflow.undo.usage"));
    const input = { ...(given === undefined ? {} : { n: Number(given) }), ...(unclear ? { unclear } : {}) };
    return { ok: true, text: "", calls: [{ tool: "undo", input }] };
  },
};
