import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../support/cli.ts";
import { Bench, type Seat } from "../support/engine.ts";

const done = { text: "done" };
const systemOf = (bench: Bench, at = -1): string => String(bench.server.requests.at(at)?.body.messages[0]?.content);
const ours = "You are coder, a coding agent";

function own(bench: Bench, text: string): string {
  const path = join(bench.root, "own.md");
  writeFileSync(path, text);
  return path;
}

describe("the system text", () => {
  test("[CX-1] is replaced by --system-prompt-file and extended by --append-system-prompt, with system and workspace behind it", async () => {
    await using bench = new Bench([done]);
    const systemPromptFile = own(bench, "\uFEFFBe a pirate.\n");
    for (const [flags, expected] of [
      [{ systemPromptFile }, "Be a pirate."],
      [{ systemPromptFile, appendSystemPrompt: "Speak softly." }, "Be a pirate.\n\nSpeak softly."],
    ] as const) {
      const seat = bench.open(flags);
      await seat.run("go");
      expect(systemOf(bench)).toStartWith(`${expected}\n\nSystem: `);
      expect(systemOf(bench)).toContain(`Workspace: ${bench.workspace}`);
      expect(systemOf(bench)).not.toContain(ours);
    }
    await bench.open({ appendSystemPrompt: "Speak softly." }).run("go");
    expect(systemOf(bench)).toStartWith(ours);
    expect(systemOf(bench)).toContain("\n\nSpeak softly.\n\nSystem: ");
  });

  test("[CX-1] [PS-6] is recorded in the session: a resume without flags has it, one with flags another, and a copy the same", async () => {
    await using bench = new Bench([done]);
    const seat = bench.open({ appendSystemPrompt: "First." });
    await seat.run("go");
    expect(seat.last("session.started").prompt).toEqual({ append: "First." });
    const { id } = seat.engine.state();
    await seat.close();
    const later = async (flags: Parameters<Bench["open"]>[0], use: (one: Seat) => Promise<unknown>) => {
      const one = bench.open(flags);
      await use(one);
      await one.run("again");
      await one.close();
      return systemOf(bench);
    };
    const first = systemOf(bench);
    expect(await later({}, (one) => one.engine.resume(id))).toBe(first);
    expect(await later({ appendSystemPrompt: "Second." }, (one) => one.engine.resume(id))).toContain("\n\nSecond.\n");
    expect(await later({}, (one) => one.engine.resumeCopy(id))).toContain("\n\nSecond.\n");
    expect(await later({}, (one) => one.engine.newSession())).not.toContain("Second.");
  });

  test("[CX-1] [PS-6] each of the two flags, given on a resume, changes its own part and leaves the other", async () => {
    await using bench = new Bench([done]);
    bench.file("prompt.md", "Be a pirate.");
    const systemPromptFile = join(bench.workspace, "prompt.md");
    const seat = bench.open({ systemPromptFile, appendSystemPrompt: "First." });
    await seat.run("go");
    const { id } = seat.engine.state();
    await seat.close();
    const resumed = async (flags: Parameters<Bench["open"]>[0]) => {
      const one = bench.open(flags);
      await one.engine.resume(id);
      const { prompt } = one.engine.state();
      await one.close();
      return prompt;
    };
    expect(await resumed({ appendSystemPrompt: "Second." })).toEqual({ replace: "Be a pirate.", append: "Second." });
    bench.file("prompt.md", "Be a parrot.");
    expect(await resumed({ systemPromptFile })).toEqual({ replace: "Be a parrot.", append: "Second." });
  });

  test("[CX-1] [CF-2] a file that is not there, empty, a folder or too long is refused before anything runs", async () => {
    using cli = new Cli([done]);
    cli.file("empty.md", " \n");
    cli.file("long.md", "x".repeat(70_000));
    for (const file of ["none.md", "empty.md", ".", "long.md"]) {
      const path = join(cli.workspace, file);
      const ran = await cli.run(["run", ...cli.model, "--system-prompt-file", path, "go"]);
      expect([file, ran.code, ran.out]).toEqual([file, 2, ""]);
      expect(ran.err).toContain("--system-prompt-file");
    }
    expect(cli.server.requests.length).toBe(0);
  });
});

describe("a request", () => {
  const asked = (bench: Bench): string => String(bench.server.requests[0]?.body.messages.at(-1)?.content);

  test("[SM-7] [CX-1] without a person says that nobody can be asked, and what the mode then means; with one it does not", async () => {
    for (const [interactive, mode] of [
      [false, "default"],
      [false, "auto-edit"],
      [true, "default"],
    ] as const) {
      await using bench = new Bench([done]);
      await bench.open({ mode }, { interactive }).run("go");
      expect([mode, asked(bench).includes("Nobody can be asked")]).toEqual([mode, !interactive]);
      expect(asked(bench).includes("put to the person")).toBe(interactive);
    }
  });

  test("[TL-5] of a sub-agent that may not write says so: plan mode, the strict preset, a review, tools that are off", async () => {
    const hand = { calls: [{ tool: "task", input: { kind: "general", title: "look", prompt: "mend the door" } }] };
    const off = { tools: { off: ["write", "edit", "patch", "bash"] } };
    for (const [flags, config, mayWrite] of [
      [{ mode: "plan" }, {}, false],
      [{ mode: "auto-edit" }, { preset: "strict" }, false],
      [{ mode: "auto-edit" }, off, false],
      [{ mode: "auto-edit" }, {}, true],
    ] as const) {
      await using bench = new Bench([
        { when: "The job:", steps: [done] },
        { when: "begin", steps: [hand, done] },
      ]);
      const seat = bench.open(flags, { config });
      await seat.run("begin");
      const sent = bench.server.requests
        .map(({ body }) => JSON.stringify(body.messages))
        .find((one) => one.includes("The job:"));
      expect([flags, config, sent?.includes("You may not change files")]).toEqual([flags, config, !mayWrite]);
      expect(seat.last("sub.started").mayWrite).toBe(mayWrite ? undefined : false);
    }
  });
});
