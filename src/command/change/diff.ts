import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, SlashCommand } from "../../engine/port.ts";
import { done, tooMany } from "../text/answer.ts";

export const diff: SlashCommand = {
  name: "diff",
  args: "[--send]",
  help: "workflow.diff.help",
  whileRunning: false,
  run: async (port, args) => {
    const isSent = args[0] === "--send";
    const extra = tooMany(port.settings.lang, "/diff", args, isSent ? 1 : 0);
    const input = isSent ? { send: true } : {};
    return extra ?? (await unavailable(port)) ?? { ok: true, text: "", calls: [{ tool: "diff", input }] };
  },
};

/** SL-2: a diff that cannot be shown is an answer, not a failure. */
export async function unavailable(port: EnginePort): Promise<CommandResult | null> {
  const why = await port.diffProblem();
  if (why === null) return null;
  const { lang } = port.settings;
  return done(say(lang, phrase("diff.unavailable", { why })), { available: false, reason: say(lang, why) });
}
