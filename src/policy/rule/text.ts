import type { CommandPattern, PermissionRule } from "../../contract/permission.ts";
import { visible } from "../../contract/show/visible.ts";
import { hostPatternText } from "./host.ts";

/** A rule as written after `--allow` and `--deny`: `bash(npm run *)`, `write(docs/**)`, `fetch(docs.python.org)`, `read`. */
export function ruleText({ tool, command, path, host }: PermissionRule): string {
  if (host !== undefined) return `${tool ?? "fetch"}(${hostPatternText(host)})`;
  const named = command === undefined ? path : commandText(command);
  if (named === undefined) return tool ?? "*";
  return `${tool ?? (command === undefined ? "*" : "bash")}(${named})`;
}

/** The same as a flag, quoted for a shell. */
export function allowFlag(rule: PermissionRule): string {
  const text = ruleText(rule);
  // Invisible characters and line breaks are escaped for bash: the flag stays on one line and means the same.
  const isPlain = visible(text) === text;
  return `--allow ${isPlain ? quoted(text) : `$'${visible(text.replace(/['\\]/g, "\\$&"))}'`}`;
}

/** `…` instead of `*`: not every further word is allowed. */
function commandText({ argv, isExact, isCautious, input }: CommandPattern): string {
  const words = argv.map(quoted).join(" ");
  const fed = input === undefined ? "" : ` <${input}`;
  return (isExact ? words : `${words} ${isCautious ? "…" : "*"}`) + fed;
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_./:,@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
