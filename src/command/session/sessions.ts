import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { sessionJson, sessionLines } from "../text/rows.ts";

const SHOWN = 20;

export const sessions: SlashCommand = {
  name: "sessions",
  args: "",
  help: "command.sessions.help",
  whileRunning: true,
  run: (port) => {
    const rows = port.sessions(SHOWN);
    const none = say(port.settings.lang, phrase("command.sessions.none"));
    return done(rows.length > 0 ? sessionLines(port, rows) : none, rows.map(sessionJson));
  },
};
