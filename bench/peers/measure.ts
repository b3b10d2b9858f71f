// What is measured of one agent. Everything is a time in milliseconds, but for memory and tokens.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { median } from "../rows.ts";
import type { Call, FakeModel, Reply } from "./fake-model.ts";
import { endAll, markName, newMark, processesOf } from "./processes.ts";
import type { Profile } from "./profiles.ts";
import { Screen } from "./screen.ts";

/** An agent that is installed and set up. */
export interface Agent {
  readonly command: readonly string[];
  readonly profile: Profile;
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
}

interface Run {
  readonly wall: number;
  readonly mib: number;
  readonly tokens: number | null;
  readonly steps: readonly number[];
}

/** Median, and the least for the ratio to the bare loop. */
interface Times {
  readonly median: number;
  readonly least: number;
}

export interface Measured {
  version?: Times;
  turn?: Times & { readonly tokens: number | null };
  steps?: Times & { readonly step: number; readonly mib: number };
  screen?: number | null;
  cancel?: Record<"interrupt" | "escape", string>;
}

function times(walls: readonly number[]): Times {
  return { median: median([...walls]), least: Math.min(...walls) };
}

async function repeat<T>(count: number, one: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let n = 0; n < count; n++) all.push(await one());
  return all;
}

export async function timeVersion(agent: Agent, count: number): Promise<Times> {
  const once = async (): Promise<number> => {
    const started = performance.now();
    await Bun.spawn([...agent.command, "--version"], quiet(agent, newMark())).exited;
    return performance.now() - started;
  };
  await once();
  return times(await repeat(count, once));
}

export async function timeTurn(agent: Agent, model: FakeModel, count: number): Promise<Measured["turn"]> {
  const once = (): Promise<Run> => headless(agent, model, [{ text: "Hi." }]);
  await once();
  const runs = await repeat(count, once);
  return { ...times(runs.map(({ wall }) => wall)), tokens: runs[0]?.tokens ?? null };
}

export async function timeSteps(agent: Agent, model: FakeModel, count: number): Promise<Measured["steps"]> {
  const read = { calls: [callIn(agent, agent.profile.read)] };
  const replies: Reply[] = [...Array<Reply>(50).fill(read), { text: "All read." }];
  const runs = await repeat(count, () => headless(agent, model, replies));
  const walls = times(runs.map(({ wall }) => wall));
  return { ...walls, step: median(runs.flatMap(({ steps }) => steps)), mib: median(runs.map(({ mib }) => mib)) };
}

function callIn({ workspace }: Agent, call: Call): Call {
  return JSON.parse(JSON.stringify(call).replaceAll("{{cwd}}", workspace)) as Call;
}

function quiet({ workspace, env }: Agent, mark: string) {
  const streams = { stdin: "ignore", stdout: "ignore", stderr: "pipe" } as const;
  return { cwd: workspace, env: { ...env, [markName]: mark }, ...streams };
}

async function headless(agent: Agent, model: FakeModel, replies: readonly Reply[]): Promise<Run> {
  model.play(replies);
  const mark = newMark();
  const started = performance.now();
  const child = Bun.spawn([...agent.command, ...agent.profile.run("say hi")], quiet(agent, mark));
  const limit = setTimeout(() => endAll(mark, child.pid), 60_000);
  const code = await child.exited;
  const wall = performance.now() - started;
  clearTimeout(limit);
  const { asked } = model;
  const results = asked.at(-1)?.results ?? -1;
  if (code !== 0 || results !== replies.length - 1) {
    throw new Error(`ended with ${code} after ${results} results: ${(await child.stderr.text()).trim().slice(-300)}`);
  }
  const steps = asked.slice(1).map(({ read }, at) => read - (asked[at]?.answered ?? read));
  const tokens = asked[0] === undefined ? null : Math.round(asked[0].fixedBytes / 4);
  return { wall, mib: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20, tokens, steps };
}

export async function timeScreen(agent: Agent, model: FakeModel, count: number): Promise<number | null> {
  const { screen } = agent.profile;
  if (screen === undefined) return null;
  model.play([{ text: "Hi." }]);
  const once = async (): Promise<number | null> => {
    const opened = open(agent, screen.args);
    const painted = await opened.screen.until(screen.ready, 15_000);
    await opened.end();
    return painted;
  };
  await once();
  const painted = (await repeat(count, once)).filter((ms) => ms !== null);
  return painted.length === 0 ? null : median(painted);
}

function open(agent: Agent, args: readonly string[]): { screen: Screen; end: () => Promise<unknown> } {
  const mark = newMark();
  const env = { ...agent.env, [markName]: mark };
  const screen = new Screen([...agent.command, ...args], agent.workspace, env);
  const end = (): Promise<unknown> => {
    endAll(mark, screen.child.pid);
    return screen.child.exited;
  };
  return { screen, end };
}

/** Seconds that no other program sleeps: in the foreground, in the background, and in a session of its own. */
const naps = { foreground: "3119", background: "3117", setsid: "3118" };

/** How long it takes until nothing of a command runs any more, by SIGINT without a screen and by Esc on one; or what is left. */
export async function timeCancel(agent: Agent, model: FakeModel): Promise<Measured["cancel"]> {
  const { shell, screen } = agent.profile;
  if (shell === undefined) return undefined;
  const lines = [`sleep ${naps.background} &`, `setsid sleep ${naps.setsid} &`, `sleep ${naps.foreground}`];
  writeFileSync(join(agent.workspace, "nap.sh"), `${lines.join("\n")}\n`);
  // From a file, because some agents refuse a bare sleep.
  const replies = [{ calls: [shell("sh ./nap.sh")] }, { text: "Done." }];
  model.play(replies);
  const mark = newMark();
  const child = Bun.spawn([...agent.command, ...agent.profile.run("go")], quiet(agent, mark));
  const interrupt = await afterNap(mark, child.pid, () => child.kill("SIGINT"));
  endAll(mark, child.pid);
  if (screen === undefined) return { interrupt, escape: "–" };
  model.play(replies);
  const opened = new Screen([...agent.command, ...screen.args], agent.workspace, { ...agent.env, [markName]: mark });
  await opened.until(screen.ready, 15_000);
  await opened.rest();
  for (const key of ["g", "o"]) {
    opened.type(key);
    await Bun.sleep(60);
  }
  await Bun.sleep(300);
  opened.type("\r");
  const escaped = await afterNap(mark, opened.child.pid, () => opened.type("\u001b"));
  endAll(mark, opened.child.pid);
  await opened.child.exited;
  return { interrupt, escape: escaped };
}

async function afterNap(mark: string, root: number, stop: () => void): Promise<string> {
  const asleep = (): readonly string[] => {
    const running = processesOf(mark, root).map(({ command }) => command);
    return Object.entries(naps).flatMap(([name, seconds]) => (running.includes(`sleep ${seconds}`) ? [name] : []));
  };
  const begun = performance.now();
  while (!asleep().includes("foreground")) {
    if (performance.now() - begun > 20_000) return "the command never started";
    await Bun.sleep(20);
  }
  await Bun.sleep(600);
  const stopped = performance.now();
  stop();
  while (performance.now() - stopped < 6000) {
    if (asleep().length === 0) return `${(performance.now() - stopped).toFixed(0)} ms`;
    await Bun.sleep(5);
  }
  return `left running: ${asleep().join(", ")}`;
}
