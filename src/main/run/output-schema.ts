import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CoderError } from "../../contract/error.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { dispatch } from "../../engine/input/dispatch.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { type Flags, usage } from "../cli/flags.ts";

/** The schema is part of every request, so a larger one would eat the context window. */
const MAX_BYTES = 65_536;

export async function outputSchema(flags: Flags): Promise<unknown> {
  if (flags.outputSchema === undefined) return undefined;
  const file = resolve(flags.outputSchema);
  const schema = parse(read(file), file);
  const { schemaProblem } = await import("../../engine/structured-output/schema.ts");
  const problem = schemaProblem(schema);
  if (problem !== null) throw usage(phrase("cli.schema_bad", { file, problem }), phrase("cli.schema_bad.advice"));
  return schema;
}

function read(file: string): string {
  try {
    const size = statSync(file).size;
    const text = size > MAX_BYTES ? null : readFileSync(file, "utf8");
    if (text !== null && text.length <= MAX_BYTES) return text;
    throw bad(phrase("cli.schema_big", { file, max: MAX_BYTES }));
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined || error instanceof CoderError) throw error;
    throw bad(phrase("cli.schema_unreadable", { file, code }));
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw bad(phrase("cli.schema_bad", { file, problem: error.message }));
  }
}

/** Only a task has a model's answer. A resumed task keeps its original schema. */
export async function mustBeTask(prompt: string): Promise<void> {
  const names = prompt.trimStart().startsWith("/") ? (await import("../../command/all.ts")).allCommands : [];
  const what = dispatch(
    prompt,
    names.map((one) => one.name),
  );
  if (what.kind !== "task") throw usage(phrase("cli.schema_no_task"), phrase("cli.schema_no_task.advice"));
}

function bad(text: Phrase): CoderError {
  return usage(text, phrase("cli.schema.advice"));
}
