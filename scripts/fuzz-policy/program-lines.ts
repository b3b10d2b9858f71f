// Programs with a language or many options of their own: sed, awk, git, find, and the options that programs say they have.
import { spawnSync } from "node:child_process";
import { rows } from "../../test/policy/shell/programs/lines.ts";
import { names } from "./pieces.ts";
import type { Random } from "./random.ts";

export function sedLine(random: Random): string {
  const script = random.some(() => sedCommand(random, 2), 1, 3).join(random.pick([";", "\n", " ; ", "}"]));
  const options = random.some(
    () => random.pick(["-n", "-E", "-r", "-s", "-z", "-u", "-l5", "--posix", "--debug", "-b", "-nE"]),
    0,
    2,
  );
  const quote = random.chance(80) ? `'${script.replaceAll("'", "")}'` : `"${script.replace(/["\\$`]/g, "")}"`;
  const given = random.chance(30) ? `${random.pick(["-e ", "--expression=", "-ne ", "-e"])}${quote}` : quote;
  return `${random.pick(["sed", "sed", "gsed", "/bin/sed"])} ${options.join(" ")} ${given} ${random.pick(["a.txt", "a.txt b.txt", "< a.txt", "-- a.txt", "*.txt"])}`;
}

function sedCommand(random: Random, depth: number): string {
  const address = random.pick([
    "",
    "1",
    "$",
    "1,2",
    "/a/",
    "/a/,/b/",
    "\\%a%",
    "0~2",
    "1!",
    "/a/I",
    "2,+1",
    "/[/]/",
    "1,~2",
    "/a/M,3",
  ]);
  const commands: readonly (() => string)[] = [
    ...["p", "d", "q", "=", "l", "n", "N", "h", "H", "g", "G", "x", "D", "P", "z", "F", "q5", "Q"].map(
      (one) => () => one,
    ),
    () => substitution(random),
    () => `y${random.pick(["/ab/cd/", ",a,b,", "/a\\/b/xyz/"])}`,
    () =>
      random.pick([
        "w PWN",
        "wPWN",
        "W PWN",
        "r a.txt",
        "R a.txt",
        "e",
        "e touch PWN",
        "w /dev/stdout",
        "w/dev/stderr",
        "r.env",
        "e\ttouch PWN",
      ]),
    () =>
      `${random.pick(["a", "i", "c"])}${random.pick(["\\\n", " ", "\\", ""])}text${random.pick(["", "\\\nw PWN", "\nw PWN", "}w PWN", ";e touch PWN"])}`,
    () => `: label${random.pick(["", ";w PWN", "\nw PWN", "}"])}`,
    () => random.pick(["b", "t", "T", "b label", "blabel;w PWN"]),
    () =>
      depth > 0
        ? `{${random.pick(["", " ", "\n"])}${sedCommand(random, depth - 1)}${random.pick(["", ";", "\n"])}}`
        : "p",
    () => `# ${random.pick(["comment", "n", "w PWN"])}${random.pick(["", "\nw PWN"])}`,
    () => random.pick(["v", "v 4.2", "l 5", "L", "s/a/b/;;;p", "}", "{", ""]),
  ];
  return `${address}${random.pick(["", " ", "! ", "!"])}${random.pick(commands)()}`;
}

function substitution(random: Random): string {
  const sign = random.pick(["/", "|", ",", "#", "x", "e", "w", " ", ";", "\\", "s"]);
  const part = (): string =>
    random.pick([
      "a",
      "b",
      "[^x]",
      "\\(a\\)",
      "&",
      "\\1",
      "a\\nb",
      `\\${sign}`,
      "[",
      "[]/]",
      "",
      "\\n",
      "$(x)",
      "e",
      "w PWN",
    ]);
  const flags = random
    .some(() => random.pick(["g", "p", "i", "I", "m", "M", "2", "e", "w PWN", "w/dev/stdout", "wPWN", " "]), 0, 3)
    .join("");
  return `s${sign}${part()}${sign}${part()}${sign}${flags}`;
}

