// What finding the changes of a shell command costs, beside `git status` on the same files in the same run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lookAfter, lookAhead, lookBefore, openSight } from "../src/platform/changes/look.ts";

export interface LookCost {
  readonly files: number;
  /** Milliseconds; the middle of several. */
  readonly gitStatus: number;
  /** Of a session in which nothing was looked at while the model wrote. */
  readonly cold: number;
  readonly first: number;
  readonly beforeAndAfter: number;
}

const perFolder = 10;

/** A repository of small files, ten to a folder, all committed but the last. `within`: all but that one lie in there. */
export function makeRepository(folder: string, files: number, within = ""): string {
  for (let at = 0; at < files - 1; at++) {
    const inside = Math.floor(at / perFolder);
    const deep = inside % 2 ? "src" : "";
    const path = join(folder, within, `pkg${Math.floor(inside / 100)}`, `mod${inside % 100}`, deep);
    if (at % perFolder === 0) mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `file${at % perFolder}.ts`), `export const x${at} = ${at};\n`.repeat(1 + (at % 60)));
  }
  for (const argv of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"],
    ["status"],
  ])
    git(folder, argv);
  writeFileSync(join(folder, "new.txt"), "new\n");
  return folder;
}

export function git(folder: string, argv: readonly string[]): void {
  const { exitCode } = Bun.spawnSync(["git", "-C", folder, ...argv], { stdout: "ignore", stderr: "ignore" });
  if (exitCode !== 0) throw new Error(`git ${argv.join(" ")} failed`);
}

export async function timeLooks(folder: string, files: number, rounds: number): Promise<LookCost> {
  const status: number[] = [];
  const cold: number[] = [];
  const first: number[] = [];
  const both: number[] = [];
  for (let round = 0; round < rounds; round++) {
    status.push(await timed(() => git(folder, ["status"])));
    const pair = (sight: ReturnType<typeof openSight>) => timed(async () => lookAfter(await lookBefore(sight)));
    cold.push(await pair(openSight(folder)));
    const sight = openSight(folder);
    await lookAhead(sight, new AbortController().signal);
    first.push(await pair(sight));
    both.push(await pair(sight));
  }
  return { files, gitStatus: middle(status), cold: middle(cold), first: middle(first), beforeAndAfter: middle(both) };
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

function line({ files, gitStatus, cold, first, beforeAndAfter }: LookCost): string {
  const ratio = (ms: number): string => `${ms.toFixed(1)} ms (${(ms / gitStatus).toFixed(2)}×)`;
  const looks = `cold ${ratio(cold)}, looked ahead ${ratio(first)}, later ${ratio(beforeAndAfter)}`;
  return `${files} files: git status ${gitStatus.toFixed(1)} ms; before + after: ${looks}`;
}

async function main(): Promise<void> {
  for (const files of [200, 50_000]) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-bench-")));
    try {
      console.log(line(await timeLooks(makeRepository(folder, files), files, 7)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

if (import.meta.main) await main();
