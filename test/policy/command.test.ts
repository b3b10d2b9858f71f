import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isPathShadowed, judgeCommand } from "../../src/policy/command.ts";

const reads: readonly (readonly [command: string, paths: readonly string[]])[] = [
  ["pwd", []],
  ["ls", []],
  ["ls -la src test/policy", ["src", "test/policy"]],
  ["ls --all -- -x", ["-x"]],
  ["cat -n package.json", ["package.json"]],
  ["cat 'a file' 'b*'", ["a file", "b*"]],
  ["head -n 5 a", ["a"]],
  ["head -n5 a", ["a"]],
  ["tail -20 a b", ["a", "b"]],
  ["tail -n +3 a", ["a"]],
  ["head -c 100 a | wc -l", ["a"]],
  ["echo -n hi 'there; rm -rf /' && true", []],
  ["date", []],
  ["date -u '+%Y-%m-%d %H:%M'", []],
  ["uname -a | cat", []],
  ["id -un", []],
  ["whoami", []],
  ["dirname a/b", []],
  ["basename a/b.ts .ts", []],
  ["stat -c '%s %n' a", ["a"]],
  ["du -sh src", ["src"]],
  ["du -d 1 .", ["."]],
  ["cat -", ["-"]],
  ["ls && pwd", []],
];

test.each(reads)("[PO-4] %p is read-only and hands out its paths", (command, paths) => {
  const { readOnly, paths: found } = judgeCommand(command);
  expect([readOnly, found]).toEqual([true, [...paths]]);
});

const notProved = [
  // not plain words
  ...[
    "",
    " ",
    " ls",
    "ls ",
    "ls  -l",
    "ls\t-l",
    "ls\npwd",
    "ls\r",
    "ls\\\n-l",
    "ls;pwd",
    "ls; pwd",
    "ls & pwd",
    "ls &",
  ],
  ...["ls || pwd", "ls |& cat", "ls &&", "&& ls", "ls | | wc", "ls | && wc", "!ls", "(ls)", "{ ls; }", "ls #x"],
  ...[
    "echo $HOME",
    'echo "hi"',
    'echo "$HOME"',
    "echo $(id)",
    "echo `id`",
    "echo $\u007bx@P}",
    "cat <(id)",
    "cat $IFS",
  ],
  ...["ls > a", "ls >a", "cat < a", "cat <<E", "ls 2>&1", "ls *", "ls ?", "ls [a]", "ls {a,b}", "ls ~", "ls a\\ b"],
  ...[
    "echo 'a'b",
    "echo 'a';rm a",
    "echo a'b'",
    "echo 'a",
    "echo 'a''b'",
    "echo '\u0007'",
    "cat 文档.md",
    "cat '文档.md'",
    "ls\u00a0-l",
  ],
  ...["A=b ls", "A=b", "=ls", "ls\0", "/bin/ls", "./ls", "command ls", "env ls", "sudo ls", "time ls", "builtin pwd"],
  // programs
  ...["rm a", "git status", "git log", "find .", "grep x a", "rg x", "sed -n 1p a", "awk 1 a", "sort a", "uniq a b"],
  ...["tee a", "touch a", "mkdir a", "cd ..", "cd src && ls", "export A", "source a", ". a", "eval ls", "exec ls"],
  ...["xargs ls", "bash -c ls", "sh", "node -v", "file a", "printenv", "test -f a", "constructor", "__proto__"],
  ["ls", "&&", "rm", "-rf", "/"].join(" "),
  // options
  ...["ls -L", "ls -H a", "ls --dereference", "ls --colo=never", "ls -la --hyperlink", "cat --numb a", "tail -f a"],
  ...["tail -F a", "tail --follow a", "tail -5f a", "head -n a", "head -n", "head -n 5k a", "wc --files0-from=a"],
  ...["du -L a", "du -X a", "du --exclude-from=a", "stat -f a", "stat --printf=x a", "date -s 1", "date --set=1"],
  ...["date -f a", "date -r a", "date 010100002030", "date +%Y +%m", "uname x", "id root", "whoami x", "pwd x"],
  ...["basename -s .ts a", "true x"],
  // where getopt does not reorder, the late option is the name of a file
  ...["cat a -n", "ls src -la"],
];

