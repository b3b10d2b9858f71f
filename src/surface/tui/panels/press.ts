import {
  decodePrintableKey,
  isKeyRelease,
  isKeyRepeat,
  type KeyId,
  matchesKey,
} from "@earendil-works/pi-tui/dist/keys.js";

const PASTE = "\x1b[200~";
const PASTE_END = "\x1b[201~";

/** The character that a key types, however the terminal encodes it; "" for other keys. */
export function typed(key: string): string {
  if (isKeyRelease(key)) return "";
  const sign = decodePrintableKey(key) ?? key;
  return /^[^\0-\x1f\x7f-\x9f]$/u.test(sign) ? sign : "";
}

/** The letter of a key that answers, normalized to lower case and half width; "" for a key that is held down. */
export function letter(key: string): string {
  if (isKeyRepeat(key)) return "";
  return typed(key).normalize("NFKC").toLowerCase();
}

export function isKey(key: string, ...names: readonly KeyId[]): boolean {
  return !isKeyRelease(key) && names.some((name) => matchesKey(key, name));
}

export function isEnter(key: string): boolean {
  return isKey(key, "enter") && !isKeyRepeat(key);
}

export function pasted(key: string): string | null {
  if (!key.startsWith(PASTE)) return null;
  const end = key.indexOf(PASTE_END);
  return key.slice(PASTE.length, end === -1 ? key.length : end);
}

export function asPaste(text: string): string {
  return `${PASTE}${text}${PASTE_END}`;
}
