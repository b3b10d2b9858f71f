// A strict parser for git's config syntax: anything unusual is refused, so that we never read a key differently than git does.

export interface GitSetting {
  /** In lower case, as git compares them; the quoted subsection keeps its case. */
  readonly section: string;
  readonly subsection: string | null;
  readonly key: string;
  /** `null`: a key without `=`, which means true. */
  readonly value: string | null;
}

export function parseGitConfig(text: string): readonly GitSetting[] | null {
  // Neither editors nor git write these, and git ends a value at a NUL.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)/.test(text)) return null;
  const cursor: Cursor = { text: text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"), at: 0 };
  const found: GitSetting[] = [];
  let head: Head | null = null;
  for (;;) {
    take(cursor, blank);
    if (cursor.at >= cursor.text.length) return found;
    if (cursor.text[cursor.at] === "[") {
      head = headAt(cursor);
      if (head === null) return null;
      continue;
    }
    const entry = head === null ? null : entryAt(cursor);
    if (head === null || entry === null) return null;
    found.push({ ...head, ...entry });
  }
}

interface Cursor {
  readonly text: string;
  at: number;
}

type Head = Pick<GitSetting, "section" | "subsection">;

const blank = /(?:[ \t\n]+|[#;][^\n]*)*/y;
// `[a "b"]`, or the old form `[a.b]`, of which git compares both parts in lower case.
const header = /\[([A-Za-z0-9-]+)(?:\.([A-Za-z0-9.-]+)|[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const name = /([A-Za-z][A-Za-z0-9-]*)[ \t]*/y;
const plain = /[^"\\#;\n]+/y;
const quoted = /"((?:[^"\\\n]|\\[ntb"\\])*)"/y;
const escaped = /\\([ntb"\\])/y;

function take(cursor: Cursor, form: RegExp): RegExpExecArray | null {
  form.lastIndex = cursor.at;
  const found = form.exec(cursor.text);
  cursor.at += found?.[0].length ?? 0;
  return found;
}

function headAt(cursor: Cursor): Head | null {
  const found = take(cursor, header);
  if (found === null) return null;
  const [, section = "", old, sub] = found;
  const subsection = old === undefined ? sub?.replace(/\\(.)/g, "$1") : old.toLowerCase();
  return { section: section.toLowerCase(), subsection: subsection ?? null };
}

function entryAt(cursor: Cursor): Pick<GitSetting, "key" | "value"> | null {
  const key = take(cursor, name)?.[1]?.toLowerCase();
  if (key === undefined) return null;
  const next = cursor.text[cursor.at];
  if (next === undefined || next === "\n") return { key, value: null };
  if (next !== "=") return null;
  cursor.at++;
  const value = valueAt(cursor);
  return value === null ? null : { key, value };
}

/** Reads to the end of the line, trims blanks and drops # and ; comments. Refuses line continuations. */
function valueAt(cursor: Cursor): string | null {
  let value = "";
  /** Everything before this index was quoted or escaped and is not trimmed. */
  let kept = 0;
  // git versions differ in how they treat an inner tab.
  let isAfterTab = false;
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === undefined || char === "\n" || char === "#" || char === ";") break;
    if (isAfterTab) return null;
    const bare = take(cursor, plain)?.[0];
    if (bare !== undefined) {
      const next = value === "" ? bare.replace(/^[ \t]+/, "") : bare;
      if (/\t[ \t]*[^ \t]/.test(next)) return null;
      isAfterTab = next.includes("\t");
      value += next;
      continue;
    }
    const strict = take(cursor, quoted)?.[1] ?? take(cursor, escaped)?.[0];
    if (strict === undefined) return null;
    value += strict.replace(/\\([ntb"\\])/g, (_, one: string) => escapes[one] ?? one);
    kept = value.length;
  }
  take(cursor, blank);
  return value.slice(0, kept) + value.slice(kept).replace(/[ \t]+$/, "");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };
