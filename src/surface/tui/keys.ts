// Which key does what. The editor of pi-tui asks the same table for its own keys.
import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui/dist/keybindings.js";
import { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { KeyAction } from "../../contract/ui.ts";

/** What a key can mean outside the editor, with its usual keys. */
const usual = {
  send: ["enter"],
  queue: ["alt+enter"],
  newline: ["shift+enter", "ctrl+j"],
  cancel: ["escape"],
  leave: ["ctrl+c"],
  end: ["ctrl+d"],
  mode: ["shift+tab"],
  details: ["ctrl+o"],
  todos: ["ctrl+t"],
  editor: ["ctrl+g"],
  image: ["ctrl+v"],
  unqueue: ["alt+up"],
  search: ["ctrl+r"],
  suspend: ["ctrl+z"],
  redraw: ["ctrl+l"],
  help: ["f1"],
} as const satisfies Readonly<Record<KeyAction, readonly KeyId[]>>;

export type Action = KeyAction;
export const actions = Object.keys(usual) as readonly Action[];

/** As the editor calls them: without its own prefix they are the names of the setting. */
const editorPrefix = "tui.editor.";

export class Keys {
  private readonly own: Readonly<Record<string, readonly string[]>>;

  /** `own`: the person's bindings, by action, or by `editor.` and an action of the editor. */
  constructor(own: Readonly<Record<string, readonly string[]>> = {}) {
    this.own = own;
    const editor = Object.entries(own).flatMap(([name, keys]) =>
      name.startsWith("editor.") ? [[`${editorPrefix}${name.slice("editor.".length)}`, [...keys] as KeyId[]]] : [],
    );
    setKeybindings(
      new KeybindingsManager(TUI_KEYBINDINGS, {
        ...Object.fromEntries(editor),
        "tui.input.submit": [...this.of("send")] as KeyId[],
        "tui.input.newLine": [...this.of("newline")] as KeyId[],
      }),
    );
  }

  of(action: Action): readonly string[] {
    return this.own[action] ?? usual[action];
  }

  is(key: string, action: Action): boolean {
    return this.of(action).some((one) => matchesKey(key, one as KeyId));
  }

  /** For people: the first of them; empty where there is none. */
  shown(action: Action): string {
    const [first = ""] = this.of(action);
    return first
      .split("+")
      .map((part) => (part === "escape" ? "Esc" : `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`))
      .join("+");
  }
}
