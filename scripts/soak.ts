// `npm run soak`: one process, task after task; memory, files and the database must stay flat. See docs/dev/soak.md.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judge } from "./soak/judge.ts";
import { soak } from "./soak/run.ts";
import type { Sample } from "./soak/sample.ts";

const usage = `npm run soak -- [--minutes N | --hours N]
  30 minutes without a flag; 2 hours is the long form`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: "string" }, hours: { type: "string" }, help: { type: "boolean" } },
  });
  const minutes = Number(values.minutes ?? Number(values.hours ?? 0.5) * 60);
  if (values.help === true || !(minutes > 0)) {
    say(usage);
    return values.help === true ? 0 : 2;
  }
  const seconds = minutes * 60;
  say(
    row(["minutes", "tasks", "events", "RSS MiB", "threads", "files", "children", "db KiB", "WAL KiB", ".coder KiB"]),
  );
  let nextShown = 0;
  const soaked = await soak({
    argv: [join(import.meta.dir, "..", "dist", "coder")],
    seconds,
    everySeconds: Math.max(0.5, seconds / 1_000),
    onSample: (sample) => {
      if (sample.seconds < nextShown) return;
      nextShown += seconds / 30;
      say(row(cells(sample)));
    },
  });
  return report(judge(soaked.samples), soaked.problems, soaked.counts);
}

function cells(sample: Sample): readonly string[] {
  const kib = (bytes: number): string => (bytes / 1024).toFixed(0);
  return [
    (sample.seconds / 60).toFixed(1),
    String(sample.tasks),
    String(sample.events),
    sample.rssMiB.toFixed(1),
    ...[sample.threads, sample.fds, sample.children].map(String),
    ...[sample.dbBytes, sample.walBytes, sample.coderBytes].map(kib),
  ];
}

function report(
  verdicts: ReturnType<typeof judge>,
  problems: readonly string[],
  counts: Readonly<Record<string, number>>,
): number {
  say(
    `\ntasks: ${Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}\n`,
  );
  for (const { what, found, limit, ok } of verdicts) {
    say(`${ok ? "ok  " : "FAIL"} ${what.padEnd(32)} ${found.padStart(20)}   ${limit}`);
  }
  for (const problem of problems) say(`FAIL ${problem}`);
  const isGood = problems.length === 0 && verdicts.every(({ ok }) => ok);
  say(isGood ? "PASS" : "FAIL");
  return isGood ? 0 : 1;
}

function row(columns: readonly string[]): string {
  return columns.map((column) => column.padStart(10)).join(" ");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exit(await main());
