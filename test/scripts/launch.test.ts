import { afterAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const scripts = join(import.meta.dir, "..", "..", "scripts");
const folder = mkdtempSync(join(tmpdir(), "coder-launch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A shell in the background starts its children with SIGINT ignored, which a trap cannot undo: the default is put back.
const nodeEval = ["env", "--default-signal=INT", "node", "--input-type=module", "-e"];

/** The launcher is Node's, so its parts are tested under Node. */
function node(code: string) {
  // Detached: away from the terminal that this test may run in, where Ctrl-C is not ours to forward.
  return Bun.spawn([...nodeEval, code], { stdout: "pipe", stderr: "pipe", detached: true });
}

const runShell = (command: string): string =>
  `import { run } from ${JSON.stringify(join(scripts, "process.mjs"))};
   process.exit(await run("bash", ["-c", ${JSON.stringify(command)}], { cwd: "/" }));`;

test("the launcher answers the child's exit code, or 128 + n when signal n ended it", async () => {
  expect(await node(runShell("exit 7")).exited).toBe(7);
  expect(await node(runShell("kill -KILL $$")).exited).toBe(137);
});

const countInterrupts =
  'trap "echo got; n=1" INT; echo ready; while [ -z "$n" ] && [ $((i += 1)) -lt 2000 ]; do sleep 0.05; done; sleep 0.3; exit 5';

test("a signal for the launcher reaches the child once, and the launcher outlives it", async () => {
  const child = node(runShell(countInterrupts));
  let output = "";
  for await (const chunk of child.stdout) {
    if (output === "") {
      child.kill("SIGINT");
      child.kill("SIGINT");
    }
    output += new TextDecoder().decode(chunk);
  }
  expect([output, await child.exited]).toEqual(["ready\ngot\n", 5]);
});

test("Ctrl-C in a terminal reaches the child once, from the terminal itself", async () => {
  let output = "";
  const child = Bun.spawn([...nodeEval, runShell(countInterrupts)], {
    terminal: {
      data(terminal, chunk) {
        if (output === "") terminal.write("\u0003");
        output += new TextDecoder().decode(chunk);
      },
    },
  });
  expect(await child.exited).toBe(5);
  expect(output.match(/ready|got/g)).toEqual(["ready", "got"]);
});

const holdLock = (seconds: number): string =>
  `import { withLock } from ${JSON.stringify(join(scripts, "lock.mjs"))};
   import { appendFileSync } from "node:fs";
   const note = (word) => appendFileSync(${JSON.stringify(join(folder, "order"))}, word + "\\n");
   await withLock(${JSON.stringify(join(folder, "lock"))}, async () => {
     note("in"); await new Promise((go) => setTimeout(go, ${seconds * 1000})); note("out");
   });`;

test("only one process at a time holds the install lock, and nothing is left behind", async () => {
  const all = Array.from({ length: 6 }, () => node(holdLock(0.05)));
  expect(await Promise.all(all.map((child) => child.exited))).toEqual([0, 0, 0, 0, 0, 0]);
  expect(readFileSync(join(folder, "order"), "utf8")).toBe("in\nout\n".repeat(6));
  expect(readdirSync(folder)).toEqual(["order"]);
});

test("the lock of a process that was killed is taken over", async () => {
  const dead = Bun.spawnSync(["bash", "-c", "echo $$"]).stdout.toString().trim();
  mkdirSync(join(folder, "lock"));
  writeFileSync(join(folder, "lock", "pid"), dead);
  expect(await node(holdLock(0)).exited).toBe(0);
  expect(existsSync(join(folder, "lock"))).toBe(false);
});

test("an unknown command is refused with the known ones", () => {
  const launch = Bun.spawnSync(["node", join(scripts, "launch.mjs"), "nonsense"]);
  expect(launch.exitCode).toBe(2);
  expect(launch.stderr.toString()).toContain('unknown command "nonsense". Known: start, test,');
});

test("packages that are there are not installed again because the lockfile has a new time, but when it asks for others", () => {
  const root = join(folder, "checkout");
  const text = (version: string) => JSON.stringify({ packages: { "": {}, "node_modules/a": { version } } });
  cpSync(scripts, join(root, "scripts"), { recursive: true });
  for (const name of ["bin", "node_modules/.bin"]) mkdirSync(join(root, name), { recursive: true });
  for (const name of ["bin/npm", "node_modules/.bin/bun"])
    writeFileSync(join(root, name), `#!/bin/sh\necho ran ${name}\n`, { mode: 0o755 });
  writeFileSync(join(root, "node_modules", ".package-lock.json"), text("1.0.0").replace('"":{},', ""));
  utimesSync(join(root, "node_modules", ".package-lock.json"), 1, 1);
  const started = (version: string) => {
    writeFileSync(join(root, "package-lock.json"), text(version));
    const env = { ...process.env, PATH: `${join(root, "bin")}:${process.env.PATH}` };
    return Bun.spawnSync(["node", join(root, "scripts", "launch.mjs"), "start"], { env }).stderr.toString();
  };
  expect([started("1.0.0"), started("1.0.1")]).toEqual(["", "Installing packages (npm ci) …\n"]);
});
