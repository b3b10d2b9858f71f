import { literal, once } from "./pattern.ts";
import type { Secret } from "./span.ts";
import { isStandIn } from "./value.ts";

/** Shorter ones are parts of ordinary words. */
export const shortest = 8;
/** From here on a value is found inside other words too. */
const unmistakable = 16;

/** Finds the exact values that the process knows to be secret, as they are and as JSON, URLs, base64 and hex write them. */
export function knownFinder(values: readonly string[]): (text: string) => readonly Secret[] {
  const forms = knownForms(values);
  if (forms.size === 0) return () => [];
  const pattern = once(() => patternOf([...forms]));
  return (text) => {
    const found: Secret[] = [];
    for (const match of text.matchAll(pattern())) {
      const to = match.index + match[0].length;
      found.push({ kind: "known-secret", from: match.index, to });
    }
    return found;
  };
}

/** Everything that stands for one of the values. */
export function knownForms(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.filter((one) => one.length >= shortest && !isStandIn(one)).flatMap(formsOf));
}

function formsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  const asJson = JSON.stringify(trimmed).slice(1, -1);
  const inUrl = encodeURIComponent(trimmed.toWellFormed());
  const inForm = inUrl.replaceAll("%20", "+");
  return [trimmed, asJson, inUrl, inForm, ...coded(trimmed)].filter((one) => one.length >= shortest);
}

/** Values of 12 and more only: a short one has too many words as its neighbours. */
function coded(value: string): readonly string[] {
  if (!/^[\u0000-\u00ff]{12,}$/.test(value)) return [];
  const hex = Array.from(value, (one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  // Within a longer text three bytes become four letters, and the value may begin with any of the three: the letters at its
  // ends then say something of its neighbours too.
  const inside = [0, 1, 2].map((before) => {
    const whole = btoa("\0".repeat(before) + value);
    return whole.slice(before === 0 ? 0 : before + 1, Math.floor(((before + value.length) * 8) / 6));
  });
  return [btoa(value).replace(/=+$/, ""), ...inside, hex, hex.toUpperCase()];
}

/** The longest first: a value that begins like another one must not leave its end behind. */
function patternOf(forms: string[]): RegExp {
  const sorted = forms.sort((one, other) => other.length - one.length);
  const sources = sorted.map((form) => {
    const source = literal(form);
    return form.length >= unmistakable
      ? source
      : String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf]))${source}(?![A-Za-z0-9])`;
  });
  return new RegExp(sources.join("|"), "g");
}
