// Decides from style declarations whether a reader of the page can see an element's text.
import { type Colour, colourOf, isSame } from "./colour.ts";

/** One value per property, with variables substituted. */
export type Style = ReadonlyMap<string, string>;

/** Inherited properties. `null` = unknown. */
export interface Inherited {
  readonly fontSize: number;
  readonly isVisible: boolean;
  readonly colour: Colour | null;
  readonly background: Colour | null;
}

const [screenWidth, screenHeight] = [1280, 800];
/** In pixels: smaller letters are illegible. */
const smallest = 3;
/** In pixels: so far off screen that nothing remains visible. */
const [farOut, farBeyond] = [-400, 5_000];

export function isGone(style: Style): boolean {
  const of = (name: string): string => style.get(name) ?? "";
  return (
    /^none$/.test(of("display")) ||
    of("content-visibility") === "hidden" ||
    isNothing(of("opacity"), 0.05) ||
    isNothing(of("zoom"), 0.05) ||
    /opacity\(\s*(?:0*\.0\d*|0+)%?\s*\)/.test(`${of("filter")} ${of("-webkit-filter")}`) ||
    isClipped(style) ||
    isShrunk(style) ||
    isAway(style) ||
    isTurnedAway(`${of("transform")} ${of("-webkit-transform")}`, of("scale"))
  );
}

function isNothing(value: string, most: number): boolean {
  const [, number, percent] = /^(?:calc\()?\s*(-?[\d.]+(?:e-?\d+)?)(%?)/.exec(value) ?? [];
  return number !== undefined && Number(number) / (percent ? 100 : 1) <= most;
}

function isClipped(style: Style): boolean {
  const rect = /^rect\(([^)]*)\)/.exec(style.get("clip") ?? "")?.[1];
  if (rect !== undefined && !rect.includes("auto") && lengths(rect).every((px) => Math.abs(px) <= 2)) return true;
  const path = style.get("clip-path") ?? style.get("-webkit-clip-path") ?? "";
  const [, shape, inside = ""] = /^(inset|circle|ellipse|polygon|rect|xywh)\(([^)]*)\)/.exec(path) ?? [];
  if (shape === undefined) return false;
  const first = inside.split(/\bat\b/)[0] ?? "";
  if (shape === "inset")
    return /(?:^|\s)(?:[5-9]\d|\d{3,})(?:\.\d+)?%/.test(first) || lengths(first).some((px) => px >= 1_000);
  if (shape === "polygon") return new Set(inside.split(",").map((point) => point.trim())).size < 3;
  return lengths(first).some((px) => px <= 1);
}

function isShrunk(style: Style): boolean {
  const isCut = ["overflow", "overflow-x", "overflow-y"].some((name) =>
    /hidden|clip|auto|scroll/.test(style.get(name) ?? ""),
  );
  const sizes = ["width", "height", "max-width", "max-height"];
  const logical = ["inline-size", "block-size", "max-inline-size", "max-block-size"];
  return isCut && [...sizes, ...logical].some((name) => largest(style.get(name) ?? "") <= 2);
}

function isAway(style: Style): boolean {
  const isPlaced = /absolute|fixed|relative|sticky/.test(style.get("position") ?? "");
  const edges = ["left", "right", "top", "bottom", "inset", "inset-inline-start", "inset-inline", "inset-block-start"];
  const shifts = ["text-indent", "margin", "margin-left", "margin-top", "margin-inline-start", "translate"];
  const moves = [...(isPlaced ? edges : []), ...shifts].map((name) => style.get(name) ?? "");
  const [, moved = ""] = /translate(?:x|y|3d)?\(([^)]*)\)/.exec(style.get("transform") ?? "") ?? [];
  return [...moves, moved].some((value) => lengths(value).some((px) => px <= farOut || px >= farBeyond));
}

function isTurnedAway(transform: string, scale: string): boolean {
  const factors = [...transform.matchAll(/(?:scale(?:x|y|3d)?|matrix)\(([^)]*)\)/g)].flatMap(([, inside = ""]) => {
    const numbers = inside.split(/[\s,]+/).map(Number);
    return transform.includes("matrix(") ? [numbers[0] ?? 1, numbers[3] ?? 1] : numbers.slice(0, 2);
  });
  const all = [...factors, ...scale.split(/\s+/).slice(0, 2).map(Number.parseFloat)];
  return all.some((factor) => Math.abs(factor) <= 0.01) || /rotate[xy]\(\s*-?(?:90|270)deg/.test(transform);
}

