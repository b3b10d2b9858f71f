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
  // Set for our own runtime by bin/coder.cjs, and for nothing that we start.
  if (process.env.BUN_JSC_forceRAMSize === "150000000") delete process.env.BUN_JSC_forceRAMSize;
  // Before anything can be started that would read it.
  emptyOwnEnviron();
  const { runCli } = await import("./main/cli/cli.ts");
  process.exit(await runCli(args));
}
