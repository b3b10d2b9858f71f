// A fault of ours: the terminal first, then what is said about it. Provoked from outside the program, by something loaded before it.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromSource } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { hasEnded, pidsIn } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { asFound, pressUntil, Shell } from "./life.ts";

const base = mkdtempSync(join(tmpdir(), "coder-fault-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The program as people run it from source, and what goes wrong in it when it gets SIGUSR2. */
function faulty(name: string, fault: string): readonly string[] {
  const file = join(base, `${name}.ts`);
  writeFileSync(file, `process.on("SIGUSR2", () => {\n${fault}\n});\nexport {};\n`);
  const [bun = "", ...rest] = fromSource;
  return [bun, "--preload", file, ...rest];
}

const faults: readonly (readonly [name: string, fault: string])[] = [
  ["an exception that nobody catches", `throw new Error("the sky fell");`],
  ["a rejection that nobody handles", `void Promise.reject(new Error("the sky fell"));`],
  // What is drawn fails from then on: giving the terminal back must not depend on it.
  [
    "an exception in what is drawn",
    `String.prototype.repeat = () => { throw new Error("the sky fell"); }; process.stdout.emit("resize");`,
  ],
];

/** The program from source, with a part of it broken before it starts. */
function broken(name: string, source: string): readonly string[] {
  const file = join(base, `${name}.ts`);
  writeFileSync(file, source.replaceAll("src/", `${join(import.meta.dir, "..", "..", "..", "src")}/`));
  const [bun = "", ...rest] = fromSource;
  return [bun, "--preload", file, ...rest];
}

describe("a fault that need not end it", () => {
  test("[ER-2] in showing something is told with its trace id, and the question behind it is asked", async () => {
    const source = `import { EventBlocks } from "src/surface/tui/story/event-blocks.ts";
      const { hear } = EventBlocks.prototype;
      EventBlocks.prototype.hear = function (one) {
        if (one.kind === "event" && one.recorded.event.type === "model.replied") throw new Error("no words for it");
        hear.call(this, one);
      };`;
    using cli = new Cli([
      { calls: [{ tool: "bash", input: { command: "echo ran > ran.txt" } }] },
      { text: "all done" },
    ]);
    const args = [...cli.model, "--no-sandbox", "run it"];
    await using shell = new Shell(cli, args, {}, broken("story", source));
    const { person } = shell;
    await person.waitFor("Internal error: no words for it");
    await person.waitFor(/\[trace-\w+\]/);
    await person.waitFor("Run this command?");
    await pressUntil(person, "y", () => existsSync(join(cli.workspace, "ran.txt")));
  });

  test("[ER-2] in a command is told with its trace id, and what was typed is there again", async () => {
    const source = `import { status } from "src/command/show/status.ts";
      status.run = () => { throw new Error("no status today"); };`;
    using cli = new Cli([{ text: "the answer" }]);
    await using shell = new Shell(cli, [...cli.model], {}, broken("status", source));
    const { person } = shell;
    await person.waitFor("> Ask anything");
    person.type("/status");
    person.press("enter");
    await person.waitFor("Internal error: no status today");
    await person.waitFor(/\[trace-\w+\]/);
    await person.waitFor("> /status");
    person.press("ctrl+u");
    person.type("say something");
    person.press("enter");
    await person.waitFor("the answer");
  });
});

describe("a fault inside", () => {
  test.each(faults)(
    "[ER-2] %s gives the terminal back, then says what happened and its trace id, and keeps what was typed",
    async (name, fault) => {
      using cli = new Cli([{ text: "the answer" }]);
      await using shell = new Shell(cli, [...cli.model, "say something"], { keyboard: "kitty" }, faulty(name, fault));
      const { person } = shell;
      await person.waitFor("the answer");
      await person.waitFor(/^● default/);
      person.type("half a thought");
      await person.waitFor("half a thought");
      process.kill(shell.pid, "SIGUSR2");
      expect([await shell.left(), shell.terminal()]).toEqual([70, asFound]);
      const said = person.scrollback();
      const at = said.findIndex((row) => row.startsWith("coder: Internal error: the sky fell"));
      const trace = /\[(trace-\w+)\]/.exec(said.slice(at).join(" "))?.[1] ?? "";
      expect(readFileSync(join(cli.home, "log", "internal.log"), "utf8")).toContain(`${trace} Error: the sky fell`);
      expect(said.slice(0, at).join("\n")).toContain("coder --resume");
      const [history = ""] = [...new Bun.Glob("history/*.jsonl").scanSync(cli.home)];
      expect(readFileSync(join(cli.home, history), "utf8")).toContain('{"text":"half a thought"}\n');
    },
  );

  test("[CAN-4] it leaves no process behind that was started", async () => {
    const pids = join(base, "pids");
    const command = `setsid sh -c 'echo $$ >> ${pids}; exec sleep 300' & echo $$ >> ${pids}; sleep 300`;
    using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }]);
    const args = [...cli.model, "--mode", "yolo", "--no-sandbox", "run it"];
    await using shell = new Shell(cli, args, {}, faulty("while it runs", `throw new Error("the sky fell");`));
    await until("both run", () => pidsIn(pids).length === 2);
    process.kill(shell.pid, "SIGUSR2");
    expect([await shell.left(), shell.terminal()]).toEqual([70, asFound]);
    await until("none of them runs", () => pidsIn(pids).every(hasEnded));
  });
});
