// Runs the tests of a program by themselves, without coder: to know whether a fault shows, and whether a repair is one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const longestMs = 60_000;

export function lay(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-mechanic-")));
  try {
    lay(folder, files);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `null`: they did not end. */
async function exitOf(folder: string, path: string, runner = "node"): Promise<number | null> {
  const argv = path.endsWith(".py")
    ? ["python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", path]
    : runner === "uvu"
      ? ["node", "node_modules/.bin/uvu", "test", `${path.split("/").at(-1)}$`]
      : ["node", ...(runner === "node" ? [] : [`node_modules/.bin/${runner}`]), path];
  const ignored = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const child = Bun.spawn(argv, { cwd: folder, ...ignored, timeout: longestMs, killSignal: "SIGKILL" });
  await child.exited;
  return child.exitCode;
}

/** Whether the tests in one file pass. */
export async function passes(folder: string, path: string, runner?: string): Promise<boolean> {
  return (await exitOf(folder, path, runner)) === 0;
}

/** Whether they run, end, and do not pass: 1 says so in both languages, but Node says it of a text that is no program too. */
export async function failsTests(folder: string, path: string, runner?: string): Promise<boolean> {
  const code = await exitOf(folder, path, runner);
  // Mocha counts the failures.
  return code === 1 || (runner === "mocha" && code !== null && code > 0);
}

/** Why Python programs cannot be tested here; `null` = they can. */
export async function whyNoPython(): Promise<string | null> {
  if (Bun.which("python3") === null) return "python3 is not installed";
  const child = Bun.spawn(["python3", "-m", "pytest", "--version"], { stdout: "ignore", stderr: "ignore" });
  if ((await child.exited) !== 0) return "python3 has no pytest";
  return Bun.which("pytest") === null ? "pytest is not on the PATH" : null;
}
