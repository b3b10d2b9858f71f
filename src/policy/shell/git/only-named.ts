import type { CommandJudgement } from "../verdict/judgement.ts";

/** These read only the files they are given: neither the working directory nor configuration elsewhere. */
const programs = new Set([
  ...["cat", "tac", "head", "tail", "nl", "wc", "cut", "paste", "join", "comm", "sort", "uniq", "tsort", "shuf", "tr"],
  ...["fold", "fmt", "expand", "unexpand", "rev", "column", "col", "od", "xxd", "hexdump", "hd", "strings", "iconv"],
  ...[
    "base64",
    "base32",
    "cksum",
    "sum",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
  ],
  ...[
    "grep",
    "egrep",
    "fgrep",
    "sed",
    "awk",
    "gawk",
    "mawk",
    "jq",
    "diff",
    "cmp",
    "file",
    "stat",
    "readlink",
    "realpath",
  ],
  ...[
    "zcat",
    "bzcat",
    "xzcat",
    "zgrep",
    "cd",
    "test",
    "[",
    "[[",
    "echo",
    "printf",
    "true",
    "false",
    ":",
    "pwd",
    "basename",
  ],
  ...["dirname", "seq", "expr", "exit", "sleep", "date"],
]);

/** These show names and owners of files, not their contents. */
const listing = new Set([
  ...["ls", "dir", "vdir", "stat", "find", "du", "tree", "cd", "test", "[", "[[", "echo", "printf", "true", "pwd"],
]);

/** Whether user names may be visible to the command: a command that shows file contents might be led to their files instead. */
export function showsOnlyNames({ commands }: CommandJudgement): boolean {
  return commands.every(({ words: [first] }) => first?.kind === "literal" && listing.has(first.value));
}

/** Whether a read-only command line behaves the same if only the files it names exist. */
export function readsOnlyNamed({ commands, reads, usesGit }: CommandJudgement): boolean {
  if (usesGit || reads.some(({ isGlob, obeys, tracked, anywhere }) => isGlob || obeys || tracked || anywhere))
    return false;
  return commands.every(({ words: [first] }) => first?.kind === "literal" && programs.has(first.value));
}
