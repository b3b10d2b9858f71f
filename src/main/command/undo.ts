import { phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { runToolCall } from "../../surface/headless/tool.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { openForCall } from "../session/session-choice.ts";
import { numberIn } from "./verify.ts";

/** `coder undo`: /undo and /redo in the named session, or the newest one of the workspace. */
export async function undo(id: string | undefined, flags: Flags, io: Io): Promise<number> {
  const input = inputFrom(flags);
  const { engine, resume } = await openForCall(
    { ...flags, ...(id === undefined ? { continue: true } : { resume: id }) },
    io,
  );
  const options = { call: { tool: "undo", input }, resume, how: "itself", json: flags.json === true } as const;
  return runToolCall(engine, { ...options, isAlone: true }, io);
}

function inputFrom(flags: Flags): object {
  const given = [flags.count !== undefined, flags.all === true, flags.redo === true].filter(Boolean);
  const isConflicting = flags.unclear === true && (flags.all === true || flags.redo === true);
  if (given.length > 1 || isConflicting) throw usage(phrase("workflow.undo_one"));
  if (flags.all) return { all: true };
  if (flags.redo) return { redo: true };
  const unclear = flags.unclear ? { unclear: true } : {};
  return { ...(flags.count === undefined ? {} : { n: numberIn("-n", flags.count) }), ...unclear };
}
