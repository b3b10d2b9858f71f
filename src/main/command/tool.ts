import { phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { runToolCall } from "../../surface/headless/tool.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { openForCall, resumeHow } from "../session/session-choice.ts";

/** `coder tool NAME JSON`: runs one tool call through the whole pipeline, without a model. */
export async function tool(name: string, json: string, flags: Flags, io: Io): Promise<number> {
  const input = parse(json);
  const { engine, resume } = await openForCall(flags, io);
  const options = { call: { tool: name, input }, resume, how: resumeHow(flags), json: flags.json === true };
  return runToolCall(engine, options, io);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usage(phrase("cli.bad_json", { problem: error.message }), phrase("cli.bad_json.advice"));
  }
}
