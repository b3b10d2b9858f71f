#!/bin/sh
":" /* 2>/dev/null
# Two programs in one file. To sh the line above is a command that does nothing, to Node it opens a comment: sh finds the
# program inside this package and becomes it, in 3 ms; Node is for a program that lies in a package of its own (ADR 9).
# Nothing outside this package runs before its hash was compared: a registry gives any name to whoever asks first (ADR 27).
# With less the runtime ends before any line of ours, in words of its own. In units of 1,024 bytes: six digits at most.
case $(ulimit -v 2>/dev/null) in
  [1-4]????? | ????? | ???? | ??? | ?? | ?)
    echo "coder: too little memory: this shell allows $(ulimit -v) KB of addresses (ulimit -v), and coder needs 500000." >&2
    echo "Raise the limit (ulimit -v 500000, or unlimited) and run it again. Nothing that was stored is lost." >&2
    exit 1
    ;;
esac
# The runtime reads these before any line of ours runs: how closely its memory follows what is in use (ADR 32), and how often
# a function has to run before it is compiled for speed (ADR 40).
export BUN_JSC_forceRAMSize="${BUN_JSC_forceRAMSize:-150000000}"
export BUN_JSC_thresholdForOptimizeAfterWarmUp="${BUN_JSC_thresholdForOptimizeAfterWarmUp:-10000}"
export BUN_JSC_thresholdForOptimizeAfterLongWarmUp="${BUN_JSC_thresholdForOptimizeAfterLongWarmUp:-10000}"
export BUN_JSC_thresholdForOptimizeSoon="${BUN_JSC_thresholdForOptimizeSoon:-10000}"
self=$0
[ "${self%/*}" = "$self" ] && self=./$self
while [ -h "$self" ]; do
  # The system's own first: npm puts the bin folders of all packages before everything else on PATH.
  link=$(command -p readlink "$self" 2>/dev/null || readlink "$self") || break
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
machine=$(command -p uname -sm 2>/dev/null || uname -sm)
case $machine in
  "Linux x86_64") name=linux-x64 ;;
  "Linux aarch64") name=linux-arm64 ;;
  "Darwin x86_64") name=darwin-x64 ;;
  "Darwin arm64") name=darwin-arm64 ;;
  *) name= ;;
esac
names=$name
for loader in /lib/ld-musl-*; do
  [ -e "$loader" ] && names="$name-musl $name"
done
for name in $names; do
  program=${self%/*}/../dist/npm/@coder-cli/$name/bin/coder
  [ -f "$program" ] && [ -x "$program" ] && exec "$program" "$@"
done
command -v node >/dev/null && exec node "$self" "$@"
echo "coder: no program for $machine inside the package of $self, and no Node to look further." >&2
echo "Install a coder package that was made for this machine (docs/install.md)." >&2
exit 1
*/
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} = require("node:fs");
const { constants } = require("node:os");
const { dirname, join } = require("node:path");

/** musl and glibc need different programs; only Node itself knows which of them it runs on. */
function isMusl() {
  return process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
}

// As above, for whoever starts this with Node.
process.env.BUN_JSC_forceRAMSize ??= "150000000";
for (const when of ["AfterWarmUp", "AfterLongWarmUp", "Soon"]) process.env[`BUN_JSC_thresholdForOptimize${when}`] ??= "10000";

const platform = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
const name = `@coder-cli/${platform}`;
const inside = join(__dirname, "..", "dist", "npm", name, "bin", "coder");
const listFile = join(__dirname, "programs.json");

function find() {
  if (existsSync(inside)) return inside;
  const beside = findPackage();
  return beside === undefined ? fail(missing()) : checked(beside);
}

function findPackage() {
  try {
    return realpathSync(join(dirname(require.resolve(`${name}/package.json`)), "bin", "coder"));
  } catch {
    return undefined;
  }
}

/** The program of a package that may be anybody's: run only when it is, byte for byte, what this package was made with. */
function checked(beside) {
  const expected = existsSync(listFile) ? JSON.parse(readFileSync(listFile, "utf8"))[platform] : undefined;
  const advice = "It was not started. Remove it, and install the coder packages together, from where you got them.";
  if (typeof expected !== "string") {
    fail([`coder: ${beside} is not part of this installation: no hash is known for ${name}.`, advice]);
  }
  const taken = takeIn(beside);
  const found = createHash("sha256")
    .update(readFileSync(taken ?? beside))
    .digest("hex");
  if (found === expected) {
    if (taken === undefined) return beside;
    renameSync(taken, inside);
    return inside;
  }
  if (taken !== undefined) rmSync(taken, { force: true });
  fail([`coder: ${beside} is not the program that this package was made with.`, `sha256 ${found}`, `not    ${expected}`, advice]);
}

/** Linked into this package, where sh finds it next time: reading 136 MiB takes 0.3 s. Not where others own the folder. */
function takeIn(beside) {
  const link = `${inside}.${process.pid}`;
  try {
    mkdirSync(dirname(inside), { recursive: true });
    linkSync(beside, link);
    return link;
  } catch {
    return undefined;
  }
}

function missing() {
  const libc = process.platform === "linux" ? (isMusl() ? " with musl" : " with glibc") : "";
  return [
    `coder: this package holds no program for ${process.platform}-${process.arch}${libc}, and ${name} is not installed.`,
    "Install a coder package that was made for this machine (docs/install.md). For Windows there is none: use coder inside WSL.",
  ];
}

function fail(lines) {
  console.error(lines.join("\n"));
  process.exit(1);
}

/** We stay as the program's parent, and every process of the same user could read the keys in `/proc/PID/environ`. */
function emptyOwnEnviron() {
  if (process.platform !== "linux") return;
  let memory;
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const [start, end] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(47, 49).map(Number);
    memory = openSync("/proc/self/mem", "r+");
    writeSync(memory, Buffer.alloc(end - start), 0, end - start, start);
  } catch {
    // Not to be had here; the program itself says what holds then.
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}

const program = find();

// Listening comes first: a signal in between would end us and leave the program without anyone to wait for it.
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];
const forward = (signal) => child.kill(signal);
for (const signal of signals) process.on(signal, forward);
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
emptyOwnEnviron();
child.on("error", (error) => fail([`coder: ${program} cannot be started: ${error.message}`]));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // Whoever waits for us must see the death that the program died.
  for (const one of signals) process.off(one, forward);
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
});
