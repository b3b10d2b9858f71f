import type { SlashCommand } from "../../engine/port.ts";
import { tooMany } from "../text/answer.ts";

export const commit: SlashCommand = {
  name: "commit",
  args: "[--dry-run] [message]",
  help: "git.commit.help",
  whileRunning: false,
  run: ({ settings: { lang } }, args) => {
    if (args[0] === "--dry-run") {
      const calls = [{ tool: "proposal", input: { lang } }];
      return tooMany(lang, "/commit", args, 1) ?? { ok: true, text: "", calls };
    }
    const words = unquoted(args.join(" "));
    const message = words === "" ? {} : { message: words };
    return { ok: true, text: "", calls: [{ tool: "commit", input: { lang, ...message } }] };
  },
};

/** Removes quotes typed out of shell habit. */
function unquoted(words: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(words) ?? [];
  return inner ?? words;
}
