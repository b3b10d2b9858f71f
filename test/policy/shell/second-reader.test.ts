import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judgeCommand } from "../../../src/policy/command.ts";
import { readTwice } from "../../../src/policy/shell/second-reader/agree.ts";
import { cases } from "./cases.ts";
import { facts } from "./facts.ts";

const isAgreed = (source: string): boolean => readTwice(source).isAgreed;

describe("two readers", () => {
  const agreed = [
    "ls -la | grep x && echo y || echo z; pwd",
    "X=1 Y=2 ls > a 2>&1 < b &> c >> d",
    "cat <<'E' | wc -l\n$(x) `y`\nE",
    "cat <<E <<-F; ls\na $(id) $\u007bx:-y}\nE\n\tb `id`\n\tF\necho z",
    "git commit -m \"$(cat <<'EOF'\nit's (done)\nEOF\n)\"",
    "if [[ -f a && ( $x == b* || ! -d c ) ]]; then ls; elif true; then pwd; else echo; fi",
    'for f in *.ts "$x" \'a b\'; do echo "$f"; done',
    'while read -r line; do echo "$\u007bline%%:*}"; done < a',
    'case "$1" in -h | --help) echo help ;; (*) echo other ;; esac',
    "echo $((1 + 2 * (3 - 1))) $'a\\'b' $\"c\"",
    "( (ls) ; { pwd; } ) 2>/dev/null &",
    "diff <(sort a) <(sort b) > >(tee c)",
    "echo a\\ b \\\n c # a comment ' with a quote",
    '[[ $x =~ ^(a|b)+$ ]] && echo $? $# $$ $! "$@"',
    "((x > 1)) && ls",
    "time ls; ! ls | cat",
    "echo `echo \\`id\\``",
    "ls {a,b}/*.{ts,js} ~/x",
    "exec 3<> a {fd}> b 3>&-",
  ];
  for (const source of agreed) {
    test(`[PO-10] both read the same in: ${source.replaceAll("\n", "␤")}`, () => {
      expect([isAgreed(source), readTwice(source).script.errors ?? []]).toEqual([true, []]);
    });
  }

  const unclear = [
    "echo 2>(x)",
    "echo {x}>(y)",
    "echo >&-x",
    "ls !(a|b)",
    "a[1 2]=3",
    "f() { ls; }",
    "a=(1 2)",
    "echo $\u007b ls; }",
    "echo $\u007bx:-`ls`}",
    "cat <<E\na\\\nE\nE",
    "cat <<E",
    "echo 'a",
    "echo $[1]",
    "coproc ls",
  ];
  for (const source of unclear) {
    test(`[PO-10] not counted as understood: ${source.replaceAll("\n", "␤")}`, () => {
      expect([isAgreed(source), judgeCommand(source, facts).isReadOnly]).toEqual([false, false]);
    });
  }
});

const piece = fc.constantFrom(
  ...[
    "2",
    "0",
    "12",
    "{x}",
    "a",
    "=",
    "-",
    "x=1",
    "''",
    '""',
    "'a'",
    '"b"',
    "\\",
    "\\\n",
    "$x",
    "$\u007by}",
    "~",
    "*",
    "[a]",
  ],
  ...["{a,b}", ",", "..", "%", "+", "@", "!", "#", "é", "$'c'", "$", ">", "<", "&", " ", "\n", ";", "|", "("],
);
const substitution = fc.constantFrom("<(touch P)", ">(touch P)", "$(touch P)", "`touch P`");
const frame = fc.constantFrom<(word: string) => string>(
  (word) => `echo ${word}`,
  (word) => `ls -l ${word} a`,
  (word) => `[[ -f ${word} ]]`,
  (word) => `[[ a == ${word} ]]`,
  (word) => `for f in ${word}; do ls; done`,
  (word) => `case ${word} in a) ls;; esac`,
  (word) => `case a in ${word}) ls;; esac`,
  (word) => `echo {a,${word}}`,
  (word) => `cat <<< ${word}`,
  (word) => `ls > ${word}`,
  (word) => `ls 2>&1 ${word}`,
  (word) => `bash -c '${word.replaceAll("'", "'\\''")}'`,
);

const hidden = fc
  .tuple(frame, fc.array(piece, { maxLength: 4 }), substitution, fc.array(piece, { maxLength: 2 }))
  .map(([put, before, inner, after]) => put(before.join("") + inner + after.join("")));

/** What stands in no single quotes and behind no backslash. */
const isBare = (command: string): boolean => !/['\\#]/.test(command);

test("[PO-4] [PO-10] a substitution is never read-only, whatever stands around it", () => {
  fc.assert(
    fc.property(hidden.filter(isBare), (command) => {
      expect([command, judgeCommand(command, facts).isReadOnly]).toEqual([command, false]);
    }),
    cases(),
  );
});

test("[PO-3] [PO-10] a deny rule sees the command inside a substitution, whatever stands around it", () => {
  fc.assert(
    fc.property(hidden.filter(isBare), (command) => {
      const names = judgeCommand(command, facts).commands.map(({ words }) => words[0]?.text);
      expect([command, names.includes("touch")]).toEqual([command, true]);
    }),
    cases(),
  );
});
