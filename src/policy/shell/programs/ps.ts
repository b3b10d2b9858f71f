import { phrase } from "../../../contract/text/catalogue.ts";
import type { Program, ProgramJudgement, Word } from "../verdict/judgement.ts";

// `e` without a dash shows the environment of other processes. With a dash it selects all processes, unless another word (an `x` after a
// dash) makes ps parse every word in the old style.
const bundle = /^(?:-[AaedfFjlHTLwyM]+|-aux?|-axu?|[auxfwjlvTrSchnm]+)$/;
const withValue = /^(?:-[AaedfFjlHTLwy]*|-ax|[aufjlvwx]*)([opuUCt])$/;
const columns =
  "pid ppid pgid pgrp sid sess tgid user uid ruser euser group gid comm args cmd command ucmd fname stat state s start stime start_time lstart etime etimes time cputime times pcpu %cpu c pmem %mem rss rssize rsz vsz vsize sz size tty tt tname nice ni pri psr nlwp thcount lwp tid wchan cgroup class cls policy rtprio flags f";
const column = columns.split(" ").join("|");
const fields = new RegExp(`^(?:${column})=?(?:[, ](?:${column})=?)*$`);
const sortKeys = new RegExp(`^[+-]?(?:${column})(?:,[+-]?(?:${column}))*$`);
const numbers = /^[0-9]+(?:[, ][0-9]+)*$/;
const names = /^[A-Za-z0-9_][A-Za-z0-9_.,-]*$/;

const valued: Readonly<Record<string, RegExp>> = {
  "-o": fields,
  o: fields,
  "-p": numbers,
  p: numbers,
  "-u": names,
  "-U": names,
  "-C": names,
  "-t": names,
};
const long: Readonly<Record<string, RegExp>> = {
  "--sort": sortKeys,
  "--pid": numbers,
  "--ppid": numbers,
  "--user": names,
  "--format": fields,
};
const plainLong = new Set(["--forest", "--no-headers", "--no-heading", "--headers", "--deselect"]);

export const ps: Program = { judge: judgePs };

function judgePs(args: readonly Word[]): ProgramJudgement {
  const dashed = args.map(({ text }) => text).filter((text) => /^-[a-zA-Z]|^--f/.test(text));
  if (dashed.some((text) => /^-[a-zA-Z]*e/.test(text)) && isOldStyle(dashed))
    return problem(dashed.find((text) => text.includes("x")) ?? dashed.join(" "));
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word && isNumber(word)) continue;
    if (word?.kind !== "literal") return problem(word?.text ?? "");
    const value = word.value;
    if (bundle.test(value) || plainLong.has(value) || numbers.test(value)) continue;
    const [name = "", ...rest] = value.split("=");
    const attached = rest.join("=");
    if (Object.hasOwn(long, name) && attached !== "" && long[name]?.test(attached)) continue;
    // An option that ends a bundle: `-eo pid,comm`.
    const option = withValue.exec(value);
    const form = option ? valued[`${value.startsWith("-") ? "-" : ""}${option[1]}`] : undefined;
    const next = args[at + 1];
    if (!form || !next || !(isNumber(next) ? form === numbers : isLiteral(next, form))) return problem(word.text);
    at++;
  }
  return { reads: [] };
}

/**
 * Conflicting words make ps start over and parse everything in the old style: an `x`, custom columns beside a format, threads beside a
 * forest, `-y` without `-l`.
 */
function isOldStyle(dashed: readonly string[]): boolean {
  const letters = new Set(dashed.filter((text) => !text.startsWith("--")).join(""));
  const has = (some: string): boolean => [...some].some((letter) => letters.has(letter));
  const hasColumns = has("o") || dashed.some((text) => text.startsWith("--format"));
  const isForest = has("H") || dashed.includes("--forest");
  return has("x") || (hasColumns && has("fFjlyM")) || (has("TL") && (isForest || has("M"))) || (has("y") && !has("l"));
}

/** For example `$$`. */
function isNumber(word: Word): boolean {
  return word.kind === "one" && word.isNumber === true;
}

function isLiteral(word: Word, form: RegExp): boolean {
  return word.kind === "literal" && form.test(word.value);
}

function problem(part: string): ProgramJudgement {
  return { problem: phrase("shell.operand", { program: "ps", part }) };
}
