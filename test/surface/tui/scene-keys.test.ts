// Keys of the person's own: what is named is what is bound.
import { expect, test } from "bun:test";
import { Scene } from "./scene.ts";

const slow = { text: "word ".repeat(200), chunkChars: 5, chunkDelayMs: 20 };
const change = { tool: "bash", input: { command: "touch made.txt" } };

test("[CF-2] [SU-3] help, hints and menus name the keys that are bound, the editor's too", async () => {
  const keys = {
    ...{ "editor.undo": ["ctrl+x"], "editor.cursorLineStart": ["home"], "editor.yank": [], details: ["ctrl+w"] },
    ...{ cancel: ["ctrl+q"], send: ["ctrl+s"], newline: ["alt+n"], leave: ["f10"], help: ["f2"], search: ["f3"] },
  };
  const script = [
    { when: "slow", steps: [slow] },
    { when: "change", steps: [{ calls: [change] }, { text: "Done." }] },
  ];
  await using scene = await Scene.begin({ script, config: { ui: { keys } }, rows: 40 });
  const { person } = scene;
  person.press("f2");
  await scene.sees(/^━━ Keys/);
  for (const row of [
    "Ctrl+X +undo typing",
    "Home Ctrl\\+E +start",
    "Alt\\+Backspace +delete a word",
    "Ctrl\\+W +transcript",
  ])
    expect(person.screen()).toMatch(new RegExp(row.replace("Ctrl+X", "Ctrl\\+X")));
  expect(person.screen()).not.toMatch(/Ctrl\+-|paste deleted text|Esc|F1 /);
  person.press("q");
  person.type("/help");
  person.press("ctrl+s");
  await scene.sees("Ctrl+Q interrupts the task; F10 twice leaves coder.");
  await scene.sees("F2 shows all keys.");
  person.press("q");
  person.press("f3");
  await scene.sees("Ctrl+S to use · Ctrl+Q back");
  person.press("ctrl+q");
  person.type("slow");
  person.press("ctrl+s");
  await scene.sees("Ctrl+Q to interrupt");
  await scene.sees("Ctrl+S to steer");
  person.press("ctrl+q");
  await scene.rests("Cancelled by ESC");
  person.type("change");
  person.press("ctrl+s");
  await scene.asked("Run this command?");
  person.press("e");
  await scene.sees("Alt+N new line");
});

test("[CF-2] [SU-3] where nothing is bound, nothing is named", async () => {
  const keys = { details: [], cancel: [], queue: [], unqueue: [], help: [], "editor.undo": [] };
  const many = Array.from({ length: 60 }, (_, n) => `echo ${n}`).join("; ");
  const script = [
    { when: "slow", steps: [slow] },
    { when: "many", steps: [{ calls: [{ tool: "bash", input: { command: many } }] }, { text: "Done." }] },
  ];
  await using scene = await Scene.begin({ script, config: { ui: { keys } }, isFirst: true, mode: "yolo" });
  scene.say("many");
  await scene.rests("Done.");
  scene.say("slow");
  await scene.sees(/^⠋|⠙|⠸|⠴|⠦|⠇/);
  scene.say("more");
  await scene.sees(/steer: more/);
  const text = scene.person.scrollback().join("\n");
  expect(text).toMatch(/… \d+ lines$/m);
  expect(text).not.toMatch(/\( ?\)|to interrupt| interrupts|all keys|edits|to steer/);
});
