import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSummary, showCounts } from "../../scripts/test-summary.ts";
import { inTempFolder } from "../support/shell.ts";
import timings from "../timings.json";

test("counts come from the block above the last line, not from what a test printed", () => {
  const output =
    "x.test.ts:\n 99 pass\n 7 fail\n(pass) a\n\n 3 pass\n 1 skip\n 2 todo\n 4 fail\n 5 errors\n 9 expect() calls\nRan 10 tests across 2 files. [5.00ms]\n";
  expect(readSummary(output, 1)).toEqual({ passed: 3, failed: 4, skipped: 3 });
});

test("colours do not hide the counts", () => {
  const output =
    "\n\u001b[0m\u001b[32m 2 pass\u001b[0m\n\u001b[0m\u001b[2m 0 fail\u001b[0m\nRan 2 tests across 1 file. [1.00ms]\n";
  expect(readSummary(output, 0)).toEqual({ passed: 2, failed: 0, skipped: 0 });
});

test("a runner that dies without a summary is one failure", () => {
  expect(readSummary("panic: Segmentation fault\n", 139)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("skipped tests are named only when there are any", () => {
  expect(showCounts({ passed: 2, failed: 0, skipped: 0 })).toBe("2 passed, 0 failed");
  expect(showCounts({ passed: 2, failed: 1, skipped: 3 })).toBe("2 passed, 1 failed, 3 skipped");
});

test("of files that run at the same time all are counted: what passes, fails, is skipped, cannot be loaded or dies", async () => {
  const files = {
    passes: 'test("a", () => {}); test.skip("b", () => {});',
    fails: 'test("a", () => { throw new Error("no"); }); test("b", () => {});',
    dies: 'test("a", () => { process.kill(process.pid, "SIGKILL"); });',
    ends: 'test("a", () => process.exit(0));',
    breaks: 'throw new Error("no");',
  };
  await inTempFolder(async (folder) => {
    for (const [name, code] of Object.entries(files))
      writeFileSync(join(folder, `${name}.test.ts`), `import { test } from "bun:test";\n${code}\n`);
    const argv = [process.execPath, "test", "--parallel=2", "--no-isolate", "./"];
    const ran = Bun.spawnSync(argv, { cwd: folder, stdout: "pipe", stderr: "pipe" });
    expect(readSummary(ran.stderr.toString(), ran.exitCode)).toEqual({ passed: 2, failed: 4, skipped: 1 });
    expect(ran.exitCode).toBe(1);
  });
});

test("the files that are known to be slow are there", () => {
  const root = join(import.meta.dir, "..", "..");
  expect(Object.keys(timings.files).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
