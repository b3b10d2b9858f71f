// npm run tui-bench: the built program as a person has it before them, in a real pty.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Person, type Recorded } from "../test/support/pty.ts";
import { Emulator } from "../test/surface/tui/emulator.ts";
import { launcherEnv } from "./pairs.ts";
import { absoluteRow, median, quantile, ratioRow } from "./rows.ts";
import { contentBytes } from "./terminal-content.ts";
import { lastLine, startTerminalModel } from "./terminal-model.ts";

const size = { columns: 100, rows: 30 };
const streamed = { lines: 2_000, rate: 60, cpuSeconds: 1.5 };

interface Bench {
  readonly binary: string;
  readonly scratch: string;
  readonly quick: boolean;
}

interface Place {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function measureTerminal(bench: Bench): Promise<void> {
  const model = startTerminalModel();
  try {
    const place = placeFor(bench, `${model.url.href}v1`);
    await measureFirstPaint(bench, place);
    await measureStream(bench, place);
    await measureEcho(bench, place);
  } finally {
    await model.stop(true);
  }
}

function placeFor({ binary, scratch }: Bench, url: string): Place {
  const root = mkdtempSync(join(scratch, "terminal-"));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const argv = [binary, "--base-url", url, "--model", "openai-chat/mock", "--trust"];
  return { argv, cwd, env: { ...launcherEnv(binary), HOME: root, CODER_HOME: join(root, "home") } };
}

/** Where a person types there is a rule above it, in both programs. */
const hasPrompt = (rows: readonly string[]): boolean => rows.some((row) => row.includes("─".repeat(20)));

async function open(place: Place, more: { readonly scrollback?: number; readonly records?: boolean } = {}) {
  return new Person({ ...place, ...size, ...more });
}

/** From the start of the process to the frame with the prompt. Alternating, so that a noisy moment hits both. */
async function measureFirstPaint(bench: Bench, place: Place): Promise<void> {
  const empty = { ...place, argv: [buildEmpty(bench.scratch)] };
  const [ours, theirs]: [number[], number[]] = [[], []];
  // The first ones read the programs from the disk, and ours creates its database.
  await firstPaint(place);
  await firstPaint(empty);
  for (let n = 0; n < (bench.quick ? 5 : 15); n++) {
    theirs.push(await firstPaint(empty));
    ours.push(await firstPaint(place));
  }
  absoluteRow("first paint, median", median(ours), 40, "ms");
  ratioRow("first paint / an empty pi-tui program", median(ours), median(theirs), 3, "ms");
}

/** The same flags as those of the product. */
function buildEmpty(scratch: string): string {
  const out = join(scratch, "empty-tui");
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--splitting"];
  const source = join(import.meta.dir, "empty-tui.ts");
  const build = Bun.spawnSync([process.execPath, "build", ...flags, source, "--outfile", out], { stderr: "pipe" });
  if (build.exitCode !== 0) throw new Error(`${source} could not be built:\n${build.stderr}`);
  return out;
}

async function firstPaint(place: Place): Promise<number> {
  await using person = await open(place, { records: true });
  await person.waitFor(() => hasPrompt(person.rows()));
  person.kill("SIGTERM");
  await person.exited;
  return await paintedAt(person.recording);
}

/** Looked at afterwards, piece by piece: drawing takes time too, and that is not the program's. */
async function paintedAt(recording: readonly Recorded[]): Promise<number> {
  const emulator = new Emulator(size.columns, size.rows);
  for (const { ms, data } of recording) {
    if (data instanceof Uint8Array) emulator.write(data);
    await emulator.settled();
    if (!emulator.modes.has(2026) && hasPrompt(emulator.screen())) return ms;
  }
  throw new Error("the prompt was never there");
}

async function measureStream({ quick }: Bench, place: Place): Promise<void> {
  const { rate, cpuSeconds } = streamed;
  const lines = quick ? 300 : streamed.lines;
  await using person = await open(place, { scrollback: 50_000 });
  await isReady(person);
  const { active } = person.emulator.terminal.buffer;
  const before = { cpu: cpuSecondsOf(person.pid), bytes: person.bytes, line: active.baseY + active.cursorY };
  await ask(person, `Write ${lines} lines at ${rate}`);
  const cpu = cpuSecondsOf(person.pid) - before.cpu;
  const content = contentBytes(active, size.columns, before.line);
  const limit = (cpuSeconds * lines) / streamed.lines;
  absoluteRow(`${lines} Markdown lines at ${rate} a second, CPU`, cpu, limit, "s", 2);
  ratioRow("bytes written / content", (person.bytes - before.bytes) / 1024, content / 1024, 2, "KiB");
  absoluteRow("memory after that", residentMiB(person.pid), 96, "MiB");
  const seconds = quick ? 3 : 10;
  const share = ((await spentAtRest(person.pid, seconds)) / seconds) * 100;
  // What is less than this is 0.0.
  absoluteRow(`CPU of ${seconds} s at rest`, share, 0.05, "%", 3);
  person.kill("SIGTERM");
  await person.exited;
}

async function measureEcho({ quick }: Bench, place: Place): Promise<void> {
  const lines = quick ? 10_000 : 100_000;
  await using person = await open(place, { scrollback: 1_000 });
  await isReady(person);
  await ask(person, `Write ${lines} lines at 0`);
  const times: number[] = [];
  for (let n = 0; n < (quick ? 60 : 300); n++) {
    times.push(await echo(person));
    // What is typed fits into one line.
    if (n % 40 === 39) person.press("ctrl+u");
    await Bun.sleep(12);
  }
  const name = `a key at ${lines.toLocaleString("en")} lines of history`;
  absoluteRow(`${name}, median`, median(times), 10, "ms", 2);
  absoluteRow(`${name}, 95 of 100`, quantile(times, 0.95), 10, "ms", 2);
  person.kill("SIGTERM");
  await person.exited;
}

/** From the key to the first byte of the answer. */
async function echo(person: Person): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  person.onBytes = () => resolve(performance.now());
  const pressed = performance.now();
  person.type("x");
  const heard = await promise;
  person.onBytes = null;
  return heard - pressed;
}

async function isReady(person: Person): Promise<void> {
  await person.waitFor("openai-chat/mock");
  // What is done after the start, out of the person's way.
  await Bun.sleep(1_500);
}

/** Until the answer is there and the program is at rest again. */
async function ask(person: Person, text: string): Promise<void> {
  person.type(text);
  await person.waitFor(text);
  person.press("enter");
  await person.waitFor(lastLine);
  await Bun.sleep(2_000);
}

/** User and system time, of the process alone; the clock of /proc has hundredths. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** By thread, to the nanosecond: hundredths are too coarse for a program at rest. */
function threadSecondsOf(pid: number): ReadonlyMap<string, number> {
  const spent = (thread: string): number => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e9;
  };
  return new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, spent(thread)]));
}

async function spentAtRest(pid: number, seconds: number): Promise<number> {
  const before = threadSecondsOf(pid);
  await Bun.sleep(seconds * 1_000);
  // A thread that has ended meanwhile had nothing to do.
  return [...threadSecondsOf(pid)].reduce((sum, [thread, now]) => sum + now - (before.get(thread) ?? 0), 0);
}

function residentMiB(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0) / 1024;
}
