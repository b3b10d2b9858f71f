// Check, build, then all tests. The last line is always `N passed, N failed`, with `, N skipped` when there are any.
import { join } from "node:path";
import { runChecks } from "./check.ts";
import { leftOutHere, reasonFor } from "./test-needs.ts";
import { openTestRun } from "./test-run.ts";
import { addCounts, readSummary, showCounts } from "./test-summary.ts";

const root = join(import.meta.dir, "..");
const isLong = process.env.CODER_TEST_LONG === "1";

const sameCases = `--preload=${join(root, "test", "support", "seed.ts")}`;

/**
 * Three processes for two cores, because most tests wait for others half of their time; each file's output stays together. The slow files begin
 * first, so that none of them is left for the end. A fresh global for every file would load every module hundreds of times.
 */
const atOnce = ["--parallel=3", "--no-isolate", `--timings=${join(root, "test", "timings.json")}`];

async function main(filters: readonly string[]): Promise<number> {
  // Measured on two cores.
  const time = isLong ? "Takes hours" : "Takes about seven minutes on two cores";
  if (filters.length === 0)
    process.stderr.write(`${time}: check, build, all tests. One folder: npm test -- ./test/tool\n`);
  const missing = (await leftOutHere(root)).filter(({ files }) => files.length > 0);
  for (const one of missing) process.stderr.write(`${reasonFor(one)}\n`);
  const checks = await runChecks();
  const build = Bun.spawnSync([process.execPath, join(root, "scripts", "build.ts")], {
    cwd: root,
    stdout: "inherit",
    stderr: "inherit",
  });
  // Tests run even after a failed check, so that one run shows everything that is wrong.
  const skippedFiles = new Set(missing.flatMap(({ files }) => files));
  const tests = await runTests(filters, [...skippedFiles]);
  const failedSteps = [...checks, { name: "build", ok: build.exitCode === 0 }].filter(({ ok }) => !ok);
  // Counted as failures, because "0 failed" must mean that nothing is wrong.
  const counts = addCounts(tests.counts, { passed: 0, failed: failedSteps.length, skipped: 0 });
  if (failedSteps.length > 0) process.stdout.write(`\nfailed: ${failedSteps.map(({ name }) => name).join(", ")}\n`);
  process.stdout.write(`${showCounts(counts)}\n`);
  return counts.failed === 0 && counts.passed > 0 && tests.exitCode === 0 ? 0 : 1;
}

async function runTests(filters: readonly string[], skipped: readonly string[]) {
  const { env, end } = openTestRun();
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    process.on(signal, () => {
      end();
      process.exit(code);
    });
  }
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--no-env-file",
      "--config=/dev/null",
      // It ends what hangs only: tests start real processes, and the machine may be busy.
      `--timeout=${isLong ? 600_000 : 120_000}`,
      ...skipped.map((file) => `--path-ignore-patterns=${file}`),
      ...(isLong ? [] : ["--path-ignore-patterns=test/long/**", sameCases, ...atOnce]),
      ...(filters.length === 0 ? ["./test"] : filters),
    ],
    {
      cwd: root,
      stdin: "ignore",
      stdout: "inherit",
      stderr: "pipe",
      env: { ...process.env, ...env, ...(process.stderr.isTTY ? { FORCE_COLOR: "1" } : {}) },
    },
  );
  const echoed = echo(child.stderr);
  const exitCode = await child.exited;
  for (const line of end()) process.stdout.write(`ended what a test left running: ${line.slice(0, 200)}\n`);
  // A process that a test left behind may hold the pipe open for ever; Bun's own summary is there by now.
  await Promise.race([echoed.ended, Bun.sleep(2_000)]);
  return { exitCode, counts: readSummary(echoed.text(), exitCode) };
}

/** Shows the stream live and keeps its end, where the summary is. */
function echo(stream: ReadableStream<Uint8Array>): { text: () => string; ended: Promise<void> } {
  const decoder = new TextDecoder();
  let tail = "";
  const copy = async (): Promise<void> => {
    for await (const chunk of stream) {
      process.stderr.write(chunk);
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-64 * 1024);
    }
  };
  return { text: () => tail, ended: copy() };
}

process.exit(await main(process.argv.slice(2)));
