// Format, lint, types, sizes, dead code, room borders, and links and spelling of the documents. Prints one line per check, and a failed
// check's whole output.
//   npm run check [-- --figures]
import { join } from "node:path";
import { checkLinks } from "./check/links.ts";
import { figuresOf } from "./figures.ts";
import { checkSizes } from "./sizes.ts";

export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
}

const root = join(import.meta.dir, "..");
const tool = (name: string): string => join(root, "node_modules", ".bin", name);

const checks: readonly { name: string; run: () => Promise<Omit<Outcome, "name">> }[] = [
  { name: "format and lint", run: () => program([tool("biome"), "check", "--max-diagnostics=50"]) },
  { name: "types", run: () => program([tool("tsc"), "--noEmit", "--pretty", "false"]) },
  { name: "sizes", run: () => checkSizes(root) },
  { name: "dead code", run: () => program([tool("knip"), "--no-progress", "--no-config-hints"]) },
  {
    name: "rooms",
    run: () => program([process.execPath, "test", "--no-env-file", "--config=/dev/null", "./test/rooms.test.ts"]),
  },
  { name: "links", run: () => checkLinks(root) },
  // A process of its own: reading the dictionary would hold up the others.
  { name: "spelling", run: () => program([process.execPath, join(root, "scripts", "check", "spelling.ts")]) },
];

/** All at once: each is its own process, and the slowest sets the time. */
export async function runChecks(): Promise<readonly Outcome[]> {
  return await Promise.all(
    checks.map(async ({ name, run }) => {
      const started = performance.now();
      const outcome = { name, ...(await run()) };
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${outcome.ok ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`);
      if (outcome.output !== "") process.stdout.write(`${outcome.output}\n`);
      return outcome;
    }),
  );
}

async function program(argv: string[]): Promise<Omit<Outcome, "name">> {
  const child = Bun.spawn(argv, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { ok: code === 0, output: code === 0 ? "" : `${out}${err}`.trim() };
}

if (import.meta.main) {
  if (process.argv.includes("--figures")) process.stdout.write(`${await figuresOf(root)}\n`);
  const outcomes = await runChecks();
  process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1);
}
