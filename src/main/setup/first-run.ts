import { type SettingsSources, switchModel } from "../../config/load.ts";
import { builtinRef } from "../../config/model/builtin.ts";
import { listProviders } from "../../config/model/catalogue.ts";
import { configFile, homeOf } from "../../config/values.ts";
import { type ErrorInfo, ok, type Result, unwrap } from "../../contract/error.ts";
import type { LocalServer } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, type PhraseArgs, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { FoundModel, FoundServer } from "../../model/local/find-servers.ts";
import { isLoopback } from "../../platform/network.ts";
import { isTerminal } from "../../platform/terminal.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Questions } from "../../surface/tui/app/deps.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { mustBePerson, sourcesFrom } from "../trust/trust-state.ts";
import { askAt } from "./ask.ts";

export interface Interview {
  readonly ask: Questions;
  readonly sources: SettingsSources;
  readonly home: string;
  readonly tell: (key: TextKey, args?: PhraseArgs) => void;
  readonly words: (key: TextKey, args?: PhraseArgs) => string;
}

/** `coder setup`: asks the questions of the first run at any time. */
export async function setup(flags: Flags, io: Io, lang: Lang): Promise<number> {
  mustBePerson("setup");
  if (!(isTerminal(0) && isTerminal(2))) throw usage(phrase("setup.no_terminal"), phrase("session.no_model.advice"));
  using ask = askAt(io, lang);
  return (await interview(flags, lang, ask)) === "chosen" ? 0 : 130;
}

/** `chosen` includes the choice to set up nothing. `stopped`: aborted after a choice. `left`: aborted before one. */
type Interviewed = "chosen" | "stopped" | "left";

/** Remembers the answer, even a no. */
export async function interview(flags: Flags, lang: Lang, ask: Questions): Promise<Interviewed> {
  const at = interviewAt(flags, lang, ask);
  const { sources, words } = at;
  at.tell("setup.looking");
  const servers = await localServers(sources);
  showFound(at, servers);
  const options = optionsFor(at, servers);
  const chosen = await ask.choose(
    words("setup.choose"),
    options.map((one) => one.shown),
  );
  if (chosen !== null && (await options[chosen]?.act())) return "chosen";
  at.tell("setup.stopped");
  return chosen === null ? "left" : "stopped";
}

/** Asks for the key of this model only. `false`: none was given. */
export async function keyFor(flags: Flags, lang: Lang, ask: Questions, ref: string): Promise<boolean> {
  return (await import("./ask-key.ts")).enterKeyFor(interviewAt(flags, lang, ask), ref);
}

function interviewAt(flags: Flags, lang: Lang, ask: Questions): Interview {
  const sources = { ...sourcesFrom(flags, true), withModel: false };
  const words = (key: TextKey, args?: PhraseArgs): string => plain(say(lang, phrase(key, args)));
  const home = homeOf(sources.env, sources.cwd);
  return { ask, sources, home, words, tell: (key, args) => ask.tell(words(key, args)) };
}

/** Looks at their configured addresses, if those are on this machine. */
export async function localServers(sources: SettingsSources): Promise<readonly FoundServer[]> {
  const listed = listProviders(sources);
  const names: readonly LocalServer[] = ["ollama", "lmstudio", "llamacpp", "vllm"];
  const addresses = names.flatMap((name) => {
    const baseUrl = listed.ok ? listed.value.find((one) => one.name === name)?.provider?.baseUrl : undefined;
    return baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname) ? [[name, baseUrl] as const] : [];
  });
  const { findServers } = await import("../../model/local/find-servers.ts");
  return await findServers(Object.fromEntries(addresses));
}

function showFound({ tell, words }: Interview, servers: readonly FoundServer[]): void {
  tell(servers.length === 0 ? "setup.found_none" : "setup.found");
  for (const { server, baseUrl: url, models } of servers) {
    const names = models.map(({ name }) => name).join(", ") || words("setup.no_models");
    tell("setup.found_row", { server, url, models: names });
  }
}

interface Option {
  readonly shown: string;
  readonly act: () => Promise<true | null>;
}

const MOST_MODELS = 8;

function optionsFor(at: Interview, servers: readonly FoundServer[]): readonly Option[] {
  const { words } = at;
  const local = servers.flatMap((server) =>
    server.models
      .filter(({ takesTools }) => takesTools !== false)
      .map((model): Option => {
        const ref = `${server.server}/${model.name}`;
        return {
          shown: words("setup.option.model", { ref, context: contextText(model) }),
          act: async () => (await import("./local-servers.ts")).useLocal(at, server, model),
        };
      }),
  );
  return [
    ...local.slice(0, MOST_MODELS),
    { shown: words("setup.option.key"), act: async () => (await import("./ask-key.ts")).enterKey(at) },
    { shown: words("setup.option.server"), act: async () => (await import("./own-server.ts")).enterServer(at) },
    { shown: words("setup.option.builtin"), act: () => keepModel(at, builtinRef) },
    { shown: words("setup.option.later"), act: () => later(at) },
  ];
}

function contextText({ context }: FoundModel): Phrase {
  return context === null ? phrase("setup.option.context_unknown") : phrase("setup.option.context", { context });
}

async function later(at: Interview): Promise<true> {
  await keep(at, [[["ui", "first_run"], false]]);
  at.tell("setup.later");
  return true;
}

/** Stores the model in the user's config. `context`: the window that its server gives it. */
export async function keepModel(at: Interview, ref: string, context: number | null = null): Promise<true> {
  const window = context === null ? [] : [[["models", ref, "context_window"], context] as const];
  const file = await keep(at, [[["model"], ref], ...window]);
  at.tell("setup.kept", { model: ref, file });
  return true;
}

type Kept = readonly (readonly [path: readonly string[], value: unknown])[];

export async function keep({ sources, home }: Interview, values: Kept): Promise<string> {
  const { changeConfig } = await import("../../config/file/change.ts");
  const { withValue } = await import("../../config/file/edit.ts");
  const file = configFile(sources);
  const edit = (before: string | null): Result<string> =>
    ok(values.reduce((text, [path, value]) => withValue(text, path, value), before ?? ""));
  unwrap(await changeConfig(home, file, edit));
  return file;
}

/** Makes one real call with a tool; `null` = the user declined the model after that. */
export async function tried(at: Interview, ref: string): Promise<true | null> {
  const { sources, tell } = at;
  tell("setup.trying", { model: ref });
  const choice = switchModel(ref, sources);
  if (!choice.ok) return await anyway(at, choice.error);
  const { liveTry } = await import("../doctor/live-try.ts");
  const result = await liveTry(choice.value, sources);
  if (result.error) return await anyway(at, result.error);
  if (result.isCalled) {
    tell("setup.works", { s: (result.ms / 1000).toFixed(1) });
    return true;
  }
  const text = phrase("setup.no_call", { model: ref, text: result.text || "–" });
  return await anyway(at, { text, advice: phrase("setup.no_call.advice") });
}

async function anyway(
  { ask, tell, words }: Interview,
  problem: Pick<ErrorInfo, "text" | "advice">,
): Promise<true | null> {
  const { text, advice = phrase("setup.unreachable.advice") } = problem;
  tell(text.key, text.args);
  tell(advice.key, advice.args);
  return isYes(await ask.line(words("setup.use_anyway")), false) ? true : null;
}

export function isYes(answer: string | null, usual: boolean): boolean {
  return answer === "" ? usual : answer !== null && /^(?:y|yes|是|好)$/i.test(answer);
}
