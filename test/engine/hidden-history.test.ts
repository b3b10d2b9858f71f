// What git keeps of secret files is hidden from checks, which run by themselves whatever the model has written.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isSecretPath } from "../../src/contract/path/secret-path.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import type { Published } from "../../src/engine/port.ts";
import { lookAtPast } from "../../src/platform/git/past.ts";
import { Bench, type Seat } from "../support/engine.ts";
import { until } from "../support/until.ts";

const value = ["removed", "word", "4711", "xyz"].join("-");
const config = { workflow: { verify_allowed: ["make test"] } };
const write = (name: string) => ({ calls: [{ tool: "write", input: { path: name, content: "right\n" } }] });
const tasks = ["first", "second"].map((when) => ({ when, steps: [write(`${when}.c`), { text: "done" }] }));

function git(bench: Pick<Bench, "workspace">, ...args: readonly string[]): void {
  const person = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const done = spawnSync("git", [...person, ...args], { cwd: bench.workspace, encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}

/** `line` is what the check does; `name` was committed once, and is gone. */
function project(bench: Bench, line: string, name: string): void {
  bench.file("Makefile", `test:\n\t@${line}\n`);
  bench.file(name, `NOTE ${value}\n`);
  git(bench, "init", "-q", "-b", "main");
  git(bench, "add", ".");
  git(bench, "commit", "-qm", "one");
  git(bench, "rm", "-q", name);
  git(bench, "commit", "-qm", "two");
}

/** What git keeps is looked at for a moment only, and hidden where that was not enough; here it is known before. */
async function knowHistory({ workspace }: Bench): Promise<void> {
  await until("the history is known", async () => (await lookAtPast(workspace, [], isSecretPath)).isWhole);
}

const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const told = (bench: Bench) => bench.server.requests.map((one) => JSON.stringify(one)).join("\n");
const asks = (one: Published): boolean =>
  one.kind === "event" && one.state.run.phase === "awaiting_human" && one.recorded.event.type === "tool.decided";

test("[PO-7] [PO-8] a check cannot tell what was in a secret file that was removed", async () => {
  await using bench = new Bench(tasks);
  project(bench, "git show HEAD~1:.env; exit 1", ".env");
  await knowHistory(bench);
  const seat = bench.open({ mode: "auto-edit" }, { config });
  await seat.run("the first task");
  expect([summaryOf(seat).outcome, told(bench).includes(value)]).toEqual(["UNVERIFIED", false]);
});

test("[PO-8] a check that needs the history is asked about once, and sees it after a yes", async () => {
  await using bench = new Bench(tasks);
  project(bench, "git log --oneline", ".env");
  await knowHistory(bench);
  const seat = bench.open({ mode: "auto-edit" }, { interactive: true, config });
  await seat.engine.runInput("the first task");
  await seat.until(asks);
  const open = seat.approval();
  expect(open?.reasons.map((one) => say("en", one)).join()).toStartWith("make test failed without .git/objects");
  seat.engine.answer(open?.callId ?? "", { answer: "yes", by: "person" });
  await seat.engine.idle();
  expect(summaryOf(seat).outcome).toBe("VERIFIED");
  await seat.run("the second task");
  expect(summaryOf(seat).outcome).toBe("VERIFIED");
  expect(seat.all("tool.decided").filter(({ decision }) => decision === "ask").length).toBe(1);
});

test("[PO-8] where no secret file was ever committed checks see the history", async () => {
  await using bench = new Bench(tasks);
  project(bench, "git show HEAD~1:notes.txt", "notes.txt");
  await knowHistory(bench);
  const seat = bench.open({ mode: "auto-edit" }, { config });
  await seat.run("the first task");
  expect(summaryOf(seat).outcome).toBe("VERIFIED");
});

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const outputs = (seat: Seat): string => JSON.stringify(seat.all("tool.settled").map(({ result }) => result));

/** The files of the bench become a worktree of a repository beside them, in whose history `name` was removed. */
function asWorktree(bench: Bench, name: string): void {
  project(bench, "true", name);
  const main = join(bench.root, "main");
  cpSync(bench.workspace, main, { recursive: true });
  rmSync(bench.workspace, { recursive: true });
  git({ workspace: main }, "worktree", "add", "-q", "--detach", bench.workspace);
}

test("[PO-8] in a worktree commands run unasked in the sandbox, and git works there", async () => {
  const steps = [
    bash("echo x > new.txt && git add new.txt && git status --short > seen && cat seen"),
    { text: "done" },
  ];
  await using bench = new Bench([{ when: "work", steps }]);
  asWorktree(bench, "notes.txt");
  await knowHistory(bench);
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("work");
  expect(outputs(seat)).toContain("A  new.txt");
});

test("[PO-8] in a worktree too, what runs unasked cannot tell what was in a secret file that was removed", async () => {
  const find = "const at = fs.readFileSync('.gi' + 't', 'utf8').slice(8).trim() + '/../../objects'";
  const count = `node -e "const fs = require('fs'); ${find}; console.log(fs.readdirSync(at).length + ' entries')"`;
  for (const [name, isSeen] of [
    [".env", false],
    ["notes.txt", true],
  ] as const) {
    await using bench = new Bench([{ when: "work", steps: [bash(count), { text: "done" }] }]);
    asWorktree(bench, name);
    await knowHistory(bench);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("work");
    expect(outputs(seat)).toMatch(isSeen ? /"[1-9][0-9]* entries/ : /"0 entries/);
  }
});

test("[PO-8] settings in git without a login hide nothing of it: what runs unasked stages files", async () => {
  const steps = [
    bash("echo x > new.txt && git add new.txt && git status --short > seen && cat seen"),
    { text: "done" },
  ];
  for (const [text, isSeen] of [
    ["registry=https://registry.example/\n", true],
    ["//registry.example/:_authToken=4711-aaaa-bbbb-cccc\n", false],
  ] as const) {
    await using bench = new Bench([{ when: "work", steps }]);
    project(bench, "true", "notes.txt");
    bench.file(".npmrc", "registry=https://registry.example/\n");
    git(bench, "add", ".");
    git(bench, "commit", "-qm", "three");
    bench.file(".npmrc", text);
    git(bench, "add", ".");
    await knowHistory(bench);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("work");
    expect(outputs(seat)).toContain(
      isSeen ? "A  new.txt" : "git has no objects in a command that runs without approval",
    );
  }
});
