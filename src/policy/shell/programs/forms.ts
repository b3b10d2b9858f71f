import type { Program } from "../verdict/judgement.ts";

/** A count with an optional sign and unit: `5`, `+5`, `-5`, `10k`, `2MiB`. */
export const amount = /^[+-]?[0-9]{1,15}(?:b|[kKmMGTPE](?:i?B)?)?$/;
/** A size: `1M`, `512`, `50%`. */
export const size = /^[0-9]{1,15}(?:%|[bBkKmMGTPE](?:i?B)?)?$/;
/** A list of positions: `1,3-5,7-`. */
export const list = /^[0-9]+(?:[-,][0-9]*)*$|^-[0-9]+(?:[-,][0-9]*)*$/;
export const when = /^(?:always|auto|never)$/;
/** One word, such as the name of a style or field. */
export const style = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** A time in words. A time zone before it (`TZ="…"`) would be read from the file that it names, wherever that is. */
export const time = /^(?!\s*TZ=)/;
/** Matches nothing: no further operands, but options may follow the existing ones. */
export const none = /(?!)/;

/** Long options without a value. */
export function plain(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(" ").map((name) => [`--${name}`, null]));
}

/** Each of these programs prints its usage, or reports that the option does not exist. */
export function withHelp(rows: Readonly<Record<string, Program>>): Readonly<Record<string, Program>> {
  const long = plain("help version");
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      row.judge || row.commands || row.neverBegins === "-" ? row : { ...row, long: { ...row.long, ...long } },
    ]),
  );
}
