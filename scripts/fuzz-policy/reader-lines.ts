// What programs that read are handed: names from pipes and searches, wildcards in options, archives, settings.
import type { Random } from "./random.ts";

const feeds = [
  "ls",
  "git ls-files",
  "git ls-files -z",
  "find . -name '*.txt'",
  "find . -print0",
  "grep -rl a .",
  "cat a.txt",
  "echo a.txt .env",
  "echo link/secret.txt",
  "printf '%s\\n' -r . .env",
  "printf '%s\\0' -o PWN a.txt",
  "echo '-o PWN'",
  "printf '%s\\n' --output=PWN '$(touch PWN)' '`touch PWN`'",
  "echo --files0-from=a.txt",
  "printf '%s\\n' -w PWN",
];
const xargsOptions = [
  "-0",
  "-n1",
  "-I{}",
  "-I %",
  "-r",
  "-P 2",
  "-L1",
  "-d '\\n'",
  "-t",
  "-a a.txt",
  "-p",
  "-i",
  "--replace",
  "-x",
  "-s 100",
];
const getters = [
  ...[
    "cat",
    "wc -l",
    "head -n 2",
    "tail -n 1",
    "grep -n a",
    "egrep a",
    "fgrep -l a",
    "ls -l",
    "ls",
    "stat",
    "du",
    "basename",
    "echo",
  ],
  ...[
    "sort",
    "sed -n 1p",
    "sed -i s/a/b/",
    "awk 1",
    "file",
    "md5sum",
    "cut -c1",
    "nl",
    "xxd",
    "od -c",
    "tr a b",
    "tee",
    "tee PWN",
  ],
  ...[
    "touch",
    "rm",
    "sh -c",
    "sh -c '{}'",
    "env",
    "git show",
    "git log --",
    "zcat",
    "zgrep a",
    "tar tf",
    "tar xf",
    "less",
    "more",
    "diff a.txt",
  ],
  ...[
    "find",
    "rg a",
    "jq .",
    "column -t",
    "uniq",
    "test -f",
    "printf '%s'",
    "expr",
    "dirname",
    "realpath",
    "readlink -f",
    "nm",
    "which",
  ],
];

/** Names from a pipe, or from a search, for programs that read and for others. */
export function pipedLine(random: Random): string {
  const mark = random.pick(["{}", "{}", "%", "sub/{}", "-{}", "--file={}", "a{}b"]);
  const getter = random.pick(getters) + (random.chance(45) ? ` ${mark}` : "");
  if (random.chance(30)) {
    const tests = random.some(
      () => random.pick(["-type f", "-name '*.txt'", "-type l", "-o", "!", "-maxdepth 2"]),
      0,
      2,
    );
    const start = random.pick([".", "sub", "-L .", "link", "-H link", "*"]);
    return `find ${start} ${tests.join(" ")} -exec ${getter} ${random.pick(["{} \\;", "{} +", "\\;", "+"])}`;
  }
  const between = random.chance(20)
    ? `${random.pick(["head -1", "sort", "tr a b", "tee", "tee PWN", "sed s/a/b/"])} | `
    : "";
  const options = random.some(() => random.pick(xargsOptions), 0, 2).join(" ");
  return `${random.pick(feeds)} | ${between}xargs ${options} ${getter}`;
}

const globs = ["*.txt", "*", "a*", "-*", "--*", "s*", "*.json", "li*", "link/*", ".e*", "?.txt", "[ab].txt"];

/** Wildcards in and behind options; archives, pagers, searches in packed files and settings of git. */
export function globLine(random: Random): string {
  const glob = (): string => random.pick(globs);
  const ways: readonly (() => string)[] = [
    () =>
      `grep -rn a ${random.pick(["--include=", "--exclude=", "--include ", "--file=", "-f", "-e ", "-m "])}${glob()} ${random.pick([".", "", "a.txt"])}`,
    () =>
      `ls ${random.pick(["--ignore=", "-I ", "--hide=", "--color=", "-w ", "--time-style="])}${glob()} ${random.pick([".", ".."])}`,
    () => `sort ${random.pick(["-t ", "-k ", "-o ", "--output=", "-T ", "--files0-from="])}${glob()} a.txt`,
    () => `tree ${random.pick(["-I ", "-P ", "-o ", "-L "])}${glob()}`,
    () => `du ${random.pick(["--exclude=", "--files0-from=", "-d "])}${glob()} .`,
    () => `find . -name ${glob()} ${random.pick(["", "-print", "-o -name b"])}`,
    () =>
      `tar ${random.pick(["tf", "-tzf", "tvf", "xf", "tfO", "-t -f", "--list -f", "ft", "tIf"])} ${random.pick([glob(), "a.tar", "x:a.tar", "a.tar -C ..", "a.tar --to-command=touch", "a.tar --checkpoint-action=exec=touch\\ PWN --checkpoint=1"])}`,
    () =>
      `zgrep ${random.pick(["-n", "-in", "-l", "-f a.txt", "-e a", "-A 1", "", "-r"])} ${random.pick(["a", "'a$(touch PWN)'", '"a\'b"', "';touch PWN;'", "a`true`"])} ${random.pick([glob(), "a.txt", "'x y.txt'", "a.txt b.txt", "\"x';touch PWN;'.gz\""])}`,
    () =>
      `${random.pick(["zcat", "gunzip -c", "gunzip", "gunzip -l", "gunzip -k", "zegrep a", "zfgrep a"])} ${random.pick([glob(), "a.txt", "-f a.txt"])}`,
    () =>
      `${random.pick(["less", "more"])} ${random.pick(["", "-N", "+F", "'+!touch PWN'", "-o PWN", "--log-file=PWN", "-F -X", "-k a.txt"])} ${random.pick([glob(), "a.txt"])}`,
    () =>
      `cat a.txt | ${random.pick(["tee", "tee -a", "less", "more", "egrep a", "fgrep -c a"])} ${random.pick(["", "/dev/null", "PWN", "-", glob(), "/dev/stderr"])}`,
    () =>
      `git config ${random.pick(["--get", "", "--global", "--get-all", "--local --get", "--add", "--unset"])} ${random.pick(["user.name", "core.editor", "pull.rebase", "user.name x", "alias.x", "--list", "remote.origin.url"])}`,
    () =>
      `${random.pick(["grep -R a", "rg -L a", "diff -r sub", "ls -L", "du -L", "nm", "find -L"])} ${random.pick([".", "sub", "link", "a.txt", "src"])}`,
    () =>
      `${random.pick(["bash", "sh", "dash", "zsh"])} ${random.pick(["--version", "--help", "--version -c 'touch PWN'", "--rcfile a.txt", "--version a.txt"])}`,
  ];
  return random.pick(ways)();
}
