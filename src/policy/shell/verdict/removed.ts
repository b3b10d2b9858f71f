import { literal, pathOf } from "../arguments.ts";
import { discardedBy } from "../git/discarded.ts";
import { hasOption, operandsOf } from "../options.ts";
import { baseName } from "./destructive.ts";
import type { PathWord, RemovedWord, Word } from "./judgement.ts";

/** Their operands are gone afterwards, or empty. */
const removing = new Set("rm unlink shred srm wipe truncate".split(" "));

/** The files and directories that a command deletes or overwrites; `null` = one known only at run time. */
export function removedBy([name, ...args]: readonly Word[]): readonly (RemovedWord | null)[] {
  const program = name?.kind === "literal" ? baseName(name.value) : "";
  if (removing.has(program)) return operandsOf(args).flatMap(removed);
  if (program === "dd") return args.flatMap((word) => writtenByDd(word) ?? []);
  if (program === "git") return discardedBy(args);
  if (program === "tee") return hasOption(args, /^(?:-\w*a|--append)/) ? [] : operandsOf(args).flatMap(replaced);
  if (Object.hasOwn(copying, program)) return overwrittenBy(program, args);
  if (Object.hasOwn(rewriting, program)) return rewrittenBy(rewriting[program]!, args);
  return program === "find" ? deletedBy(args) : [];
}

function removed(word: Word): readonly (RemovedWord | null)[] {
  if ((word.kind !== "glob" && word.kind !== "one") || !word.found) return [pathOf(word)];
  return word.within ? below(word.within.places, word.within.names) : [null];
}

function below(places: readonly PathWord[], names: readonly string[] | null): readonly RemovedWord[] {
  return places.map((place) => (names ? { ...place, names } : place));
}

/** `of=x` */
function writtenByDd(word: Word): readonly (RemovedWord | null)[] | null {
  if (word.kind !== "literal") return [null];
  return word.value.startsWith("of=") ? [{ path: word.value.slice(3), isGlob: false }] : null;
}

/** These overwrite files, unless a `sparing` option is given, or (`ln`) only if a `forcing` one is. */
const copying: Readonly<Record<string, { readonly sparing?: RegExp; readonly forcing?: RegExp }>> = {
  mv: { sparing: /^(?:-\w*[ni]|--no-clobber|--interactive|--backup)/ },
  cp: { sparing: /^(?:-\w*[ni]|--no-clobber|--interactive|--backup)/ },
  install: { sparing: /^(?:-\w*d|--directory|--backup)/ },
  ln: { forcing: /^(?:-\w*f|--force)/ },
};

/** The directory of temporary files disappears with coder: files moved there are lost. */
const temporary = /^\/tmp(?:\/|$)/;

function overwrittenBy(program: string, args: readonly Word[]): readonly (RemovedWord | null)[] {
  const { sparing, forcing } = copying[program] ?? {};
  const { target, sources } = targetOf(args);
  const isMoved = program === "mv" && target?.kind === "literal" && temporary.test(target.value);
  const gone = isMoved ? sources.flatMap(removed) : [];
  const isSpared = (sparing && hasOption(args, sparing)) || (forcing && !hasOption(args, forcing));
  if (target?.kind !== "literal" || isSpared) return gone;
  const inside = sources.flatMap((word) =>
    word.kind === "literal" ? replaced(literal(`${target.value}/${baseName(word.value.replace(/\/+$/, ""))}`)) : [],
  );
  return [...gone, ...replaced(target), ...inside];
}

/** With such an option these overwrite all operands, or the word after the option. With a suffix (`-i.bak`) the old file is kept. */
const rewriting: Readonly<Record<string, { readonly all?: RegExp; readonly behind?: RegExp }>> = {
  sed: { all: /^(?:-[a-zA-Z]*i|--in-place)$/ },
  gsed: { all: /^(?:-[a-zA-Z]*i|--in-place)$/ },
  perl: { all: /^-[a-zA-Z0-9]*i$/ },
  sponge: { all: /^(?!-a$)/ },
  sort: { behind: /^(?:-[a-zA-Z]*o|--output)$/ },
  curl: { behind: /^(?:-[a-zA-Z]*o|--output)$/ },
  wget: { behind: /^(?:-[a-zA-Z]*O|--output-document)$/ },
};

