import { expect, test } from "bun:test";
import { TUI_KEYBINDINGS } from "@earendil-works/pi-tui/dist/keybindings.js";
import { parseConfig } from "../../../../src/config/file/file.ts";
import { editorActions, keyActions } from "../../../../src/contract/ui.ts";
import { Keys } from "../../../../src/surface/tui/app/keys.ts";
import { helpDetail, keysDetail } from "../../../../src/surface/tui/panels/help.ts";
import { lookIn } from "../frames.ts";
import { bare } from "../telling.ts";

const prefix = "tui.editor.";

test("[CF-2] what a key can mean in the settings is what it can mean on the screen, in the editor too", () => {
  const editor = Object.keys(TUI_KEYBINDINGS).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  expect(editorActions.map(String).toSorted()).toEqual(editor.toSorted());
});

test("[CF-2] every usual key can be written into the settings", () => {
  const keys = new Keys();
  const own = keyActions.map((action) => [action, keys.of(action)] as const);
  const editor = editorActions.map(
    (action) => [`editor.${action}`, TUI_KEYBINDINGS[`${prefix}${action}`].defaultKeys] as const,
  );
  const config = { ui: { keys: Object.fromEntries([...own, ...editor]) } };
  expect(parseConfig(Buffer.from(JSON.stringify(config)), "f")).toEqual({ ok: true, value: config });
});

test("[CF-2] a key that is given to another action is no longer the usual one of its own", () => {
  const keys = new Keys({
    editor: ["ctrl+t", "alt+shift+x"],
    "editor.undo": ["ctrl+z"],
    newline: ["return"],
    queue: ["enter"],
  });
  const held = (["todos", "editor", "suspend", "send", "end"] as const).map((action) => keys.of(action));
  expect(held).toEqual([[], ["ctrl+t", "alt+shift+x"], [], [], ["ctrl+d"]]);
  expect([keys.is("\x14", "todos"), keys.is("\x14", "editor")]).toEqual([false, true]);
  expect(new Keys({ "editor.deleteCharForward": ["ctrl+d"] }).of("end")).toEqual(["ctrl+d"]);
});

test("[SU-3] help shows the keys that the person has", () => {
  const own = {
    cancel: ["f9"],
    help: [],
    "editor.undo": ["ctrl+z"],
    "editor.deleteToLineEnd": ["alt+k"],
    "editor.yank": [],
  };
  const lines = [helpDetail, keysDetail].flatMap((of) => {
    const page = of(lookIn(), new Keys(own)).lines(60);
    return Array.from({ length: page.count }, (_, at) => page.text(at, 0));
  });
  const all = bare(lines).join("\n");
  const wanted = ["F9 interrupts the task; Ctrl+C twice leaves coder.", "Ctrl+Z  undo typing", "Ctrl+U Alt+K  delete"];
  expect([wanted.filter((one) => !all.includes(one)), all.includes("shows all keys"), all.includes("Ctrl+Y")]).toEqual([
    ...[[], false, false],
  ]);
});

test("[SU-3] the page about the terminal names every action with its usual keys", async () => {
  const page = await Bun.file(new URL("../../../../docs/guide/terminal.md", import.meta.url)).text();
  const keys = new Keys();
  const row = (action: (typeof keyActions)[number]) =>
    `| \`${action}\` | ${keys
      .of(action)
      .map((key) => `\`${key}\``)
      .join(", ")} |`;
  expect(keyActions.filter((action) => !page.includes(row(action)))).toEqual([]);
  expect(editorActions.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
});
