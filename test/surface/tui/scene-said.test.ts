// Whatever a person sends stands in the scrollback once, as they typed it.
import { describe, expect, test } from "bun:test";
import { Scene } from "./scene.ts";

/** What was sent, as far as it is told. */
function said(scene: Scene): readonly string[] {
  return scene.person.scrollback().filter((row) => /^[>!] [/\w]/.test(row) && !row.startsWith("> Ask anything"));
}

describe("what was sent", () => {
  test("[SU-3] stands there once, whatever becomes of it: an answer, a call, a session that is not there", async () => {
    await using scene = await Scene.begin({ script: [{ text: "hello yourself" }], rows: 40 });
    scene.say("/undo");
    await scene.rests("nothing to undo");
    scene.say("/commit --dry-run");
    await scene.rests("git repository");
    scene.say("/init");
    await scene.asked("AGENTS.md");
    expect(scene.person.scrollback().findIndex((row) => row.startsWith("▲ A draft of"))).toBeGreaterThan(
      scene.person.scrollback().indexOf("> /init"),
    );
    scene.person.press("escape");
    await scene.rests("Cancelled by ESC");
    scene.say("/resume BAD-ID");
    await scene.rests("No session BAD-ID");
    scene.say("/cost");
    await scene.rests("This session has cost");
    scene.say("!echo one");
    await scene.rests("  one");
    scene.say("hello");
    await scene.rests("hello yourself");
    expect(said(scene)).toEqual([
      ...["> /undo", "> /commit --dry-run", "> /init", "> /resume BAD-ID", "> /cost", "! echo one", "> hello"],
    ]);
  });

  test("[SU-3] what a command says to the model in the person's name is told as they typed it, and can be looked at", async () => {
    const script = [{ text: '{"findings":[]}' }];
    await using scene = await Scene.begin({ script, files: { "a.txt": "one\n" }, mode: "yolo" });
    expect(Bun.spawnSync(["git", "init", "-q", scene.cli.workspace]).exitCode).toBe(0);
    scene.say("/review for typos");
    await scene.rests("Nothing found.");
    expect(said(scene)).toEqual(["> /review for typos"]);
    scene.say("/sessions");
    await scene.sees(/ {2}\/review for typos$/);
    scene.person.press("escape", "escape");
    await scene.sees(/❯ +\/review for typos/);
    scene.person.press("escape");
    await scene.sees("> Ask anything");
    await scene.details();
    await scene.sees("Show in full");
    const sent = scene.cli.server.requests[0]?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(sent.some((text) => text.startsWith("Review the changes. Look above all at: for typos"))).toBe(true);
  });

  test("[PS-3] a session that began with a command has that as its title, and says it again once it is resumed", async () => {
    await using scene = await Scene.begin({ rows: 40 });
    scene.say("/undo 2");
    await scene.rests("nothing to undo");
    scene.say("/sessions");
    await scene.sees(/openai-chat\/mock {2}\/undo 2$/);
    expect(scene.person.screen()).not.toContain("{");
    scene.say("/new");
    await scene.sees(/^New session\. To return to the old one: /);
    const old = /\/resume (\S+)/.exec(scene.person.screen())?.[1] ?? "";
    scene.say(`/resume ${old}`);
    await scene.rests(`Session ${old}`);
    expect(said(scene)).toEqual(["> /undo 2", "> /sessions", "> /new", `> /resume ${old}`, "> /undo 2"]);
  });

  test("[PS-3] a call by name is called what it is about", async () => {
    await using scene = await Scene.begin({ files: { "a.txt": "one\n" } });
    await scene.cli.run(["tool", "read", '{"path":"a.txt"}']);
    scene.say("/sessions");
    await scene.sees(/ {2}read a\.txt$/);
    expect(scene.person.screen()).not.toContain("{");
  });
});

test("[SU-3] /copy hands the newest reply to the terminal's clipboard, and /rename names the window", async () => {
  const script = [{ text: "**Copy** 我", usage: { input: 10, output: 5 } }];
  await using scene = await Scene.begin({ script, before: "unset DISPLAY WAYLAND_DISPLAY" });
  scene.say("/copy");
  await scene.sees("no reply to copy yet");
  scene.say("say it");
  await scene.rests("我");
  scene.say("/copy");
  await scene.sees("Sent 10 characters to your terminal's clipboard");
  scene.say("/rename 我的 shop");
  await scene.sees("This session is now called: 我的 shop");
  await scene.sees(() => scene.person.title().startsWith("我的 shop – "));
});
