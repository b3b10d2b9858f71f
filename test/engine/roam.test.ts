// Commands whose words come through a pipe or lead through links: what they could be led to, they are not shown.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitHardening } from "../../src/policy/shell/programs/git-hardening.ts";
import { Bench } from "../support/engine.ts";

const secret = "canary-4711-of-somebody";

/** Beside the workspace, in it and in its history lies what nobody may read. */
async function outputs(lines: readonly string[], settings = {}, tracked = "a.ts sub"): Promise<readonly string[]> {
  await using bench = new Bench([
    ...lines.map((command) => ({ calls: [{ tool: "bash", input: { command } }] })),
    { text: "done" },
  ]);
  const write = (name: string, text: string) => writeFileSync(join(bench.workspace, name), text);
  mkdirSync(join(bench.root, "outside"));
  writeFileSync(join(bench.root, "outside", "secret.txt"), secret);
  mkdirSync(join(bench.workspace, "sub"));
  write("a.ts", "const a = 1;\n");
  write("sub/b.ts", "const b = 2;\n");
  write(".env", `KEY=${secret}\n`);
  write("names.txt", "a.ts\n.env\n/etc/passwd\n../outside/secret.txt\n/proc/1/environ\n");
  symlinkSync("../outside/secret.txt", join(bench.workspace, "link.ts"));
  symlinkSync("../outside", join(bench.workspace, "folder"));
  const git = `git init -q -b main . && git add ${tracked} && git -c user.name=a -c user.email=a@example.com commit -qm one`;
  expect(
    spawnSync("bash", ["-c", git], { cwd: bench.workspace, env: { ...process.env, ...gitHardening } }).status,
  ).toBe(0);
  const seat = bench.open({ mode: "default", ...settings });
  await seat.run("go");
  return seat.all("tool.settled").map(({ result }) => `${result.status} ${result.output}`);
}

describe("[PO-4] [PO-10] [SA-links] [SA-wrappers] a command that reads whatever it is handed", () => {
  test("runs unasked in a sandbox, and finds what lies in the workspace", async () => {
    const found = await outputs([
      "git ls-files | xargs wc -l | tail -1",
      "find . -name '*.ts' -exec grep -H const {} \\;",
      "find . -name b.ts | xargs cat",
      "ls sub | xargs -I{} wc -l sub/{}",
      "git diff --name-only | xargs cat",
    ]);
    expect(found).toEqual([
      "done exit code 0\n 2 total",
      expect.stringContaining("\n./a.ts:const a = 1;\n"),
      "done exit code 0\nconst b = 2;",
      "done exit code 0\n1 sub/b.ts",
      "done exit code 0, no output",
    ]);
  });

  test("is shown no secret file, and nothing outside of the workspace", async () => {
    const found = await outputs([
      "cat names.txt | xargs cat",
      "find . -name '*.ts' -exec cat {} +",
      "find . -type l -print0 | xargs -0 cat",
      "echo folder/secret.txt | xargs head",
      "cat names.txt | xargs -I{} grep -H . {}",
      "printf '%s\\n' -r . | xargs grep canary",
      "printf '%s\\n' --files0-from=names.txt | xargs wc",
    ]);
    expect(found).toHaveLength(7);
    for (const one of found) {
      expect(one).not.toContain(secret);
      expect(one).not.toContain("root:x:");
      expect(one).not.toMatch(/^denied/);
    }
  });

  test("is not run unasked where no sandbox narrows what it sees", async () => {
    const lines = ["git ls-files | xargs wc -l", "find . -name '*.ts' -exec cat {} +", "cat names.txt | xargs cat"];
    const found = await outputs(lines, { noSandbox: true });
    for (const one of found) expect(one).toMatch(/^denied/);
    expect(found).toHaveLength(3);
  });

  test("sees nothing of what git keeps where that holds secrets, and is asked about beside git commands that need it", async () => {
    const lines = [
      "git ls-files | xargs wc -l",
      "echo .git/objects | xargs ls",
      "git diff --name-only HEAD | xargs wc -l",
    ];
    const [listed, objects, compared] = await outputs(lines, {}, ".env a.ts sub");
    expect(listed).toMatch(/1 a\.ts\n(?:.|\n)* total/);
    expect(objects).toBe("done exit code 0, no output");
    expect(compared).toMatch(/^denied (?:.|\n)*\.env may hold secrets/);
  });

  test("says which secret files a search has left out", async () => {
    const [found] = await outputs(["grep -rn const ."]);
    expect(found).toContain("./a.ts:1:const a = 1;");
    expect(found).not.toContain(secret);
    expect(found).toMatch(/commands that run without approval skip secret files: \.env/);
  });
});
