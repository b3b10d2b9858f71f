// How things end, well or not: outcomes, checks, failures of the model, cancelling, sessions that go on.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "../../support/scripted-reply.ts";
import { isAsleepIn } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { Scene, sizes, usage } from "./scene.ts";

const wrong = "export function add(a: number, b: number): number {\n  return a - b;\n}\n";
/** Speaks like pytest, about what stands in the file. */
const check = `#!/bin/sh
if grep -q "a + b" add.ts; then
  echo "..                                          [100%]"
  echo "2 passed in 0.01s"
  exit 0
fi
cat <<'END'
.F                                          [100%]
=================================== FAILURES ===================================
__________________________________ test_adds ___________________________________

    def test_adds():
>       assert add(1, 2) == 3
E       assert -1 == 3
E        +  where -1 = add(1, 2)

tests/test_add.py:5: AssertionError
=========================== short test summary info ============================
FAILED tests/test_add.py::test_adds - assert -1 == 3
1 failed, 1 passed in 0.01s
END
exit 1
`;
const files = { "add.ts": wrong, "pytest.ini": "[pytest]\n" };

let runners = "";
beforeAll(() => {
  runners = mkdtempSync(join(tmpdir(), "coder-runners-"));
  writeFileSync(join(runners, "pytest"), check);
  chmodSync(join(runners, "pytest"), 0o755);
});
afterAll(() => rmSync(runners, { recursive: true, force: true }));

const edit = (to: string, from = "return a - b;"): Step => ({
  calls: [
    { tool: "read", input: { path: "add.ts" } },
    { tool: "edit", input: { path: "add.ts", old_string: from, new_string: to } },
  ],
});

function checked(setting: Parameters<typeof Scene.begin>[0]): Promise<Scene> {
  const env = { PATH: `${runners}:${process.env.PATH}` };
  // Without a sandbox it would be asked about.
  return Scene.begin({ files, mode: "auto-edit", args: ["--allow", "bash(pytest *)"], env, ...setting });
}

test.each(sizes)(
  "[VF-6] a task whose check fails, is repaired and passes ends VERIFIED, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: Step[] = [
      { text: "I change it.", ...edit("return b - a;") },
      { text: "That was wrong.", usage },
      { text: "The smallest repair.", ...edit("return a + b;", "return b - a;") },
      { text: "Now it adds.", usage },
    ];
    await using scene = await checked({ script, ...size });
    scene.say("make add.ts add");
    await scene.rests("/undo to revert");
    await scene.frame(`verified${name}`, { isWhole: true });
  },
);

test("[VF-6] a task whose check goes on failing ends FAILED, with the failures", async () => {
  const script: Step[] = [
    { text: "I change it.", ...edit("return b - a;") },
    { text: "Done.", usage },
    { text: "Again.", ...edit("return -a;", "return b - a;") },
    { text: "Done again.", usage },
    { text: "I give up.", usage },
    { text: "I give up.", usage },
  ];
  await using scene = await checked({ script });
  scene.say("make add.ts add");
  await scene.rests("/undo to revert");
  await scene.frame("failed", { isWhole: true });
});

test.each(sizes)(
  "[ER-2] a model that refuses is told with advice and where to look, at $columns by $rows",
  async ({ name, ...size }) => {
    const body =
      '{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}}';
    await using scene = await Scene.begin({ script: [{ status: 401, body }], ...size });
    scene.say("what is in here?");
    await scene.rests("model error");
    await scene.frame(`refused${name}`);
  },
);

test.each(sizes)(
  "[MD-4] a model call that fails is made again, and what was shown of it stays until then, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: Step[] = [
      {
        text: "Half of a sentence.\n\nAnd another one that",
        chunkChars: 21,
        chunkDelayMs: 60,
        // A connection that breaks may take along what it has brought.
        stallAfter: 2,
        times: 1,
        usage,
      },
    ];
    await using scene = await Scene.begin({ script, ...size, config: { model_idle_s: 1 } });
    scene.say("what is in here?");
    await scene.sees("retrying");
    await scene.frame(`retrying${name}`);
    await scene.rests("1.2k");
    await scene.frame(`retried${name}`);
  },
);

test("[MD-4] [CAN-3] a wait for a model that is busy can be cancelled", async () => {
  const script: Step[] = [{ status: 429, headers: { "retry-after": "40" }, body: '{"error":{"message":"slow down"}}' }];
  await using scene = await Scene.begin({ script });
  scene.say("what is in here?");
  await scene.sees("retrying");
  await scene.frame("rate-limited");
  scene.person.press("escape");
  await scene.rests("Stopped model stream");
  await scene.frame("rate-limited-cancelled");
});

