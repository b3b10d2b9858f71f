// Runs confined commands one after the other: a wish per line on stdin, an answer per line on stdout.

import { keyVariables } from "../../src/config/model/providers.ts";
import type { RunningJob } from "../../src/contract/job.ts";
import type { Confinement } from "../../src/contract/sandbox.ts";
import type { Settings } from "../../src/contract/settings.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import type { WitnessPort } from "../../src/contract/tool.ts";
import { Watch } from "../../src/engine/call/command-changes.ts";
import { withhold } from "../../src/platform/environment.ts";
import { startJob } from "../../src/platform/process/job.ts";
import { runShell, type ShellOutcome } from "../../src/platform/process/shell.ts";
import { plantedPhrase, sandboxBlamed } from "../../src/platform/sandbox/blame/blame.ts";
import { confinementFor } from "../../src/platform/sandbox/confine.ts";
import { endLoopback } from "../../src/platform/sandbox/linux/loopback-kept.ts";

// As the program does at its start.
const keys = keyVariables(undefined);
withhold((name) => keys.includes(name));

export interface Wish {
  readonly command: string;
  readonly network?: boolean;
  readonly readOnly?: boolean;
  readonly narrow?: boolean;
  readonly judged?: Confinement["judged"];
  readonly isTerminal?: boolean;
  readonly background?: boolean;
  /** In the background, and not waited for: it is ended by the first wish with `endsJobs`. */
  readonly goesOn?: boolean;
  readonly endsJobs?: boolean;
  /** The task is over, after this. */
  readonly isLast?: boolean;
  readonly timeoutMs?: number;
  readonly cpuSeconds?: number;
  /** Shared with all wishes of the same name. */
  readonly loopback?: string;
  readonly addDirs?: readonly string[];
  readonly limits?: Partial<Pick<Confinement, "memory" | "processes" | "fileSize">>;
  /** Without any sandbox, and allowed to make whatever other programs obey. */
  readonly free?: boolean;
  /** Without a sandbox, compared before and after all the same. */
  readonly unconfined?: boolean;
  /** Real paths that may be made or changed although other programs obey them. */
  readonly allowed?: readonly string[];
  /** As in a session: what changes meanwhile is told with whose it is. */
  readonly watched?: boolean;
  /** Of another person, to work beside. */
  readonly workspace?: string;
  readonly home?: string;
  readonly coderHome?: string;
  readonly coderHomeNamed?: string;
}

type Order = Wish & { readonly home: string; readonly workspace: string; readonly coderHome: string };

/** No limit: the test has one. */
const longestMs = 600_000;
let count = 0;
let spawned = 0;
const jobs: RunningJob[] = [];

async function perform(order: Order) {
  const { workspace, home, coderHome, addDirs = [], network = false, narrow = false, readOnly = narrow } = order;
  const { coderHomeNamed = coderHome } = order;
  const made = confinementFor({ workspace, addDirs, home, coderHome, coderHomeNamed, network, readOnly, narrow });
  const { allowed = [], judged = null } = order;
  const confine =
    order.free || order.unconfined
      ? null
      : { ...made, judged, loopback: order.loopback ?? null, ...order.limits, mayChange: allowed };
  if (order.watched) return await whileWatched(order, confine);
  if (order.endsJobs) await Promise.all(jobs.splice(0).map((job) => job.end()));
  const outcome =
    order.background || order.goesOn ? await inBackground(order, confine) : await inForeground(order, confine);
  if (order.isLast && order.loopback !== undefined) endLoopback(order.loopback);
  const blamed = plantedPhrase(outcome) ?? (confine && sandboxBlamed(outcome, confine)?.text) ?? null;
  return { ...outcome, pid: spawned, blamed: blamed === null ? null : say("en", blamed) };
}

async function whileWatched(order: Order, confine: Confinement | null) {
  const watch = new Watch({ workspace: order.workspace, toolsOff: [] } as unknown as Settings, [order.coderHome]);
  const watched = await watch.before();
  const outcome = await inForeground(order, confine, watched.witness);
  const { changes, unkept } = await watch.after(watched, "");
  watch.close();
  const whose = [
    ...changes.map(({ change: { path, doubt = "ours" } }) => [path, doubt] as const),
    ...unkept.map(({ path, why }) => [path, why] as const),
  ];
  return { ...outcome, pid: spawned, blamed: null, whose: Object.fromEntries(whose) };
}

function common(order: Order, confine: Confinement | null) {
  count++;
  const { workspace, addDirs = [], coderHome, allowed = [] } = order;
  return {
    command: order.command,
    cwd: order.workspace,
    marker: `person.${process.pid}.${count}`,
    signal: new AbortController().signal,
    confine,
    obeyed: order.free ? null : { roots: [workspace, ...addDirs], never: [coderHome], allowed },
    isTerminal: order.isTerminal ?? false,
    ...(order.cpuSeconds === undefined ? {} : { cpuSeconds: order.cpuSeconds }),
    onSpawn: async (pid: number) => {
      spawned = pid;
    },
  };
}

async function inForeground(order: Order, confine: Confinement | null, witness?: WitnessPort): Promise<ShellOutcome> {
  const result = await runShell({
    ...common(order, confine),
    witness,
    timeoutMs: order.timeoutMs ?? longestMs,
    maxStreamBytes: 1024 * 1024,
    onOutput: () => {},
  });
  if (!result.ok) return refused(result.error.code);
  return result.value;
}

/** It was never started. */
function refused(code: string): ShellOutcome {
  const none = { stdout: "", durationMs: 0, truncated: { stdout: false, stderr: false }, timedOut: false };
  const nothing = { cancelled: false, isOutOfTime: false, started: false, leftOver: [], unstopped: [] };
  return {
    exitCode: null,
    signal: null,
    stderr: code,
    ...none,
    ...nothing,
    planted: [],
    hidden: [],
    restored: [],
    unkept: [],
    unlooked: 0,
  };
}

async function inBackground(order: Order, confine: Confinement | null): Promise<ShellOutcome> {
  const job = await startJob({ ...common(order, confine), timeoutMs: order.timeoutMs ?? longestMs, keepBytes: 65_536 });
  if (!job.ok || job.value === null) throw new Error(JSON.stringify(job));
  if (order.goesOn) {
    jobs.push(job.value);
    return { ...refused(""), started: true };
  }
  const over = await job.value.over;
  const rest = { stderr: "", durationMs: 0, truncated: { stdout: false, stderr: false } };
  const nothing = { cancelled: false, isOutOfTime: false, hidden: [] };
  return { ...over, ...rest, ...nothing, stdout: job.value.read(0).text, started: true, leftOver: [] };
}

// A test run that is killed closes stdin, but nobody reads that while a command runs.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1_000).unref();

for await (const line of console) {
  if (line.trim() === "") continue;
  process.stdout.write(`${JSON.stringify(await perform(JSON.parse(line) as Order))}\n`);
}
process.exit(0);
