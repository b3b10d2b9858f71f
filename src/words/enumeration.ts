import { isAnyOf, skipBlanks } from "./letters.ts";
import { ownWords } from "./own-words.ts";

interface Item {
  readonly indent: number;
  readonly text: string;
}

const mostGoals = 50;
const longestGoal = 200;
const longestLine = 4000;

const ordinals = "0123456789０１２３４５６７８９一二三四五六七八九十";
const circled = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳";
const closings = ".．)）、";

/** List markers at the start of a line, in order of precedence at equal indentation. */
function lineForms(): readonly RegExp[] {
  const digit = "[0-9０-９]{1,2}";
  const hanNumber = "[一二三四五六七八九十]{1,3}";
  return [
    new RegExp(
      `^(\\s*)(?:#{1,6}\\s+|\\*\\*)?(?:${digit}(?:[.．](?![0-9０-９])|[)）、])|[(（]${digit}[)）]|[①-⑳])\\s*(.*)$`,
    ),
    new RegExp(`^(\\s*)(?:#{1,6}\\s+|\\*\\*)?(?:${hanNumber}[、.．]|[(（]${hanNumber}[)）])\\s*(.*)$`),
    /^(\s*)(?:\*\*)?(?:[A-Ha-h][.．)）、]\s|[(（][A-Ha-h][)）])\s*(.*)$/,
    /^(\s*)(?:[-*+]\s|[•·●▪]\s?)\s*(.*)$/,
  ];
}

/** Markers within a line: each form captures a number, and the numbers must run 1, 2, 3 … without a gap. */
const inlineForms = (): readonly { readonly mark: RegExp; readonly order: string }[] => [
  {
    mark: /(?<![A-Za-z0-9.．_/(（-])([0-9０-９]{1,2})(?:[.．](?![0-9０-９])|[)）、])(?![.,;:!?)）。，；：！？、]|$)/g,
    order: "",
  },
  { mark: /[(（]([0-9０-９]{1,2})[)）]/g, order: "" },
  { mark: /([①-⑳])/g, order: circled },
  { mark: /(?<![一二三四五六七八九十])([一二三四五六七八九十])、/g, order: "一二三四五六七八九十" },
  { mark: /(?<![A-Za-z0-9.'’_-])([A-H])[.．)）、](?=\s|[一-鿿])/g, order: "ABCDEFGH" },
];

/** The goals of an explicit enumeration of two or more, in the user's words; otherwise empty. */
export function enumeratedGoals(text: string): string[] {
  return goalsIn(ownWords(text));
}

export function goalsIn(words: string): string[] {
  if (!words.includes("\n") && !hasMark(words)) return [];
  const lines = words.split("\n").map((line) => line.slice(0, longestLine));
  const goals = listedGoals(lines) ?? inlineGoals(lines.join("\n"));
  return goals.slice(0, mostGoals);
}

function listedGoals(lines: readonly string[]): readonly string[] | null {
  if (lines.length < 2 || lines.filter(mayBeItem).length < 2) return null;
  const lists = lineForms()
    .map((form) => outermost(itemsOf(lines, form)))
    .filter((items) => items.length > 1);
  const [best] = lists.sort((one, other) => (one[0]?.indent ?? 0) - (other[0]?.indent ?? 0));
  return best?.map((item) => item.text) ?? null;
}

/** A cheap precondition of all line forms. */
function mayBeItem(line: string): boolean {
  const from = skipBlanks(line, 0);
  if (isAnyOf("#*-+•·●▪(（", line, from) || isAnyOf(circled, line, from)) return true;
  if (!isAnyOf(ordinals, line, from) && !isAnyOf("ABCDEFGHabcdefgh", line, from)) return false;
  return [1, 2, 3].some((ahead) => isAnyOf(closings, line, from + ahead));
}

function itemsOf(lines: readonly string[], form: RegExp): readonly Item[] {
  return lines.flatMap((line) => {
    const [, indent, rest = ""] = form.exec(line) ?? [];
    const goal = tidy(rest);
    return indent === undefined || goal === "" ? [] : [{ indent: indent.length, text: goal }];
  });
}

/** Drops nested items, which are details of an outer one, unless only one outer item exists. */
function outermost(items: readonly Item[]): readonly Item[] {
  const least = items.reduce((lowest, { indent }) => Math.min(lowest, indent), Number.POSITIVE_INFINITY);
  const outer = items.filter(({ indent }) => indent <= least + 1);
  return outer.length > 1 ? outer : items;
}

/** A cheap precondition of all inline forms. */
function hasMark(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A full stop or a bracket, or a non-ASCII marker.
    if (code !== 0x2e && code !== 0x29 && code < 0x2460) continue;
    if (code <= 0x2473 && code >= 0x2460) return true;
    if (!closings.includes(text.charAt(at))) continue;
    if (isAnyOf(ordinals, text, at - 1) || isAnyOf("ABCDEFGH", text, at - 1)) return true;
  }
  return false;
}

function inlineGoals(text: string): readonly string[] {
  if (!hasMark(text)) return [];
  for (const { mark, order } of inlineForms()) {
    const marks = inSequence([...text.matchAll(mark)], order);
    const goals = marks.map((match, index) =>
      tidy(text.slice(match.index + match[0].length, marks[index + 1]?.index ?? text.length)),
    );
    if (goals.length > 1 && goals.every((goal) => goal !== "")) return goals;
  }
  return [];
}

/** The marks that count 1, 2, 3 …: the first 1, then the first 2 after it, and so on. */
function inSequence(marks: readonly RegExpExecArray[], order: string): readonly RegExpExecArray[] {
  const sequence: RegExpExecArray[] = [];
  for (const match of marks) {
    const sign = match[1] ?? "";
    const place = order === "" ? Number(sign.normalize("NFKC")) : order.indexOf(sign) + 1;
    if (place === sequence.length + 1) sequence.push(match);
  }
  return sequence;
}

function tidy(goal: string): string {
  const line = goal
    .replace(/\s+/g, " ")
    .replace(/^ ?(?:\[[ xX]?\] ?)?/, "")
    .replace(/\*\*/g, "")
    .trim();
  const bare = line.replace(/[;；,，、]$/, "").trim();
  const letters = [...bare];
  return letters.length > longestGoal ? `${letters.slice(0, longestGoal - 1).join("")}…` : bare;
}
