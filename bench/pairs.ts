// npm run bench -- --against PROGRAM: this build against another one, taken in turn, so that a noisy moment hits both.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { median } from "./rows.ts";

interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly mib: number;
}

const work = [
  { name: "one headless turn", path: "read/0", files: 0, times: 41 },
  { name: "50 read steps", path: "read/50", files: 50, times: 31 },
  { name: "50 write steps", path: "write/50", files: 0, times: 31 },
] as const;

/** What the launcher of a built program tells the runtime, so that it is measured as people start it. */
export function launcherEnv(program: string): Readonly<Record<string, string>> {
  const launcher = join(dirname(program), "..", "bin", "coder.cjs");
  const text = existsSync(launcher) ? readFileSync(launcher, "utf8") : "";
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)="\$\{\w+:-(\d+)\}"/gm)].map(([, name, value]) => [name, value]),
  );
}

async function cost(program: string, url: string, files: number, scratch: string): Promise<Cost> {
  const [home, cwd] = [mkdtempSync(join(scratch, "home-")), mkdtempSync(join(scratch, "ws-"))];
  for (let n = 0; n < files; n++) writeFileSync(join(cwd, `f${n}.txt`), `file ${n}\n${"some words\n".repeat(40)}`);
  const flags = ["--base-url", `${url}/v1`, "--model", "openai-chat/mock", "--mode", "auto-edit"];
  const started = performance.now();
  const child = Bun.spawn([program, "run", ...flags, "say hi"], {
    cwd,
    env: { ...process.env, ...launcherEnv(program), CODER_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const code = await child.exited;
  const wall = performance.now() - started;
  if (code !== 0 && code !== 3) throw new Error(`${program} ended with ${code}: ${await child.stderr.text()}`);
  const used = child.resourceUsage();
  rmSync(home, { recursive: true, force: true });
  rmSync(cwd, { recursive: true, force: true });
  return { wall, cpu: Number(used?.cpuTime.total ?? 0) / 1000, mib: (used?.maxRSS ?? 0) / 2 ** 20 };
}

/** Prints the median of each program and the median of the ratios of the pairs, below 1 where this build costs less. */
export async function comparePrograms(ours: string, other: string, url: string, scratch: string): Promise<void> {
  for (const { name, path, files, times } of work) {
    const pairs: (readonly [ours: Cost, other: Cost])[] = [];
    for (let n = -2; n < times; n++) {
      const of = (program: string) => cost(program, `${url}/${path}`, files, scratch);
      const isOursFirst = n % 2 === 0;
      const first = await of(isOursFirst ? ours : other);
      const second = await of(isOursFirst ? other : ours);
      if (n >= 0) pairs.push(isOursFirst ? [first, second] : [second, first]);
    }
    for (const what of ["wall", "cpu", "mib"] as const) {
      const [mine, theirs] = [median(pairs.map(([a]) => a[what])), median(pairs.map(([, b]) => b[what]))];
      const change = (median(pairs.map(([a, b]) => a[what] / b[what])) - 1) * 100;
      const figures = `${theirs.toFixed(1)} → ${mine.toFixed(1)}`.padStart(16);
      console.log(`${name.padEnd(20)} ${what.padEnd(5)} ${figures}  ${change >= 0 ? "+" : ""}${change.toFixed(1)} %`);
    }
  }
}
