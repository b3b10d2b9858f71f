// A task that moves a module and forgets who imports it, from the request to the evidence.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../support/cli.ts";

const isHere = Bun.which("python3") !== null && Bun.which("make") !== null;
const python =
  "import unittest\nfrom helpers import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(1, 2), 3)\n";
const moved = [
  "--- a/helpers.py",
  "+++ /dev/null",
  "@@ -1,2 +0,0 @@",
  "-def add(a, b):",
  "-    return a + b",
  "--- /dev/null",
  "+++ b/util.py",
  "@@ -0,0 +1,2 @@",
  "+def add(a, b):",
  "+    return a + b",
  "",
].join("\n");

const repaired = [
  "--- a/test_a.py",
  "+++ b/test_a.py",
  "@@ -2 +2 @@",
  "-from helpers import add",
  "+from util import add",
  "",
].join("\n");

test.skipIf(!isHere)(
  "[VF-4] [VF-5] a module that the task moved goes to repair, and the repair is VERIFIED",
  async () => {
    const read = (path: string) => ({ tool: "read", input: { path } });
    using cli = new Cli([
      { calls: [read("helpers.py"), read("test_a.py")] },
      { calls: [{ tool: "patch", input: { patch: moved } }] },
      { text: "moved" },
      { calls: [{ tool: "patch", input: { patch: repaired } }] },
      { text: "repaired" },
    ]);
    mkdirSync(cli.home);
    writeFileSync(join(cli.home, "config.json"), JSON.stringify({ workflow: { verify_allowed: ["make test"] } }));
    cli.file("Makefile", "test:\n\tpython3 -m unittest\n");
    cli.file("helpers.py", "def add(a, b):\n    return a + b\n");
    cli.file("test_a.py", python);
    const ran = await cli.run([
      "run",
      ...cli.model,
      "--mode",
      "auto-edit",
      "--output",
      "json",
      "move helpers.py to util.py",
    ]);
    const { outcome, summary } = JSON.parse(ran.out);
    expect([outcome, summary.verification.attempts]).toEqual(["VERIFIED", 2]);
  },
);
