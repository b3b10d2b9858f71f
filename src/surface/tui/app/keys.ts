// Key bindings of the application; the pi-tui editor reads the same table.
import {
  getKeybindings,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { editorActions, KeyAction } from "../../../contract/ui.ts";

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
  background: ["ctrl+b"],
  jobs: ["alt+j"],
} as const satisfies Readonly<Record<KeyAction, readonly KeyId[]>>;

export const actions = Object.keys(usual) as readonly KeyAction[];
export type EditorAction = (typeof editorActions)[number];

/** The editor's name for an action is this prefix and the name in the settings. */
const editorPrefix = "tui.editor.";

export class Keys {
  private readonly own: Readonly<Record<string, readonly string[]>>;
  private readonly bound: ReadonlySet<string>;

  /** `own`: the user's bindings, by action, or by `editor.` and an action of the editor. */
  constructor(own: Readonly<Record<string, readonly string[]>> = {}) {
    this.own = own;
    this.bound = new Set(Object.values(own).flat().map(sorted));
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

  of(action: KeyAction): readonly string[] {
    // It leaves only on an empty prompt, where it conflicts with nothing.
    if (action === "end") return this.own.end ?? usual.end;
    return this.own[action] ?? usual[action].filter((key) => !this.bound.has(sorted(key)));
  }

  is(key: string, action: KeyAction): boolean {
    return this.of(action).some((one) => matchesKey(key, one as KeyId));
  }

  shown(action: KeyAction): string {
    const [first = ""] = this.of(action);
    return shownKey(first);
  }

  /** A key of the editor for display: `known` if it is bound, else the first reachable one; "" if there is none. */
  shownInEditor(action: EditorAction, known: string): string {
    const bound = getKeybindings().getKeys(`${editorPrefix}${action}`);
    // Ctrl+D is shared: its meaning depends on whether the prompt is empty.
    const isTaken = (key: string): boolean => actions.some((one) => one !== "end" && this.of(one).includes(key));
    const [first = "", ...more] = bound.filter((key) => !isTaken(key));
    return shownKey([first, ...more].includes(known) ? known : first).replace(/Up|Down|Left|Right/, arrowOf);
  }
}

/** The key for a new line in any multi-line field. */
export function newlineKey(): string {
  return shownKey(getKeybindings().getKeys("tui.input.newLine")[0] ?? "");
}

function shownKey(key: string): string {
  return key
    .split("+")
    .map((part) => (part === "escape" ? "Esc" : `${part.slice(0, 1).toUpperCase()}${part.slice(1)}`))
    .join("+");
}

/** Normalizes the spelling and the order of modifiers. */
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
