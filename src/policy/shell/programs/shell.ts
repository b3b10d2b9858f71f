import { phrase } from "../../../contract/text/catalogue.ts";
import type { Program } from "../verdict/judgement.ts";
import { bracket, test } from "./test.ts";

/** Every word is text, whatever it looks like. */
const anyWords: Program = { judge: () => ({ reads: [] }), takesAnyWord: true, isBuiltin: true };
const count: Program = { operands: ["number"], isBuiltin: true };

// `%n` sets a variable, such as PATH, and so does `-v`. Widths are limited because the shell pads in memory.
const format =
  /^(?:[^%]|%%|%[-+ #0']*[0-9]{0,4}(?:\.[0-9]{0,3})?(?:hh?|ll?|[Ljtz])?[diouxXeEfFgGaAcsbqQ]|%-?[0-9]{0,4}\([^()]*\)T)*$/s;

/** Words after the format are only printed. */
const printf: Program = {
  judge(args) {
    const [first, second] = args;
    const isSeparated = first?.kind === "literal" && first.value === "--";
    const word = isSeparated ? second : first;
    const isFine = word?.kind === "literal" && format.test(word.value) && (isSeparated || !word.value.startsWith("-"));
    return isFine ? { reads: [] } : { problem: phrase("shell.value", { program: "printf", part: word?.text ?? "" }) };
  },
  takesAnyWord: true,
  isBuiltin: true,
};

/** Builtins that also exist as programs. */
export const sharedBuiltins: Readonly<Record<string, Program>> = {
  echo: anyWords,
  true: anyWords,
  false: anyWords,
  pwd: { flags: "LP", isBuiltin: true },
  printf,
  test,
  "[": bracket,
};

/** Builtins in forms that only print or exit, never in forms that set something. */
export const onlyBuiltins: Readonly<Record<string, Program>> = {
  ":": anyWords,
  type: { flags: "afptP", rest: "text", takesAnyWord: true, isBuiltin: true },
  help: { flags: "dms", rest: "text", isBuiltin: true },
  hash: { flags: "l", isBuiltin: true },
  history: count,
  jobs: { flags: "lnprs", isBuiltin: true },
  dirs: { flags: "lpv", isBuiltin: true },
  times: { isBuiltin: true },
  umask: { flags: "pS", isBuiltin: true },
  ulimit: { flags: "HSacdefiklmnpqrstuvxPT", isBuiltin: true },
  alias: { flags: "p", isBuiltin: true },
  shopt: { flags: "pq", rest: /^[a-z_]+$/, isBuiltin: true },
  bind: { flags: "lpPsSvVX", isBuiltin: true },
  // `set` without operands prints all variables. -x would expand PS4; -f and -k would change the meaning of later commands.
  set: {
    flags: "euvC",
    valued: { o: /^(?:pipefail|errexit|nounset|verbose|noclobber)$/ },
    rest: /^\+[euv]+$/,
    isBuiltin: true,
  },
  kill: { commands: { "-l": { rest: /^[A-Z0-9]+$/, isBuiltin: true } }, isBuiltin: true },
  exit: count,
  break: count,
  continue: count,
};
