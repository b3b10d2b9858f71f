// The composition root. Everything heavy is imported dynamically: `--version` must not pay for the rest.
import { writeSync } from "node:fs";
import { version } from "./main/cli/version.ts";
import { emptyOwnEnviron } from "./platform/own-environ.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  try {
    writeSync(1, `${version()}\n`);
  } catch {
    // Nobody can be shown the version: the exit code says so.
    process.exitCode = 1;
  }
} else {
  // bin/coder.cjs sets these for our own runtime; what we start must not get them.
  for (const [name, ours] of [
    ["forceRAMSize", "150000000"],
    ["thresholdForOptimizeAfterWarmUp", "10000"],
    ["thresholdForOptimizeAfterLongWarmUp", "10000"],
    ["thresholdForOptimizeSoon", "10000"],
  ])
    if (process.env[`BUN_JSC_${name}`] === ours) delete process.env[`BUN_JSC_${name}`];
  // Before anything can be started that would read it.
  emptyOwnEnviron();
  const { runCli } = await import("./main/cli/cli.ts");
  process.exit(await runCli(args));
}
