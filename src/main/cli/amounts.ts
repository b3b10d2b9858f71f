import { phrase } from "../../contract/text/catalogue.ts";
import { usage } from "./flags.ts";

const ages: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const sizes: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

export function countOf(flag: string, given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw usage(phrase("cli.bad_count", { flag, given }));
  return Number(given);
}

export function ageOf(flag: string, given: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([hdw])$/.exec(given) ?? [];
  const ms = ages[unit];
  if (ms === undefined) throw usage(phrase("cli.bad_age", { flag, given }));
  return Number(number) * ms;
}

/** A megabyte here is a million bytes. */
export function sizeOf(flag: string, given: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9})([KMG]B)$/i.exec(given) ?? [];
  const bytes = sizes[unit.toUpperCase()];
  if (bytes === undefined) throw usage(phrase("cli.bad_size", { flag, given }));
  return Number(number) * bytes;
}

export function shownSize(bytes: number): string {
  const [unit = "KB", per = 1e3] = Object.entries(sizes).findLast(([, size]) => bytes >= size) ?? [];
  return `${(bytes / per).toFixed(1)} ${unit}`;
}
