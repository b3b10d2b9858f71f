import { phrase, say } from "../../contract/text/catalogue.ts";
import type { ChecksNow, CommandResult, SlashCommand, StatePort } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { nothingRun, verificationLines } from "../text/verification.ts";

export const verify: SlashCommand = {
  name: "verify",
  args: "[command]",
  help: "workflow.verify.help",
  whileRunning: false,
  run: async (port, args) => {
    const now = await port.checksNow(args.length === 0 ? null : args.join(" "));
    if (now.kind === "none") return nothing(port, now, args.length === 0);
    const calls = now.checks.map(({ command, cwd }) => ({ tool: "diagnostics", input: { command, path: cwd || "." } }));
    const left = now.left.flatMap(({ why, advice }) => (advice ? [why, advice] : [why]));
    const notice = left.length === 0 ? {} : { notice: phrase("workflow.verify.left", { left }) };
    return { ok: true, text: "", calls, ...notice };
  },
};

/** `isFound`: the project suggests the command, the user did not type it. */
function nothing(port: StatePort, now: Extract<ChecksNow, { kind: "none" }>, isFound: boolean): CommandResult {
  const { lang } = port.settings;
  const result = nothingRun(lang, now);
  const offer =
    now.command === "" || !isFound ? [] : [say(lang, phrase("workflow.verify.allow", { command: now.command }))];
  // The exit code of a task that ends UNVERIFIED (SU-2).
  return { ...done([...offer, ...verificationLines(lang, result)].join("\n"), result), exitCode: 3 };
}
