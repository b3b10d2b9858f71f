// What somebody does who has just installed it, one thing after the other, in a real tmux.
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import type { Script } from "../../support/scripted-server.ts";
import { aliveWith, hasEnded, newToken } from "../../support/shell.ts";
import { Tmux } from "../../support/tmux.ts";
import { until } from "../../support/until.ts";

const script = (token: string): Script => [
  {
    when: "second line",
    steps: [
      { text: "I look at it first.", calls: [{ tool: "read", input: { path: "notes.txt" } }] },
      {
        text: "Now I add the line.",
        calls: [{ tool: "edit", input: { path: "notes.txt", old_string: "one\n", new_string: "one\ntwo\n" } }],
      },
      { text: "There are two lines now." },
    ],
  },
  {
    when: "something slow",
    steps: [{ text: "I wait.", calls: [{ tool: "bash", input: { command: `sleep 300.${token}` } }] }],
  },
  { when: "a story", steps: [{ text: "Once upon a time, and that is all.", delayMs: 60_000, times: 1 }] },
  {
    when: "a server",
    steps: [
      { calls: [{ tool: "bash", input: { command: `echo up and running; sleep 400.${token}` } }] },
      { text: "The server is up." },
    ],
  },
  { when: "who are you", steps: [{ text: "The other one." }] },
  { when: "by the way", steps: [{ text: "It is a side answer." }] },
];

/** A workspace that brings something along, and a person who has a provider with two models. */
function prepare(cli: Cli): void {
  cli.file("AGENTS.md", "Write short lines.\n");
  cli.file("notes.txt", "one\n");
  mkdirSync(cli.home, { recursive: true });
  const lab = { protocol: "openai-chat", base_url: cli.server.url, models: ["small", "large"] };
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ model: "lab/small", providers: { lab } }));
}

test("[SU-3] [CAN-1] [RB-2] [PS-4] start, trust, ask, approve, cancel, undo, redo, kill -9 and resume, mode, model, a job, the transcript, rewind, quit", async () => {
  const token = newToken();
  using cli = new Cli(script(token));
  prepare(cli);
  const notes = (): string => readFileSync(join(cli.workspace, "notes.txt"), "utf8");
  using tmux = new Tmux({ cwd: cli.workspace, env: { HOME: cli.root, CODER_HOME: cli.home } });
  const say = async (text: string): Promise<void> => {
    tmux.type(text);
    await tmux.waitFor(text);
    tmux.press("Enter");
  };

  await tmux.waitFor("shell$");
  await say("coder");
  await tmux.answer("Trust this version", "2");
  await tmux.waitFor("lab/small");

  await say("add a second line to the notes");
  await tmux.waitFor("Apply this change?");
  await tmux.waitFor(/2 \+ two/);
  expect(notes()).toBe("one\n");
  await tmux.answer("2 Yes, don't ask again", "1");
  await tmux.waitFor("There are two lines now.");
  await tmux.waitFor("1 file changed");
  await tmux.waitFor(/2 \+ two/);
  expect(notes()).toBe("one\ntwo\n");

  await say("now something slow");
  await tmux.waitFor("Run this command?");
  await tmux.answer("1 Yes", "Down");
  await tmux.waitFor("❯ 1 Yes");
  tmux.press("Enter");
  await until("it sleeps", () => aliveWith(`300.${token}`).length > 0);
  await say("/btw by the way, what is it?");
  await tmux.waitFor("▏ It is a side answer.");
  expect(aliveWith(`300.${token}`).length).toBeGreaterThan(0);
  tmux.press("Escape");
  await tmux.waitFor("Cancelled by ESC");
  expect(aliveWith(`300.${token}`)).toEqual([]);

  await say("/undo 2");
  await until("the line is gone", () => notes() === "one\n");
  await say("/redo");
  await until("the line is back", () => notes() === "one\ntwo\n");

  await say("tell me a story");
  await until("the model is asked", () => cli.server.open > 0);
  const pid = tmux.child();
  process.kill(pid, "SIGKILL");
  await until("it is gone", () => hasEnded(pid));
  await tmux.waitFor("Killed");
  await say("clear");
  await say("coder --continue");
  await tmux.waitFor("Once upon a time, and that is all.");

  await tmux.waitFor("default");
  tmux.press("BTab");
  await tmux.waitFor("auto-edit");
  await say("/model");
  await tmux.waitFor("Choose a model");
  tmux.type("large");
  await tmux.waitFor(/lab\/large/);
  tmux.press("Enter");
  await tmux.waitFor(/auto-edit +lab\/large/);
  await say("who are you");
  await tmux.waitFor("The other one.");
  expect(cli.server.requests.at(-1)?.body.model).toBe("large");

  await say("start a server");
  await tmux.waitFor(/^ {2}up and running/m);
  tmux.press("C-b");
  await tmux.waitFor("The server is up.");
  await say("/jobs");
  await tmux.waitFor("Jobs and sub-agents");
  tmux.press("Enter");
  await tmux.waitFor(/up and running\n[\s\S]*q close/);
  tmux.press("q");
  await tmux.waitFor("end it");
  tmux.press("Escape");
  await tmux.waitFor("1 in background");
  expect(aliveWith(`400.${token}`).length).toBeGreaterThan(0);

  await tmux.waitFor("> Ask anything");
  tmux.press("C-o");
  await tmux.waitFor("Transcript");
  tmux.type("/");
  tmux.type("I look at it first");
  tmux.press("Enter");
  await tmux.waitFor(/^I look at it first\.$/m);
  tmux.press("q");
  await tmux.waitFor("> Ask anything");

  await say("/rewind");
  await tmux.waitFor("Rewind to before");
  tmux.type("second line");
  await tmux.waitFor(/❯ +add a second line/);
  tmux.press("Enter");
  await tmux.waitFor("reverts notes.txt");
  tmux.press("Enter");
  await until("the line is gone", () => notes() === "one\n");
  await tmux.waitFor("> add a second line to the notes");
  expect(aliveWith(`400.${token}`)).toEqual([]);
  tmux.press("C-c");
  await tmux.waitFor("> Ask anything");
  await say("/redo");
  await until("the line is back", () => notes() === "one\ntwo\n");

  tmux.type("?");
  await tmux.waitFor("━━ Keys");
  tmux.press("q");
  await say("/context");
  await tmux.waitFor(/Context: [\d,]+ of [\d,]+ tokens/);
  await say("/usage");
  await tmux.waitFor("lab/large");
  await say("/rename first steps");
  await tmux.waitFor("This session is now called: first steps");
  await say("/theme");
  await tmux.waitFor("Choose colours");
  tmux.press("Escape");
  await tmux.waitFor("> Ask anything");
  await say("/copy");
  await tmux.waitFor("to your terminal's clipboard");

  await say("exit");
  await tmux.waitFor(/Resume with: coder --resume \S+\nshell\$/);
}, 120_000);
