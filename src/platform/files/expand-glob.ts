import { opendirSync } from "node:fs";
import { errnoOf } from "./failure.ts";
import { isThere } from "./probe.ts";

/** Entries to check per possible match: a folder with a million names is not searched for ten. */
const looksPerName = 50;

/**
 * Expands a glob like a shell, with too many results rather than too few: a bracket matches anything. `null`: more than `limit`, or
 * unknown. A glob without a match stays as it is.
 */
export function expandGlob(pattern: string, cwd: string, limit: number): readonly string[] | null {
  const segments = pattern.split("/");
  const search: Search = { cwd, limit, looks: limit * looksPerName };
  let found: readonly string[] = [""];
  for (const [index, segment] of segments.entries()) {
    const next = found.map((path) => step(path, segment, index === 0, search));
    if (next.includes(null)) return null;
    found = next.flatMap((names) => names ?? []);
    if (found.length > limit) return null;
  }
  // With a bracket or a dot, the shell may not find these.
  const isExact = !segments.some((segment) => isWild(segment) && /^\\?\.|\[/.test(segment));
  return found.length > 0 && isExact ? found : [...found, plain(pattern)];
}

interface Search {
  readonly cwd: string;
  readonly limit: number;
  looks: number;
}

function step(path: string, segment: string, isFirst: boolean, search: Search): readonly string[] | null {
  const before = isFirst ? "" : `${path}/`;
  if (!isWild(segment)) {
    const next = before + plain(segment);
    // An absolute glob begins with an empty segment; before any other slash there must be a folder.
    return next === "" || isThere(placeOf(next, search)) ? [next] : [];
  }
  // In the C locale a shell counts bytes: there `??` matches `é`.
  const [form, byteForm] = [formOf(segment), formOf(asBytes(segment))];
  const names = namesIn(placeOf(before === "" ? "." : before, search), segment, search);
  if (names === null) return null;
  const fits = names.filter((name) => form.test(name) || byteForm.test(asBytes(name)));
  // The name is not UTF-8, so its path cannot be represented.
  return fits.some((name) => name.includes("\ufffd")) ? null : fits.map((name) => before + name);
}

function asBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}

function placeOf(path: string, { cwd }: Search): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

function namesIn(folder: string, segment: string, search: Search): readonly string[] | null {
  const isHidden = /^\\?\./.test(segment);
  const names = isHidden ? [".", ".."] : [];
  try {
    const opened = opendirSync(folder);
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        search.looks--;
        if (search.looks < 0) return null;
        if (isHidden === entry.name.startsWith(".")) names.push(entry.name);
      }
      return names;
    } finally {
      opened.closeSync();
    }
  } catch (error) {
    // Not a folder or unreadable, for the shell too.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

function isWild(segment: string): boolean {
  return /[*?[]/.test(segment.replace(/\\./gs, ""));
}

function plain(segment: string): string {
  return segment.replace(/\\(.)/gs, "$1");
}

function formOf(segment: string): RegExp {
  const tokens = segment.match(/\\.|\*+|\?|\[.*\]|[\s\S]/gsu) ?? [];
  const parts = tokens.map((token) => {
    if (token.startsWith("*") || /^\[.*\]$/s.test(token)) return ".*";
    return token === "?" ? "." : escaped(plain(token));
  });
  return new RegExp(`^${parts.join("")}$`, "su");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
