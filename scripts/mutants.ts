// Mutation tests: puts one small fault after the other into a copy of the sources and counts those that no test notices.
//   npm run mutants [-- FILES OR FOLDERS… --sample N --seed S --min PERCENT]
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { findMutants, type Mutant } from "./mutate.ts";

const root = join(import.meta.dir, "..");
/** The loop and the tool pipeline. */
const engineFiles = ["loop/loop", "call/pipeline", "call/result", "call/bound-output", "model/reply"].map(
  (name) => `src/engine/${name}.ts`,
);
/** The tests of the engine that run inside the test process: the others look at the built program, which has no fault. */
const engineTests = [
  ...["loop/loop", "call/bound-output", "call/pipeline", "model/reply"],
  ...["retry", "reconcile", "input", "model", "cancel"],
].map((name) => `./test/engine/${name}.test.ts`);
const workers = 2;
const running = new Set<Bun.Subprocess>();

type Fate = "killed" | "survived" | "timeout";

interface Judged {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

/** A fault that changes nothing anyone could see. `before` and `after` are printed for every survivor. */
interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    min: { type: "string", default: "80" },
  },
});

async function main(): Promise<number> {
  const files = positionals.length > 0 ? positionals.flatMap(filesAt) : defaultFiles();
  const all = await findMutants(root, files);
  const { real, skipped, unused } = withoutEquivalents(all, files);
  const mutants = values.sample ? sample(real, Number(values.sample)) : real;
  const home = mkdtempSync(join(tmpdir(), "coder-mutants-"));
  const clean = (): void => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  };
  process.on("exit", clean);
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
  const judged = await judgeAll(mutants, home);
  for (const one of unused)
    process.stdout.write(`listed as equivalent, but no longer a mutant: ${one.file}: ${one.after}\n`);
  return report(files, judged, skipped);
}

/** A file, or all below a folder. */
function filesAt(path: string): readonly string[] {
  const given = relative(root, join(process.cwd(), path));
  return given.endsWith(".ts") ? [given] : globSync(`${given}/**/*.ts`, { cwd: root }).sort();
}

function defaultFiles(): readonly string[] {
  const all = [...globSync("src/machine/**/*.ts", { cwd: root }).sort(), ...engineFiles];
  const missing = [...all, ...all.flatMap(testsOf)].find((path) => !existsSync(join(root, path)));
  if (missing !== undefined) throw new Error(`${missing} is not there: correct the lists in scripts/mutants.ts`);
  return all;
}

function withoutEquivalents(all: readonly Mutant[], files: readonly string[]) {
  const path = join(import.meta.dir, "mutants-equivalent.json");
  const listed: readonly Equivalent[] = JSON.parse(readFileSync(path, "utf8"));
  const same = (one: Equivalent, mutant: Mutant): boolean =>
    one.file === mutant.file && one.before === mutant.before && one.after === mutant.after;
  const real = all.filter((mutant) => !listed.some((one) => same(one, mutant)));
  const unused = listed.filter((one) => files.includes(one.file) && !all.some((mutant) => same(one, mutant)));
  return { real, skipped: all.length - real.length, unused };
}