export function awkLine(random: Random): string {
  const program = random.some(() => awkRule(random), 1, 2).join(random.pick(["\n", ";", " ", ""]));
  const options = random.some(
    () =>
      random.pick([
        "-F:",
        "-F ','",
        "-v x=1",
        "-v 'x=a b'",
        "--posix",
        "-F'|'",
        "-f a.txt",
        "-i inplace",
        "-e 1",
        "--",
        "-b",
      ]),
    0,
    1,
  );
  const quoted = `'${program.replaceAll("'", "")}'`;
  return `${random.pick(["awk", "gawk", "mawk", "awk"])} ${options.join(" ")} ${quoted} ${random.pick(["a.txt", "x=1 a.txt", "< a.txt", "a.txt FS=: b.txt", "-", "./sub/c.txt"])}`;
}

function awkRule(random: Random): string {
  const pattern = random.pick([
    "",
    "BEGIN",
    "END",
    "/a/",
    "$1==1",
    "NR>1",
    "/a/,/b/",
    "!x[$0]++",
    "$0~/a/",
    "1",
    "a?b:c",
    "function f(x)",
  ]);
  return `${pattern}${random.pick(["", " "])}{${random.some(() => awkStatement(random), 0, 3).join(random.pick([";", "\n", "; "]))}}`;
}

function awkStatement(random: Random): string {
  const expression = (): string =>
    random.pick([
      "$1",
      "NR",
      "x+1",
      '"a"',
      "a/b/c",
      "/a/",
      'sub(/a/,"b")',
      "length",
      "x[1]",
      "1>2",
      "(1>2)",
      "$NF",
      "-x",
      "x++",
      "substr($0,1,2)",
      '"a" "b"',
      "a ~ b",
      "a in x",
    ]);
  const ways: readonly (() => string)[] = [
    () => `print ${expression()}`,
    () => `print ${expression()}, ${expression()}`,
    () => `printf "%s\\n", ${expression()}`,
    () =>
      `print ${expression()} ${random.pick([">", ">>", "|", "|&"])} ${random.pick(['"PWN"', '"touch PWN"', "x", '"/dev/stdout"', '"/dev/stderr"', '("P" "WN")', "$1"])}`,
    () => `${random.pick(['"touch PWN"', '"cat .env"'])} | getline${random.pick(["", " x"])}`,
    () => `getline ${random.pick(["", "x"])} < ${random.pick(['".env"', '"a.txt"', "x", '("." "env")'])}`,
    () =>
      random.pick([
        'system("touch PWN")',
        'system ("touch PWN")',
        "system(x)",
        'close("x")',
        "fflush()",
        'f="system";@f("touch PWN")',
      ]),
    () => `if (${expression()}) ${random.pick(["print", "next", "exit", 'print>"PWN"'])}`,
    () => `for (i in x) ${random.pick(["print i", 'print i > "PWN"'])}`,
    () => `x = ${expression()}`,
    () =>
      random.pick([
        "next",
        "exit",
        "delete x",
        "getline",
        '@load "filefuncs"',
        '@include "a.txt"',
        "split($0,x,/,/)",
        'gsub(/"/,"")',
        "nextfile",
        "return 1",
      ]),
    () => `print ${expression()} > ${expression()} ? 1 : 2`,
  ];
  return random.pick(ways)();
}

