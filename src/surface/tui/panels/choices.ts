// The numbered choices of a dialog, for digits, letters, or arrows and Enter. Nothing is marked at first, so Enter alone answers nothing.
import { type Look, words } from "../terminal/look.ts";
import { type Hint, innerRoom, innerWidth, wrapped } from "./card.ts";
import { isEnter, isKey, letter } from "./press.ts";
import type { LineSpan } from "./scroll.ts";

export interface DialogChoice<Sign extends string = string> {
  /** Its letter. */
  readonly sign: Sign;
  readonly label: string;
  /** Where there is no room for a list. */
  readonly short: Hint[1];
}

export class Choices<Sign extends string> {
  private readonly look: Look;
  private readonly list: readonly DialogChoice<Sign>[];
  private at: number | null;

  constructor(look: Look, list: readonly DialogChoice<Sign>[], at: number | null = null) {
    this.look = look;
    this.list = list;
    this.at = at;
  }

  /** Beside a list that takes most of the room, nobody sees what is asked: then the choices stand among the keys. */
  fit(hints: readonly Hint[], width: number, room: number): { rows: readonly string[]; hints: readonly Hint[] } {
    const { theme } = this.look;
    const labels = this.list.map(({ sign, label }) => `${label} ${theme.dim(`(${sign})`)}`);
    const { rows } = choiceRows(this.look, labels, this.at, innerWidth(width));
    if (rows.length * 3 < innerRoom(this.look, hints, width, room)) return { rows, hints };
    const short = this.list.map(({ sign, short: does }, at): Hint => [`${at === this.at ? "❯" : ""}${sign}`, does]);
    return { rows: [], hints: [...short, ...hints] };
  }

  /** The choice that the key makes; "": it only moved the mark. `null`: it has no meaning here. */
  press(key: string): Sign | "" | null {
    const { length } = this.list;
    if (isKey(key, "up", "down")) {
      this.at = nextChoice(this.at, isKey(key, "up") ? -1 : 1, length);
      return "";
    }
    const sign = letter(key);
    const chosen = isEnter(key) ? this.list[this.at ?? -1] : this.list[Number(sign || "0") - 1];
    return (chosen ?? this.list.find((one) => sign !== "" && one.sign === sign))?.sign ?? null;
  }
}

export function choice<Sign extends string>(
  look: Look,
  sign: Sign,
  label: Hint[1],
  short: Hint[1],
): DialogChoice<Sign> {
  return { sign, label: words(look, label), short };
}

export function nextChoice(at: number | null, by: 1 | -1, length: number): number {
  return at === null ? (by === 1 ? 0 : length - 1) : (at + by + length) % length;
}

/** `chosen`: the rows of the marked one. */
export function choiceRows(
  { theme }: Look,
  labels: readonly string[],
  at: number | null,
  width: number,
): { readonly rows: readonly string[]; readonly chosen: LineSpan | null } {
  const rows: string[] = [];
  let chosen: LineSpan | null = null;
  for (const [index, label] of labels.entries()) {
    const isAt = index === at;
    const own = wrapped(isAt ? theme.bold(label) : label, width, `${isAt ? theme.accent("❯") : " "} ${index + 1} `);
    if (isAt) chosen = { from: rows.length, to: rows.length + own.length };
    rows.push(...own);
  }
  return { rows, chosen };
}
