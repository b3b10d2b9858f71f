/** A character, `?` or `*`. In a path, a segment is the tokens of a name, or `**`. */
type Mark = "one" | "many";
type Token = Mark | { readonly char: string };
type Segment = "many" | readonly Token[];

export type Glob = readonly Segment[];

/** `*` and `?` match within a name, `**` alone matches any number of names, `\` escapes. All else is literal. */
export function ruleGlob(text: string): Glob {
  return namesOf(text).map((name) => (name === "**" ? "many" : ruleTokens(name)));
}

export function plainPath(text: string): Glob {
  return namesOf(text).map((name) => [...name].map((char) => ({ char })));
}

/** A shell glob, over-approximated where the shell's syntax is richer than ours. */
export function shellGlob(text: string): Glob {
  const glob: Segment[] = [];
  for (const name of namesOf(text)) {
    // Braces and extended globs may contain slashes.
    if (/[{(]/.test(name)) return [...glob, "many"];
    const isRich = /[[\]\\]/.test(name);
    const start = isRich ? (/^[^*?[\]\\]*/.exec(name)?.[0] ?? "") : name;
    glob.push(name === "**" ? "many" : [...ruleTokens(start), ...(isRich ? (["many"] as const) : [])]);
  }
  return glob;
}

/** Whether some path matches both. With a plain path on one side: whether it matches the other. */
export function globsMeet(one: Glob, other: Glob): boolean {
  return meet(one, other, (a, b) => a !== "many" && b !== "many" && meet(a, b, tokensMeet));
}

/** Escapes wildcards, so that a rule names exactly this path. */
export function exactGlob(path: string): string {
  return (path.startsWith("~") ? `./${path}` : path).replace(/[*?{\\]/g, "\\$&");
}

export function isExactGlob(text: string): boolean {
  return !/[*?]/.test(text.replace(/\\./gs, ""));
}

/** The only path that it matches; `null` if there are several. */
export function literalOf(text: string): string | null {
  return isExactGlob(text) ? text.replace(/\\(.)/gs, "$1") : null;
}

function namesOf(text: string): readonly string[] {
  return text.split("/").filter((name) => name !== "" && name !== ".");
}

function ruleTokens(name: string): readonly Token[] {
  const chars = [...name];
  const tokens: Token[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "*") tokens.push("many");
    else if (char === "?") tokens.push("one");
    else if (char === "\\" && at + 1 < chars.length) tokens.push({ char: chars[++at] ?? "" });
    else tokens.push({ char });
  }
  return tokens;
}

function tokensMeet(a: Token, b: Token): boolean {
  return typeof a === "string" || typeof b === "string" || a.char === b.char;
}

/** Matches two sequences in which `many` stands for any number of items. Dynamic programming, so that no input makes it slow. */
function meet<T>(one: readonly T[], other: readonly T[], fit: (a: T, b: T) => boolean): boolean {
  const isMany = (item: T | undefined): boolean => item === "many";
  let below: boolean[] = [];
  for (let i = one.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j -= 1) {
      const [a, b] = [one[i], other[j]];
      if (i === one.length && j === other.length) row[j] = true;
      else if (i < one.length && isMany(a)) row[j] = below[j] === true || (j < other.length && row[j + 1] === true);
      else if (j < other.length && isMany(b)) row[j] = row[j + 1] === true || (i < one.length && below[j] === true);
      else if (a === undefined || b === undefined) row[j] = false;
      else row[j] = below[j + 1] === true && fit(a, b);
    }
    below = row;
  }
  return below[0] === true;
}
