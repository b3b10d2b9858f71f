import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { describe } from "../../command/text/answer.ts";
import { spokenLang } from "../../config/load.ts";
import { CoderError, type ErrorInfo, exitCodeOf } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import { StreamOutput } from "../../platform/stream-output.ts";
import { isTerminal } from "../../platform/terminal.ts";
import type { Io } from "../../surface/headless/io.ts";
import { homeFolder, logInternal, newTraceId } from "../setup/fault-log.ts";
import { runProgram } from "./program.ts";

/** Parses argv, runs the chosen command, and turns whatever happens into an exit code and a readable message. */
export async function runCli(args: readonly string[]): Promise<number> {
  const io = realIo(isTerminal(2));
  if (!isSomewhere(args)) {
    const error = {
      code: "E_INVALID_ARGS",
      text: phrase("cli.no_folder"),
      advice: phrase("cli.no_folder.advice"),
    } as const;
    return tell(io, spokenLang({ flags: { lang: given(args, "--lang") }, env: process.env, cwd: "/" }), error);
  }
  const lang = langOf(args);
  // A fault outside every promise that is waited for: without these the program would sit there for ever.
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => process.exit(tellFault(io, lang, error)));
  }
  try {
    const code = await runProgram(args, io, lang);
    await io.drained(Number.POSITIVE_INFINITY);
    const lost = io.failure();
    if (lost === null) return code;
    const text = phrase("cli.output_lost", { code: lost });
    return tell(io, lang, { code: "E_IO", text, advice: phrase("cli.output_lost.advice") });
  } catch (error) {
    const isExpected = error instanceof CoderError && error.info.code !== "E_INTERNAL";
    const code = isExpected ? tell(io, lang, error.info) : tellFault(io, lang, error);
    // What was printed before it failed is still on its way to a slow reader.
    await io.drained(Number.POSITIVE_INFINITY);
    return code;
  }
}

/** A fault of ours (ER-2): its internals go to the log, the person sees what it hit and the trace id. */
function tellFault(io: Io, lang: Lang, error: unknown): number {
  const traceId = newTraceId();
  logInternal(homeFolder(process.env), traceId, error);
  const what = error instanceof Error ? error.message : String(error);
  return tell(io, lang, { code: "E_INTERNAL", text: phrase("cli.internal", { what }), traceId });
}

function tell(io: Io, lang: Lang, error: ErrorInfo): number {
  io.err(`coder: ${plain(describe(lang, error))}\n`);
  return exitCodeOf(error.code);
}

/** The folder that it was started in may have been deleted; whoever names another is taken there. */
function isSomewhere(args: readonly string[]): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    const named = given(args, "--cwd");
    if (named === undefined || !isAbsolute(named) || !existsSync(named)) return false;
    process.chdir(named);
    return true;
  }
}

/** Before anything is parsed: errors in the flags themselves should already speak the right language. */
function langOf(args: readonly string[]): Lang {
  const flags = { lang: given(args, "--lang"), config: given(args, "--config") };
  return spokenLang({ flags, env: process.env, cwd: process.cwd() });
}

function given(args: readonly string[], flag: string): string | undefined {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  return args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
}

/** The streams of this process. */
function realIo(isErrTerminal: boolean): Io {
  const out = new StreamOutput(1);
  const err = new StreamOutput(2);
  return {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    isErrTerminal,
    onClosed: (handler) => out.onClosed(handler),
    drained: async (patienceMs) => {
      await out.drained(patienceMs);
      await err.drained(patienceMs);
    },
    failure: () => out.failure,
  };
}
