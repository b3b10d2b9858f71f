import { dollars, inDollars } from "../../../contract/show/money.ts";
import type { TextKey } from "../../../contract/text/catalogue.ts";
import { type Look, words } from "./look.ts";

type Words = Pick<Look, "lang">;

export function shownTime(look: Words, ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return words(look, "block.time.s", { s: seconds.toFixed(1) });
  if (seconds < 59.5) return words(look, "block.time.s", { s: Math.round(seconds) });
  const whole = Math.round(seconds);
  if (whole < 3600) return words(look, "block.time.min", { min: Math.floor(whole / 60), s: whole % 60 });
  return words(look, "block.time.h", { h: Math.floor(whole / 3600), min: Math.floor((whole % 3600) / 60) });
}

/** For running work: whole seconds, so that nothing flickers. */
export function runningTime(look: Words, ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  return seconds < 60 ? words(look, "block.time.s", { s: seconds }) : shownTime(look, seconds * 1000);
}

export function shownCost(micro: number): string {
  return dollars(Math.ceil(inDollars(micro) * 10_000) / 10_000);
}

/** 950, 1.2k, 34k, 1.2M */
export function shownCount(n: number): string {
  if (n < 1_000) return String(n);
  const [of, unit] = n < 999_500 ? [1_000, "k"] : [1_000_000, "M"];
  const part = n / of;
  return `${part < 9.95 ? part.toFixed(1) : Math.round(part)}${unit}`;
}

export function counted(look: Words, key: `${string}.n` & TextKey, n: number): string {
  const one = key.replace(/n$/, "one") as TextKey;
  return words(look, n === 1 ? one : key, { n });
}

/** Adds the key that shows more; "": there is none. */
export function withKey(look: Look, text: string, key: string): string {
  return key === "" ? text : words(look, "words.more", { text, more: key });
}