test("[MD-4] a wait for a model that is busy can be cut short by a key, which sends what is typed where something is", async () => {
  const step = { status: 429, headers: { "retry-after": "500" }, body: '{"error":{"message":"slow down"}}' };
  await using scene = await Scene.begin({ script: [{ ...step, text: "There it is.", times: 1, usage }] });
  scene.say("what is in here?");
  await scene.sees("Enter to retry now");
  scene.person.type("and hurry");
  await scene.sees("and hurry");
  expect(scene.person.rows().join("\n")).not.toContain("to retry now");
  scene.person.press("ctrl+u");
  await scene.askedAfterTyping("Enter to retry now");
  scene.person.press("enter");
  await scene.rests("There it is.");
});

test("[CAN-2] [CAN-3] a task that is cancelled says so, and what it has changed", async () => {
  const script: Step[] = [
    { ...edit("return a + b;") },
    { calls: [{ tool: "bash", input: { command: "echo begun; sleep 60" } }] },
  ];
  await using scene = await Scene.begin({ script, files, mode: "yolo" });
  scene.say("make add.ts add");
  await scene.sees("  begun");
  scene.person.press("escape");
  await scene.rests("Stopped model stream");
  await scene.frame("cancelled");
});

test("[IN-2] notices stand apart from words", async () => {
  const script: Step[] = [{ text: "Yes.", usage }];
  await using scene = await Scene.begin({ script, files });
  scene.say("/etc/hosts is wrong, see @add.ts and @nowhere.txt");
  await scene.rests("Yes.");
  scene.say("/mode auto-edit");
  await scene.sees("● auto-edit");
  scene.say("/nonsense");
  await scene.sees("nonsense");
  scene.person.press("ctrl+c");
  scene.say("!echo out; echo err >&2; exit 2");
  await scene.rests("exit code 2");
  await scene.frame("notices", { isWhole: true });
});

test.each(sizes)(
  "[PS-4] a session that was killed is shown again and goes on, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: readonly (readonly Step[])[] = [
      [
        { text: "First **answer**.", ...edit("return a + b;") },
        { text: "It adds.", usage },
      ],
      [
        { thinking: "Hm.", text: "Second.", calls: [{ tool: "bash", input: { command: "sleep 60" } }] },
        { text: "I see.", usage },
      ],
    ];
    await using scene = await Scene.begin({ script, files: { "add.ts": wrong }, mode: "yolo", ...size });
    scene.say("make add.ts add");
    await scene.rests("It adds.");
    scene.say("and run it");
    await scene.sees(/^• Run sleep 60/);
    await until("it sleeps", () => isAsleepIn(scene.cli.workspace));
    scene.person.kill("SIGKILL");
    await scene.person.exited;
    await using again = scene.again({ mode: "yolo", args: ["--continue"], ...size });
    await again.waitFor(() => again.scrollback().join("\n").includes("I see."));
    await again.waitFor(() => again.rows().some((row) => row.includes("1.2k")));
    await scene.frame(`resumed${name}`, { person: again, isWhole: true });
  },
);

test("[PS-1] a store that cannot be written ends it all, and says how to leave", async () => {
  const script: Step[] = [{ text: "Yes. ".repeat(20_000), usage }];
  await using scene = await Scene.begin({ script, before: "ulimit -f 400; trap '' XFSZ" });
  scene.say("say yes");
  await scene.rests(() => /Reading or writing|disk is full|session store/.test(scene.person.screen()));
  await scene.sees("Press Ctrl+C twice");
  await scene.frame("lost");
  scene.person.press("ctrl+c", "ctrl+c");
  expect(await scene.person.exited).toBe(0);
});

test("[SL-3] what a review has found is told in lines, not as JSON", async () => {
  const finding = { severity: "high", file: "add.ts", line: 1, problem: "It subtracts.", suggestion: "Use + here." };
  const text = JSON.stringify({ findings: [finding] });
  await using scene = Scene.open({ script: [{ text, usage }], files: { "add.ts": wrong }, mode: "yolo" });
  const git = (...args: readonly string[]): void => void execFileSync("git", [...args], { cwd: scene.cli.workspace });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=n", "-c", "user.email=n@example.com", "commit", "-q", "--allow-empty", "-m", "x");
  await scene.ready();
  scene.say("/review");
  await scene.rests("1.2k");
  await scene.frame("review");
});
