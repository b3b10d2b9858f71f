// npm run bench: the built binary against the floor, in the same run, on the same fake server. Medians; ratios decide.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeCancels } from "./cancel.ts";
import { makeRepository, timeLooks } from "./changes.ts";
import { timeDecisions } from "./decision.ts";
import { makeSession } from "./long-session.ts";
import { comparePrograms, launcherEnv } from "./pairs.ts";
import { timeParsing } from "./parsing.ts";
import { timeRedaction } from "./redaction.ts";
import { costOfRemoval } from "./removal.ts";
import { absoluteRow, median, printRows, ratioRow, surplusRow } from "./rows.ts";
import { timeSandbox, toolchains } from "./sandbox.ts";
import { timeUndo } from "./undo.ts";

const root = join(import.meta.dir, "..");
const binary = join(root, "dist", "coder");
const bun = process.execPath;
const quick = process.argv.includes("--quick");
const at = process.argv.indexOf("--against");
const against = at < 0 ? undefined : process.argv[at + 1];
const only = process.argv.find((arg) => arg.startsWith("--only="))?.slice(7);
const scratch = mkdtempSync(join(tmpdir(), "coder-bench-"));

interface Sample {
  readonly ms: number;
  readonly mib: number;
}

async function once(command: readonly string[], cwd: string, env: Record<string, string>): Promise<Sample> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...(command[0] === binary ? launcherEnv(binary) : {}), ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const code = await child.exited;
  const ms = performance.now() - started;
  if (code !== 0 && code !== 3)
    throw new Error(`${command.join(" ")} ended with ${code}: ${await new Response(child.stderr).text()}`);
  return { ms, mib: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20 };
}

/** Alternates the two, so that a noisy moment hits both. */
async function compare(
  times: number,
  floor: () => Promise<Sample>,
  ours: () => Promise<Sample>,
): Promise<{ floor: Sample; ours: Sample }> {
  const a: Sample[] = [];
  const b: Sample[] = [];
  await floor();
  await ours();
  for (let n = 0; n < (quick ? Math.min(times, 5) : times); n++) {
    a.push(await floor());
    b.push(await ours());
  }
  const middle = (list: Sample[]) => ({
    ms: median(list.map((one) => one.ms)),
    mib: median(list.map((one) => one.mib)),
  });
  return { floor: middle(a), ours: middle(b) };
}

function workspace(files: number): string {
  const folder = mkdtempSync(join(scratch, "ws-"));
  for (let n = 0; n < files; n++)
    writeFileSync(join(folder, `f${n}.txt`), `file ${n}\n${"some words of an ordinary source line\n".repeat(12)}`);
  return folder;
}

/** A fresh home and workspace for every run of ours: creating the database is part of the price. */
async function ours(url: string, files: string, isFresh: boolean): Promise<Sample> {
  const home = mkdtempSync(join(scratch, "home-"));
  const cwd = isFresh ? mkdtempSync(join(scratch, "ws-")) : files;
  const flags = [
    "--base-url",
    `${url}/v1`,
    "--model",
    "openai-chat/mock",
    "--mode",
    "auto-edit",
    "--max-steps",
    "5000",
  ];
  const sample = await once([binary, "run", ...flags, "say hi"], cwd, { CODER_HOME: home });
  rmSync(home, { recursive: true, force: true });
  return sample;
}

async function steps(url: string, tool: string, count: number, times: number) {
  const files = workspace(count);
  const floor = () =>
    once([bun, join(root, "bench", "floor.ts"), "say hi"], files, { MOCK_URL: `${url}/read/${count}` });
  return compare(times, floor, () => ours(`${url}/${tool}/${count}`, files, tool === "write"));
}

