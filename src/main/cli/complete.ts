import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { candidatesFor, FILES, FOLDERS, type WordSource } from "./complete-sources.ts";
import { type Flag, wordPlaces } from "./flags.ts";
import { type CliCommand, COMMANDS, commandsIn, GROUPS, nameOf, ROOT, slotsOf } from "./table.ts";
import { TOPICS } from "./topics.ts";

type Suggestion = readonly [word: string, about: string];

const MOST_ABOUT = 60;

/** Suggests nothing else: a name chosen by somebody else must not contain anything that a shell could run. */
const SAFE = /^[A-Za-z0-9._:/@+=-]+$/;

/**
 * Answers a press of Tab: takes the words so far, the last one unfinished, and prints one suggestion per line with a tab before its
 * description. `:files` and `:folders` leave it to the shell. Any failure suggests nothing.
 */
export async function complete(words: readonly string[], io: Io, lang: Lang): Promise<number> {
  try {
    const list = await suggestions(words.slice(0, -1), words.at(-1) ?? "", lang);
    const lines = typeof list === "string" ? [list] : list.map(([word, about]) => `${word}\t${oneLine(about)}`);
    io.out(lines.map((line) => `${line}\n`).join(""));
  } catch {
    // A broken config file or database must not print into the user's command line.
  }
  return 0;
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length <= MOST_ABOUT ? line : `${line.slice(0, MOST_ABOUT - 1).trimEnd()}…`;
}

async function suggestions(
  before: readonly string[],
  current: string,
  lang: Lang,
): Promise<readonly Suggestion[] | string> {
  const place = placeOf(before);
  const fits = (list: readonly Suggestion[]) => list.filter(([word]) => word.startsWith(current) && SAFE.test(word));
  const last = before.at(-1) ?? "";
  const open = place.flags.find((one) => one.value !== null && `--${one.name}` === last);
  const list = async (source: WordSource, prefix: string) => {
    if (source === FILES || source === FOLDERS) return source;
    const found = await candidatesFor(source, before);
    return fits(found.map(([word, about]): Suggestion => [`${prefix}${word}`, about]));
  };
  if (open) return list(sourceOf(open), "");
  const inline = place.flags.find((one) => one.value !== null && current.startsWith(`--${one.name}=`));
  if (inline) return list(sourceOf(inline), `--${inline.name}=`);
  if (current.startsWith("-"))
    return fits(place.flags.map((one): Suggestion => [`--${one.name}`, say(lang, phrase(one.about))]));
  return typeof place.words === "object" && "length" in place.words
    ? fits(namesIn(place.words, lang))
    : list(place.words, "");
}

interface CompletionPlace {
  readonly flags: readonly Flag[];
  readonly words: readonly CliCommand[] | WordSource;
}

function placeOf(before: readonly string[]): CompletionPlace {
  const everything = COMMANDS.flatMap((one) => one.flags);
  const words = wordPlaces(before, everything).map((at) => before[at] ?? "");
  const [first, second] = words;
  if (first === undefined) return { flags: ROOT.flags, words: COMMANDS };
  if (first === "help") return { flags: ROOT.flags, words: words.length === 1 ? { kind: "names" } : FILES };
  const name = first === "-p" ? "run" : first;
  if (Object.hasOwn(GROUPS, name) && second === undefined) {
    const subs = commandsIn(name);
    return { flags: subs.flatMap((one) => one.flags), words: subs };
  }
  const isGroup = Object.hasOwn(GROUPS, name);
  const command = COMMANDS.find((one) => nameOf(one) === (isGroup ? `${name} ${second}` : name));
  if (!command) return { flags: ROOT.flags, words: FILES };
  const done = words.slice(isGroup ? 2 : 1);
  const { slots, most } = slotsOf(command);
  const slot = slots[Math.min(done.length, slots.length - 1)]?.slice(1, -1) ?? "";
  return {
    flags: command.flags,
    words: done.length >= most ? { kind: "choices", of: [] } : slotSource(slot, done),
  };
}

function namesIn(commands: readonly CliCommand[], lang: Lang): readonly Suggestion[] {
  const isAll = commands === COMMANDS;
  const names = commands.map((one): Suggestion => {
    const [group = "", sub] = nameOf(one).split(" ");
    const about = GROUPS[group];
    return isAll && sub !== undefined && about
      ? [group, say(lang, phrase(about))]
      : [sub ?? group, say(lang, phrase(one.about))];
  });
  const help: Suggestion = ["help", Object.keys(TOPICS).join(", ")];
  return [...new Map(isAll ? [...names, help] : names)];
}

function sourceOf({ value, choices }: Flag): WordSource {
  if (choices) return { kind: "choices", of: choices };
  return slotSource(value ?? "", []);
}

function slotSource(slot: string, done: readonly string[]): WordSource {
  if (slot.includes("|")) return { kind: "choices", of: slot.split("|") };
  switch (slot.replace("…", "")) {
    case "dir":
      return FOLDERS;
    case "id":
      return { kind: "sessions" };
    case "provider/name":
      return { kind: "models" };
    case "provider":
      return { kind: "providers" };
    case "key":
      return { kind: "keys" };
    case "value":
      return { kind: "values", key: done[0] ?? "" };
    case "name":
      return { kind: "tools" };
    default:
      return ["n", "seconds", "url"].includes(slot) ? { kind: "choices", of: [] } : FILES;
  }
}
