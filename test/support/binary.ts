// The two forms in which people run coder, as argument lists.
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");

/** From source, the way the launcher starts it. */
export const fromSource: readonly string[] = [
  process.execPath,
  "--no-env-file",
  "--config=/dev/null",
  join(root, "src", "main.ts"),
];

let isBuilt = false;

/** The built program; looked at once in a test process and built if it is older than its source. */
export function builtBinary(): readonly string[] {
  if (isBuilt) return [join(root, "dist", "coder")];
  const build = Bun.spawnSync([process.execPath, join(root, "scripts", "build.ts")], { cwd: root, stderr: "pipe" });
  if (build.exitCode !== 0) throw new Error(`dist/coder could not be built:\n${build.stderr}`);
  isBuilt = true;
  return [join(root, "dist", "coder")];
}
