import { deeds, names, readers, signs, sources } from "./pieces.ts";
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

/** By the same grammar, with words that are known only when the line runs: from variables, substitutions, folders and loops. */
export function openLine(random: Random, depth = 3): string {
  if (depth === 0 || random.chance(20)) return openSimple(random);
  const one = (): string => openLine(random, depth - 1);
  const name = (): string => random.pick(["x", "y", "i", "N", "FOO", "IFS", "PATH", "f"]);
  const frames: readonly (() => string)[] = [
    () => `${name()}=${value(random)}${random.pick([";", " &&", " ", "\n", " ||"])} ${one()}`,
    () => `export ${name()}=${value(random)} && ${one()}`,
    () => `env ${name()}=${value(random)} ${one()}`,
    () => `for ${name()} in ${openWords(random)}; do ${one()}; done`,
    () => `${source(random)} | while ${random.pick(["IFS= ", "", "IFS=, "])}read -r ${name()}; do ${one()}; done`,
    () => `while read ${name()}; do ${one()}; done < ${random.pick(["list", "a.txt", `<(${source(random)})`])}`,
    () => `while read x; do ${one()}; ${random.pick(["continue", "break", "read y", "x=1"])}; ${one()}; done < list`,
    () => `if ${one()}; then ${one()}; else ${one()}; fi`,
    () => `case ${openWord(random)} in ${random.pick(["a", "*", "-*"])}) ${one()};; esac`,
    () => `${one()}${random.pick([";", " &&", " ||", " |", "\n"])} ${one()}`,
    () => `(${one()})`,
    () => `{ ${one()}; }`,
    () => `cd ${random.pick(["sub", "odd", "..", "src", '"$PWD/sub"', '"$x"'])} && ${one()}`,
    () => `${random.pick(["cd sub", "pushd odd"])}; ${one()}; ${random.pick(["cd -", "popd"])} && ${one()}`,
    () => `unset ${name()}; ${one()}`,
    () => `set -${random.pick(["e", "u", "eu", "x", "f"])}; ${one()}`,
    () => `[[ ${openWord(random)} ${random.pick(["==", "-eq", "-nt", "=~"])} ${openWord(random)} ]] && ${one()}`,
    () =>
      `[ ${random.some(() => random.pick([openWord(random), "=", "-f", "-n", "!", "-eq"]), 1, 4).join(" ")} ] && ${one()}`,
    () => `bash -c ${inQuotes(one())}`,
    () =>
      `i=${random.pick(["0", "1", "$x"])}; echo $((${random.pick(["i+1", "i++", "x", "i/x", "i%2", "x=1"])})); ${one()}`,
  ];
  return random.pick(frames)();
}

function openSimple(random: Random): string {
  const more = (): string => openWords(random);
  const own: readonly (() => string)[] = [
    () => `${random.pick(readers)} ${more()}`,
    () => `${random.pick(readers)} -- ${more()}`,
    () => `${random.pick(openReaders)} ${more()}`,
    () => `diff <(${source(random)}) ${openWord(random)}`,
    () => `${random.pick(openReaders)} <(${source(random)})`,
    () =>
      `git -C ${random.pick(["sub", "odd", "..", '"$x"', "sub -C .."])} ${random.pick(["log", "status", "show HEAD", "diff"])}`,
    () => `${source(random)} | xargs ${random.pick(["-I{} ", "-n1 ", "", "-0 "])}${random.pick(openReaders)}`,
    () => random.pick(["ls", "cat a.txt", "git status", "read x", "read -r x < list", "true"]),
  ];
  return random.pick(own)();
}

const openReaders =
  "cat echo ls wc head tac comm paste od strings nl grep sort uniq sed awk find rg git jq cut tail stat file printf test basename date diff xxd tr".split(
    " ",
  );

const source = (random: Random): string => random.pick(sources);

function openWords(random: Random): string {
  return random.some(() => openWord(random), 1, 2).join(" ");
}

function openWord(random: Random): string {
  const words: readonly (() => string)[] = [
    ...['"$x"', "$x", '"$y"', '"$f"', "$i", '"sub/$x"', '"./$f"', "$?", "$#", '"$HOME"', '"$PWD/a.txt"', "$PWD"].map(
      (one) => () => one,
    ),
    () => `$(${source(random)})`,
    () => `"$(${source(random)})"`,
    () => `\`${source(random)}\``,
    () => `<(${source(random)})`,
    () => `${random.pick(["", "HEAD..", "^", '"'])}$(${source(random)})${random.pick(["..HEAD", "~1", "...", '"'])}`,
    () =>
      random.pick([
        "$((i+1))",
        "$((x))",
        "$((x + i))",
        '"$\u007bx:-a.txt}"',
        '"$\u007bx%%.*}"',
        "$\u007bx#-}",
        '"$\u007bx:0:2}"',
        "$\u007b#x}",
      ]),
    () => random.pick(names),
  ];
  return random.pick(words)();
}

function value(random: Random): string {
  return random.chance(40) ? random.pick(["1", "a.txt", "-oPWN", "'a b'", "", "08", "-i"]) : openWord(random);
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
