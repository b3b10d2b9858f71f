import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe } from "../../command/text/answer.ts";
import { loadValues } from "../../config/values.ts";
import { CoderError } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { ResumeHow } from "../../surface/headless/run.ts";
import type { Questions, Started } from "../../surface/tui/app/deps.ts";
import type { Flags } from "../cli/flags.ts";
import { versionNumber } from "../cli/version.ts";
import { askMoved } from "../session/moved-question.ts";
import { sessionToOpen } from "../session/session-choice.ts";
import { branchOf } from "../setup/branch.ts";
import { setUp, soundSettings } from "../setup/setup.ts";
import { askTrust } from "../trust/trust-question.ts";
import { notPerson, sourcesFrom } from "../trust/trust-state.ts";

export interface TerminalOrder {
  readonly prompt: string;
  readonly flags: Flags;
  readonly how: ResumeHow;
  readonly lang: Lang;
}

/** `null` = the user left. May throw CoderError: the application restores the terminal first. */
export async function startTerminal(order: TerminalOrder, ask: Questions): Promise<Started | null> {
  const { flags, how, lang, prompt } = order;
  const trust = await askTrust(flags, lang, ask);
  if (trust === "left") return null;
  let settings = await soundSettings(flags, true);
  if (settings.model === null && isFirstRun(flags)) {
    if (!(await chooseModel(flags, lang, ask))) return null;
    settings = await soundSettings(flags, true);
  }
  const isFirst = !existsSync(join(settings.home, "history"));
  const { engine, store, settings: live } = setUp(settings, flags, () => true);
  if (!(await askMoved(store, settings, flags, ask))) return null;
  const id = await sessionToOpen(store, settings, flags);
  return {
    port: engine,
    first: prompt,
    resume: id === null ? null : { id, how },
    branch: () => branchOf(settings.workspace),
    homes: homes(),
    ...(await machineFor(live)),
    setUp: (questions, ref) => setUpNow(flags, live.lang, questions, ref),
    version: versionNumber(),
    isFirst,
    notices: noticesOf(settings, trust === "no"),
  };
}

/** A home directory behind a symlink has two names. */
function homes(): readonly string[] {
  const home = process.env.HOME || homedir();
  return existsSync(home) ? [...new Set([home, realpathSync(home)])] : [home];
}

/** Whether to ask for a model: a person is present and has not declined before. */
function isFirstRun(flags: Flags): boolean {
  const values = loadValues(sourcesFrom(flags, false));
  return !notPerson("setup") && values.ok && values.value.ui?.first_run !== false;
}

/** Asks again after an abort in the middle. `false` = the user left. */
async function chooseModel(flags: Flags, lang: Lang, ask: Questions): Promise<boolean> {
  const { interview } = await import("../setup/first-run.ts");
  ask.tell(say(lang, phrase("session.no_model")));
  for (;;) {
    try {
      const how = await interview(flags, lang, ask);
      if (how !== "stopped") return how === "chosen";
    } catch (error) {
      if (!(error instanceof CoderError)) throw error;
      ask.tell(plain(describe(lang, error.info)));
    }
  }
}

/** `/setup`: a failure is told, and nothing more is asked. */
async function setUpNow(flags: Flags, lang: Lang, ask: Questions, ref: string | null): Promise<string | null> {
  try {
    const { interview, keyFor } = await import("../setup/first-run.ts");
    if (ref !== null) return (await keyFor(flags, lang, ask, ref)) ? ref : null;
    if ((await interview(flags, lang, ask)) !== "chosen") return null;
    // What was just chosen, and not what the flags of this start say.
    const { model: _, ...others } = flags;
    const values = loadValues(sourcesFrom({ ...others, trust: false }, false));
    return values.ok ? (values.value.model ?? null) : null;
  } catch (error) {
    if (!(error instanceof CoderError)) throw error;
    ask.tell(plain(describe(lang, error.info)));
    return null;
  }
}

/** Leaves out what the user has just said no to. */
function noticesOf({ trust, lang }: Settings, hasSaidNo: boolean): readonly string[] {
  const isKnown = (key: string): boolean => hasSaidNo && /^trust\.notice\.(?:untrusted|changed)$/.test(key);
  return trust.ignored.filter(({ key }) => !isKnown(key)).map((one) => plain(say(lang, one)));
}

type Machine = Pick<
  Started,
  "history" | "files" | "editText" | "editFile" | "copyText" | "pasteImage" | "statusOutput"
>;

async function machineFor(settings: Settings): Promise<Machine> {
  const { home, workspace } = settings;
  const { env } = process;
  const { inputHistory } = await import("./prompt-history.ts");
  return {
    history: inputHistory(home, workspace),
    files: async (signal) => (await import("./workspace-files.ts")).mentionable(settings)(signal),
    editText: async (text, tell, options) => {
      const { textEditor } = await import("./editor.ts");
      return await textEditor({ workspace, lang: settings.lang, env })(text, tell, options);
    },
    editFile: async (file, tell, signal) => {
      const { fileEditor } = await import("./editor.ts");
      await fileEditor({ workspace, lang: settings.lang, env })(file, tell, signal);
    },
    copyText: async (text) => (await import("./clipboard-text.ts")).textCopy({ workspace, env })(text),
    statusOutput: async (command, input, signal) =>
      (await import("./status-output.ts")).statusOutput(settings)(command, input, signal),
    pasteImage: async () => (await import("./clipboard-image.ts")).imagePaste({ workspace, env })(),
  };
}