const gitCommands = [
  "status",
  "log",
  "diff",
  "show",
  "blame a.txt",
  "branch",
  "ls-files",
  "grep a",
  "rev-parse HEAD",
  "cat-file -p HEAD",
  "stash list",
  "remote -v",
  "config --get user.name",
  "tag",
  "reflog",
  "shortlog HEAD",
  "describe --always",
  "ls-tree HEAD",
  "rev-list HEAD",
  "diff-tree HEAD",
  "name-rev HEAD",
  "worktree list",
  "submodule status",
  "merge-base HEAD HEAD",
  "for-each-ref",
  "check-ignore a.txt",
  "diff-index HEAD",
  "show-ref",
  "symbolic-ref HEAD",
  "count-objects",
  "fsck",
  "archive HEAD",
  "format-patch -1",
  "bisect log",
  "notes list",
  "var GIT_EDITOR",
  "whatchanged",
];
const gitOptions = [
  "--output=PWN",
  "--output PWN",
  "--outp=PWN",
  "-o PWN",
  "-oPWN",
  "--ext-diff",
  "--textconv",
  "--no-textconv",
  "-O",
  "-Otouch",
  "--open-files-in-pager=touch",
  "-p",
  "--stat",
  "-c core.pager='touch PWN'",
  "-c alias.x='!touch PWN'",
  "-C sub",
  "--git-dir=.git",
  "--exec-path=.",
  "--work-tree=sub",
  "-d",
  "-D main",
  "-m x",
  "-M main y",
  "--edit-description",
  "--set-upstream-to=x",
  "-f",
  "-a",
  "--all",
  "-u",
  "--unset x",
  "--add x y",
  "--delete",
  "-S",
  "--show-signature",
  "--contents .env",
  "--no-index .env a.txt",
  "--no-index a.txt link/secret.txt",
  "-L1,2:a.txt",
  "--follow a.txt",
  "--",
  ".env",
  "HEAD:.env",
  "HEAD:a.txt",
  ":a.txt",
  "--cached",
  "--staged",
  "-z",
  "-n1",
  "--format=%G?",
  "--pretty=%h",
  "--paginate",
  "--exec=touch",
  "--upload-pack=touch",
  "--ours",
  "-W",
  "--word-diff",
  "--name-only",
  "@{u}",
  "HEAD~1",
  "-I",
  "--filters",
  "--batch",
  "--contains",
  "-e",
  "-F a.txt",
  "--file=a.txt",
  "--global",
  "-l",
  "--get-regexp .",
  "--replace-all a.b c",
  "--edit",
  "-r",
  "--porcelain",
];

export function gitLine(random: Random): string {
  const before = random.chance(15) ? `${random.pick(gitOptions)} ` : "";
  return `git ${before}${random.pick(gitCommands)} ${random.some(() => random.pick(gitOptions), 0, 3).join(" ")}`;
}

const findWords = [
  "-name",
  "'*'",
  "-type",
  "f",
  "-exec",
  "cat",
  "touch",
  "PWN",
  "{}",
  "+",
  "\\;",
  "';'",
  "-delete",
  "-print0",
  "-printf",
  "'%p'",
  "-fprint",
  "-fprintf",
  "-fls",
  "-ok",
  "-execdir",
  "-prune",
  "-o",
  "-a",
  "!",
  "(",
  "\\(",
  "\\)",
  "-newer",
  "a.txt",
  "-size",
  "+1k",
  "-maxdepth",
  "2",
  "-L",
  "-follow",
  "-files0-from",
  "-quit",
  "-regex",
  ".*",
  "-de\\lete",
  "-{delete,print}",
  "-delet?",
];

export function findLine(random: Random): string {
  return `find ${random.pick([".", "sub", "", "link", "link/", "-L .", ".."])} ${random.some(() => random.pick(findWords), 1, 6).join(" ")}`;
}

let told: readonly (readonly [string, readonly string[]])[] | undefined;

/** The options that each listed program tells of itself, whether or not the table knows them. */
function toldOptions(): readonly (readonly [string, readonly string[]])[] {
  told ??= Object.keys(rows).flatMap((name) => {
    if (!/^[a-z0-9_-]+$/i.test(name) || ["yes", "sleep", "top"].includes(name)) return [];
    const said = spawnSync(name, ["--help"], { encoding: "utf8", timeout: 3_000, stdio: ["ignore", "pipe", "pipe"] });
    const found = `${said.stdout ?? ""}${said.stderr ?? ""}`.match(/(?<![\w-])--?[A-Za-z][\w-]*(?:=?)/g) ?? [];
    return [[name, [...new Set(found)]] as const];
  });
  return told;
}

export function optionLine(random: Random): string {
  const [name, options] = random.pick(toldOptions());
  const option = (): string => {
    const whole = options.length > 0 ? random.pick(options) : "-o";
    const cut = random.chance(25) ? whole.slice(0, 3 + random.below(Math.max(1, whole.length - 2))) : whole;
    const value = random.pick(["PWN", "a.txt", "1", ".env", "touch", "sub", "-", "'touch PWN'"]);
    if (cut.endsWith("=")) return cut + value;
    return random.chance(40) ? `${cut}${random.pick([" ", "=", ""])}${value}` : cut;
  };
  const operands = random.some(() => random.pick([...names, "PWN", "a"]), 0, 3).join(" ");
  return random.chance(80)
    ? `${name} ${random.some(option, 1, 3).join(" ")} ${operands}`
    : `${name} ${operands} ${random.some(option, 1, 2).join(" ")}`;
}
