// The regular expressions of a source file, read as its tokens: enough to ask what they may not do.

interface Pattern {
  readonly line: number;
  readonly body: string;
  readonly flags: string;
}

/** What may stand before a division; before anything else a slash begins a pattern. */
const endsValue = /[\w$)\]}"'`]$/;
const keyword = /\b(?:return|typeof|case|in|of|yield|await)$/;

export function patternsIn(source: string): readonly Pattern[] {
  const found: Pattern[] = [];
  let before = "";
  for (let at = 0; at < source.length; ) {
    const token = tokenAt(source, at, before);
    if (token.startsWith("/") && token.length > 2 && !/^\/[/*]/.test(token)) {
      const end = token.lastIndexOf("/");
      const line = source.slice(0, at).split("\n").length;
      found.push({ line, body: token.slice(1, end), flags: token.slice(end + 1) });
    }
    if (!/^(?:\s|\/[/*])/.test(token)) before = (before + token).slice(-20);
    at += token.length;
  }
  return found;
}

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const text = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/y;
const pattern = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/y;
const rest = /\s+|[\w$]+|[\s\S]/y;

function tokenAt(source: string, at: number, before: string): string {
  const isValue = endsValue.test(before) && !keyword.test(before);
  const kinds = isValue ? [comment, text, rest] : [comment, text, pattern, rest];
  for (const kind of kinds) {
    kind.lastIndex = at;
    const match = kind.exec(source);
    if (match !== null) return match[0];
  }
  return source[at] ?? "";
}

/** `.` outside of a class, where a line end may stand in its place unnoticed. */
export function stopsAtLineEnd({ body, flags }: Pattern): boolean {
  const bare = body.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
  return bare.includes(".") && !flags.includes("s");
}