async function measure(url: string): Promise<void> {
  if (against !== undefined) return comparePrograms(binary, against, url, scratch);
  const wanted = (name: string) => only === undefined || only.split(",").includes(name);
  if (wanted("version")) {
    const version = await compare(
      31,
      () => once([bun, "-e", "0"], scratch, {}),
      () => once([binary, "--version"], scratch, {}),
    );
    ratioRow("--version / bun -e 0", version.ours.ms, version.floor.ms, 2, "ms");
  }
  if (wanted("turn")) {
    const turn = await steps(url, "read", 0, 31);
    ratioRow("one headless turn (aim 4×)", turn.ours.ms, turn.floor.ms, 5, "ms");
  }
  if (wanted("read50")) {
    const read = await steps(url, "read", 50, 21);
    ratioRow("50 read steps (aim 3×)", read.ours.ms, read.floor.ms, 4.5, "ms");
    absoluteRow("peak RSS, 50 read steps", read.ours.mib, 80, "MiB");
  }
  if (wanted("write50")) {
    const write = await steps(url, "write", 50, 15);
    ratioRow("50 write steps / 50 floor reads", write.ours.ms, write.floor.ms, 8, "ms");
  }
  if (wanted("read2000")) {
    const long = await steps(url, "read", 2000, quick ? 1 : 3);
    ratioRow("2,000 read steps", long.ours.ms, long.floor.ms, 2.5, "ms");
    ratioRow("peak RSS, 2,000 read steps", long.ours.mib, long.floor.mib, 1.75, "MiB");
  }
  if (wanted("open")) {
    const home = mkdtempSync(join(scratch, "home-"));
    const folder = workspace(1);
    const id = makeSession(home, folder, 10_000);
    const open = await compare(
      15,
      () => once([binary, "--version"], folder, {}),
      () => once([binary, "run", "--resume", id, "/status"], folder, { CODER_HOME: home }),
    );
    absoluteRow("open and fold 10,000 events (whole process)", open.ours.ms, 90, "ms");
  }
  if (wanted("cancel")) {
    const took = await timeCancels(binary, url, scratch, quick ? 5 : 15);
    absoluteRow("SIGINT to the end, a detached child included", median(took), 300, "ms");
  }
  if (wanted("decision")) {
    const times = timeDecisions(scratch, quick ? 20 : 200);
    absoluteRow("decision about a command, median", median(times) * 1000, 100, "µs");
  }
  if (wanted("sandbox")) {
    const { plain, confined } = await timeSandbox(scratch, quick ? 11 : 101);
    surplusRow("a command in the sandbox / without", median(confined), median(plain), 6.5);
    const full = await timeSandbox(scratch, quick ? 11 : 101, toolchains);
    surplusRow("the same with nine toolchains at home", median(full.confined), median(full.plain), 8.5);
  }
  if (wanted("undo")) {
    absoluteRow("undo of 100 files", median(await timeUndo(scratch, quick ? 5 : 15)), 100, "ms");
  }
  if (wanted("parse")) {
    absoluteRow("parse 10 MB of test output", median(timeParsing(quick ? 3 : 7)), 200, "ms");
  }
  if (wanted("redaction")) {
    absoluteRow("redact 1 MiB, 10 known values", median(timeRedaction(quick ? 11 : 41)), 60, "ms");
  }
  // Last: the disk has to write 50,000 files afterwards.
  if (wanted("changes")) await measureLooks();
  if (wanted("removal")) await measureRemoval();
}

/** More files than are watched must cost no more than their share, with and without the sandbox. */
async function measureRemoval(): Promise<void> {
  const ways = [
    { name: "--no-sandbox", flags: ["--no-sandbox"], thinksMs: 0 },
    { name: "--sandbox", flags: ["--sandbox"], thinksMs: 0 },
    { name: "indexed before", flags: ["--sandbox"], thinksMs: 15_000 },
  ];
  const [few, many] = await costOfRemoval(scratch, { files: [48_000, 100_000], rounds: quick ? 1 : 3, ways });
  for (const [at, { name, thinksMs }] of ways.entries()) {
    const [a, b] = [few?.[at], many?.[at]];
    if (a === undefined || b === undefined) continue;
    if (thinksMs === 0) ratioRow(`rm of 100,000 files / 48,000, ${name}`, b.ms, a.ms, 2.2, "ms");
    absoluteRow(`peak RSS, rm of 48,000 files, ${name}`, a.mib, 300, "MiB");
    absoluteRow(`peak RSS, rm of 100,000 files, ${name}`, b.mib, 300, "MiB");
  }
}

/** The first pair of looks at a session finds what was seen while the model wrote. */
async function measureLooks(): Promise<void> {
  const files = 50_000;
  const folder = makeRepository(mkdtempSync(join(scratch, "repository-")), files);
  const { gitStatus, first, beforeAndAfter } = await timeLooks(folder, files, quick ? 3 : 9);
  ratioRow("first shell changes on 50,000 files / git status", first, gitStatus, 1.5, "ms");
  ratioRow("shell changes on 50,000 files / git status", beforeAndAfter, gitStatus, 1.5, "ms");
}

/** Against the floor and its server. */
async function measureHeadless(): Promise<void> {
  const server = Bun.spawn([bun, join(root, "bench", "server.ts")], { stdout: "pipe", stderr: "inherit" });
  try {
    const first = await server.stdout.getReader().read();
    await measure(new TextDecoder().decode(first.value).trim());
  } finally {
    server.kill();
  }
}

mkdirSync(scratch, { recursive: true });
try {
  // A section of its own: it takes a minute, and most of that is waiting.
  if (process.argv.includes("terminal"))
    await (await import("./terminal.ts")).measureTerminal({ binary, scratch, quick });
  else await measureHeadless();
  process.exitCode = printRows() ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
