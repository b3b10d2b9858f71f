// Builds dist/coder, one self-contained program. `--force` builds even when nothing changed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../package.json";
import { putOwnWords } from "./own-words.ts";

const root = join(import.meta.dir, "..");
const output = join(root, "dist", "coder");
/** The program, and the thread that it starts by its place among the sources (`platform/witness/witness.ts`). */
const entries = ["main.ts", "platform/witness/worker.ts"].map((path) => join(root, "src", path));
const commitNote = join(root, "dist", "commit");
/** All that the program is made of. */
const inputs = ["src", "package.json", "package-lock.json", "scripts/build.ts", "scripts/own-words.ts"];

function main(args: readonly string[]): number {
  const commit = currentCommit();
  if (!args.includes("--force") && isCurrent(commit)) return 0;
  const started = new Date();
  mkdirSync(join(root, "dist"), { recursive: true });
  removeLeftovers();
  // Built aside and renamed: a running dist/coder cannot be overwritten, and two builds at once must not mix.
  const fresh = `${output}.${process.pid}`;
  const flags = [
    "--compile --minify --bytecode --format=esm --splitting",
    // Otherwise a bunfig.toml or .env in the current folder would run code inside the program.
    "--no-compile-autoload-bunfig --no-compile-autoload-dotenv",
    // What the runtime thinks of timers and variables is nothing to tell a person, least of all across their screen.
    "--compile-exec-argv=--no-warnings",
  ].flatMap((line) => line.split(" "));
  const defines = ["--define", `BUILD_COMMIT=${JSON.stringify(commit)}`];
  const build = Bun.spawnSync([process.execPath, "build", ...flags, ...defines, ...entries, "--outfile", fresh], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
  });
  if (build.exitCode !== 0) {
    rmSync(fresh, { force: true });
    process.stderr.write(`${build.stdout}${build.stderr}\nbuild failed with exit code ${build.exitCode}\n`);
    return 1;
  }
  // A changed program would have to be signed again there.
  const theirs = process.platform === "linux" ? putOwnWords(fresh) : [];
  for (const words of theirs) process.stderr.write(`the runtime's words stay, because they are others now: ${words}\n`);
  // A source file saved while we were building must count as newer.
  utimesSync(fresh, started, started);
  renameSync(fresh, output);
  writeFileSync(commitNote, commit);
  const seconds = ((Date.now() - started.getTime()) / 1000).toFixed(1);
  const mebibytes = (statSync(output).size / 2 ** 20).toFixed(0);
  process.stdout.write(`built dist/coder ${version} (${commit || "no commit"}), ${mebibytes} MiB, ${seconds} s\n`);
  return 0;
}

/** A build that was killed leaves its half-made program behind, 100 MiB each. */
function removeLeftovers(): void {
  for (const name of readdirSync(join(root, "dist"))) {
    const pid = /^coder\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(root, "dist", name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isCurrent(commit: string): boolean {
  try {
    const built = statSync(output).mtimeMs;
    return readFileSync(commitNote, "utf8") === commit && inputs.every((path) => newest(join(root, path)) < built);
  } catch {
    return false;
  }
}

/** Folders count too: a deleted file leaves its trace only there. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Twelve digits, with `-dirty` when what the program is made of differs from it; empty outside our own repository. */
function currentCommit(): string {
  // An unpacked archive may lie inside somebody else's repository.
  if (git("rev-parse", "--show-prefix") !== "") return "";
  const commit = git("rev-parse", "--short=12", "HEAD");
  if (!commit) return "";
  return git("status", "--porcelain", "--", ...inputs) === "" ? commit : `${commit}-dirty`;
}

function git(...args: readonly string[]): string | null {
  try {
    const done = Bun.spawnSync(["git", ...args], { cwd: root, stderr: "ignore" });
    return done.exitCode === 0 ? done.stdout.toString().trim() : null;
  } catch {
    return null; // No git on this machine.
  }
}

process.exit(main(process.argv.slice(2)));
