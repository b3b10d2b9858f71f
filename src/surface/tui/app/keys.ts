// Which key does what. The editor of pi-tui asks the same table for its own keys.
import {
  getKeybindings,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { editorActions, KeyAction } from "../../../contract/ui.ts";

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
export type EditorAction = (typeof editorActions)[number];

/** As the editor calls them: without its own prefix they are the names of the setting. */
const editorPrefix = "tui.editor.";

export class Keys {
  private readonly own: Readonly<Record<string, readonly string[]>>;
  /** What the person has given another meaning. */
  private readonly taken: ReadonlySet<string>;

  /** `own`: the person's bindings, by action, or by `editor.` and an action of the editor. */
  constructor(own: Readonly<Record<string, readonly string[]>> = {}) {
    this.own = own;
    this.taken = new Set(Object.values(own).flat().map(sorted));
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
    // It leaves on an empty line only: there it is in nobody's way.
    if (action === "end") return this.own.end ?? usual.end;
    return this.own[action] ?? usual[action].filter((key) => !this.taken.has(sorted(key)));
  }

  is(key: string, action: Action): boolean {
    return this.of(action).some((one) => matchesKey(key, one as KeyId));
  }

  /** For people: the first of them; empty where there is none. */
  shown(action: Action): string {
    const [first = ""] = this.of(action);
    return shownKey(first);
  }

  /** A key of the editor: the one that people know, where it is bound. Empty: none of them gets there. */
  shownInEditor(action: EditorAction, known: string): string {
    const bound = getKeybindings().getKeys(`${editorPrefix}${action}`);
    // Ctrl+D is shared: what it means depends on what is typed.
    const isTaken = (key: string): boolean => actions.some((one) => one !== "end" && this.of(one).includes(key));
    const [first = "", ...more] = bound.filter((key) => !isTaken(key));
    return shownKey([first, ...more].includes(known) ? known : first).replace(/Up|Down|Left|Right/, arrowOf);
  }
}

/** What makes a new line in any field that has several. */
export function newlineKey(): string {
  return shownKey(getKeybindings().getKeys("tui.input.newLine")[0] ?? "");
}

function shownKey(key: string): string {
  return key
    .split("+")
    .map((part) => (part === "escape" ? "Esc" : `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`))
    .join("+");
}

/** The same for the same key, in whatever order it is written. */
function sorted(key: string): string {
  const parts = key
    .replace(/esc$/, "escape")
    .replace(/return$/, "enter")
    .split("+");
  return [...parts.slice(0, -1).toSorted(), parts.at(-1) ?? ""].join("+");
}

function arrowOf(name: string): string {
  return { Up: "↑", Down: "↓", Left: "←", Right: "→" }[name] ?? name;
}
