import { deeds, names, readers, signs } from "./pieces.ts";
import type { Random } from "./random.ts";

const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** By the shell's grammar: what reads, with a deed somewhere in it, spelled in one of the shell's many ways. */
export function grammarLine(random: Random, depth = 3): string {
  if (depth === 0 || random.chance(30)) return simple(random);
  const one = (): string => grammarLine(random, depth - 1);
  const frames: readonly (() => string)[] = [
    () => `${one()}${random.pick([";", " &&", " ||", " |", "\n", " |&"])} ${one()}`,
    () => `(${one()})`,
    () => `{ ${one()}; }`,
    () => `if ${one()}; then ${one()}; fi`,
    () => `for f in ${words(random)}; do ${one()}; done`,
    () => `case ${word(random)} in ${word(random)}) ${one()};; *) ${one()};; esac`,
    () => `while ${one()}; do ${one()}; break; done`,
    () => `[[ ${test(random)} ]] && ${one()}`,
    () => `bash -c ${inQuotes(one())}`,
    () => `timeout 1 ${one()}`,
    () => `${one()} ${redirection(random)}`,
    () => `cat ${random.pick(["<<E", "<<'E'", "<<-E", '<<"E"'])}\n${one()}\nE\n${one()}`,
    () => `! ${one()}`,
    () => `time ${one()}`,
    () => `find . -name ${word(random)} -exec ${one()} ${random.pick(["\\;", "+", "';'"])}`,
    () => `ls | xargs ${one()}`,
    () => `${one()} # ${one()}`,
    () => `((${random.pick(["1+2", "x", "a[0]", one()])}))`,
    () => `${random.pick(["x=1", "A=b", "PATH=."])} ${one()}`,
  ];
  return random.pick(frames)();
}

function simple(random: Random): string {
  const line = random.pick(readers);
  const more = random.some(() => word(random), 0, 2).join(" ");
  return random.chance(50) ? `${line} ${more}` : line;
}

function words(random: Random): string {
  return random.some(() => word(random), 1, 3).join(" ");
}

/** A name, or a deed hidden in a word. */
function word(random: Random): string {
  if (random.chance(55)) return random.pick(names);
  const deed = random.pick(deeds);
  const hidden: readonly (() => string)[] = [
    () => `${glue(random)}${random.pick(["<(", ">(", "$("])}${deed})${glue(random)}`,
    () => `${random.pick(["2", "0", "10", "{x}", "{a,2"])}${random.pick(["<(", ">("])}${deed})`,
    () => `${glue(random)}\`${deed}\``,
    () => `"${glue(random)}$(${deed})"`,
    () => `\${x:-${random.pick(["$(", "<(", ">("])}${deed})}`,
    () => `{a,${glue(random)}${random.pick(["<(", ">(", "$("])}${deed})}`,
    () => `$((${random.pick(["a[$(", "x+$("])}${deed})${random.pick(["]", ""])}))`,
    () => inQuotes(deed),
    () => `"${deed}"`,
    () => `${random.pick(names)}\n${deed}`,
    () => `\\;${deed}`,
    () => `a[$(${deed})]`,
    () => `-${random.pick(["exec", "delete", "o", "fprint", "execdir", "ok"])} ${random.pick(["PWN", deed])}`,
  ];
  return random.pick(hidden)();
}

function glue(random: Random): string {
  return random
    .some(() => random.pick(["2", "0", "x", "{x}", "=", "''", '"a"', "\\", "\\\n", "$x", "{a,b}", "-", "1&", ""]), 0, 2)
    .join("");
}

function test(random: Random): string {
  const operator = random.pick(["-f", "-n", "-v", "-z", "-e", "==", "!=", "=~", "-eq", "<", ">", "-nt"]);
  return /^-[fnvze]$/.test(operator) ? `${operator} ${word(random)}` : `${word(random)} ${operator} ${word(random)}`;
}

function redirection(random: Random): string {
  const operator = random.pick([
    ">",
    ">>",
    "<",
    "2>",
    "&>",
    ">&",
    "<&",
    "<>",
    ">|",
    "<<<",
    "2>&1",
    "{x}>",
    "3<",
    ">& ",
    "1<>",
  ]);
  return `${operator}${random.pick(["", " "])}${random.pick(["PWN", "/dev/null", "a.txt", "&1", "-", "-x", word(random)])}`;
}

/** Near another line: signs put in, taken out, doubled; two lines cut and joined. */
export function mutated(random: Random, seeds: readonly string[]): string {
  let line = random.pick(seeds);
  const rounds = 1 + random.below(3);
  for (let round = 0; round < rounds; round += 1) line = mutate(random, line, seeds);
  return line;
}

function mutate(random: Random, line: string, seeds: readonly string[]): string {
  const at = random.below(line.length + 1);
  const to = Math.min(line.length, at + 1 + random.below(6));
  const [before, after] = [line.slice(0, at), line.slice(at)];
  const ways: readonly (() => string)[] = [
    () => before + random.pick(signs) + after,
    () => before + random.pick(signs) + random.pick(signs) + after,
    () =>
      `${before}${random.pick(["<(", ">(", "$(", "2>(", "{x}>(", "`"])}${random.pick(deeds)}${random.pick([")", ")", "`"])}${after}`,
    () =>
      `${before}${random.pick([";", "\n", "&", "|", "&&", "\r", " "])}${random.pick(deeds)}${random.pick(["", ";", "\n", " #"])}${after}`,
    () => before + line.slice(to),
    () => before + line.slice(at, to).repeat(2) + line.slice(to),
    () => before + random.pick(seeds).slice(random.below(10)),
    () => `${before}'${line.slice(at, to)}'${line.slice(to)}`,
    () => `${before}"${line.slice(at, to)}"${line.slice(to)}`,
    () => `${before}\\${after}`,
    () =>
      `${line} ${random.pick(["-o", "-w", "-i", "-f", "--output", "-exec", "-delete", "-e", "--pre", "-c", "--"])}${random.pick([" ", "="])}PWN`,
    () => `bash -c ${inQuotes(line)}`,
    () => `${line} ${word(random)}`,
    () => line.replace(/ /, random.pick(["\t", "\\\n", "  ", "$\u007bIFS}", "\u00a0", "\v"])),
  ];
  return random.pick(ways)();
}
