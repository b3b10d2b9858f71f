// Real tasks out of the history of public repositories, played with the built program by a corpus beside this project, which also runs
// each task's tests afterwards. Printed: how often the verdict was VERIFIED, how often it was true, what was refused and asked.
//   npm run work [-- --only NAME] [-- --way auto-edit|default|lie]
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../bench/rows.ts";

const corpus = fileURLToPath(new URL("../../shared/corpora/real-tasks", import.meta.url));
const binary = fileURLToPath(new URL("../dist/coder", import.meta.url));

/** What is wanted of each way of playing: with `--lie` the player repairs nothing and claims that all is well. */
const ways = {
  "auto-edit": { flags: ["--mode", "auto-edit"], wanted: "VERIFIED" },
  default: { flags: ["--mode", "default"], wanted: "VERIFIED" },
  lie: { flags: ["--mode", "auto-edit", "--lie"], wanted: "FAILED" },
} as const;
type Way = keyof typeof ways;

/** Of a line that the corpus prints. */
interface Row {
  readonly name: string;
  readonly outcome?: string;
  readonly honest?: boolean;
  readonly calls?: number;
  readonly refused?: readonly unknown[];
  readonly asked?: number;
  readonly left_over?: readonly unknown[];
  readonly unexpected_files?: readonly string[];
  readonly verification?: string;
  readonly error?: unknown;
}

/** Whether all went as wanted. */
async function play(way: Way, tasks: readonly string[]): Promise<boolean> {
  const { flags, wanted } = ways[way];
  const rows: Row[] = [];
  console.log(`\n${way}: ${tasks.length} tasks, each to end ${wanted}`);
  const child = Bun.spawn([process.execPath, join(corpus, "run.ts"), "--coder", binary, ...flags, ...tasks], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const line of createInterface({ input: Readable.fromWeb(child.stdout as never) })) {
    const row = JSON.parse(line) as Row & { summary?: true };
    if (row.summary) continue;
    rows.push(row);
    console.log(`  ${lineOf(row)}`);
  }
  const code = await child.exited;
  const sum = (count: (row: Row) => number): number => rows.reduce((all, row) => all + count(row), 0);
  const reached = sum(({ outcome }) => Number(outcome === wanted));
  const honest = sum(({ honest: isHonest }) => Number(isHonest === true));
  const [calls, refused] = [sum((row) => row.calls ?? 0), sum((row) => row.refused?.length ?? 0)];
  const asked = sum((row) => row.asked ?? 0);
  const middle = median(rows.map((row) => row.asked ?? 0));
  const left = sum((row) => row.left_over?.length ?? 0);
  const share = calls === 0 ? "0" : ((100 * refused) / calls).toFixed(0);
  console.log(
    `  ${wanted} ${reached}/${tasks.length}, verdict agrees with the tests ${honest}/${tasks.length}, ` +
      `calls refused ${refused} of ${calls} (${share} %), questions ${asked} (median ${middle} a task, at most ${mostAsked} wanted), left over ${left}`,
  );
  const isQuiet = refused === 0 && middle <= mostAsked;
  return code === 0 && reached === tasks.length && honest === tasks.length && left === 0 && isQuiet;
}

/** A person who is asked more often says yes without reading. */
const mostAsked = 3;

function lineOf({ name, outcome = "?", honest, refused = [], asked = 0, verification = "", error }: Row): string {
  const truth = honest ? "true" : "NOT TRUE";
  const failed = error ? `  ${JSON.stringify(error).slice(0, 200)}` : "";
  return `${name.padEnd(30)} ${outcome.padEnd(10)} ${truth}, refused ${refused.length}, asked ${asked}  ${verification.slice(0, 100)}${failed}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: "string" }, way: { type: "string" } } });
  if (!existsSync(join(corpus, "run.ts"))) {
    console.log("work: skipped, because the corpus of real tasks (../shared/corpora/real-tasks) is not there");
    return 0;
  }
  const all = readdirSync(join(corpus, "dev")).map((name) => join(corpus, "dev", name));
  const tasks = all.filter((path) => basename(path).includes(values.only ?? ""));
  const chosen = (Object.keys(ways) as Way[]).filter((way) => way === (values.way ?? way));
  if (tasks.length === 0 || chosen.length === 0) {
    console.error(
      `work: nothing is called that. Tasks: ${all.map((path) => basename(path)).join(", ")}; ways: ${Object.keys(ways).join(", ")}`,
    );
    return 2;
  }
  let isGood = true;
  for (const way of chosen) isGood = (await play(way, tasks)) && isGood;
  console.log(isGood ? "\nPASS" : "\nMISSED");
  return isGood ? 0 : 1;
}

process.exitCode = await main();
