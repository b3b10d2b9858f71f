// Substitutions that print a whole number, or nothing if the command fails.
import type { Redirection, WordPart } from "unbash";

type Substitution = Extract<WordPart, { type: "CommandExpansion" }>;
type Statement = NonNullable<Substitution["script"]>["commands"][number]["command"];

/** Quoted or bare, fully known before the run, and not an option. */
const plain = /^(?:'[^'-][^']*'|"[^"$`\\-][^"$`\\]*"|[\w./@:=,+%][\w./@:=,+%-]*)$/;
const revisions = /^(?:--all|[A-Za-z@][\w./@~^-]*)$/;

/** The arguments with which each program prints one number and no name. */
const counting: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  wc: (words) => words.length === 1 && /^(?:-[lwcm]|--(?:lines|words|bytes|chars))$/.test(words[0] ?? ""),
  grep: countsLines,
  egrep: countsLines,
  fgrep: countsLines,
  nproc: (words) => words.length === 0,
  date: ([format, ...more]) => format === "+%s" && more.length === 0,
  git: ([first, second, ...more]) =>
    first === "rev-list" && second === "--count" && more.every((word) => revisions.test(word)),
};

/** With at most one file, or piped input. */
function countsLines(words: readonly string[]): boolean {
  const behind = words.findIndex((word) => !/^-[EFGPachisvwx]+$/.test(word));
  const [options, operands] = behind === -1 ? [words, []] : [words.slice(0, behind), words.slice(behind)];
  const isCounting = options.some((word) => word.includes("c"));
  return isCounting && (operands.length === 1 || operands.length === 2) && operands.every((word) => plain.test(word));
}

export function printsCount({ script }: Substitution): boolean {
  const [only, more] = script?.commands ?? [];
  return only !== undefined && more === undefined && !only.background && isCount(only.command);
}

function isCount(node: Statement): boolean {
  switch (node.type) {
    case "Pipeline": {
      const last = node.commands.at(-1);
      return node.prefixes.length === 0 && last?.type === "Command" && isCount(last);
    }
    case "AndOr": {
      // `grep -c` fails if it finds nothing.
      const [first, second, ...more] = node.commands;
      const isNothing = second?.type === "Command" && /^(?:true|:)$/.test(second.name?.text ?? "");
      const isOr = isNothing && second.suffix.length + second.prefix.length === 0 && node.operators[0] === "||";
      return isOr && more.length === 0 && isCount(first!);
    }
    case "Command": {
      const name = node.name?.text ?? "";
      const words = node.args.flatMap((one) => (one.type === "Word" ? one.text : []));
      const isWhole = words.length === node.args.length && node.prefix.length === 0;
      const isKnown = Object.hasOwn(counting, name) && isWhole && node.redirects.every(isQuiet);
      return isKnown && counting[name]!(words);
    }
    default:
      return false;
  }
}

/** Errors must not mix with the numbers. */
function isQuiet(one: Redirection): boolean {
  if (one.type !== "Redirect") return false;
  return one.operator === "<" || (one.operator === ">" && one.target?.text === "/dev/null");
}
