import { CoderError } from "../contract/error.ts";
import { type Lang, phrase, say } from "../contract/text/catalogue.ts";
import type { Io } from "../surface/headless/io.ts";
import type { Flags } from "./flags.ts";
import { soundSettings } from "./setup.ts";
import { notPerson, sourcesFrom } from "./trust-state.ts";
import { versionNumber } from "./version.ts";

/** Somebody is there to be asked, and has not said that they do not want to be. */
async function isFirstRun(flags: Flags): Promise<boolean> {
  const { canAsk } = await import("./first-run.ts");
  if (!canAsk() || notPerson("setup")) return false;
  const { loadValues } = await import("../config/values.ts");
  const values = loadValues(sourcesFrom(flags, false));
  return values.ok && values.value.ui?.first_run !== false;
}

/** `coder` alone: what is there, and how to add a model. */
export async function welcome(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  const [word] = words;
  if (word !== undefined) {
    const whole = words.join(" ");
    throw new CoderError({
      code: "E_INVALID_ARGS",
      text: phrase("cli.prompt_and_word", { word }),
      advice: phrase("cli.prompt_and_word.advice", { word: whole }),
    });
  }
  const settings = await soundSettings(flags, true);
  const model = settings.model;
  if (!model && (await isFirstRun(flags))) {
    io.err(`${say(lang, phrase("session.no_model"))}\n`);
    return await (await import("./first-run.ts")).interview(flags, io, lang);
  }
  const about = model
    ? say(lang, phrase("cli.welcome.model", { model: model.ref }))
    : `${say(lang, phrase("session.no_model"))}\n${say(lang, phrase("session.no_model.advice"))}`;
  io.out(`${say(lang, phrase("cli.welcome", { version: versionNumber() }))}\n\n${about}\n`);
  return 0;
}
