// A command line for each option of each row of the table.

import { bytePrograms } from "../../../../src/policy/shell/programs/bytes.ts";
import { filePrograms } from "../../../../src/policy/shell/programs/files.ts";
import { none } from "../../../../src/policy/shell/programs/forms.ts";
import { git } from "../../../../src/policy/shell/programs/git.ts";
import { helpers } from "../../../../src/policy/shell/programs/scripts.ts";
import { searchPrograms } from "../../../../src/policy/shell/programs/search.ts";
import { onlyBuiltins, sharedBuiltins } from "../../../../src/policy/shell/programs/shell.ts";
import { systemPrograms } from "../../../../src/policy/shell/programs/system.ts";
import { tar } from "../../../../src/policy/shell/programs/tar.ts";
import { textPrograms } from "../../../../src/policy/shell/programs/text-tools.ts";
import { versionPrograms } from "../../../../src/policy/shell/programs/versions.ts";
import type { Program, Role } from "../../../../src/policy/shell/verdict/judgement.ts";

export const rows: Readonly<Record<string, Program>> = {
  ...filePrograms,
  ...textPrograms,
  ...searchPrograms,
  ...bytePrograms,
  ...systemPrograms,
  ...versionPrograms,
  ...sharedBuiltins,
  ...onlyBuiltins,
  tar,
  git,
};

/** What scripts of the system start, as their words do not tell. */
export const startedBy: Readonly<Record<string, readonly string[]>> = {
  ...helpers,
  ...{ egrep: ["grep"], fgrep: ["grep"], zcat: ["gzip"], gunzip: ["gzip"] },
  ...Object.fromEntries(
    ["zgrep", "zegrep", "zfgrep"].map((name) => [name, ["grep", "gzip", ...(helpers[name] ?? [])]] as const),
  ),
};

/** Lines of those scripts, and of options whose values no sample fits. */
export const scriptLines: readonly string[] = [
  // diff opens /dev/full in place of the closed input.
  "diff a.txt b.txt <&-",
  ...[
    "egrep a a.txt",
    "egrep -rn 'a|b' sub",
    "fgrep -c 'a(' a.txt",
    "/usr/bin/egrep -o a a.txt",
    "zcat a.gz",
    "gunzip -c a.gz",
  ],
  ...[
    "gunzip -l a.gz",
    "gunzip -t a.gz",
    "zgrep a a.gz",
    "zgrep -n a a.gz a.txt",
    "zgrep -in -A 1 a a.gz",
    "zgrep -e a -c a.gz",
  ],
  ...["git log -L 1,2:a.txt", "git log -s -L '/a/,+1:a.txt'", "git blame -L '/a/,+1' a.txt", "git show -L1,1:a.txt"],
  ...["git diff --no-index a.txt sub/c.txt", "git diff --no-index --stat a.txt - < b.txt"],
  ...["zegrep 'a|b' a.gz", "zfgrep -l a a.gz", "zgrep -L x a.gz", "zgrep 'a$(touch x)' a.gz", "zgrep a '`touch x`.gz'"],
];

/** What has a language of its own, with lines that show it. */
export const ownLines: Readonly<Record<string, readonly string[]>> = {
  echo: ["echo", "echo -n a b", "echo -e 'a\\tb' --help -x", "echo '$(rm x)'"],
  true: ["true", "true --version", "true x"],
  false: ["false"],
  ":": [":", ": x -y"],
  printf: [
    "printf 'a\\n'",
    "printf '%s %5.2f %d%%\\n' a 1 2",
    "printf '%(%Y)T' 0",
    "printf -- '-%q' 'a b'",
    "printf %b 'a\\n'",
  ],
  test: ["test -f a.txt", "test a = b", "test 1 -lt 2", "test ! -d sub", "test -n x", "test a.txt -nt b.txt", "test x"],
  "[": ["[ -e a.txt ]", "[ a != b ]", "[ ! -s a.txt ]", "[ a = b -o -f a.txt ]", "[ x ]", "[ ]"],
  expr: ["expr 1 + 2", "expr length abc", "expr abc : 'a\\(.\\)'", "expr -1 '*' 3"],
  jq: [
    "jq . a.json",
    "jq --version",
    "jq -r '.a[]' a.json",
    "jq -n --arg x y '$x'",
    "jq -nc --argjson x 1 '{x: $x}'",
    "jq -s 'map(.a)' a.json a.json",
    "jq --slurpfile s a.json --rawfile t a.txt '.a, $s, $t' a.json",
    "jq --indent 2 --tab -S . a.json",
    "jq -e 'has(\"a\")' < a.json",
    "jq 'input_filename, env.HOME, $ENV.PATH' a.json",
    "jq . *.json $(ls a.json)",
    ...["-f", "-sf", "-L.", "--run-tests", "--args", "--rawfile"].map((word) => `jq . $(echo ${word}) a.json b.txt`),
  ],
  tar: [
    ...[
      "tar tf a.tar",
      "tar tvf a.tar",
      "tar -tf a.tgz",
      "tar tzf a.tgz",
      "tar -tzvf a.tgz a.txt",
      "tar --list -f a.tar",
    ],
    ...[
      "tar -t -f a.tar",
      "tar --list --file a.tgz",
      "tar tJf a.tgz",
      "tar tjf a.tgz",
      "tar taf a.tgz",
      "tar --version",
    ],
    ...["tar tf a.txt", "tar tzf - < a.tgz", "tar tf - < a.tar"],
  ],
  ps: [
    "ps",
    "ps aux",
    "ps -ef",
    "ps -aux",
    "ps -eo pid,comm --sort=-pcpu",
    "ps axo pid,args",
    "ps -p 1 -o pid=",
    "ps -u root",
    "ps -C bash",
    "ps --forest -A",
    "ps f",
  ],
};

