import { CoderError } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { runToolCall } from "../../surface/headless/tool.ts";
import type { Flags } from "../cli/flags.ts";
import { resumeHow, sessionToOpen } from "../session/session-choice.ts";
import { setUp, soundSettings } from "../setup/setup.ts";
import { tellIgnored } from "../trust/trust-state.ts";

/** `coder tool NAME JSON`: runs one tool call through the whole pipeline, without a model. */
export async function tool(name: string, json: string, flags: Flags, io: Io): Promise<number> {
  const input = parse(json);
  const settings = await soundSettings(flags, false);
  tellIgnored(settings, io);
  const { engine, store } = setUp(settings, flags, () => false);
  const resume = await sessionToOpen(store, settings, flags);
  return runToolCall(
    engine,
    { call: { tool: name, input }, resume, how: resumeHow(flags), json: flags.json === true },
    io,
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CoderError({
      code: "E_INVALID_ARGS",
      text: phrase("cli.bad_json", { problem: error.message }),
      advice: phrase("cli.bad_json.advice"),
    });
  }
}
