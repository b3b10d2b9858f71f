import { expect, test } from "bun:test";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { programNamed } from "../../../../src/policy/shell/programs/table.ts";
import { linesOf, ownLines, rows, scriptLines } from "./lines.ts";
import { roaming } from "./roaming.ts";
import { unsafe } from "./unsafe.ts";
import { unsafeGit } from "./unsafe-git.ts";

const facts = { gitProblem: null, home: "/home/somebody", isRealProgram: () => true };

test("[PO-4] [SA-executing-flags] no unsafe neighbour of a listed command is taken for a read", () => {
  const all = [...Object.values(unsafe).flat(), ...unsafeGit];
  expect(all.filter((line) => judgeCommand(line, facts).isReadOnly)).toEqual([]);
});

test("[PO-4] [SA-links] what follows links, or opens what files name, says that it may read anything", () => {
  const isOpen = (line: string) => {
    const { isReadOnly, reads } = judgeCommand(line, facts);
    return isReadOnly && reads.some(({ anywhere }) => anywhere);
  };
  expect(roaming.filter((line) => !isOpen(line))).toEqual([]);
});

test("[PO-4] every row has an unsafe neighbour that is tested, or only options without effect", () => {
  const bare = Object.keys(rows).filter(
    (name) => unsafe[name] === undefined && name !== "git" && !rows[name]?.takesAnyWord,
  );
  expect(bare.sort()).toEqual(harmless.split(" ").sort());
});

/** No option and no operand of these changes anything, on any system; or they take none. */
const harmless =
  "tsort col fmt factor fdfind md5 base32 cal ncal arch nproc whoami logname groups uptime w users tty lscpu lsblk pstree bun deno python python3 perl rustc curl wget ssh sqlite3 docker podman psql ruff uv ninja protoc g++ gcc cc c++ clang clang++ make cmake pwd help dirs times exit break continue zipinfo xzcat bzcat";

test("[PO-4] every line that the table offers is allowed, and is not where git may not be trusted", () => {
  const seen = new Set<object>();
  const lines = Object.entries(rows).flatMap(([name, row]) => linesOf(name, row, { joined: 1, seen }));
  const all = [...lines, ...Object.values(ownLines).flat(), ...scriptLines];
  expect(all.filter((line) => !judgeCommand(line, facts).isReadOnly)).toEqual([]);
  const isGit = (line: string) => line.startsWith("git ");
  const gitProblem = phrase("shell.program", { program: "git" });
  const distrusted = lines.filter((line) => judgeCommand(line, { ...facts, gitProblem }).isReadOnly);
  expect(distrusted.filter(isGit)).toEqual([]);
  expect(distrusted.length).toBe(lines.filter((line) => !isGit(line)).length);
});

test("[PO-7] paths in options and behind a revision are handed out as reads", () => {
  const reads = (line: string) => judgeCommand(line, facts).reads.map(({ path }) => path);
  expect(reads("grep -e x /etc/passwd")).toEqual(["/etc/passwd"]);
  expect(reads("grep -f /etc/shadow a")).toEqual(["/etc/shadow", "a"]);
  expect(reads("grep /etc/passwd a")).toEqual(["a"]);
  expect(reads("rg --files /etc")).toEqual(["/etc"]);
  expect(reads("date -r /etc/shadow")).toEqual(["/etc/shadow"]);
  expect(reads("git show HEAD:.env")).toEqual(["HEAD:.env", ".env"]);
  expect(reads("git diff /etc/passwd /etc/group")).toEqual(["/etc/passwd", "/etc/group", "."]);
  expect(reads("git log -L1,2:.env")).toEqual(["1,2:.env", ".env", "."]);
  expect(reads("git log -L '/a:b/,/c/:.env'")).toEqual(["/a:b/,/c/:.env", "b/,/c/:.env", ".env", "."]);
  expect(reads("git diff --no-index /etc/shadow .env")).toEqual(["/etc/shadow", ".env"]);
  expect(reads("git blame -L '/useState/,+3' a")).toEqual(["a", "."]);
  expect(reads("git grep x -- .env")).toEqual([".env", "."]);
  expect(reads("diff -X /etc/shadow a b")).toEqual(["/etc/shadow", "a", "b"]);
  expect(reads("jq --rawfile x /etc/shadow . a")).toEqual(["/etc/shadow", "a"]);
  expect(reads("[ -f /etc/shadow ]")).toEqual(["/etc/shadow"]);
  expect(reads("realpath --relative-to=/etc a")).toEqual(["/etc", "a"]);
});

test("[PO-4] a version is asked for only where the program is no stand-in of a version manager", () => {
  const judged = (isRealProgram: boolean | null, line: string) =>
    judgeCommand(line, {
      ...facts,
      isRealProgram: isRealProgram === null ? undefined : () => isRealProgram,
    } as typeof facts).isReadOnly;
  expect([true, false, null].map((one) => judged(one, "python3 --version"))).toEqual([true, false, false]);
  expect([true, false, null].map((one) => judged(one, "/usr/bin/python3 --version"))).toEqual([true, true, true]);
});

test("[PO-4] a full path counts only in a folder of the system", () => {
  for (const name of ["/bin/ls", "/usr/bin/grep", "/usr/bin/git"]) expect(programNamed(name)).not.toBeNull();
  const not = [
    "./ls",
    "bin/ls",
    "/ls",
    "/usr/local/bin/ls",
    "/tmp/ls",
    "/usr/bin/../../tmp/ls",
    "/usr/bin/x/ls",
    "/bin/",
  ];
  const builtins = ["/bin/type", "/usr/bin/set", "/usr/bin/:", "/bin/history"];
  const strange = ["", "constructor", "__proto__", "toString", "/bin/constructor", "LS", "ls "];
  expect([...not, ...builtins, ...strange].filter((name) => programNamed(name) !== null)).toEqual([]);
});
