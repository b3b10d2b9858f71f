import type { ErrorInfo } from "../contract/error.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";

export type Dispatched =
  | { readonly kind: "nothing" }
  | { readonly kind: "command"; readonly name: string; readonly args: readonly string[] }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "task"; readonly text: string; readonly notice: Phrase | null }
  | { readonly kind: "error"; readonly error: ErrorInfo };

/** IN-1, IN-2: `/` a command, `!` a shell command, anything else a task. */
export function dispatch(raw: string, commandNames: readonly string[]): Dispatched {
  const text = raw.trim();
  if (text === "") return { kind: "nothing" };
  if (text.startsWith("!")) {
    const command = text.slice(1).trim();
    return command === "" ? refuse(phrase("input.bang_alone")) : { kind: "shell", command };
  }
  if (!text.startsWith("/")) return { kind: "task", text, notice: null };
  const [word = "", ...args] = text.split(/\s+/);
  const name = word.slice(1);
  if (name === "") return refuse(phrase("input.slash_alone"));
  if (commandNames.includes(name)) return { kind: "command", name, args };
  if (looksLikePath(word, args.length))
    return { kind: "task", text, notice: phrase("input.looks_like_path", { word }) };
  const near = nearest(name, commandNames);
  return refuse(phrase("input.unknown_command", { word, nearest: near.map((one) => `/${one}`).join(", ") }));
}

/** `/etc/hosts is wrong` is a sentence about a path; `/hepl` is a slip of the finger. */
function looksLikePath(word: string, rest: number): boolean {
  return word.indexOf("/", 1) !== -1 || (/\.\w+$/.test(word) && rest > 0);
}

function refuse(text: Phrase): Dispatched {
  return { kind: "error", error: { code: "E_INVALID_ARGS", text } };
}

/** The three closest names by edit distance. */
function nearest(name: string, names: readonly string[]): readonly string[] {
  return [...names]
    .map((one) => ({ one, far: distance(name.slice(0, 32), one) }))
    .sort((a, b) => a.far - b.far || a.one.localeCompare(b.one))
    .slice(0, 3)
    .map(({ one }) => one);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
