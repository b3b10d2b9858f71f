import { literal, once } from "./pattern.ts";
import type { Secret } from "./span.ts";
import { isStandIn } from "./value.ts";

/** Shorter ones are parts of ordinary words. */
const shortest = 8;
/** From here on a value is found inside other words too. */
const unmistakable = 16;

/** Finds the exact values that the process knows to be secret, as they are and as JSON, URLs and base64 write them. */
export function knownFinder(values: readonly string[]): (text: string) => readonly Secret[] {
  const forms = new Set(values.filter((one) => one.length >= shortest && !isStandIn(one)).flatMap(formsOf));
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

function formsOf(value: string): readonly string[] {
  const trimmed = value.trim();
  const asJson = JSON.stringify(trimmed).slice(1, -1);
  const inUrl = encodeURIComponent(trimmed.toWellFormed());
  return [trimmed, asJson, inUrl, ...base64Of(trimmed)].filter((one) => one.length >= shortest);
}

function base64Of(value: string): readonly string[] {
  // Values of 12 and more only: a short one has too many words as its neighbours.
  return /^[\u0000-\u00ff]{12,}$/.test(value) ? [btoa(value).replace(/=+$/, "")] : [];
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
