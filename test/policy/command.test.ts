import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { judgeCommand } from "../../src/policy/command.ts";
import { cases, runs } from "./shell/cases.ts";
import { facts } from "./shell/facts.ts";

const judge = (command: string) => judgeCommand(command, facts);
const isReadOnly = (command: string) => judge(command).isReadOnly;

test("[PO-4] a command that only reads has no reasons, is whole, and names its paths", () => {
  expect(judge("ls -la src | head -n 5")).toEqual({
    isReadOnly: true,
    reasons: [],
    unsettled: [],
    always: [],
    commands: [
      {
        words: [
          { kind: "literal", value: "ls", text: "ls" },
          { kind: "literal", value: "-la", text: "-la" },
          { kind: "literal", value: "src", text: "src" },
        ],
        ...{ argv: ["ls", "-la", "src"], text: "ls -la src", through: [], isReadOnly: true },
      },
      {
        words: [
          { kind: "literal", value: "head", text: "head" },
          { kind: "literal", value: "-n", text: "-n" },
          { kind: "literal", value: "5", text: "5" },
        ],
        ...{ argv: ["head", "-n", "5"], text: "head -n 5", through: [], isReadOnly: true },
      },
    ],
    isWhole: true,
    reads: [{ path: "src", isGlob: false, isNamed: true, isListed: true }],
    writes: [],
    mentions: [],
    removes: [],
    ...{ usesGit: false, namesGitFolder: false },
  });
});

test("[PO-4] a command longer than 64 KiB is not looked at", () => {
  const echo = (length: number) => judge(`echo ${"a".repeat(length - 5)}`);
  expect([echo(65_536).isReadOnly, echo(65_537)]).toEqual([
    true,
    {
      ...{
        isReadOnly: false,
        isWhole: false,
        usesGit: false,
        namesGitFolder: false,
        commands: [],
        reads: [],
        writes: [],
        mentions: [],
        removes: [],
      },
      unsettled: [],
      reasons: [{ key: "shell.too_long", args: { limit: 65_536 } }],
      always: [{ reason: { key: "shell.too_long", args: { limit: 65_536 } }, command: null, isUnread: true }],
    },
  ]);
});

const corpora = join(import.meta.dir, "..", "..", "..", "shared", "corpora");
const corpus = join(corpora, "shell-safety.jsonl");
const oneLiners = join(corpora, "nl2bash-sample.jsonl");

function rowsOf(file: string): readonly { id: string; command: string; expected?: string | null }[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Paths that the engine would find outside ask all the same. */
function isAllowed(command: string): boolean {
  const { isReadOnly, reads } = judge(command);
  return isReadOnly && !reads.some(({ path, anywhere }) => !anywhere && /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path));
}

if (!existsSync(corpus)) console.warn("shell corpora are not there: the tests against them are skipped");

test.skipIf(!existsSync(corpus))("[PO-4] no command that a public corpus calls unsafe is judged read-only", () => {
  const rows = rowsOf(corpus);
  const unsafe = rows.filter(({ expected }) => expected === "unsafe" || expected === "deny");
  expect(unsafe.length).toBeGreaterThan(25);
  expect(unsafe.filter(({ command }) => isAllowed(command))).toEqual([]);
  // Elsewhere these ask for want of a rule, or because no expansion is followed; they print text and nothing else.
  const asked = rows.filter(({ expected, command }) => expected === "ask" && isAllowed(command));
  const names = asked.flatMap(({ command }) =>
    judge(command).commands.map(({ argv, words }) => (argv ?? [words[0]?.text])[0]),
  );
  expect(names.filter((name) => !/^(?:echo|grep|pwd|ls)$/.test(name ?? ""))).toEqual([]);
});

test.skipIf(!existsSync(oneLiners))("[PO-4] a third of real one-liners is judged read-only", () => {
  const rows = rowsOf(oneLiners);
  expect(rows.filter(({ command }) => isAllowed(command)).length / rows.length).toBeGreaterThan(0.32);
});

