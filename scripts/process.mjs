// Starting one child so that it looks, to the terminal and to whoever started us, as if we were not in between.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const bunPath = join(root, "node_modules", ".bin", "bun");

// Without these, a bunfig.toml or .env in the folder where the person stands would run code inside our process.
// And what the runtime warns of is not for the person.
export const bunFlags = ["--no-env-file", "--config=/dev/null", "--no-warnings"];

/** Runs a child on our own terminal. Answers its exit code, or 128 + n when signal n ended it. */
export function run(file, args, { cwd, env = process.env } = {}) {
  // Listening comes first: a signal between the two would end us and leave the child without anyone to wait for it.
  const stopForwarding = forwardSignals((signal) => child.kill(signal));
  const child = spawn(file, args, { stdio: "inherit", cwd: cwd ?? folderOfThePerson(), env });
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      stopForwarding();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      stopForwarding();
      resolve(signal === null ? code : 128 + constants.signals[signal]);
    });
  });
}

/** Having a listener also keeps us alive until the child has ended, which is what its exit code needs. */
function forwardSignals(forward) {
  const listeners = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"].map((signal) => {
    let last = Number.NEGATIVE_INFINITY;
    const listener = () => {
      // Ctrl-C reaches the whole foreground group, so the child has it already. A second one would mean "force quit".
      if ((signal === "SIGINT" || signal === "SIGQUIT") && isForeground()) return;
      // npm forwards to us what its own group got too; one signal must stay one.
      const now = performance.now();
      if (now - last > 100) forward(signal);
      last = now;
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/** Are we in the group that the terminal sends its Ctrl-C to? */
function isForeground() {
  try {
    // Fields after the command name, which may itself hold blanks and brackets: state ppid pgrp session tty tpgid.
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === foregroundGroup;
  } catch {
    return process.stdin.isTTY === true || process.stderr.isTTY === true;
  }
}

const isNpmStart = process.env.npm_lifecycle_event === "start";

/** npm changes to the package folder before it runs a script; the person stands in INIT_CWD. */
function folderOfThePerson() {
  return (isNpmStart && process.env.INIT_CWD) || process.cwd();
}

/** What npm adds for its scripts must not leak into the commands that coder runs: our tools would shadow the person's. */
export function startEnvironment() {
  // As in bin/coder.cjs.
  process.env.BUN_JSC_forceRAMSize ??= "150000000";
  for (const when of ["AfterWarmUp", "AfterLongWarmUp", "Soon"])
    process.env[`BUN_JSC_thresholdForOptimize${when}`] ??= "10000";
  if (!isNpmStart) return process.env;
  const isAdded = (name) =>
    name === "INIT_CWD" || /^npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isAdded(name)));
  const addedFolders = new Set();
  for (let folder = root; ; folder = dirname(folder)) {
    addedFolders.add(join(folder, "node_modules", ".bin"));
    if (folder === dirname(folder)) break;
  }
  const kept = (env.PATH ?? "")
    .split(delimiter)
    .filter((entry) => !addedFolders.has(entry) && !entry.endsWith("node-gyp-bin"));
  return { ...env, PATH: kept.join(delimiter) };
}
