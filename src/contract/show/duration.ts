import { type Phrase, phrase } from "../text/catalogue.ts";

const units = [
  ["duration.days", 86_400_000],
  ["duration.hours", 3_600_000],
  ["duration.minutes", 60_000],
] as const;
const yearMs = 365 * 86_400_000;

/** Uses the largest unit with a count of at least two: 90 minutes, 24 hours. */
export function durationText(ms: number): Phrase {
  if (ms > yearMs) return phrase("duration.years");
  const [key, unit] = units.find(([, length]) => ms >= 2 * length) ?? (["duration.seconds", 1_000] as const);
  return phrase(key, { n: Math.round(ms / unit) });
}
