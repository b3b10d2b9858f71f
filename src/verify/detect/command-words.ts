import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { VerificationCounts, VerificationDetail } from "../../contract/verification.ts";

const parts = [
  ["passed", "verify.count.passed"],
  ["failed", "verify.count.failed"],
  ["errors", "verify.count.errors"],
  ["skipped", "verify.count.skipped"],
  ["todo", "verify.count.todo"],
] as const satisfies readonly (readonly [keyof VerificationCounts, TextKey])[];

export function countWords(lang: Lang, counts: VerificationCounts): string {
  const said = parts.flatMap(([key, text]) => {
    const n = counts[key];
    return n === null || (n === 0 && key !== "passed")
      ? []
      : [say(lang, phrase(key === "errors" && n === 1 ? "verify.count.error" : text, { n }))];
  });
  const nothing = say(lang, phrase("verify.result.nothing_said"));
  return said.length === 0 ? nothing : said.join(say(lang, phrase("verify.count.joint")));
}

export function whereWords(details: readonly VerificationDetail[]): string {
  const one = details.find(({ file }) => file !== null) ?? details[0];
  if (one === undefined) return "";
  if (one.file === null) return one.test ?? firstLine(one.error);
  return one.line === null ? one.file : `${one.file}:${one.line}`;
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").slice(0, 200);
}
