// The short form of `npm run work`: one real task, once. The corpus lies beside this project, and needs pytest.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../support/binary.ts";

const root = join(import.meta.dir, "..", "..");
const hasCorpus = existsSync(join(root, "../shared/corpora/real-tasks/run.ts"));
const hasPytest = Bun.spawnSync(["python3", "-c", "import pytest"], { stderr: "ignore" }).exitCode === 0;
if (!hasCorpus || !hasPytest)
  console.warn("the corpus of real tasks, or pytest, is not there: the short form of npm run work is skipped");

test.skipIf(!hasCorpus || !hasPytest)(
  "[VF-6] [VF-7] a real task ends VERIFIED, and its tests agree",
  async () => {
    builtBinary();
    const argv = [process.execPath, "scripts/work.ts", "--only", "sqlparse", "--way", "auto-edit"];
    const child = Bun.spawn(argv, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    expect(await child.stdout.text()).toContain("VERIFIED 1/1, verdict agrees with the tests 1/1");
    expect(await child.exited).toBe(0);
  },
  240_000,
);