test.each(notProved)("[PO-4] %p is not proved read-only", (command) => {
  const { readOnly, paths } = judgeCommand(command);
  expect([readOnly, paths]).toEqual([false, []]);
});

test("a command longer than 4096 characters is not looked at", () => {
  expect([
    judgeCommand(`echo ${"a".repeat(4091)}`).readOnly,
    judgeCommand(`echo ${"a".repeat(4092)}`).readOnly,
  ]).toEqual([true, false]);
});

test("PATH shadows programs when it is relative or leads into a root, by whole segments", () => {
  const shadows = (path: string, root = "/ws") => isPathShadowed(path, [root]);
  const bad = ["/usr/bin:", "", ":/usr/bin", ".", "bin:/usr/bin", "/ws", "/ws/node_modules/.bin:/bin", "/usr/../ws/b"];
  const good = ["/usr/bin", "/wsother/bin:/bin", "/usr/local/bin:/usr/bin"];
  expect([bad.map((path) => shadows(path)), good.map((path) => shadows(path)), shadows("/bin", "/")]).toEqual([
    bad.map(() => true),
    good.map(() => false),
    true,
  ]);
});

const corpora = join(import.meta.dir, "../../../shared/corpora");
const corpus = join(corpora, "shell-safety.jsonl");
const oneLiners = join(corpora, "nl2bash-sample.jsonl");

function rowsOf(file: string): readonly { id: string; command: string; expected?: string | null }[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

if (!existsSync(corpus)) console.warn("shell corpora are not there: the tests against them are skipped");

test.skipIf(!existsSync(corpus))("[PO-4] no command that a public corpus calls unsafe is judged read-only", () => {
  const rows = rowsOf(corpus);
  const dangerous = rows.filter(({ expected }) => expected === "unsafe" || expected === "ask" || expected === "deny");
  expect(dangerous.length).toBeGreaterThan(40);
  expect(dangerous.filter(({ command }) => judgeCommand(command).readOnly)).toEqual([]);
});

test.skipIf(!existsSync(corpus))(
  "commands that a public corpus calls safe are judged read-only where the table has them",
  () => {
    const safe = rowsOf(corpus).filter(
      ({ expected, command }) => expected === "safe" && judgeCommand(command).readOnly,
    );
    expect(safe.map(({ command }) => command)).toEqual(["ls", "ls && pwd"]);
  },
);

/** Runs the commands in a folder with known content and tells what is there afterwards. */
async function treeAfter(commands: readonly string[]): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "coder-command-"));
  try {
    mkdirSync(join(folder, "d"));
    for (const name of ["a", "b.txt", "d/c", "-n"]) writeFileSync(join(folder, name), `${name}\n`);
    const shell = Bun.spawn(["bash", "-c", commands.map((command) => `{\n${command}\n}`).join("\n")], {
      ...{ cwd: folder, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
      timeout: 20_000,
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
  ["-n", "-n\n"],
  ["a", "a\n"],
  ["b.txt", "b.txt\n"],
  ["d", null],
  ["d/c", "d/c\n"],
];

test.skipIf(!existsSync(oneLiners))(
  "[PO-4] real one-liners judged read-only change no file when they run",
  async () => {
    const proved = rowsOf(oneLiners)
      .map(({ command }) => command)
      .filter((command) => judgeCommand(command).readOnly);
    expect(proved.length).toBeGreaterThan(5);
    expect(await treeAfter(proved)).toEqual(untouched);
  },
);

const piece = fc.constantFrom(
  ...["ls", "cat", "head", "tail", "wc", "echo", "date", "du", "stat", "pwd", "rm", "touch", "tee", "cp", "mv"],
  ...["a", "b.txt", "d", "new", "-n", "-la", "-c", "5", "-rf", "--", "'a'", "'; rm a'", "+%Y", "-s", "-o", "-f"],
  ...["|", "&&", ">", ">a", ";", "&", "$(rm a)", "`rm a`", "<(rm a)", "\n", "*", "{a,b}", "\\", '"', "'", "#", "!"],
);

test("[PO-4] random commands judged read-only change no file when they run", async () => {
  const command = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(" "));
  const proved = fc.sample(command, 20_000).filter((text) => judgeCommand(text).readOnly);
  expect(proved.length).toBeGreaterThan(50);
  expect(await treeAfter([...new Set(proved)].slice(0, 400))).toEqual(untouched);
});
