import { fstatSync } from "node:fs";
import type { Settings } from "../../contract/settings.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { type HeadlessOptions, runHeadless } from "../../surface/headless/run.ts";
import type { OutputForm } from "../../surface/headless/show.ts";
import { type Flags, oneOf, usage } from "../cli/flags.ts";
import { resumeHow, sessionToOpen } from "../session/session-choice.ts";
import { setUp, soundSettings } from "../setup/setup.ts";
import { tellIgnored } from "../trust/trust-state.ts";
import { afterRun } from "./after-run.ts";
import { pipedText } from "./piped.ts";

const OUTPUTS: readonly OutputForm[] = ["text", "json", "stream-json"];
const INPUTS = ["text", "stream-json"] as const;

export async function run(words: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const output = oneOf("--output", flags.output ?? "text", OUTPUTS);
  const input = oneOf("--input", flags.input ?? "text", INPUTS);
  // A client without the event stream could not see approvals.
  if (input === "stream-json" && output !== "stream-json") throw usage(phrase("cli.client_output"));
  if (isDirectory()) throw usage(phrase("cli.stdin_folder"));
  const answers = flags.outputSchema === undefined ? null : await import("./output-schema.ts");
  const schema = await answers?.outputSchema(flags);
  const settings = await soundSettings(flags, true);
  const prompt = input === "text" ? await withStdin(words, io, lang) : words;
  const isContinued = flags.resume !== undefined || flags.continue === true;
  if (prompt.trim() === "" && input === "text" && !isContinued)
    throw usage(phrase("cli.no_prompt"), phrase("cli.no_prompt.advice"));
  if (input === "text") await answers?.mustBeTask(prompt);
  const client = input === "stream-json" ? Bun.stdin.stream() : null;
  return await perform(settings, flags, { prompt, output, client, schema }, io);
}

type Order = Pick<HeadlessOptions, "prompt" | "output" | "client" | "schema" | "show">;

export async function perform(settings: Settings, flags: Flags, order: Order, io: Io): Promise<number> {
  tellIgnored(settings, io);
  let hasClient = order.client !== null;
  const { engine, store } = setUp(settings, flags, () => hasClient);
  const resume = await sessionToOpen(store, settings, flags);
  const onClientGone = () => {
    hasClient = false;
  };
  const code = await runHeadless(engine, { ...order, resume, how: resumeHow(flags), onClientGone }, io);
  await afterRun(settings, code, io);
  return code;
}

/** CLI-1: appends piped stdin to the prompt. A terminal or /dev/null adds nothing. */
async function withStdin(prompt: string, io: Io, lang: Lang): Promise<string> {
  if (!isPiped()) return prompt;
  // The user may not know that coder waits for stdin.
  const hint = setTimeout(() => io.err(`${say(lang, phrase("cli.waiting_stdin"))}\n`), 1_500);
  try {
    const piped = await pipedText(Bun.stdin.stream());
    return prompt && piped.trim() ? `${prompt}\n\n${piped}` : prompt || piped;
  } finally {
    clearTimeout(hint);
  }
}

function isDirectory(): boolean {
  try {
    return fstatSync(0).isDirectory();
  } catch {
    return false;
  }
}

function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}
