import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, refused } from "../text/answer.ts";
import { unavailable } from "./diff.ts";

export const review: SlashCommand = {
  name: "review",
  args: "[focus] [--base REV]",
  help: "workflow.review.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const at = args.indexOf("--base");
    const base = at === -1 ? null : args[at + 1];
    if (base === undefined) return refused(lang, phrase("review.usage"));
    if (base !== null && !isRevision(base)) return refused(lang, phrase("review.base", { base }));
    const words = at === -1 ? args : args.toSpliced(at, 2);
    const missing = await unavailable(port);
    if (missing) return missing;
    const task = await port.reviewTask(base, words.join(" "));
    if (!("key" in task)) return { ok: true, text: "", task };
    return task.key === "review.base" ? refused(lang, task) : done(say(lang, task), { findings: [], dropped: 0 });
  },
};

/** A single revision: the review compares it with the working tree, so a range makes no sense. */
function isRevision(text: string): boolean {
  return /^[A-Za-z0-9_./@^~{}+-]{1,200}$/.test(text) && !text.startsWith("-") && !text.includes("..");
}
