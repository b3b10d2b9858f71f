import { parse, type Word } from "unbash";

/** The words of one plain command, without quotes; `null` where a shell would make something else of it. */
export function wordsOf(command: string): readonly string[] | null {
  if (command.length > maxCommand) return null;
  const { commands, errors } = parse(command);
  const [only] = commands;
  if (errors?.length || commands.length !== 1 || !only || only.background) return null;
  const node = only.command;
  if (node.type !== "Command" || !node.name || node.prefix.length > 0 || node.redirects.length > 0) return null;
  const words = [node.name, ...node.args];
  return words.every(isPlain) ? words.map(({ value }) => value) : null;
}

/** Longer than anybody writes one. */
const maxCommand = 10_000;

/** Neither variables nor substitutions; names that a glob stands for cannot become options, because it does not begin with one. */
function isPlain(word: { readonly type: string }): word is Word {
  if (word.type !== "Word") return false;
  const { text, parts } = word as Word;
  if (parts === undefined) return isLiteral(text);
  return parts.every((part, at) => {
    switch (part.type) {
      case "Literal":
        return isLiteral(part.text);
      case "SingleQuoted":
        return true;
      case "DoubleQuoted":
        return part.parts.every(({ type }) => type === "Literal");
      case "Glob":
        return at > 0;
      default:
        return false;
    }
  });
}

/** A shell would take braces and `~` apart. */
function isLiteral(text: string): boolean {
  return !/[{}~!$`]/.test(text);
}
