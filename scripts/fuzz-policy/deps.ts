import { join } from "node:path";
import { loadSettings } from "../../src/config/load.ts";
import type { JudgeDeps } from "../../src/engine/judge/deed-facts.ts";
import { foreignPath, isManaged, isRealProgram, shimsIn } from "../../src/platform/find-program.ts";
import { gitProblem } from "../../src/platform/git/facts.ts";

export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What the program knows when it judges in that workspace. `root` holds a home and a folder of our own beside it. */
export function judgeDeps(workspace: string, root: string): JudgeDeps {
  const loaded = loadSettings({
    flags: { cwd: workspace },
    env: { CODER_HOME: join(root, "coder"), HOME: join(root, "home") },
    cwd: workspace,
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const keepOut = [workspace];
  const path = foreignPath(systemPath, keepOut);
  return {
    settings: loaded.value,
    rules: [],
    ownFolder: join(root, "coder"),
    isInteractive: () => true,
    isRealProgram: (program) => isRealProgram(program, path, keepOut),
    isManaged: (program) => isManaged(program, path, keepOut),
    isShim: shimsIn(path, keepOut),
    gitProblem: () => gitProblem(workspace),
  };
}
