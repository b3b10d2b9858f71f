import { isatty } from "node:tty";
import { describe } from "../command/answer.ts";
import { CoderError, type ErrorInfo, exitCodeOf } from "../contract/error.ts";
import { type Lang, phrase } from "../contract/text/catalogue.ts";
import { type Io, plain, realIo } from "../surface/headless/io.ts";
import { makeProgram } from "./program.ts";
import { logInternal, newTraceId } from "./trace.ts";

/** Parses argv, runs the chosen command, and turns whatever happens into an exit code and a readable message. */
export async function runCli(args: readonly string[]): Promise<number> {
  const io = realIo(isatty(2));
  const lang = langOf(args, process.env);
  try {
    return await runProgram(args, io, lang);
  } catch (error) {
    if (error instanceof CoderError && error.info.code !== "E_INTERNAL") return tell(io, lang, error.info);
    const traceId = newTraceId();
    logInternal(process.env, traceId, error);
    return tell(io, lang, {
      code: "E_INTERNAL",
      text: phrase("cli.internal", { what: error instanceof Error ? error.message : String(error) }),
      traceId,
    });
  }
}

async function runProgram(args: readonly string[], io: Io, lang: Lang): Promise<number> {
  const { CommanderError } = await import("commander");
  let code = 0;
  const program = makeProgram(io, lang, (exit) => {
    code = exit;
  });
  try {
    await program.parseAsync(normalised(args), { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    const problem = error.message.replace(/^error: /, "");
    return tell(io, lang, {
      code: "E_INVALID_ARGS",
      text: phrase("cli.usage", { problem }),
      advice: phrase("cli.usage.advice"),
    });
  }
}

/** `coder -p "…"` is `coder run "…"`. */
function normalised(args: readonly string[]): string[] {
  return args[0] === "-p" ? ["run", ...args.slice(1)] : [...args];
}

function tell(io: Io, lang: Lang, error: ErrorInfo): number {
  io.err(`coder: ${plain(describe(lang, error))}\n`);
  return exitCodeOf(error.code);
}

/** Before anything is parsed: errors in the flags themselves should already speak the right language. */
function langOf(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Lang {
  const at = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const given = at === -1 ? undefined : args[at]?.includes("=") ? args[at]?.slice(7) : args[at + 1];
  const from = given ?? (env.LC_ALL || env.LC_MESSAGES || env.LANG || "");
  return from.toLowerCase().startsWith("zh") ? "zh" : "en";
}
