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
  // Faults outside every awaited promise would otherwise leave the process hanging.
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
    // A slow reader may not have received earlier output yet.
    await io.drained(Number.POSITIVE_INFINITY);
    return code;
  }
}

/** ER-2: logs the details of our fault and shows a message with a trace id. */
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

/** The working directory may have been deleted; an absolute `--cwd` replaces it. */
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

/** Determined before parsing, so that errors in the flags are already in the right language. */
function langOf(args: readonly string[]): Lang {
  const flags = { lang: given(args, "--lang"), config: given(args, "--config") };
  return spokenLang({ flags, env: process.env, cwd: process.cwd() });
}

function given(args: readonly string[], flag: string): string | undefined {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  return args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
}

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
