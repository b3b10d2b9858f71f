import type { CommandJudgement } from "../verdict/judgement.ts";

/** They read the files that they are given, and nothing else: neither the folder they run in, nor rules that stand in others. */
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

/** They tell what files are called and whose they are, not what stands in them. */
const listing = new Set([
  ...["ls", "dir", "vdir", "stat", "find", "du", "tree", "cd", "test", "[", "[[", "echo", "printf", "true", "pwd"],
]);

/** Whether the names of users may be there: whoever could show a file might be led to them instead. */
export function showsOnlyNames({ commands }: CommandJudgement): boolean {
  return commands.every(({ words: [first] }) => first?.kind === "literal" && listing.has(first.value));
}

/** Whether a command line that only reads sees the same where nothing is there but what it names. */
export function readsOnlyNamed({ commands, reads, usesGit }: CommandJudgement): boolean {
  if (usesGit || reads.some(({ isGlob, obeys, tracked, anywhere }) => isGlob || obeys || tracked || anywhere))
    return false;
  return commands.every(({ words: [first] }) => first?.kind === "literal" && programs.has(first.value));
}