function rewrittenBy({ all, behind }: (typeof rewriting)[string], args: readonly Word[]): readonly RemovedWord[] {
  if (all) return hasOption(args, all) ? operandsOf(args).flatMap(replaced) : [];
  return args.flatMap((word, at) => {
    const before = args[at - 1];
    const long = word.kind === "literal" ? /^--output(?:-document)?=(.+)$/s.exec(word.value)?.[1] : undefined;
    if (long !== undefined) return replaced(literal(long));
    return before?.kind === "literal" && behind?.test(before.value) ? replaced(word) : [];
  });
}

/** The last word, or the value of `-t`. */
function targetOf(args: readonly Word[]): { readonly target: Word | undefined; readonly sources: readonly Word[] } {
  const at = args.findIndex((word) => word.kind === "literal" && /^(?:-\w*t|--target-directory)$/.test(word.value));
  if (at !== -1) return { target: args[at + 1], sources: operandsOf(args.filter((_, one) => one !== at + 1)) };
  const operands = operandsOf(args);
  return { target: operands.at(-1), sources: operands.slice(0, -1) };
}

function replaced(word: Word): readonly RemovedWord[] {
  const path = pathOf(word);
  return path === null ? [] : [{ ...path, isReplaced: true }];
}

function deletedBy(args: readonly Word[]): readonly (RemovedWord | null)[] {
  if (!hasOption(args, /^-delete$/)) return [];
  const begin = args.findIndex((word) => word.kind === "literal" && /^[-(!]/.test(word.value));
  const places = args.slice(0, begin).map(pathOf);
  const known = places.filter((place) => place !== null);
  const found = below(begin === 0 ? [{ path: ".", isGlob: false }] : known, namesAsked(args.slice(begin)));
  return known.length < places.length ? [...found, null] : found;
}

/** Tests that select fewer names, and how many words follow each. */
const narrowing = new Map(
  Object.entries({
    ...{ "-type": 1, "-maxdepth": 1, "-mindepth": 1, "-mtime": 1, "-mmin": 1, "-size": 1, "-path": 1, "-empty": 0 },
    ...{ "-depth": 0, "-xdev": 0 },
  }),
);

/** The names that an expression of `find` restricts its actions to; `null` = any. */
export function namesAsked(words: readonly Word[]): readonly string[] | null {
  const texts = words.map((word) => (word.kind === "literal" ? word.value : null));
  let names: readonly string[] | null = null;
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (text === "-name") names ??= namesFrom(texts, at, at + 2);
    else if (text === "(") {
      const end = texts.indexOf(")", at);
      if (end === -1) return null;
      const group = namesFrom(texts, at + 1, end);
      if (group === null) return null;
      names ??= group;
      at = end;
      continue;
    } else if (/^(?:!|-not)$/.test(text) && /^-(?:name|path)$/.test(texts[at + 1] ?? "")) {
      at += 2;
      continue;
    } else if (/^-(?:delete|exec|execdir|print0?)$/.test(text)) break;
    else if (!narrowing.has(text)) return null;
    at += text === "-name" ? 1 : (narrowing.get(text) ?? 0);
  }
  // After an action there may be others, for other names.
  return texts.some((text) => text === "-o" || text === "-or" || text === ",") && !isGrouped(texts) ? null : names;
}

/** Exactly `-name a -o -name b …`. */
function namesFrom(texts: readonly (string | null)[], from: number, end: number): readonly string[] | null {
  const names: string[] = [];
  for (let at = from; at < end; at += 3) {
    const [test, name, or] = [texts[at], texts[at + 1], texts[at + 2]];
    const isLast = at + 2 >= end;
    if (test !== "-name" || name === null || name === undefined || (!isLast && or !== "-o" && or !== "-or"))
      return null;
    names.push(name);
  }
  return names.length > 0 ? names : null;
}

/** Each `-o` stands between parentheses. */
function isGrouped(texts: readonly (string | null)[]): boolean {
  let depth = 0;
  return texts.every((text) => {
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    return depth > 0 || (text !== "-o" && text !== "-or" && text !== ",");
  });
}
