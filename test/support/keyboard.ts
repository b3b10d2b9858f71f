// What a terminal sends for a key. Which form it takes is the terminal's choice and what the program asked it for.

/** `plain`: as terminals always did; `xterm`: with modifyOtherKeys; `kitty`: with the protocol of that name. */
export type Keyboard = "plain" | "xterm" | "kitty";

/** What the program has switched on, of what the terminal knows. */
export interface KeyModes {
  readonly hasOtherKeys: boolean;
  /** 0 = off. */
  readonly kittyFlags: number;
  /** Arrow keys begin with SS3 instead of CSI. */
  readonly hasApplicationCursor: boolean;
}

const codes: Readonly<Record<string, number>> = { enter: 13, escape: 27, tab: 9, backspace: 127, space: 32 };
const letters: Readonly<Record<string, string>> = { up: "A", down: "B", right: "C", left: "D", home: "H", end: "F" };
const numbers: Readonly<Record<string, number>> = { insert: 2, delete: 3, pageup: 5, pagedown: 6 };
const functions: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };

/** `key` is a name or a character, with any of `ctrl+`, `alt+` and `shift+` before it. */
export function bytesOf(key: string, modes: KeyModes): string {
  const parts = key.toLowerCase() === "+" ? ["+"] : key.split("+");
  const name = parts.at(-1) ?? "";
  const has = (word: string): boolean => parts.slice(0, -1).includes(word);
  const modifiers = 1 + (has("shift") ? 1 : 0) + (has("alt") ? 2 : 0) + (has("ctrl") ? 4 : 0);
  const letter = letters[name];
  if (letter !== undefined) {
    if (modifiers > 1) return `\x1b[1;${modifiers}${letter}`;
    return `${modes.hasApplicationCursor ? "\x1bO" : "\x1b["}${letter}`;
  }
  const number = numbers[name];
  if (number !== undefined) return `\x1b[${number}${modifiers > 1 ? `;${modifiers}` : ""}~`;
  const called = functions[name];
  if (called !== undefined) return modifiers > 1 ? `\x1b[1;${modifiers}${called}` : `\x1bO${called}`;
  const code = codes[name] ?? (name.length > 0 && [...name].length === 1 ? name.codePointAt(0) : undefined);
  if (code === undefined) throw new Error(`no such key: ${key}`);
  return character(code, modifiers, modes) ?? plain(code, has);
}

/** The unambiguous form, where there is one in force for this key. */
function character(code: number, modifiers: number, { kittyFlags, hasOtherKeys }: KeyModes): string | null {
  const isBare = modifiers === 1 || (modifiers === 2 && code > 32 && code !== 127);
  if (kittyFlags > 0 && (!isBare || code === 27)) {
    const pressed = `\x1b[${code}${modifiers > 1 ? `;${modifiers}` : ""}u`;
    // Where the program wants to know it, letting go of the key is told too.
    return (kittyFlags & 2) === 0 ? pressed : `${pressed}\x1b[${code};${modifiers}:3u`;
  }
  return hasOtherKeys && !isBare ? `\x1b[27;${modifiers};${code}~` : null;
}

function plain(code: number, has: (modifier: string) => boolean): string {
  const before = has("alt") ? "\x1b" : "";
  if (code === 9 && has("shift")) return `${before}\x1b[Z`;
  if (has("ctrl") && code >= 0x40 && code <= 0x7e) return `${before}${String.fromCharCode(code & 0x1f)}`;
  if (has("ctrl") && code === 32) return `${before}\0`;
  const text = String.fromCodePoint(code);
  return `${before}${has("shift") ? text.toUpperCase() : text}`;
}
