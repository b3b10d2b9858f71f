import type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import type { ThemeName } from "../../../contract/ui.ts";

type Style = (text: string) => string;

/** A style never spans lines. */
export interface Theme {
  readonly plain: Style;
  readonly dim: Style;
  readonly bold: Style;
  readonly accent: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly added: Style;
  readonly removed: Style;
  readonly addedPart: Style;
  readonly removedPart: Style;
  readonly code: Style;
  readonly keyword: Style;
  readonly string: Style;
  readonly number: Style;
  readonly comment: Style;
  readonly link: Style;
  /** Backgrounds of changed lines and of the words that changed in them, as codes; `null`: the terminal has none that would suit. */
  readonly tint: Tint | null;
  readonly markdown: MarkdownTheme;
}

interface Tint {
  readonly added: TintPair;
  readonly removed: TintPair;
}

interface TintPair {
  readonly line: string;
  readonly part: string;
}

export type Ground = "dark" | "light";
/** How many colours the terminal has. */
export type Depth = "none" | "sixteen" | "palette" | "full";

type Colours = Readonly<
  Record<"dim" | "accent" | "good" | "bad" | "warn" | "keyword" | "string" | "number" | "added" | "removed", string>
>;

/** The terminal's own sixteen colours, which suit any background. */
const terminal: Colours = {
  ...{ dim: "2", accent: "36", good: "32", bad: "31", warn: "33", keyword: "35", string: "32", number: "33" },
  ...{ added: "32", removed: "31" },
};
const dark: Colours = {
  ...{ dim: "38;5;245", accent: "38;5;80", good: "38;5;114", bad: "38;5;210", warn: "38;5;221" },
  ...{ keyword: "38;5;176", string: "38;5;150", number: "38;5;215", added: "38;5;157", removed: "38;5;217" },
};
const light: Colours = {
  ...{ dim: "38;5;243", accent: "38;5;30", good: "38;5;28", bad: "38;5;160", warn: "38;5;130" },
  ...{ keyword: "38;5;90", string: "38;5;28", number: "38;5;130", added: "38;5;22", removed: "38;5;88" },
};

const colours: Readonly<Record<ThemeName, Colours>> = { terminal, dark, light };

const tintCodes: Readonly<Record<Ground, Readonly<Record<"palette" | "full", readonly string[]>>>> = {
  dark: {
    palette: ["5;22", "5;28", "5;52", "5;88"],
    full: ["2;18;46;30", "2;30;88;50", "2;62;24;28", "2;116;38;44"],
  },
  light: {
    palette: ["5;194", "5;157", "5;224", "5;217"],
    full: ["2;226;247;230", "2;171;232;187", "2;255;233;233", "2;255;196;196"],
  },
};

function tintOf(ground: Ground | null, depth: Depth): Tint | null {
  if (ground === null || depth === "none" || depth === "sixteen") return null;
  const [added, addedPart, removed, removedPart] = tintCodes[ground][depth].map((code) => `\x1b[48;${code}m`);
  const pair = (line = "", part = ""): TintPair => ({ line, part });
  return { added: pair(added, addedPart), removed: pair(removed, removedPart) };
}

export function depthOf(env: NodeJS.ProcessEnv): Depth {
  if ((env.NO_COLOR ?? "") !== "") return "none";
  if (/^(?:truecolor|24bit)$/i.test(env.COLORTERM ?? "")) return "full";
  const isRich = /256|direct|kitty|alacritty|ghostty|foot|wezterm/i.test(`${env.TERM} ${env.TERM_PROGRAM}`);
  return isRich ? "palette" : "sixteen";
}

/** What a terminal answers about its background, or `COLORFGBG` says of it. */
export function groundIn(said: string): Ground | null {
  const parts = /rgb:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(said)?.slice(1);
  if (!parts) {
    const number = /;(\d{1,2})$/.exec(said)?.[1];
    return number === undefined ? null : Number(number) < 7 || number === "8" ? "dark" : "light";
  }
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 ? "dark" : "light";
}

/** `ground`: the terminal's background, where it is known. */
export function themeFor(name: ThemeName, depth: Depth, ground: Ground | null): Theme {
  const isPoor = depth === "none" || depth === "sixteen";
  const own = themeOf(isPoor ? "terminal" : name, depth === "none");
  return { ...own, tint: tintOf(name === "terminal" ? ground : name, depth) };
}

/** `isPlain`: no colour (NO_COLOR); bold and underline stay. */
export function themeOf(name: ThemeName, isPlain: boolean): Theme {
  const c = colours[name];
  const coloured = (code: string, end = "39"): Style => (isPlain ? same : wrap(code, code === "2" ? "22" : end));
  const dim = isPlain ? same : coloured(c.dim);
  const accent = coloured(c.accent);
  const code = accent;
  const base = {
    ...{ plain: same, dim, accent, code, bold: wrap("1", "22"), link: wrap("4", "24") },
    ...{ good: coloured(c.good), bad: coloured(c.bad), warn: coloured(c.warn) },
    ...{ added: coloured(c.added), removed: coloured(c.removed) },
    addedPart: (text: string) => wrap("7", "27")(coloured(c.added)(text)),
    removedPart: (text: string) => wrap("7", "27")(coloured(c.removed)(text)),
    ...{ keyword: coloured(c.keyword), string: coloured(c.string), number: coloured(c.number), comment: dim },
    tint: null,
  };
  return { ...base, markdown: markdownOf(base) };
}

function markdownOf(base: Omit<Theme, "markdown">): MarkdownTheme {
  const { bold, dim, accent, code, plain } = base;
  return {
    ...{ heading: (text) => bold(accent(text)), link: base.link, linkUrl: dim, code, codeBlock: plain },
    ...{ codeBlockBorder: dim, quote: dim, quoteBorder: dim, hr: dim, listBullet: accent },
    ...{ bold, italic: wrap("3", "23"), strikethrough: wrap("9", "29"), underline: wrap("4", "24") },
  };
}

function same(text: string): string {
  return text;
}

function wrap(start: string, end: string): Style {
  return (text) => (text === "" ? "" : `\x1b[${start}m${text}\x1b[${end}m`);
}
