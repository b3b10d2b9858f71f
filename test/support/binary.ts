// The forms in which people run coder, as argument lists.
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
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

/** The launcher of a package, in this new folder, with the built program inside. */
export function installedIn(folder: string): string {
  const program = join(folder, "dist", "npm", "@coder-cli", `${process.platform}-${process.arch}`, "bin");
  for (const made of [program, join(folder, "bin")]) mkdirSync(made, { recursive: true });
  symlinkSync(builtBinary()[0] ?? "", join(program, "coder"));
  const launcher = join(folder, "bin", "coder.cjs");
  cpSync(join(root, "bin", "coder.cjs"), launcher);
  return launcher;
}
