#!/bin/sh
":" /* 2>/dev/null
# Two programs in one file. To sh the line above is a command that does nothing, to Node it opens a comment: sh finds the
# platform's program and becomes it, in 3 ms; Node, in 70, is for layouts that only Node can resolve (ADR 9).
self=$0
[ "${self%/*}" = "$self" ] && self=./$self
while [ -h "$self" ]; do
  link=$(readlink "$self") || break
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
here=${self%/*}
case $(uname -sm) in
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
# Beside this package (hoisted, pnpm), inside it (npm -g), or packed into it (npm pack in a checkout).
for name in $names; do
  for folder in "$here/../.." "$here/../node_modules" "$here/../dist/npm"; do
    program=$folder/@coder-cli/$name/bin/coder
    [ -f "$program" ] && [ -x "$program" ] && exec "$program" "$@"
  done
done
command -v node >/dev/null && exec node "$self" "$@"
echo "coder: no program for $(uname -sm) beside $self, and no Node to look further." >&2
echo "Install it again as you did before, with optional packages (npm: --include=optional)." >&2
exit 1
*/
const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { constants } = require("node:os");
const { dirname, join } = require("node:path");

/** musl and glibc need different programs; only Node itself knows which of them it runs on. */
function isMusl() {
  return process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
}

const platform = `${process.platform}-${process.arch}`;
const name = `@coder-cli/${platform}${isMusl() ? "-musl" : ""}`;

function find() {
  const packed = join(__dirname, "..", "dist", "npm", name, "bin", "coder");
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), "bin", "coder");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" && error.code !== "QUALIFIED_PATH_RESOLUTION_FAILED") throw error;
    return existsSync(packed) ? packed : undefined;
  }
}

function fail(lines) {
  console.error(lines.join("\n"));
  process.exit(1);
}

const program = find();
if (program === undefined) {
  const libc = process.platform === "linux" ? (isMusl() ? " with musl" : " with glibc") : "";
  fail([
    `coder: the package ${name} (for ${platform}${libc}) is not installed.`,
    "It is an optional dependency of coder: install coder again as you did before, with those (npm: --include=optional).",
    "There is none for Windows: use coder inside WSL.",
  ]);
}

// Listening comes first: a signal in between would end us and leave the program without anyone to wait for it.
const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];
const forward = (signal) => child.kill(signal);
for (const signal of signals) process.on(signal, forward);
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail([`coder: ${program} cannot be started: ${error.message}`]));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // Whoever waits for us must see the death that the program died.
  for (const one of signals) process.off(one, forward);
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
});
