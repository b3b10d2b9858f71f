import { expect, test } from "bun:test";
import { say } from "../../../../src/contract/text/catalogue.ts";
import { judgeCommand } from "../../../../src/policy/command.ts";

const facts = { gitProblem: null };

/** The paths of a command that only reads, or why it is more. */
function judged(line: string): readonly string[] | string {
  const { reasons, reads, unsettled } = judgeCommand(line, facts);
  const said = [...reasons, ...unsettled];
  return said.length > 0 ? said.map((one) => say("en", one)).join("; ") : reads.map(({ path }) => path);
}

const no = (program: string, part: string) => `${program} may change things: ${part}`;

/** Harmless to the program, but not known from the text. */
const open = (part: string) => `${part} contains values known only at run time`;

const cases: readonly (readonly [line: string, answer: readonly string[] | string])[] = [
  // test and [
  ["test x", []],
  ["test ! x", []],
  ["test !", []],
  ["[ ! ]", []],
  ["[ -n x ]", []],
  ['[ -z "$x" ]', open('"$x"')],
  ["[ ! -n x ]", []],
  ['[ "$x" = y ]', open('"$x"')],
  ['[ "$x" ]', open('"$x"')],
  ["[ -f a ]", ["a"]],
  ["[ ! -d a ]", ["a"]],
  ["[ a -nt b ]", ["a", "b"]],
  ["[ a = b -a -e c ]", ["c"]],
  ["[ -e a -o -e b -o x != y ]", ["a", "b"]],
  ['[ -f "$x" ]', open('"$x"')],
  ['[ "$x" -ef b ]', open('"$x"')],
  ['[ a -nt "$x" ]', open('"$x"')],
  ["[ $x = y ]", no("[", "$x")],
  ["[ *.c = y ]", no("[", "*.c")],
  ["[ a = *.c ]", no("[", "a")],
  ["[ x y ]", no("[", "x")],
  ["[ -v x ]", no("[", "-v")],
  ["[ a -x b ]", no("[", "a")],
  ["[ a b c ]", no("[", "a")],
  ["[ a = b c ]", no("[", "a")],
  ["[ -n a b ]", no("[", "-n")],
  ["[ -f a b ]", no("[", "-f")],
  ["[ ! ! x ]", no("[", "!")],
  ["[ a = b -a ]", no("[", "a")],
  ["[ a = b -o c -a ]", no("[", "-a")],
  ["[ a = b -o -a c ]", no("[", "a")],
  ["[ a = b -o x y ]", no("[", "x")],
  ['[ "$x" = b -a c ]', no("[", '"$x"')],
  ["[ a = b", no("[", "b")],
  ['[ a = "$x"', no("[", '"$x"')],
  ["test -v x", no("test", "-v")],
  ...["=", "==", "!=", "'<'", "'>'", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"].map(
    (sign) => [`[ 1 ${sign} 2 ]`, []] as const,
  ),
  ["[ a -ot b ]", ["a", "b"]],
  ["[ a -ef b ]", ["a", "b"]],
  // printf
  ["printf", "printf may change things with the value "],
  ["printf --", "printf may change things with the value "],
  ["printf '%n' PATH", "printf may change things with the value '%n'"],
  ['printf "$x"', 'printf may change things with the value "$x"'],
  ['printf -- "$x"', 'printf may change things with the value "$x"'],
  ["printf -v x y", "printf may change things with the value -v"],
  ["printf -- -v", []],
  ["printf '%s' \"$x\" $y *.c", open('"$x"')],
  // jq
  ["jq", []],
  ["jq . a b", ["a", "b"]],
  ["jq -r . a", ["a"]],
  ["jq . -r a", ["a"]],
  ["jq . -- a -r", ["a", "-r"]],
  ["jq -- . a", ["a"]],
  ["jq . src/*.json", ["src/*.json"]],
  ["jq . *.json", ["*.json"]],
  ["jq *.json", no("jq", "*.json")],
  ["jq src/*.json", no("jq", "src/*.json")],
  ['jq . "$x"', open('"$x"')],
  ["jq . $x", open("$x")],
  ['jq "$x" a', no("jq", '"$x"')],
  ["jq $x a", no("jq", "$x")],
  ["jq - a", no("jq", "-")],
  ["jq --tab --indent 3 . a", ["a"]],
  ["jq --indent 9 . a", no("jq", "--indent")],
  ["jq --indent", no("jq", "--indent")],
  ["jq --arg a b . c", ["c"]],
  ['jq --arg a "$b" . c', open('"$b"')],
  ["jq --argjson a 1 . c", ["c"]],
  ["jq --arg a $b . c", no("jq", "--arg")],
  ["jq --arg a *.c . c", no("jq", "--arg")],
  ["jq --arg 1 b . c", no("jq", "--arg")],
  ["jq --arg a", no("jq", "--arg")],
  ["jq --slurpfile a b . c", ["b", "c"]],
  ["jq --rawfile a b . c", ["b", "c"]],
  ["jq --rawfile a *.c . c", no("jq", "--rawfile")],
  ['jq --rawfile a "$x" . c', no("jq", "--rawfile")],
  ["jq --other a b . c", no("jq", "--other")],
  ["jq -rx . a", no("jq", "-rx")],
  ["jq 'include \"a\"; .' a", no("jq", "'include \"a\"; .'")],
  ["jq . include", ["include"]],
  ["jq '.included' a", ["a"]],
  // ps
  ["ps", []],
  ["ps -ef", []],
  ["ps -ax", []],
  ["ps -aux", []],
  ["ps -axo pid,args", []],
  ["ps axo pid=,args=", []],
  ["ps -e -o pid --sort=-pcpu,+pid --no-headers", []],
  ["ps -o pid -p 1,2", []],
  ["ps -o user= -p $$", []],
  ["ps $$", []],
  ["ps 1 2", []],
  ["ps -u root -U root -t pts/0", no("ps", "-t")],
  ["ps -u root -U root -C sh -t tty1", []],
  ["ps --ppid=1 --pid=2 --user=root --format=pid --forest --deselect", []],
  ["ps --ppid=a", no("ps", "--ppid=a")],
  ["ps --ppid=", no("ps", "--ppid=")],
  ["ps --ppid", no("ps", "--ppid")],
  ["ps --constructor=1", no("ps", "--constructor=1")],
  ["ps --sort=environ", no("ps", "--sort=environ")],
  ["ps e", no("ps", "e")],
  ["ps -e -x", no("ps", "-x")],
  ["ps -e -ax", no("ps", "-ax")],
  ["ps -ax -e", no("ps", "-ax")],
  ["ps ax -e", []],
  ["ps -o environ", no("ps", "-o")],
  ["ps -o $$", no("ps", "-o")],
  ["ps -o", no("ps", "-o")],
  ["ps -p a", no("ps", "-p")],
  ['ps -p "$x"', no("ps", "-p")],
  ["ps -o *.c", no("ps", "-o")],
  ["ps $x", no("ps", "$x")],
  ["ps aeo pid", no("ps", "aeo")],
  // expr
  ["expr $x + *", open("$x")],
];

test.each(cases)("[PO-4] %p is judged word by word: %p", (line, answer) => {
  expect(judged(line)).toEqual(answer);
});
