import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { judgeCommand } from "../../../src/policy/command.ts";
import { cases, runs } from "./cases.ts";
import { facts } from "./facts.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const isReadOnly = (command: string) => judgeCommand(command, facts).isReadOnly;

/** Runs each on a small file, and tells which of them changed something. */
function harmful(runs: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), "coder-language-"));
  const file = join(folder, "a");
  try {
    writeFileSync(file, "a b\nb c\nc\n");
    return runs.filter((argv) => {
      const options = { cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore", timeout: 2000 } as const;
      Bun.spawnSync([...argv], options);
      const others = readdirSync(folder).filter((name) => name !== "a");
      for (const name of others) rmSync(join(folder, name), { recursive: true });
      return others.length > 0 || readFileSync(file, "utf8") !== "a b\nb c\nc\n";
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sedPart = fc.constantFrom(
  ...[
    "s",
    "/",
    "a",
    "b",
    "|",
    ",",
    "[",
    "]",
    "^",
    "\\",
    "\n",
    ";",
    "{",
    "}",
    "!",
    "p",
    "d",
    "q",
    "n",
    "N",
    "y",
    "=",
    "i",
  ],
  ...[
    "e touch x",
    "w x",
    "r x",
    "W x",
    "R x",
    "s/a/b/",
    "/a/",
    "\\|a|",
    "\\n",
    "]/",
    "[/]",
    "[^/]",
    "[]",
    "[[:alpha:]",
    "#",
  ],
  ...["1", "$", "2,3", "~2", "+1", "t", "x", ":l", " ", "g", "I", "e", "w", "\\/", "&", "M", "0", "c", "text"],
);
const awkPart = fc.constantFrom(
  ...[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "/",
    '"',
    '\\"',
    "print",
    "print >",
    '> "x"',
    '"x"',
    '| "touch x"',
    "getline",
    " ",
    "\n",
  ],
  ...[
    'system("touch x")',
    '"touch x" | getline',
    ";",
    ",",
    "v",
    "$1",
    "$",
    "1",
    "2",
    "+",
    "++",
    "--",
    "-",
    "*",
    "%",
    "=",
  ],
  ...[
    "==",
    "!",
    "~",
    "<",
    ">",
    ">>",
    "||",
    "&&",
    "|",
    "in",
    "if",
    "else",
    "for",
    "BEGIN",
    "END",
    "length",
    "NR",
    "case",
  ],
  ...[
    "switch",
    "default",
    "func",
    "nextfile",
    "return",
    "/=",
    "/a/",
    "\\/",
    "[/]",
    '"/',
    '/"',
    "#",
    "\\\n",
    "?",
    ":",
    "@",
  ],
);

function accepted(program: string, part: fc.Arbitrary<string>, before: string, after: string): readonly string[] {
  const text = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => `${before}${parts.join("")}${after}`);
  const all = [...new Set(fc.sample(text, cases(Math.max(3000, runs * 4))))].filter((one) =>
    isReadOnly(`${program} ${quoted(one)} a`),
  );
  expect(all.length).toBeGreaterThan(20);
  return all.slice(0, 250);
}

test("[PO-4] [SA-executing-flags] a sed script judged to only print changes nothing when sed runs it", () => {
  expect(harmful(accepted("sed", sedPart, "", "").map((script) => ["sed", script, "a"]))).toEqual([]);
}, 120_000);

test("[PO-4] [SA-executing-flags] an awk program judged to only print changes nothing in any awk there is", () => {
  const awks = [["awk"], ["gawk"], ["mawk"], ["original-awk"], ["busybox", "awk"]].filter(([name]) => Bun.which(name!));
  expect(awks.length).toBeGreaterThan(0);
  const programs = [...accepted("awk", awkPart, "", ""), ...accepted("awk", awkPart, "BEGIN{v=4;print v", "1}")];
  const runs = programs.map((program, at) => [...awks[at % awks.length]!, program, "a"]);
  expect(harmful(runs)).toEqual([]);
}, 120_000);

const scripts: readonly (readonly [script: string, isFine: boolean])[] = [
  ...[
    "",
    "p",
    "$p",
    "1,5p",
    "/a/,/b/p",
    "0~3p",
    "/a/,+3p",
    "/a/I,$d",
    "$!d",
    "1!G;h;$!d",
    "=",
    "l",
    "l 5",
    "q",
    "q5",
    "Q",
    "Q3",
    "$=",
  ],
  ...[
    "s/a/b/",
    "s/a/b/g2p",
    "s|a|b|",
    "s,a\\,b,c,",
    "s/\\//x/",
    "s/[^/]*$//",
    "s/[a]/x/",
    "s/[]a]/x/",
    "s/[^]a]/x/",
    "s/a[^]]b/x/",

    "y/abc/xyz/",
    "/a/{p;d}",
    "/a/{ s/b/c/; p }",
  ],
  ...[
    ":a;N;$!ba;s/\\n/ /g",
    "/a/b;p",
    "a hello",
    "a\\\nhello\\\nthere",
    "i\\  x",
    "c new",
    "# comment\np",
    "/[a-z]/p",
    "n;d",
  ],
  ...["s/\\[x\\]/y/", "s/[[:space:]]*$//", "\\|a|p", "/a/I p", "2{h;d};x", "s/a/\\\n/g", "F", "z", "N;P;D"].map(
    (one) => one,
  ),
].map((script): readonly [string, boolean] => [script, true]);
const refusedScripts: readonly (readonly [script: string, isFine: boolean])[] = [
  ...[
    "e",
    "e ls",
    "1e",
    "w x",
    "1,2w x",
    "W x",
    "r x",
    "R x",
    "s/a/b/e",
    "s/a/b/w x",
    "s/a/b/ge",
    "s/a/b/gw x",
    "{w x",
    "p}",
  ],
  ...[
    "/a/{w x\n}",
    "p;w x",
    "p\nw x",
    "s/a/b/;e",
    "xp",
    "s/a/b",
    "s/a",
    "s/",
    "y/",
    "y/a",
    "/a",
    "k",
    "s/[/]/w x/",
    "/[/w x]/p",
    "sxaxbx",
  ],
  ...["a hi\ne ls", "b l}w x", "bl#e ls", ":l#w x", "v", "s/[\\]/]/;y/w x/abcd/", "1,w x", "!w x", "#\nw x", "b\ne"],
].map((script): readonly [string, boolean] => [script, false]);

test.each([...scripts, ...refusedScripts])("[PO-4] the sed script %p is read-only: %p", (script, isFine) => {
  expect(isReadOnly(`sed ${quoted(script)} a`)).toBe(isFine);
});

const programs: readonly (readonly [program: string, isFine: boolean])[] = [
  ...[
    "1",
    "{print}",
    "{print $1/2}",
    "{print}/a/",
    "{print /a/}",
    "a || /b/",
    "a && /b/",
    "{print}\n/a/",
    "{a[1]=/x/}",
    "/a/",
    "!/a/{n++}END{print n}",
    "$3 > 5",
    '$1>"a"',
    "NR>1{print $NF}",
    "{if($1>2)print}",
    "BEGIN{print 1}",
  ],
  ...[
    '{printf "%s\\n", $0}',
    "{a[$1]++}END{for(k in a)print k,a[k]}",
    '{gsub(/\\//,"-");print}',
    "/[^\\/]+/",
    "{print (1 > 2)}",
  ],
  ...[
    "{x=$1/$2/3; print x}",
    "function f(x) {return x*2} {print f($1)}",
    "# c\n{print}",
    "/[[:alpha:]]/",
    "{print a[1]/2}",
  ],
  ...[
    'BEGIN{FS=":"}$1~/x/',
    "{print length($0)}",
    "{print $1 \\\n $2}",
    "(1+2)/3",
    '{print NR%2?"a":"b"}',
    "END{print s/NR}",
  ],
].map((program): readonly [string, boolean] => [program, true]);
const refusedPrograms: readonly (readonly [program: string, isFine: boolean])[] = [
  ...[
    '{system("x")}',
    'BEGIN{system ("x")}',
    '{print > "x"}',
    '{print >> "x"}',
    '{printf "a" > "x"}',
    '{print | "x"}',
    "{getline}",
  ],
  ...[
    '{"x" | getline}',
    '{getline < "x"}',
    '{print |& "x"}',
    '@include "x"',
    "{@f()}",
    "{ARGV[1]=1}",
    "{ARGC=1}",
    "{SYMTAB[1]}",
  ],
  ...[
    "{x=$1>2}",
    "{x++/2}",
    ")(",
    "{print $/2}",
    "a |b",
    "{length/2}",
    "{print length /a/ 2}",
    "(a)/b/",
    "{x++/2/}",
    "/[/]/",
    "/[]/]/",
    "{",
    "}",
    "(",
    '{print "a}',
    "/a",
    "{print `x`}",
  ],
  ...[
    '{if (a) /"/; system("x") #"\n}',
    '{case /y; system("x") /1}',
    '{nextfile /y; system("x") /1}',
    "{a /= /b/}",
    "{close(1)}",
  ],
  // The head of a loop holds whole statements, and in brackets they write all the same.
  ...['BEGIN{for(;i<1;print "a" > "x")i++}', 'BEGIN{for(printf("a") > "x";i<1;i++)n}'],
].map((program): readonly [string, boolean] => [program, false]);

test.each([...programs, ...refusedPrograms])("[PO-4] the awk program %p is read-only: %p", (program, isFine) => {
  expect(isReadOnly(`awk ${quoted(program)} a`)).toBe(isFine);
});
