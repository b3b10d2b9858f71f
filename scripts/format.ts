// Formats every file and applies the safe fixes of the linter.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const biome = Bun.spawnSync(
  [join(root, "node_modules", ".bin", "biome"), "check", "--write", ...process.argv.slice(2)],
  {
    cwd: root,
    stdout: "inherit",
    stderr: "inherit",
  },
);
process.exit(biome.exitCode);
