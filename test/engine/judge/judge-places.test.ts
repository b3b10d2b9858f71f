// What lies outside of the workspace and is everybody's, and the names around it.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../support/engine.ts";

async function outputs(lines: readonly string[], settings = {}): Promise<readonly string[]> {
  await using bench = new Bench([
    ...lines.map((command) => ({ calls: [{ tool: "bash", input: { command } }] })),
    { text: "done" },
  ]);
  mkdirSync(join(bench.root, "beside"));
  writeFileSync(join(bench.root, "beside", "note.txt"), "canary\n");
  symlinkSync("../beside", join(bench.workspace, "link"));
  symlinkSync("..", join(bench.workspace, "up"));
  const seat = bench.open({ mode: "default", ...settings });
  await seat.run("go");
  return seat.all("tool.settled").map(({ result }) => `${result.status} ${result.output}`);
}

const release = existsSync("/etc/os-release");

test("[PO-7] programs, headers and what the machine says of itself are read unasked, in the sandbox and without it", async () => {
  const lines = ["cat /etc/os-release", "ls /usr/bin | head -3", "head -c 20 /usr/lib/os-release", "cat /proc/version"];
  for (const settings of [{}, { noSandbox: true }]) {
    const found = await outputs(release ? lines : lines.slice(1, 2), settings);
    for (const one of found) expect(one).toMatch(/^done exit code 0\n./);
  }
});

test("[PO-7] settings of the machine, homes and what a link leads to are asked about as before", async () => {
  const lines = [
    "cat /etc/passwd",
    "cat /etc/hosts",
    "ls /root",
    "ls /etc",
    "cat /usr/local/etc/x",
    "cat link/note.txt",
    "ls /proc",
  ];
  for (const one of await outputs(lines)) expect(one).toMatch(/^denied/);
});

test("[PO-7] the folder around the workspace is listed by name, and by nothing that could open what lies there", async () => {
  const [plain, long, piped, ...asked] = await outputs([
    ...[
      "ls ..",
      "ls -la ../",
      "ls .. | grep beside",
      "ls -R ..",
      "ls ../beside",
      "ls -L up/",
      "cat ../beside/note.txt",
    ],
    ...[
      "ls .. && cat link/note.txt",
      "ls .. ; echo ../beside/note.txt | xargs cat",
      "grep -r canary ..",
      "find ..",
      "ls ../..",
    ],
  ]);
  expect(plain).toMatch(/^done exit code 0\n(?:.|\n)*beside/);
  expect(long).toMatch(/^done exit code 0\n(?:.|\n)*beside/);
  expect(piped).toBe("done exit code 0\nbeside");
  for (const one of asked) expect(one).toMatch(/^denied/);
});