/** Runs the commands in a folder with known content and tells what is there afterwards. */
async function treeAfter(commands: readonly string[]): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "coder-command-"));
  try {
    mkdirSync(join(folder, "d"));
    for (const name of ["a", "b.txt", "d/c", "-delete", "-n"]) writeFileSync(join(folder, name), `${name}\n`);
    const script = commands.map((command) => `(\n${command}\n) </dev/null`).join("\n");
    const shell = Bun.spawn(["bash", "-c", script], {
      ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
      timeout: 30_000,
    });
    await shell.exited;
    expect(shell.signalCode).toBeNull();
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    return names.map((name) => [name, name === "d" ? null : readFileSync(join(folder, name), "utf8")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const untouched = [
  ["-delete", "-delete\n"],
  ["-n", "-n\n"],
  ["a", "a\n"],
  ["b.txt", "b.txt\n"],
  ["d", null],
  ["d/c", "d/c\n"],
];

const piece = fc.constantFrom(
  ...[
    "ls",
    "cat",
    "head",
    "wc",
    "echo",
    "sort",
    "uniq",
    "find .",
    "sed",
    "awk",
    "xargs",
    "rm",
    "touch",
    "tee",
    "cp",
    "mv",
  ],
  ...["a", "b.txt", "d", "new", "-n", "-la", "-c", "5", "-rf", "--", "'a'", "'; rm a'", "-o", "-f", "-delete", "-exec"],
  ...[
    "{}",
    "\\;",
    "+",
    "-name",
    "-type f",
    "-print0",
    "-0",
    "p",
    "1p",
    "'w new'",
    "s/a/b/w",
    "{print}",
    "'{print > \"new\"}'",
  ],
  ...[
    "|",
    "&&",
    "||",
    ">",
    ">a",
    "<a",
    ";",
    "$(rm a)",
    "`rm a`",
    "<(rm a)",
    "\n",
    "*",
    "{a,b}",
    "-{delete,print}",
    "\\",
  ],
  ...[
    '"',
    "'",
    "#",
    "!",
    "(",
    ")",
    "{",
    "}",
    "if",
    "then",
    "fi",
    "for f in a b; do",
    "done",
    '"$f"',
    "$f",
    "[[ -f a ]]",
    "\\\n",
  ],
);

test("[PO-4] random commands judged read-only change no file when they run", async () => {
  const command = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(" "));
  const proved = fc.sample(command, cases(Math.max(6000, runs * 6))).filter(isReadOnly);
  expect(proved.length).toBeGreaterThan(50);
  expect(await treeAfter([...new Set(proved)].slice(0, 500))).toEqual(untouched);
}, 120_000);

test("[PO-4] [SA-redirects] input for which the shell would make a temporary file is not read-only", () => {
  const isReadOnly = (line: string) => judgeCommand(line, facts).isReadOnly;
  const lines = (text: string) => [`cat <<E\n${text}\nE`, `cat <<'E'\n${text}\nE`, `cat <<< "${text}"`];
  expect(lines("x".repeat(4000)).map(isReadOnly)).toEqual([true, true, true]);
  expect(lines("x".repeat(5000)).map(isReadOnly)).toEqual([false, false, false]);
  // Bytes are counted, and what a known variable holds.
  expect(lines("\u4e2d".repeat(2000)).map(isReadOnly)).toEqual([false, false, false]);
  const loop = (times: number) => `for x in ${"y".repeat(100)}; do cat <<E\n${"$x".repeat(times)}\nE\ndone`;
  expect([10, 60].map((times) => isReadOnly(loop(times)))).toEqual([true, false]);
});

test("[PO-7] [SA-links] a tilde in quotes is a name before a wildcard and behind cd too", () => {
  const reads = (line: string) => judgeCommand(line, facts).reads.map(({ path }) => path);
  expect([reads("cat '~'/*"), reads("cat \\~*")]).toEqual([["./~/*"], ["./~*"]]);
  expect(reads("cd '~/..' && cat a")).toEqual(["./~/..", "./~/../a", "a"]);
  expect(reads("cat [\\\n]")).toEqual(["[]"]);
});