/** Pixels per percent: -100% is off screen, -50% is how things are centred. */
const percent = 4.01;
const units: Readonly<Record<string, number>> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 38, mm: 3.8, q: 1, em: 16, rem: 16, ex: 8, ch: 8, lh: 20, "": 1 },
  ...{ "%": percent, vw: screenWidth / 100, vh: screenHeight / 100, vmin: 8, vmax: 12.8, dvw: 12.8, dvh: 8 },
};

/** All lengths of a value in pixels; a sum counts as one. */
function lengths(value: string): readonly number[] {
  const isSum = value.includes("calc(");
  const found: number[] = [];
  for (const [, number = "", unit = ""] of value.matchAll(/(-?\s?\d*\.?\d+(?:e[+-]?\d+)?)([a-z]+|%)?/g)) {
    const factor = isSum && unit === "%" ? screenWidth / 100 : units[unit];
    if (factor !== undefined) found.push(Number(number.replace(/\s/, "")) * factor);
  }
  return isSum ? [found.reduce((sum, one) => sum + one, 0)] : found;
}

/** Infinity = no limit. */
function largest(value: string): number {
  const found = lengths(value);
  return found.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...found);
}

const words: Readonly<Record<string, number>> = {
  ...{ "xx-small": 9, "x-small": 10, small: 13, medium: 16, large: 18, "x-large": 24, "xx-large": 32 },
  ...{ smaller: 13, larger: 18 },
};

export function inheritedBy(outer: Inherited, style: Style): Inherited {
  const visibility = style.get("visibility");
  return {
    fontSize: fontSize(outer.fontSize, style),
    isVisible:
      visibility === undefined || /inherit|unset/.test(visibility) ? outer.isVisible : visibility === "visible",
    colour: colour(outer, style),
    background: background(outer, style),
  };
}

function fontSize(outer: number, style: Style): number {
  const font = style.get("font");
  const [short = ""] =
    font === undefined
      ? []
      : (/(?:^|\s)-?\d*\.?\d+(?:[a-z]+|%)?(?=[\s/]|$)|calc\([^)]*\)/.exec(font.replace(/\b[1-9]00\b/, "")) ?? []);
  const value = (style.get("font-size") ?? short).trim();
  if (value === "" || /^(?:inherit|unset|initial|revert)/.test(value)) return outer;
  const word = words[value];
  if (word !== undefined) return word;
  const [, number, unit] = /^(-?\d*\.?\d+)(em|%|ex|ch)$/.exec(value) ?? [];
  if (number !== undefined) return outer * (Number(number) / (unit === "%" ? 100 : unit === "em" ? 1 : 2));
  const size = largest(value);
  return Number.isFinite(size) ? size : outer;
}

function colour(outer: Inherited, style: Style): Colour | null {
  const value = style.get("-webkit-text-fill-color") ?? style.get("color");
  if (value === undefined || /^(?:inherit|unset|currentcolor)$/.test(value)) return outer.colour;
  return colourOf(value);
}

function background(outer: Inherited, style: Style): Colour | null {
  const short = style.get("background");
  // A painted background may have any colour.
  if (short !== undefined && /url\(|gradient\(|image\(|element\(/.test(short)) return null;
  const value = style.get("background-color") ?? paint(short ?? "");
  if (value === "" || /^(?:inherit|unset|initial|revert|none)$/.test(value)) return outer.background;
  if (value === "currentcolor") return colour(outer, style);
  const found = colourOf(value);
  return found !== null && found[3] <= 0.05 ? outer.background : found;
}

function paint(short: string): string {
  const pieces = short.match(/(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color(?:-mix)?)\([^)]*\)|#[0-9a-f]+|[a-z]+/g) ?? [];
  return pieces.find((piece) => (colourOf(piece)?.[0] ?? 300) < 300 || piece === "transparent") ?? pieces[0] ?? "";
}

/** Rendered, but illegible. */
export function isUnreadable({ fontSize: size, isVisible, colour: ink, background: paper }: Inherited): boolean {
  if (!isVisible || size < smallest) return true;
  if (ink === null) return false;
  return ink[3] <= 0.05 || (paper !== null && isSame(ink, paper));
}
