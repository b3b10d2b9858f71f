// `npm run torture`: kills the program at every moment that matters, resumes, and compares. See docs/dev/torture.md.
import { parseArgs } from "node:util";
import type { Report } from "./case.ts";
import { phases, wantedHits, wantedPhases } from "./found.ts";
import { openGround } from "./ground.ts";
import { type Group, makeGroups, runGroup, shortForm } from "./groups.ts";

const usage = `npm run torture -- [--seed N] [--only TEXT] [--short]
  --seed N     repeats the random part of an earlier run
  --only TEXT  only cases whose name contains it, such as pwrite64@17
  --short      a few cases of each kind`;

const SHORT_CASES = 4;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      only: { type: "string" },
      short: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    say(usage);
    return 0;
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  const began = performance.now();
  using ground = await openGround();
  const groups = chosen(await makeGroups(ground, seed), values.only ?? "", values.short === true);
  const reports: Report[] = [];
  for (const group of groups) {
    const done = await runGroup(group);
    reports.push(...done);
    const failed = done.filter(({ problems }) => problems.length > 0);
    const kills = done.reduce((sum, report) => sum + report.phases.length, 0);
    const note = failed.length === 0 ? "" : `, ${failed.length} FAILED`;
    say(`${group.name.padEnd(14)} ${done.length} cases, ${kills} kills${note}`);
    for (const report of failed) showFailure(report, seed);
  }
  const isWhole = values.only === undefined && values.short !== true;
  return summary(reports, seed, (performance.now() - began) / 1000, isWhole);
}

function chosen(all: readonly Group[], only: string, isShort: boolean): readonly Group[] {
  const groups = isShort ? shortForm(all, () => SHORT_CASES) : all;
  return groups
    .map((group) => ({ ...group, jobs: group.jobs.filter(({ name }) => name.includes(only)) }))
    .filter(({ jobs }) => jobs.length > 0);
}

function showFailure({ name, problems, folder }: Report, seed: number): void {
  say(`  FAILED ${name}   (--seed ${seed} --only '${name}', kept in ${folder})`);
  for (const problem of problems.slice(0, 12)) say(`    ${problem}`);
}

/** The table, what is missing in it, and the last line. */
function summary(reports: readonly Report[], seed: number, seconds: number, isWhole: boolean): number {
  const hits = reports.flatMap((report) => report.phases);
  say("\nphase                        kills");
  for (const phase of phases)
    say(`${phase.padEnd(28)} ${String(hits.filter((hit) => hit === phase).length).padStart(5)}`);
  say(`${"all".padEnd(28)} ${String(hits.length).padStart(5)}`);
  const few = wantedPhases.filter((phase) => hits.filter((hit) => hit === phase).length < wantedHits);
  const misses = isWhole ? few.map((phase) => `fewer than ${wantedHits} kills hit "${phase}"`) : [];
  for (const miss of misses) say(miss);
  const skipped = reports.filter((report) => report.skipped !== undefined);
  for (const report of skipped) say(`skipped: ${report.name}: ${report.skipped}`);
  const failed = reports.filter(({ problems }) => problems.length > 0).length + misses.length;
  say(`\nseed ${seed}, ${seconds.toFixed(0)} s`);
  say(`${reports.length - skipped.length - failed + misses.length} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

process.exit(await main());