/** Words for operands and values that are not paths. */
const samples = [
  "/dev/null",
  "bash",
  "1",
  "a",
  "0",
  "x",
  "d",
  "s",
  "1-2",
  "1,2",
  "1.1",
  "auto",
  "never",
  "none",
  "pid",
  "+%s",
  "UTF-8",
  "GNU",
  "%g",
  "HEAD",
  "medium",
  "all",
  "v1",
  "no",
  "traditional",
  "remote.origin.url",
  "stash@{0}",
  "PAGE_SIZE",
  "pipefail",
  "first-parent",
  "skip",
  "10%",
  "1,5",
  "iso",
  "-1",
  "+e",
  "#",
];

function sampleOf(role: Role, file: string): string {
  if (role === "read" || role === "file") return file;
  if (role === "revision") return "HEAD";
  if (role === "number") return "1";
  if (role === "text") return "a";
  const found = samples.find((sample) => role.test(sample));
  if (found === undefined) throw new Error(`no sample for ${role}`);
  return found;
}

export interface LineWish {
  /** So many options on one line. One each reaches the most, but takes long where there are hundreds. */
  readonly joined: number;
  /** Rows that had their lines: under a second name they have none with options. */
  readonly seen: Set<object>;
}

/** The program alone, with its operands, and with each option. */
export function linesOf(name: string, row: Program, wish: LineWish, file = fileFor(name)): readonly string[] {
  if (row.judge) return ownLines[name] ?? [];
  if (row.commands) {
    const entries = Object.entries(row.commands);
    const known = wish.seen.has(row.commands) ? entries.slice(0, 1) : entries;
    wish.seen.add(row.commands);
    return known.flatMap(([word, one]) => linesOf(word === "" ? name : `${name} ${word}`, one, wish, file));
  }
  const options = wish.seen.has(row) ? [] : optionsOf(row, file);
  wish.seen.add(row);
  const stands = (option: string) => row.firstBy?.some((by) => option.startsWith(by)) ?? false;
  const plain = options.filter((option) => !stands(option));
  const groups = Array.from({ length: Math.ceil(plain.length / wish.joined) }, (_, at) =>
    plain.slice(at * wish.joined, (at + 1) * wish.joined).join(" "),
  );
  const line = (option: string, skipped: number) =>
    [name, option, ...operandsOf(row, file, skipped)].filter((part) => part !== "").join(" ");
  return [
    [name, ...Array<string>(row.atLeast ?? 0).fill(file)].join(" "),
    line("", 0),
    ...groups.map((group) => line(group, 0)),
    ...options.filter(stands).map((option) => line(option, 1)),
  ];
}

function operandsOf(row: Program, file: string, skipped: number): readonly string[] {
  const roles = [...(row.operands ?? []).slice(skipped), ...(row.rest && row.rest !== none ? [row.rest] : [])];
  return roles.map((role) => quote(sampleOf(role, file)));
}

function optionsOf(row: Program, file: string): readonly string[] {
  const value = (role: Role) => quote(sampleOf(role, file));
  return [
    ...[...(row.flags ?? "")].map((flag) => `-${flag}`),
    ...Object.entries(row.valued ?? {}).map(([flag, role]) => `-${flag} ${value(role)}`),
    ...Object.entries(row.maybeValued ?? {}).flatMap(([flag, role]) => [`-${flag}`, `-${flag}${value(role)}`]),
    ...Object.entries(row.long ?? {}).map(([long, role]) => (role === null ? long : `${long}=${value(role)}`)),
    ...Object.entries(row.attached ?? {}).map(([long, role]) => `${long}=${value(role)}`),
    ...(row.hasCount ? ["-2"] : []),
  ];
}

function fileFor(name: string): string {
  const special: Readonly<Record<string, string>> = {
    nm: "object",
    objdump: "object",
    readelf: "object",
    size: "object",
    unzip: "a.zip",
    zipinfo: "a.zip",
    gzip: "a.gz",
    xz: "a.xz",
    xzcat: "a.xz",
    bzip2: "a.bz2",
    bzcat: "a.bz2",
  };
  return special[name] ?? "a.txt";
}

function quote(word: string): string {
  return /^[A-Za-z0-9_./,%+-]+$/.test(word) ? word : `'${word}'`;
}
