// Which cases are run: every occurrence of the system calls that matter, and many moments in between.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Case, caseName } from "./case.ts";
import type { Ground } from "./ground.ts";
import { type Disturbance, type Place, runFlags, start } from "./life.ts";
import { type Random, randomFor } from "./random.ts";
import { type Pace, prompts } from "./task.ts";

/** Of these every occurrence is a case. Which of the names are used depends on the processor and on how SQLite was built. */
const everyOccurrence = [
  "pwrite64",
  ...["fdatasync", "fsync"],
  ...["rename", "renameat", "renameat2"],
  ...["link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat"],
  ...["ftruncate", "fchmod", "vfork", "write"],
];
/** Too many, and most of them from before the work begins: of these some. */
const someOccurrences = ["openat", "recvfrom", "sendto", "getdents64", "close", "epoll_pwait2"];

export interface Counts {
  /** Per system call, by the thread that does the work. */
  readonly calls: Readonly<Record<string, number>>;
  /** Of processes below the program. */
  readonly execs: number;
  /** The renames that put a snapshot in its place. */
  readonly snapshots: readonly Disturbance[];
  /** Between the first and the last sign of a temporary file in the workspace. */
  readonly inWrites: readonly Disturbance[];
}

/** Counted in an undisturbed run. */
export async function countCalls({ url, newPlace }: Ground, pace: Pace): Promise<Counts> {
  const place = newPlace();
  const counts = await countIn(place, runFlags(url, [prompts[pace]]));
  rmSync(place.root, { recursive: true, force: true });
  return counts;
}

/** In one life. */
export async function countIn(place: Place, args: readonly string[]): Promise<Counts> {
  const trace = join(place.root, "trace");
  // With a question mark: a name that this processor does not have is passed over.
  const names = [...everyOccurrence, ...someOccurrences, "execve"].map((name) => `?${name}`).join(",");
  const around = ["strace", "-f", "-o", trace, "-e", `trace=${names}`, "--"];
  await start(place, args, { around }).ended;
  const lines = readFileSync(trace, "latin1").split("\n");
  const main = lines[0]?.split(" ")[0] ?? "";
  const calls: Record<string, number> = {};
  const snapshots: Disturbance[] = [];
  const inWrites: Disturbance[] = [];
  const isTemp = (line: string): boolean => /\.coder-[0-9a-f]{16}-/.test(line);
  const [first, last] = [lines.findIndex(isTemp), lines.findLastIndex(isTemp)];
  let execs = -1;
  for (const [at, line] of lines.entries()) {
    const [, pid, name = ""] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (name === "execve") execs++;
    if (pid !== main) continue;
    calls[name] = (calls[name] ?? 0) + 1;
    if (at >= first && at <= last && everyOccurrence.includes(name))
      inWrites.push({ kind: "call", name, nth: calls[name] });
    if (/^rename/.test(name) && line.includes("/.coder/")) snapshots.push({ kind: "call", name, nth: calls[name] });
  }
  return { calls, execs, snapshots, inWrites };
}

/** Of one system call, those by the thread that does the work which name this path. */
export async function callsOn(
  place: Place,
  args: readonly string[],
  name: string,
  path: string,
): Promise<readonly Disturbance[]> {
  const trace = join(place.root, "trace");
  await start(place, args, { around: ["strace", "-f", "-y", "-o", trace, "-e", `trace=${name}`, "--"] }).ended;
  const lines = readFileSync(trace, "latin1").split("\n");
  const main = lines[0]?.split(" ")[0] ?? "";
  const own = lines.filter((line) => line.startsWith(`${main} `) && line.includes(`${name}(`));
  return own.flatMap((line, at) => (line.includes(path) ? [{ kind: "call", name, nth: at + 1 } as const] : []));
}

