import { expect, test } from "bun:test";
import { join } from "node:path";
import { leftOut, leftOutHere, reasonFor } from "../../scripts/test-needs.ts";

const sources = [
  { path: "test/a.test.ts", text: 'import { Tmux } from "../support/tmux.ts";' },
  { path: "test/b.test.ts", text: 'import { trace } from "./support/strace.ts";' },
  { path: "test/c.test.ts", text: "const tmux = 1;" },
];

test("a test file that needs a missing program is left out with the reason, and no other", () => {
  const found = leftOut(sources, (program) => program !== "tmux");
  expect(found.map(reasonFor)).toEqual(["skipped, because tmux is not installed: test/a.test.ts"]);
  expect(leftOut(sources, () => true)).toEqual([]);
});

test("what names a program stands where it is looked for", async () => {
  const root = join(import.meta.dir, "..", "..");
  const paths = ["test/surface/tui/life-tmux.test.ts", "test/policy/shell/programs/effects.test.ts"];
  const real = await Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
  const found = leftOut(real, () => false);
  expect(found.find(({ program }) => program === "tmux")?.files).toContain(paths[0] ?? "");
  expect(found.find(({ program }) => program === "strace")?.files).toContain(paths[1] ?? "");
  // On a machine that has them all.
  if (["strace", "bwrap", "tmux"].every((name) => Bun.which(name) !== null))
    expect(await leftOutHere(root)).toEqual([]);
});

test("who may not install programs is told what is skipped, and what would install it", () => {
  const install = join(import.meta.dir, "..", "..", "scripts", "install.mjs");
  const code = `process.getuid = () => 1000;
    const { installTestPrograms } = await import(${JSON.stringify(install)});
    const all = process.env.PATH;
    process.env.PATH = process.env.ONLY;
    await installTestPrograms();`;
  // All but those of which the tests can be left out.
  const names = ["git", "bash", "perl", "python3", "setsid", "setpriv", "unshare"];
  const folder = Bun.spawnSync(["mktemp", "-d"]).stdout.toString().trim();
  for (const name of names) Bun.spawnSync(["ln", "-s", Bun.which(name) ?? "/bin/true", join(folder, name)]);
  const ran = Bun.spawnSync(["node", "--input-type=module", "-e", code], { env: { ...process.env, ONLY: folder } });
  Bun.spawnSync(["rm", "-r", folder]);
  expect([ran.exitCode, ran.stderr.toString()]).toEqual([
    0,
    "Not installed: strace bubblewrap tmux. Tests that need them are skipped.\nTo run them too: sudo apt-get install strace bubblewrap tmux\n",
  ]);
});
