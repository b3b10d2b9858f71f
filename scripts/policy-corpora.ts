// Judges the commands of public corpora, and runs every one that would need no question: none may have an effect.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isSecretPath } from "../src/contract/path/secret-path.ts";
import { say } from "../src/contract/text/catalogue.ts";
import { judgeCommand } from "../src/policy/command.ts";
import { hardening } from "../src/policy/shell/programs/hardening.ts";
import type { CommandJudgement, PathWord } from "../src/policy/shell/verdict/judgement.ts";
import { straceProblem, type Traced, trace } from "../test/support/strace.ts";
import { everyday, percent, readLines } from "./policy-corpora/everyday.ts";
import { namedIn, snapshot } from "./policy-corpora/project.ts";

interface Row {
  readonly id: string;
  readonly command: string;
  readonly expected?: string | null;
}

interface Verdict {
  readonly row: Row;
  /** `null`: it runs without a question. */
  readonly why: string | null;
  readonly judgement: CommandJudgement;
}

const folder = fileURLToPath(new URL("../../shared/corpora", import.meta.url));
const facts = {
  ...{ gitProblem: null, home: "/home/somebody", folder: "/home/somebody/project" },
  isExported: (name: string) => /^(?:PATH|HOME|USER|LC_ALL|GIT_.*)$/.test(name),
};
// Below this the engine asks too often to be of use.
const leastShare = 0.264;

function rowsOf(name: string): readonly Row[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
}

function verdictOf(row: Row): Verdict {
  const judgement = judgeCommand(row.command, facts);
  const reason = judgement.reasons[0];
  if (reason) return { row, judgement, why: `${reason.key}: ${say("en", reason)}` };
  const path = judgement.reads.map(problemOf).find((problem) => problem !== null) ?? null;
  return { row, judgement, why: path };
}

/** As in a sandbox, and in a workspace where every path that is named is there, and none is a link. */
function problemOf({ path, anywhere }: PathWord): string | null {
  if (anywhere) return null;
  if (/^[/~]/.test(path)) return `path: outside: ${path}`;
  let depth = 0;
  for (const part of path.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    if (depth < 0) return `path: outside: ${path}`;
  }
  return isSecretPath(path) ? `path: secret: ${path}` : null;
}

