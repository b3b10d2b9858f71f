import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done, tooMany } from "../text/answer.ts";
import { sessionJson, sessionLines } from "../text/rows.ts";

const SHOWN = 20;

export const sessions: SlashCommand = {
  name: "sessions",
  args: "",
  help: "command.sessions.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/sessions", args, 0);
    if (extra) return extra;
    const rows = port.sessions(SHOWN);
    return done(
      rows.length > 0 ? sessionLines(port, rows) : say(lang, phrase("command.sessions.none")),
      rows.map(sessionJson),
    );
  },
};