function sample(mutants: readonly Mutant[], count: number): readonly Mutant[] {
  process.stdout.write(`a sample of ${count} of ${mutants.length} mutants, --seed ${values.seed}\n`);
  let state = Number(values.seed) >>> 0;
  const random = (): number => {
    // mulberry32: short, and good enough to choose a sample that can be repeated.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const mixed = mutants.map((mutant) => ({ mutant, at: random() })).sort((a, b) => a.at - b.at);
  return mixed.slice(0, count).map(({ mutant }) => mutant);
}

async function judgeAll(mutants: readonly Mutant[], home: string): Promise<readonly Judged[]> {
  const queue = [...mutants];
  const judged: Judged[] = [];
  const work = async (copy: string): Promise<void> => {
    copyTree(copy);
    const limits = new Map<string, number>();
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const tests = testsOf(mutant.file);
      const limit = limits.get(tests.join()) ?? (await timeLimit(copy, tests));
      limits.set(tests.join(), limit);
      judged.push({ mutant, fate: await judge(copy, mutant, tests, limit) });
      if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${mutants.length} `);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, at) => work(join(home, String(at)))));
  if (process.stderr.isTTY) process.stderr.write("\r");
  return judged;
}

/** The work tree itself is never touched. `dist` is left out: what is built there has no fault in it. */
function copyTree(copy: string): void {
  const left = new Set([".git", "node_modules", "dist"].map((name) => join(root, name)));
  mkdirSync(copy, { recursive: true });
  cpSync(root, copy, { recursive: true, filter: (from) => !left.has(from) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
}

function testsOf(file: string): readonly string[] {
  if (file.startsWith("src/engine/")) return engineTests;
  return file.startsWith("src/policy/") ? policyTests(file) : [`./test/${file.split("/")[1]}`];
}

/** Those that look at the texts alone; the others start real programs, and take a minute. */
function policyTests(file: string): readonly string[] {
  if (/policy\/(?:secret\/|redact|private-key)/.test(file))
    return [
      "./test/policy/secret",
      ...globSync("test/policy/redact*.test.ts", { cwd: root }).map((path) => `./${path}`),
    ];
  const tables = ["neighbours", "own", "page"].map((name) => `./test/policy/shell/programs/${name}.test.ts`);
  if (file.startsWith("src/policy/shell/") || file === "src/policy/command.ts")
    return ["./test/policy/shell", "./test/policy/command.test.ts", ...tables];
  return globSync("test/policy/{decide,rule,paths}*.test.ts", { cwd: root }).map((path) => `./${path}`);
}

/** The tests must pass as they are; a mutant that needs ten times as long hangs. */
async function timeLimit(copy: string, tests: readonly string[]): Promise<number> {
  const started = performance.now();
  const { fate, output } = await runTests(copy, tests, 300_000);
  if (fate !== "survived") throw new Error(`${tests} fails without any mutant:\n${output}`);
  return 5_000 + 10 * (performance.now() - started);
}

async function judge(copy: string, mutant: Mutant, tests: readonly string[], limit: number): Promise<Fate> {
  const path = join(copy, mutant.file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, mutant.source);
  try {
    return (await runTests(copy, tests, limit)).fate;
  } finally {
    writeFileSync(path, original);
  }
}

async function runTests(
  copy: string,
  tests: readonly string[],
  limit: number,
): Promise<{ fate: Fate; output: string }> {
  const child = Bun.spawn(
    [process.execPath, "test", "--no-env-file", "--config=/dev/null", "--timeout=300000", "--bail", ...tests],
    {
      cwd: copy,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      // One seed for all, so that a mutant meets the same fate every time.
      env: { ...process.env, CODER_TEST_SEED: "1" },
    },
  );
  running.add(child);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, limit);
  const [output, code] = await Promise.all([child.stderr.text(), child.exited]);
  clearTimeout(timer);
  running.delete(child);
  return { fate: isLate ? "timeout" : code === 0 ? "survived" : "killed", output };
}

function report(files: readonly string[], judged: readonly Judged[], skipped: number): number {
  const count = (list: readonly Judged[], fate: Fate): number => list.filter((one) => one.fate === fate).length;
  const show = (name: string, list: readonly Judged[]): number => {
    const percent = list.length === 0 ? 100 : (100 * (list.length - count(list, "survived"))) / list.length;
    const counts = (["killed", "survived", "timeout"] as const)
      .map((fate) => `${count(list, fate)} ${fate}`)
      .join(", ");
    process.stdout.write(`${name.padEnd(28)} ${counts}, ${percent.toFixed(1)} %\n`);
    return percent;
  };
  for (const { mutant } of judged.filter((one) => one.fate === "survived").sort(byPlace)) {
    process.stdout.write(`survived ${mutant.file}:${mutant.line}\n  - ${mutant.before}\n  + ${mutant.after}\n`);
  }
  for (const file of files) {
    const own = judged.filter(({ mutant }) => mutant.file === file);
    if (own.length > 0) show(file, own);
  }
  const percent = show(`all (${skipped} equivalent left out)`, judged);
  return percent >= Number(values.min) ? 0 : 1;
}

function byPlace(a: Judged, b: Judged): number {
  return a.mutant.file.localeCompare(b.mutant.file) || a.mutant.line - b.mutant.line;
}

process.exit(await main());