/** So far into them. */
export function atPercent(list: readonly Disturbance[], percent: number): Disturbance {
  const one = list[Math.min(list.length - 1, Math.floor((list.length * percent) / 100))];
  if (one === undefined) throw new Error("there is no such call");
  return one;
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

export interface Planned {
  readonly name: string;
  readonly cases: readonly Case[];
}

export function planKills(seed: number, counts: Readonly<Record<Pace, Counts>>): readonly Planned[] {
  const { quick, slow, heavy, patch } = counts;
  const random = randomFor(seed, "plan");
  const alone = (pace: Pace, list: readonly Disturbance[]): readonly Case[] =>
    list.map((disturbance) => withChain(seed, { pace, disturbances: [disturbance] }, quick));
  return [
    ...everyOccurrence.map((name) => ({ name, cases: alone("quick", atCalls(name, upTo(quick.calls[name] ?? 0))) })),
    {
      name: "execve",
      cases: alone(
        "quick",
        upTo(quick.execs).map((nth) => ({ kind: "exec", nth }) as const),
      ),
    },
    ...someOccurrences.map((name) => ({
      name,
      cases: alone("slow", atCalls(name, some(random, 8, slow.calls[name] ?? 0))),
    })),
    { name: "heavy", cases: alone("heavy", heavyKills(random, heavy)) },
    { name: "patch", cases: alone("patch", patch.inWrites) },
    { name: "snapshot", cases: alone("slow", snapshotKills(slow)) },
    { name: "line", cases: alone("quick", lineKills(random)) },
    {
      name: "time",
      cases: [...alone("slow", timeKills(random, 50, 2_200)), ...alone("quick", timeKills(random, 40, 260))],
    },
    { name: "cancel", cases: alone("slow", cancels(random)) },
    { name: "refuse", cases: alone("quick", refusals(random, quick)) },
  ];
}

function atCalls(name: string, occurrences: readonly number[]): readonly Disturbance[] {
  return occurrences.map((nth) => ({ kind: "call", name, nth }));
}

function some(random: Random, count: number, of: number): readonly number[] {
  return of === 0 ? [] : [...new Set(upTo(count).map(() => random.between(1, of)))];
}

function heavyKills(random: Random, { calls }: Counts): readonly Disturbance[] {
  const syncs = ["fsync", "fdatasync"].flatMap((name) => atCalls(name, upTo(calls[name] ?? 0)));
  return [...atCalls("pwrite64", some(random, 40, calls.pwrite64 ?? 0)), ...syncs];
}

function snapshotKills({ snapshots }: Counts): readonly Disturbance[] {
  return upTo(24).flatMap((at) => snapshots[at % snapshots.length] ?? []);
}

/** Right after an intent or a spawn was shown: the effect is about to happen, is happening, or has just happened. */
function lineKills(random: Random): readonly Disturbance[] {
  const calls = ["r1/3/1", "r1/3/2", "r1/3/3", "r1/4/1", "r1/4/2", "r1/4/3", "r1/5/1", "r1/5/2", "r1/7/1", "r1/7/2"];
  const intents = calls.flatMap((call) =>
    [0, random.between(1, 3)].map(
      (afterMs) => ({ kind: "line", holds: ["tool.intended", call], nth: 1, afterMs }) as const,
    ),
  );
  const spawned = calls.flatMap(
    (call) => ({ kind: "line", holds: ["process.spawned", call], nth: 1, afterMs: random.between(0, 4) }) as const,
  );
  return [...intents, ...spawned.filter(({ holds }) => /3\/3|5\/|7\/2/.test(holds[1] ?? ""))];
}

function timeKills(random: Random, count: number, within: number): readonly Disturbance[] {
  return upTo(count).map(() => ({ kind: "time", afterMs: random.between(5, within) }));
}

function cancels(random: Random): readonly Disturbance[] {
  return upTo(40).map(() => ({
    kind: "cancel",
    afterMs: random.between(80, 2_200),
    killAfterMs: random.oneOf([0, 1, 2, 5, 10, 25, 80]),
  }));
}

/** A disk that is full from some moment on, one that is full for a moment, and one that fails to sync once. */
function refusals(random: Random, { calls }: Counts): readonly Disturbance[] {
  const writes = calls.pwrite64 ?? 0;
  const refuse = (name: string, error: "ENOSPC" | "EIO", nth: number, isLasting: boolean) =>
    ({ kind: "refuse", name, error, nth, isLasting }) as const;
  return [
    ...some(random, 12, writes).map((nth) => refuse("pwrite64", "ENOSPC", nth, true)),
    ...some(random, 12, writes).map((nth) => refuse("pwrite64", "ENOSPC", nth, false)),
    ...upTo(16).flatMap((nth) => ["fsync", "fdatasync"].map((name) => refuse(name, "EIO", nth, false))),
  ].filter(({ name }) => (calls[name] ?? 0) > 0);
}

/** Every third case is killed again while it resumes, every ninth twice. */
function withChain(seed: number, one: Case, quick: Counts): Case {
  const random = randomFor(seed, caseName(one));
  const more = random.between(1, 9);
  if (more > 3) return one;
  const again = (): Disturbance =>
    random.oneOf<() => Disturbance>([
      () => ({
        kind: "call",
        name: "pwrite64",
        nth: random.between(1, Math.floor((quick.calls.pwrite64 ?? 2) / 2)),
      }),
      () => ({ kind: "call", name: "fsync", nth: random.between(1, 12) }),
      () => ({ kind: "call", name: "write", nth: random.between(1, 60) }),
      () => ({ kind: "time", afterMs: random.between(10, one.pace === "quick" ? 150 : 1_000) }),
    ])();
  return { ...one, disturbances: [...one.disturbances, again(), ...(more === 1 ? [again()] : [])] };
}
