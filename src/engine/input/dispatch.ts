import { closest } from "../../config/file/nearest.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export type Dispatched =
  | { readonly kind: "nothing" }
  | { readonly kind: "command"; readonly name: string; readonly args: readonly string[] }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "task"; readonly text: string; readonly notice: Phrase | null }
  | { readonly kind: "error"; readonly error: ErrorInfo };

/** IN-1, IN-2: `/` starts a command, `!` a shell command, anything else is a task. */
export function dispatch(raw: string, commandNames: readonly string[]): Dispatched {
  const text = raw.trim();
  if (text === "") return { kind: "nothing" };
  if (text.startsWith("!")) {
    const command = text.slice(1).trim();
    return command === ""
      ? refuse(phrase("input.bang_alone"), phrase("input.bang_alone.advice"))
      : { kind: "shell", command };
  }
  if (!text.startsWith("/")) return { kind: "task", text, notice: null };
  const [word = "", ...args] = text.split(/\s+/);
  const name = word.slice(1);
  if (name === "") return refuse(phrase("input.slash_alone"), phrase("input.slash_alone.advice"));
  if (commandNames.includes(name)) return { kind: "command", name, args };
  if (looksLikePath(word, args.length))
    return { kind: "task", text, notice: phrase("input.looks_like_path", { word }) };
  const near = closest(name, commandNames, 3);
  const nearest = near.map((one) => `/${one}`).join(", ");
  return refuse(phrase("input.unknown_command", { word }), phrase("input.unknown_command.advice", { nearest }));
}

/** IN-3: with `&` at its end, a typed command runs in the background. Quoted, escaped or behind a comment, it is no such sign. */
export function shellInput(text: string): { readonly command: string; readonly background?: true } {
  const found = /^([^#]*[^\s\\&|<>;])\s*&$/s.exec(text.trim());
  const command = found?.[1]?.trimEnd();
  return command === undefined || text.includes("<<") ? { command: text } : { command, background: true };
}

/** `/etc/hosts is wrong` is a sentence about a path; `/hepl` is a typo. */
function looksLikePath(word: string, rest: number): boolean {
  return word.indexOf("/", 1) !== -1 || (/\.\w+$/.test(word) && rest > 0);
}

function refuse(text: Phrase, advice: Phrase): Dispatched {
  return { kind: "error", error: { code: "E_INVALID_ARGS", text, advice } };
}
