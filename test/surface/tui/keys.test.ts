import { expect, test } from "bun:test";
import { TUI_KEYBINDINGS } from "@earendil-works/pi-tui/dist/keybindings.js";
import { parseConfig } from "../../../src/config/file.ts";
import { editorActions, keyActions } from "../../../src/contract/ui.ts";
import { Keys } from "../../../src/surface/tui/keys.ts";

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

test("[SU-3] the page about the terminal names every action with its usual keys", async () => {
  const page = await Bun.file(new URL("../../../docs/terminal.md", import.meta.url)).text();
  const keys = new Keys();
  const row = (action: (typeof keyActions)[number]) =>
    `| \`${action}\` | ${keys
      .of(action)
      .map((key) => `\`${key}\``)
      .join(", ")} |`;
  expect(keyActions.filter((action) => !page.includes(row(action)))).toEqual([]);
  expect(editorActions.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
});
