import {
  foldDetails,
  placeOf,
  type VerificationDetail,
  type VerificationResult,
} from "../../../contract/verification.ts";
import { clean, cut, oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, withKey } from "../terminal/measure.ts";
import { visibleWidth } from "../terminal/width.ts";
import type { Lines } from "./lines.ts";
import { readable } from "./long-text.ts";

const shownFailures = 10;
const linesOfError = 4;
const leastForTable = 64;

export function checkFacts(look: Look, { counts, summary }: VerificationResult): string {
  const { passed, failed, errors, skipped } = counts;
  const facts = [
    ...([
      [passed, "block.check.passed"],
      [failed, "block.check.failed"],
    ] as const),
    ...([
      [errors, "block.check.errors"],
      [skipped, "block.check.skipped"],
    ] as const),
  ];
  const parts = facts.flatMap(([n, key]) => (n ? [words(look, key, { n })] : []));
  return parts.length > 0 ? parts.join(words(look, "block.comma")) : oneLine(summary);
}

export function failureTable(look: Look, result: VerificationResult, key: string): readonly string[] {
  if (result.ok) return [];
  const { theme } = look;
  const shown = foldDetails(result.details)
    .slice(0, shownFailures)
    .map(({ first }) => first);
  const rest = result.details.length - shown.length;
  const more = rest > 0 ? [withKey(look, counted(look, "block.check.more.n", rest), key)] : [];
  const old = result.old && result.old.length > 0 ? [counted(look, "block.check.old.n", result.old.length)] : [];
  return [
    ...rows(look, shown),
    ...[...more, ...old].flatMap((line) => wrap(theme.dim(line), look.width(), "  ")),
    ...(result.suggestion === "" ? [] : wrap(oneLine(result.suggestion), look.width(), "  → ", "    ")),
  ];
}

function rows(look: Look, details: readonly VerificationDetail[]): readonly string[] {
  const width = look.width() - 2;
  if (width < leastForTable) return details.flatMap((detail) => stacked(look, detail));
  const places = details.map(placeText);
  const tests = details.map(testText);
  const [place, test] = [widest(places, width * 0.35), widest(tests, width * 0.3)];
  const indent = place + (place > 0 ? 2 : 0) + test + (test > 0 ? 2 : 0);
  return details.flatMap((detail, at) => {
    const cells = [
      ...(place > 0 ? [look.theme.bad(padded(front(places[at] ?? "", place), place))] : []),
      ...(test > 0 ? [padded(cut(tests[at] ?? "", test), test)] : []),
    ];
    const first = `  ${cells.map((cell) => `${cell}  `).join("")}`;
    return errorLines(detail).flatMap((line, n) =>
      wrap(line, look.width(), n === 0 ? first : " ".repeat(indent + 2), " ".repeat(indent + 2)),
    );
  });
}

function stacked(look: Look, detail: VerificationDetail): readonly string[] {
  const place = placeText(detail);
  const test = testText(detail);
  return [
    ...(place === "" ? [] : wrap(look.theme.bad(place), look.width(), "  ")),
    ...(test === "" ? [] : wrap(test, look.width(), "  ")),
    ...errorLines(detail).flatMap((line) => wrap(line, look.width(), "    ")),
  ];
}

function placeText({ file, line }: VerificationDetail): string {
  return oneLine(placeOf({ file, line, test: null, error: "", context: "" })).replace(/:$/, "");
}

/** Some runners repeat the file name. */
function testText({ file, test }: VerificationDetail): string {
  const name = test ?? "";
  return oneLine(file !== null && name.startsWith(`${file}::`) ? name.slice(file.length + 2) : name);
}

function front(place: string, width: number): string {
  const cutOff = place.length - width;
  return cutOff <= 0 || visibleWidth(place) <= width ? place : `…${place.slice(cutOff + 1)}`;
}

function errorLines({ error }: VerificationDetail): readonly string[] {
  const lines = clean(error.slice(0, 4_000))
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.length === 0 ? [""] : lines.slice(0, linesOfError);
}

function widest(texts: readonly string[], most: number): number {
  return Math.min(Math.floor(most), Math.max(0, ...texts.map(visibleWidth)));
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

export function checkDetail(look: Look, result: VerificationResult, width: number): Lines {
  const whole = (detail: VerificationDetail): string =>
    [`${placeOf(detail)}`.trimEnd(), detail.error, detail.context].filter((part) => part !== "").join("\n");
  const old = result.old ?? [];
  const head = result.command === "" ? result.summary : `${result.command}: ${result.summary}`;
  const parts = [
    head,
    ...result.details.map(whole),
    ...(old.length === 0 ? [] : [counted(look, "block.check.old.n", old.length), ...old.map(whole)]),
    ...(result.suggestion === "" ? [] : [result.suggestion]),
  ];
  return readable(parts.join("\n\n"), width);
}
