/** The name on a `---` or `+++` line: quoted, up to a tab, or plain without a trailing timestamp. */
export function nameOf(rest: string): string | null {
  const tab = rest.indexOf("\t");
  if (rest.startsWith('"') || tab !== -1) return wholeName(tab === -1 ? rest : rest.slice(0, tab));
  return rest.replace(/ \d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$/, "").trimEnd();
}

export function wholeName(rest: string): string | null {
  return rest.startsWith('"') ? (unquoted(rest)?.name ?? null) : rest;
}

export interface Names {
  /** `null` = /dev/null. */
  readonly old: string | null;
  readonly fresh: string | null;
  /** Two names of the same file in two trees. */
  readonly isPair: boolean;
}

/** Removes `a/` and `b/`, which are on both names or on neither. */
export function withoutPrefixes(old: string, fresh: string, isGit: boolean): Names {
  const names = { old: old === "/dev/null" ? null : old, fresh: fresh === "/dev/null" ? null : fresh };
  const pairs = isGit ? prefixPairs : prefixPairs.slice(0, 1);
  const fits = ([first, second]: readonly [string, string]): boolean =>
    names.old?.startsWith(first) !== false && names.fresh?.startsWith(second) !== false;
  if (!pairs.some(fits)) return { ...names, isPair: isGit };
  return { old: names.old?.slice(2) ?? null, fresh: names.fresh?.slice(2) ?? null, isPair: true };
}

/** Git's prefixes, including those of `diff.mnemonicPrefix`. */
const prefixPairs: readonly (readonly [string, string])[] = [
  ["a/", "b/"],
  ["i/", "w/"],
  ["c/", "i/"],
  ["c/", "w/"],
  ["o/", "w/"],
  ["b/", "a/"],
];

/** The names on a `diff --git` line. Plain names with spaces can only be split if both are the same. */
export function gitNames(rest: string): readonly [string, string] | null {
  const first = rest.startsWith('"') ? unquoted(rest) : null;
  if (first !== null) {
    const second = wholeName(rest.slice(first.length).trimStart());
    return second === null ? null : [first.name, second];
  }
  const quote = rest.indexOf(' "');
  if (quote > 0) {
    const second = wholeName(rest.slice(quote + 1));
    return second === null ? null : [rest.slice(0, quote), second];
  }
  const middle = rest.length >> 1;
  const halves = [rest.slice(0, middle), rest.slice(middle + 1)] as const;
  const isSame = rest[middle] === " " && halves[0].replace(/^\w\//, "") === halves[1].replace(/^\w\//, "");
  if (isSame) return halves;
  const words = rest.split(" ");
  return words.length === 2 && words[0] && words[1] ? [words[0], words[1]] : null;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A C-quoted name, which must be UTF-8. `length` includes the quotes. */
function unquoted(text: string): { readonly name: string; readonly length: number } | null {
  const found = /^"((?:[^"\\]|\\(?:[0-7]{3}|[abtnvfr"\\]))*)"/.exec(text);
  if (found === null) return null;
  const parts = [...(found[1] ?? "").matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)].map(([plain, octal, letter]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8) & 255]);
    return letter === undefined ? Buffer.from(plain) : Buffer.from([escapes[letter] ?? 0]);
  });
  const bytes = Buffer.concat(parts);
  const name = bytes.toString("utf8");
  return Buffer.from(name).equals(bytes) ? { name, length: found[0].length } : null;
}
