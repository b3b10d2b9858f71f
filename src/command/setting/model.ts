import { type Effort, efforts } from "../../contract/settings.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, KnownModel, ModelPort, SlashCommand, StatePort } from "../../engine/port.ts";
import { done, failedWith, refused, tooMany } from "../text/answer.ts";
import { fuzzy } from "../text/fuzzy.ts";

const MOST = 10;

export const model: SlashCommand = {
  name: "model",
  args: "[provider/name] [--effort LEVEL]",
  help: "command.model.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const { words, effort, problem } = readArgs(args);
    const extra = problem ? refused(lang, problem) : tooMany(lang, "/model", words, 1);
    if (extra) return extra;
    const [given = effort === undefined ? undefined : port.state().model || undefined] = words;
    if (given === undefined) return shown(port, lang);
    const ref = given.includes("/") && !(await isPart(port, given)) ? given : await found(port, given);
    return typeof ref === "string" ? await change(port, ref, effort) : ref;
  },
};

interface Args {
  readonly words: readonly string[];
  readonly effort?: Effort;
  readonly problem?: Phrase;
}

/** Accepts `--effort high` and `--effort=high`, before or after the name. */
function readArgs(args: readonly string[]): Args {
  const words = args.flatMap((one) =>
    one.startsWith("--effort=") ? ["--effort", one.slice("--effort=".length)] : [one],
  );
  const at = words.indexOf("--effort");
  if (at === -1) return { words };
  const effort = efforts.find((one) => one === words[at + 1]);
  if (effort === undefined) return { words, problem: phrase("models.effort.bad", { choices: efforts.join(", ") }) };
  return { words: words.toSpliced(at, 2), effort };
}

function shown(port: StatePort, lang: Lang): CommandResult {
  const now = port.state().model;
  return done(say(lang, now ? phrase("command.model.is", { model: now }) : phrase("session.no_model")), {
    model: now || null,
  });
}

/** `openai/gp` names no known model but is a prefix of several. */
async function isPart(port: ModelPort, given: string): Promise<boolean> {
  const known = await port.knownModels();
  return !known.some(({ ref }) => ref === given) && known.some(({ ref }) => ref.startsWith(given));
}

/** One model, or a refusal. A name without a slash belongs to the provider in use, even if the catalogue does not list it. */
async function found(port: EnginePort, given: string): Promise<string | CommandResult> {
  const { lang } = port.settings;
  const all = await port.knownModels();
  const provider = given.includes("/") ? null : providerInUse(port);
  const own = provider === null ? all : all.filter(({ ref }) => ref.startsWith(provider));
  const fits = fuzzy(given, own, ({ ref }) => ref.slice((provider ?? "").length));
  if (provider !== null && fits.length === 0) return provider + given;
  const usable = fits.filter(({ isUsable }) => isUsable);
  const [only, ...others] = usable.length > 0 ? usable : fits;
  if (only === undefined) {
    const text = phrase("models.search.none", { given });
    return refused(lang, text, phrase("models.search.none.advice"));
  }
  // An exact name wins over every other match.
  const exact = [only, ...others].filter(({ ref }) => ref.slice(ref.indexOf("/") + 1) === given);
  if (exact.length === 1 && exact[0]) return exact[0].ref;
  if (others.length === 0) return only.ref;
  const rows = [only, ...others].slice(0, MOST).map((one) => rowOf(one));
  const text = phrase("models.search.many", { given, rows: rows.join("\n") });
  const advice = given.includes("/")
    ? phrase("models.search.begun.advice", { given })
    : phrase("models.search.many.advice");
  return {
    ...refused(lang, text, advice),
    data: { models: [only, ...others].map(({ ref }) => ref) },
  };
}

/** With its slash. `null` for the built-in provider: it has few models, so the whole catalogue is searched. */
function providerInUse(port: StatePort): string | null {
  const { model: now } = port.state();
  const provider = now.slice(0, now.indexOf("/") + 1);
  return provider === "" || provider === "builtin/" ? null : provider;
}

function rowOf({ ref, contextWindow, price, isUsable }: KnownModel): string {
  const cost = price ? `  ${dollars(inDollars(price.input))} / ${dollars(inDollars(price.output))}` : "";
  return `  ${ref}  ${Math.round(contextWindow / 1000)}k${cost}${isUsable ? "" : "  –"}`;
}

async function change(port: EnginePort, ref: string, effort: Effort | undefined): Promise<CommandResult> {
  const { lang } = port.settings;
  const changed = await port.setModel(ref, effort);
  if (!changed.ok) return failedWith(lang, changed.error);
  const lines = [say(lang, phrase("command.model.is", { model: ref }))];
  if (changed.value) lines.push(say(lang, changed.value));
  const more = effort === undefined ? {} : { effort };
  return done(lines.join("\n"), { model: ref, ...more, warning: changed.value ? say(lang, changed.value) : null });
}
