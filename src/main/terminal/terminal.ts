import { loadSettings } from "../../config/load.ts";
import { type CoderError, unwrap } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import { isTerminal } from "../../platform/terminal.ts";
import { TtyOutput } from "../../platform/tty-output.ts";
import type { Io } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { promptOf } from "../cli/prompt-words.ts";
import { resumeHow } from "../session/session-choice.ts";
import { logInternal, newTraceId } from "../setup/fault-log.ts";

export async function openTerminal(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  const prompt = promptOf(words);
  if (canShow()) return await showTerminal(prompt, flags, io);
  if (prompt.trim() !== "" || flags.resume !== undefined || flags.continue) throw notHere(prompt);
  return await (await import("../cli/welcome.ts")).welcome(flags, io, lang);
}

export function canShow(): boolean {
  return isTerminal(0) && isTerminal(1);
}

/** Reports problems with flags and configuration before drawing anything; slow work follows after that. */
export async function showTerminal(prompt: string, flags: Flags, io: Io): Promise<number> {
  const how = resumeHow(flags);
  const sources = { flags, env: process.env, cwd: process.cwd(), withModel: false };
  const { ui, lang, home } = unwrap(loadSettings(sources));
  const { runTerminal } = await import("../../surface/tui/app/app.ts");
  const opened: Settings[] = [];
  const code = await runTerminal({
    theme: ui.theme,
    keys: ui.keys,
    lang,
    start: async (ask) => {
      const { startTerminal } = await import("./start.ts");
      const started = await startTerminal({ prompt, flags, how, lang }, ask);
      if (started) opened.push(started.port.settings);
      return started;
    },
    output: new TtyOutput(),
    fault: (error) => {
      const traceId = newTraceId();
      logInternal(home, traceId, error);
      return traceId;
    },
  });
  for (const settings of opened) await (await import("../run/after-run.ts")).afterRun(settings, code, io);
  return code;
}

function notHere(prompt: string): CoderError {
  const what = isTerminal(0) ? "stdout" : "stdin";
  const words = visible(prompt).slice(0, 80) || "…";
  return usage(phrase("terminal.none", { what }), phrase("terminal.none.advice", { prompt: words }));
}