/** Files for everything that the commands read, so that they do more than fail. */
function makeWorkspace(at: string, verdicts: readonly Verdict[]): void {
  const names = ["file.txt", "src/main.c", "src/a.php", "src/b.java", "docs/a.md", "x y/z.txt", ".hidden", "a.log"];
  const read = verdicts.flatMap(({ judgement }) =>
    judgement.reads.filter(({ isGlob }) => !isGlob).map(({ path }) => path),
  );
  for (const name of [...names, ...read]) {
    const file = join(at, name);
    try {
      mkdirSync(dirname(file), { recursive: true });
      if (!existsSync(file)) writeFileSync(file, `${name}\nfoo bar 1 2 3\n`);
    } catch (error) {
      // One name may be a folder to another, or too long for this disk: the command then fails as it would anywhere.
      if (!["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? ""))
        throw error;
    }
  }
}

/** Runs them without network and with a workspace that could be written. */
async function execute(
  verdicts: readonly Verdict[],
): Promise<{ readonly found: readonly Traced[]; readonly isSame: boolean }> {
  const root = mkdtempSync(join(tmpdir(), "coder-corpora-"));
  const before = process.env.TMPDIR;
  try {
    const cwd = join(root, "ws");
    const trees = join(root, "trace");
    for (const one of [cwd, trees, join(root, "home")]) mkdirSync(one);
    makeWorkspace(cwd, verdicts);
    const first = snapshot(cwd);
    process.env.TMPDIR = trees;
    const within = [
      ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", root, root],
      ...["--unshare-all", "--die-with-parent", "--chdir", cwd],
    ];
    const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    const env = { PATH: path, HOME: join(root, "home"), LC_ALL: "C.UTF-8", USER: "somebody", ...hardening };
    const judged = new Map(verdicts.map(({ row, judgement }) => [row.command, judgement]));
    const programs = (line: string): ReadonlySet<string> => namedIn(judged.get(line)?.commands ?? []);
    const wish = { cwd, env, seconds: 3, within, programs };
    const all = await trace(
      verdicts.map(({ row }) => row.command),
      wish,
    );
    // What a line leaves running may show up under the next one.
    const found: Traced[] = [];
    for (const one of all) found.push(...(one.effects.length > 0 ? await trace([one.line], wish) : [one]));
    return { found, isSame: first === snapshot(cwd) };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(root, { recursive: true, force: true });
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The reasons that kept most commands from running without a question. */
function printWhy(verdicts: readonly Verdict[]): void {
  const counts = new Map<string, { count: number; example: string }>();
  for (const { why, row } of verdicts) {
    if (why === null) continue;
    const known = counts.get(groupOf(why)) ?? { count: 0, example: `${why}   |   ${row.command}` };
    counts.set(groupOf(why), { ...known, count: known.count + 1 });
  }
  print("\nwhy not, the first reason of each");
  const sorted = [...counts].sort(([, a], [, b]) => b.count - a.count).slice(0, 30);
  for (const [why, { count, example }] of sorted)
    print(`${String(count).padStart(5)}  ${why}   e.g. ${example.slice(0, 160)}`);
}

function groupOf(why: string): string {
  return why
    .split(": ")
    .slice(0, why.startsWith("path") ? 2 : 1)
    .join(": ");
}

interface Safety {
  readonly wrong: readonly Verdict[];
  readonly unneeded: readonly Verdict[];
  /** A peer asks, we do not: each is run like all others. */
  readonly freer: readonly Verdict[];
}

function judgeSafety(verdicts: readonly Verdict[]): Safety {
  const has = (kinds: readonly string[], isAllowed: boolean) =>
    verdicts.filter(({ row, why }) => kinds.includes(row.expected ?? "") && (why === null) === isAllowed);
  return { wrong: has(["unsafe", "deny"], true), unneeded: has(["safe", "allow"], false), freer: has(["ask"], true) };
}

async function main(args: readonly string[]): Promise<number> {
  if (!existsSync(folder)) {
    print(`Skipped: there are no corpora at ${folder}.`);
    return 0;
  }
  const problem = straceProblem() ?? (Bun.which("bwrap") ? null : "bubblewrap (bwrap) is not installed");
  if (problem !== null) {
    print(problem);
    return 1;
  }
  const safety = rowsOf("shell-safety.jsonl").map(verdictOf);
  const daily = rowsOf("nl2bash-sample.jsonl").map(verdictOf);
  const { wrong, unneeded, freer } = judgeSafety(safety);
  const allowed = daily.filter(({ why }) => why === null);
  const { found, isSame } = await execute([...allowed, ...safety.filter(({ why }) => why === null)]);
  const effects = found.filter((one) => one.effects.length > 0);
  const share = allowed.length / daily.length;
  print(`shell-safety   wrong allows      ${wrong.length} of ${safety.length}`);
  for (const { row } of wrong) print(`    ${row.id} ${row.command}`);
  print(`shell-safety   unneeded asks     ${unneeded.length}`);
  for (const { row, why } of unneeded) print(`    ${row.id} ${row.command}   ${why}`);
  print(`shell-safety   a peer asks here  ${freer.length}`);
  for (const { row } of freer) print(`    ${row.id} ${row.command}`);
  print(
    `nl2bash        auto-allowed      ${percent(allowed.length, daily.length)}, at least ${(100 * leastShare).toFixed(1)} %`,
  );
  print(
    `both           executed          ${found.length}, with an effect ${effects.length}, workspace ${isSame ? "unchanged" : "CHANGED"}`,
  );
  for (const one of effects) print(`    ${one.line}\n        ${one.effects.slice(0, 3).join("\n        ")}`);
  for (const one of found.filter(({ isEndless }) => isEndless)) print(`    did not end in time: ${one.line}`);
  if (args.includes("--why")) printWhy(daily);
  const isCalm = await everyday(readLines(folder), print);
  if (args.includes("--list")) for (const { row } of allowed) print(row.command);
  return wrong.length === 0 && effects.length === 0 && isSame && share >= leastShare && isCalm ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
