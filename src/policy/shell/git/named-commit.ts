// Substitutions that print commit hashes: git treats them like the names of the commits.
import type { Word as SourceWord, WordPart } from "unbash";
import type { Word } from "../verdict/judgement.ts";

type Substitution = Extract<WordPart, { type: "CommandExpansion" }>;

const revision = /^(?:[A-Za-z][\w./-]*|@)(?:[~^][0-9]*|@\{[0-9]+\})*$/;
/** Stands for any commit before the current one. */
const earlier = "HEAD~1";

/** A revision that names the printed commit, or one from which it can be reached; `null` = it prints something else or is unknown. */
export function commitNamedBy(part: Substitution): string | null {
  const words = wordsOfGit(part);
  return words && namedBy(words.name, words.rest);
}

/** The same for a word that becomes any number of hashes, one per pass of a loop. */
export function commitListedBy({ text, parts: [part, more] = [] }: SourceWord): string | null {
  if (part?.type !== "CommandExpansion" || more !== undefined || part.text !== text) return null;
  const words = wordsOfGit(part);
  return words && listedBy(words.name, words.rest);
}

function wordsOfGit({ script }: Substitution): { readonly name: string; readonly rest: readonly string[] } | null {
  const [only, more] = script?.commands ?? [];
  const command = only?.command;
  if (command?.type !== "Command" || more !== undefined || only?.background) return null;
  const isQuiet = command.redirects.every((one) => one.type === "Redirect" && one.target?.text === "/dev/null");
  if (command.prefix.length > 0 || !isQuiet || command.name?.text !== "git") return null;
  const words = command.suffix.map((one) => (one.type === "Word" ? plainText(one) : null));
  const [name, ...rest] = words;
  return words.includes(null) || !name ? null : { name, rest: rest as readonly string[] };
}

const hashes = /^--(?:format|pretty)=(?:format:)?%[hH]$/;
const choosing = /^-(?:n?[0-9]+|-(?:max-count=[0-9]+|reverse|no-merges|merges|first-parent))$/;

function listedBy(subcommand: string, words: readonly string[]): string | null {
  const options = words.filter((word) => word.startsWith("-") && !choosing.test(word));
  const [range = "HEAD", more] = words.filter((word) => !word.startsWith("-"));
  const isList = subcommand === "rev-list" ? options.length === 0 : subcommand === "log" && options.length === 1;
  const ends = range.split("..");
  if (!isList || !options.every((one) => hashes.test(one)) || more !== undefined || ends.length > 2) return null;
  if (!ends.every((end) => revision.test(end))) return null;
  const last = ends.at(-1)!;
  return /^(?:HEAD|@)/.test(last) ? earlier : last;
}

/** The word's value, unless a part of it is known only at run time. */
function plainText({ text, value }: SourceWord): string | null {
  return /^['"]?[\w./@{}^~=%:-]+['"]?$/.test(text) && text.replace(/['"]/g, "") === value ? value : null;
}

function namedBy(subcommand: string, words: readonly string[]): string | null {
  const isOption = (word: string): boolean => word.startsWith("-");
  const options = words.filter(isOption).join(" ");
  const revisions = words.filter((word) => !isOption(word));
  if (revisions.length > 2 || !revisions.every((word) => revision.test(word))) return null;
  const [first = "HEAD", second] = revisions;
  const below = revisions.length === 0 || revisions.some((word) => /^(?:HEAD|@)/.test(word)) ? earlier : first;
  if (subcommand === "merge-base") return second !== undefined && options === "" ? below : null;
  if (second !== undefined) return null;
  if (subcommand === "rev-parse") {
    return revisions.length === 1 && /^(?:|--verify|--short(?:=[0-9]+)?)$/.test(options) ? first : null;
  }
  const isOne = subcommand === "log" && /^-1 --(?:format|pretty)=(?:format:)?%[hH]$/.test(options);
  return isOne || (subcommand === "rev-list" && /^(?:-1|--max-count=1)$/.test(options)) ? below : null;
}

/** `\0` stands for a named commit; around it only syntax of ranges and ancestors is allowed. */
const end = "(?:\\0|[A-Za-z][\\w./-]*|@)(?:[~^][0-9]*)*";
const range = new RegExp(`^\\^?(?:${end})?(?:\\.{2,3}(?:${end})?)?$`);

interface Stretch {
  readonly is: string;
  readonly value?: string;
  readonly commit?: string;
}

/** `$(git merge-base a b)..HEAD`: one word, whatever the hashes are, and never an option; `null` = something else. */
export function rangeNamedBy(stretches: readonly Stretch[]): string | null {
  const commits = stretches.flatMap(({ commit }) => commit ?? []);
  const isKnown = stretches.every(({ is, commit }) => is === "plain" || commit !== undefined);
  if (stretches.length < 2 || !isKnown || commits.length === 0 || commits.some((one) => one.includes("..")))
    return null;
  const form = stretches.map(({ value, commit }) => (commit === undefined ? value : "\0")).join("");
  return range.test(form) ? stretches.map(({ value, commit }) => commit ?? value).join("") : null;
}

/** Git options that do not take the next word as a value. */
const alone = new Set(
  [
    "--stat --oneline --name-only --name-status --shortstat --numstat --cached --staged --no-color --graph --decorate --all",
    "--reverse --merges --no-merges --summary --patch -p -w -b --raw --quiet --check --exit-code --first-parent --left-right",
    "--word-diff --is-ancestor --no-patch -s -q --verify --short --no-renames --full-index --text --minimal --patience",
  ].flatMap((names) => names.split(" ")),
);

/** An unquoted substitution may be empty: an option before it, such as `-S`, would then take the following word as its value. */
export function withCommits(args: readonly Word[]): readonly Word[] {
  const isSeparated = args.some((word) => word.kind === "literal" && word.value === "--");
  return args.map((word, at) => {
    if ((word.kind !== "one" && word.kind !== "any") || word.commit === undefined) return word;
    const before = args[at - 1];
    const isBehindOption = before?.kind === "literal" && before.value.startsWith("-");
    const isAlone = isBehindOption && (before.value.includes("=") || alone.has(before.value));
    const mayMove = word.kind === "any" && isBehindOption && (isSeparated || !isAlone);
    return mayMove ? word : { kind: "literal", value: word.commit, text: word.text };
  });
}
