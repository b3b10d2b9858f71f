// Each test is one moment at which a kill or a second process once left something wrong; test/torture looks for more.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";
import { startScriptedServer } from "../../support/scripted-server.ts";
import { inTempFolder, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { lookAt } from "../../torture/found.ts";
import { live, makePlace, runFlags } from "../../torture/life.ts";

async function newestId(cli: Cli): Promise<string> {
  const rows = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  return rows[0]?.id ?? "";
}

function linesIn(file: string): readonly string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}

test("[PS-5] [TP-3] a copy neither ends nor repeats the command that its original is running, and continues without it", async () => {
  const command = `echo begun >> log.txt; ${untilFile("go")}; echo ended >> log.txt`;
  using cli = new Cli([
    { when: "first", steps: [{ calls: [{ tool: "bash", input: { command } }] }, { text: "first done" }] },
    { when: "second", steps: [{ text: "second done" }] },
  ]);
  const run = ["run", ...cli.model, "--mode", "yolo"];
  const first = cli.start([...run, "--output", "stream-json", "the first task"]);
  const lines = new Lines(first.stdout);
  await lines.event("process.spawned");
  const log = join(cli.workspace, "log.txt");
  await until("the command runs", () => readdirSync(cli.workspace).includes("log.txt") && linesIn(log).length === 1);
  const copy = await cli.run([...run, "--resume", await newestId(cli), "--fork", "the second task"]);
  expect({ ...copy, err: "" }).toEqual({ code: 0, out: "second done\n", err: "" });
  const told = cli.server.requests.at(-1)?.body.messages.find(({ role }) => role === "tool");
  expect(told?.content).toContain("belongs to the session this one was copied from");
  cli.file("go", "");
  await lines.drain();
  // What it has changed itself is a text: there is nothing to verify.
  expect(await first.exited).toBe(0);
  expect(linesIn(log)).toEqual(["begun", "ended"]);
});

test("[PS-5] a copy of a session whose reply is streaming leaves that reply to the original", async () => {
  using cli = new Cli([
    { when: "first", steps: [{ text: "first done", delayMs: 1_000 }] },
    { when: "second", steps: [{ text: "second done" }] },
  ]);
  const first = cli.start(["run", ...cli.model, "the first task"]);
  await until("the request arrived", () => cli.server.requests.length === 1);
  const copy = await cli.run(["run", ...cli.model, "--resume", await newestId(cli), "--fork", "the second task"]);
  expect(copy.out).toBe("second done\n");
  expect(await new Response(first.stdout).text()).toBe("first done\n");
  expect(cli.server.requests.map(({ task }) => task)).toEqual([0, 1]);
});

test.skipIf(process.platform !== "linux")(
  "[PS-2] a kill between the end of the task and its snapshot is made good by the next resume",
  async () => {
    using server = startScriptedServer([{ text: "done" }]);
    await inTempFolder(async (folder) => {
      const place = makePlace(folder);
      const rename = process.arch === "arm64" ? "renameat" : "rename";
      // Those before are of the folder's .gitignore and of the index.
      const killed = await live(place, runFlags(server.url, ["go"]), { kind: "call", name: rename, nth: 3 });
      expect(killed.wasKilled).toBe(true);
      const sessions = join(place.workspace, ".coder", "sessions");
      const left = () => readdirSync(sessions).filter((name) => name !== ".gitignore");
      expect(left()).toEqual([expect.stringMatching(/\.tmp$/)]);
      const { sessionId } = lookAt(place);
      await live(place, runFlags(server.url, ["--resume", sessionId ?? ""]), null);
      expect(left()).toEqual([`${sessionId}.json`]);
      const snapshot = JSON.parse(readFileSync(join(sessions, `${sessionId}.json`), "utf8"));
      expect([snapshot.phase, snapshot.entries.at(0), snapshot.entries.at(-1)]).toMatchObject([
        "IDLE",
        { kind: "user" },
        { kind: "assistant", text: "done" },
      ]);
    });
  },
);

test("[PS-4] a resume that finds nothing left to do shows the last result again, with its exit code", async () => {
  const write = { tool: "write", input: { path: "new.ts", content: "x" } };
  using cli = new Cli([{ calls: [write] }, { text: "written, not checked" }]);
  const run = ["run", ...cli.model, "--mode", "auto-edit"];
  const first = await cli.run([...run, "--output", "json", "go"]);
  const id = await newestId(cli);
  const again = await cli.run([...run, "--output", "json", "--resume", id]);
  expect(again.code).toBe(3);
  expect({ ...JSON.parse(again.out), duration_ms: 0 }).toEqual({ ...JSON.parse(first.out), duration_ms: 0 });
  expect((await cli.run([...run, "--resume", id])).out).toBe("written, not checked\n");
});

test("[PS-4] an input given with the resume is carried out once", async () => {
  using cli = new Cli([[{ text: "one" }], [{ text: "two" }]]);
  await cli.run(["run", ...cli.model, "first"]);
  expect((await cli.run(["run", ...cli.model, "--resume", await newestId(cli), "second"])).out).toBe("two\n");
  expect(cli.server.requests.map(({ task }) => task)).toEqual([0, 1]);
});
