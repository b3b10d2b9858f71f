import { splitAt } from "./css.ts";

/** Channels from 0 to 255, alpha from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Common colours of hidden text. Other names only compare equal to themselves. */
const named: Readonly<Record<string, number>> = {
  ...{ white: 0xffffff, black: 0, snow: 0xfffafa, ivory: 0xfffff0, ghostwhite: 0xf8f8ff, whitesmoke: 0xf5f5f5 },
  ...{ floralwhite: 0xfffaf0, mintcream: 0xf5fffa, azure: 0xf0ffff, aliceblue: 0xf0f8ff, seashell: 0xfff5ee },
  ...{ canvas: 0xffffff, canvastext: 0, gray: 0x808080, grey: 0x808080, silver: 0xc0c0c0, lightgray: 0xd3d3d3 },
  ...{ lightgrey: 0xd3d3d3, gainsboro: 0xdcdcdc, red: 0xff0000, blue: 0x0000ff, green: 0x008000, navy: 0x000080 },
  ...{ yellow: 0xffff00, lightyellow: 0xffffe0, whitegrey: 0xffffff, darkgray: 0xa9a9a9, dimgray: 0x696969 },
};

export function colourOf(text: string): Colour | null {
  if (text === "transparent") return [0, 0, 0, 0];
  const name = named[text];
  if (name !== undefined) return fromNumber(name, 1);
  const [, hex] = /^#?([0-9a-f]{3,8})$/.exec(text) ?? [];
  if (hex !== undefined) return fromHex(hex);
  const [, kind, inside = ""] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(text) ?? [];
  if (kind === undefined) return fromFunction(text) ?? fromWord(text);
  const [a = 0, b = 0, c = 0, alpha = 1] = inside
    .split(/[\s,/]+/)
    .filter((one) => one !== "")
    .map((one) => Number.parseFloat(one) * (one.endsWith("%") ? (kind === "rgb" ? 2.55 : 1) : 1));
  const covers = /[\d.]%\s*$/.test(inside) && inside.split(/[\s,/]+/).filter(Boolean).length > 3 ? alpha / 255 : alpha;
  return kind === "rgb" ? [a, b, c, covers] : [...fromHsl(a, b / 100, c / 100), covers];
}

/** Newer functions: exact for black, white and grey; other colours only equal the same text. */
function fromFunction(text: string): Colour | null {
  const [, name = "", inside = ""] = /^([a-z-]+)\((.*)\)$/.exec(text) ?? [];
  if (name === "color-mix") {
    const [one, other] = splitAt(inside, ",")
      .slice(1)
      .map((part) => colourOf(part.replace(/\s+[\d.]+%$|^[\d.]+%\s+/g, "")));
    return one && other && isSame(one, other) ? one : null;
  }
  if (!/^(?:ok)?l(?:ab|ch)$|^hwb$|^color$/.test(name)) return null;
  const parts = inside.replace(/^[a-z][\w-]*\s+/, "").split(/[\s,/]+/);
  const alpha = parts[3]?.endsWith("%") ? Number.parseFloat(parts[3]) / 100 : Number.parseFloat(parts[3] ?? "1");
  const [a = 0, b = 0, c = 0] = parts.map((part) => Number.parseFloat(part) * (part.endsWith("%") ? 0.01 : 1));
  if (name === "color") return [a * 255, b * 255, c * 255, alpha];
  if (name === "hwb" && b + c >= 0.99) return fromGrey(b / (b + c), alpha);
  const isOk = name.startsWith("ok") || parts[0]?.endsWith("%") === true;
  const isGrey = Math.abs(b) < 0.02 && (name.endsWith("ch") || Math.abs(c) < 0.02);
  if (name !== "hwb" && isGrey) return fromGrey((isOk ? a : a / 100) ** (name.startsWith("ok") ? 1.2 : 1), alpha);
  return [...hashed(text), alpha];
}

function fromGrey(light: number, alpha: number): Colour {
  const level = 255 * Math.min(1, Math.max(0, light));
  return [level, level, level, alpha];
}

function fromNumber(value: number, alpha: number): Colour {
  return [value >> 16, (value >> 8) & 255, value & 255, alpha];
}

function fromHex(hex: string): Colour | null {
  const full = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join("") : hex;
  if (full.length !== 6 && full.length !== 8) return null;
  const alpha = full.length === 8 ? Number.parseInt(full.slice(6), 16) / 255 : 1;
  return fromNumber(Number.parseInt(full.slice(0, 6), 16), alpha);
}

function fromHsl(hue: number, saturation: number, light: number): readonly [number, number, number] {
  const part = (n: number): number => {
    const k = (n + hue / 30) % 12;
    const range = saturation * Math.min(light, 1 - light);
    return 255 * (light - range * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
}

/** A pseudo-colour per word: equal words are equal, different words are not. */
function fromWord(text: string): Colour | null {
  if (!/^[a-z]{3,30}$/.test(text) || /^(?:inherit|initial|unset|revert|none|currentcolor|auto)$/.test(text))
    return null;
  return [...hashed(text), 1];
}

function hashed(text: string): readonly [number, number, number] {
  let sum = 7;
  for (const char of text) sum = (sum * 31 + char.charCodeAt(0)) % 1_000_003;
  return [300 + sum, 300 + sum, 300 + sum];
}

/** Text of one colour is unreadable on the other. */
export function isSame(one: Colour, other: Colour): boolean {
  return Math.max(...[0, 1, 2].map((at) => Math.abs((one[at] ?? 0) - (other[at] ?? 0)))) <= 12;
}
