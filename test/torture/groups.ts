// All there is to run, in groups that are run one after the other.
import { askedJobs } from "./asked.ts";
import { backgroundJobs } from "./background.ts";
import { caseName, type Report, runCase } from "./case.ts";
import { checkedJobs } from "./checked.ts";
import { exportJobs } from "./export.ts";
import { fullDiskJobs } from "./full-disk.ts";
import type { Ground } from "./ground.ts";
import { handedJobs } from "./handed.ts";
import { lookedJobs } from "./looked.ts";
import { countCalls, planKills } from "./plan.ts";
import { plannedJobs } from "./planned.ts";
import { togetherJobs } from "./together.ts";
import { twoProcessJobs } from "./two-processes.ts";
import { undoneJobs } from "./undone.ts";

export interface Job {
  readonly name: string;
  readonly run: () => Promise<Report>;
}

export interface Group {
  readonly name: string;
  readonly jobs: readonly Job[];
}

export async function makeGroups(ground: Ground, seed: number): Promise<readonly Group[]> {
  const planned = planKills(seed, {
    quick: await countCalls(ground, "quick"),
    slow: await countCalls(ground, "slow"),
    heavy: await countCalls(ground, "heavy"),
    patch: await countCalls(ground, "patch"),
  });
  const kills = planned.map(({ name, cases }) => ({
    name,
    jobs: cases.map((one) => ({ name: caseName(one), run: () => runCase(ground, one) })),
  }));
  return [
    ...kills,
    { name: "full disk", jobs: fullDiskJobs(ground) },
    { name: "export", jobs: exportJobs(ground, seed) },
    { name: "background", jobs: backgroundJobs(ground, seed) },
    { name: "verification", jobs: checkedJobs(ground, seed) },
    { name: "plan", jobs: plannedJobs(ground, seed) },
    { name: "undo", jobs: undoneJobs(ground, seed) },
    { name: "question", jobs: askedJobs(ground, seed) },
    { name: "sub-agent", jobs: handedJobs(ground, seed) },
    { name: "look", jobs: lookedJobs(ground, seed) },
    { name: "two processes", jobs: twoProcessJobs(ground) },
    { name: "together", jobs: togetherJobs(seed) },
  ];
}

/** At most so many of each group, spread over all of it. */
export function shortForm(groups: readonly Group[], atMost: (group: string) => number): readonly Group[] {
  return groups.map(({ name, jobs }) => {
    const stride = Math.max(1, jobs.length / atMost(name));
    return { name, jobs: jobs.filter((_, at) => Math.floor(at / stride) !== Math.floor((at - 1) / stride)) };
  });
}

/** Two cores: more at once would only make every case slower. */
const AT_ONCE = 2;

export async function runGroup({ jobs }: Group): Promise<readonly Report[]> {
  const waiting = [...jobs];
  const reports: Report[] = [];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) reports.push(await job.run());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return reports;
}
