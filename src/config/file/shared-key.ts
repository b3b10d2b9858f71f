import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Json } from "./jsonc.ts";

/**
 * A key of `ui.keys` that two actions are given: one of them would be ignored. Inside the editor several actions may have the same, each
 * where it makes sense.
 */
export function sharedKey(tree: Json, at: (line: number, path: string) => string): Phrase | null {
  const keys = inside(inside(tree, "ui"), "keys");
  const holders = new Map<string, string>();
  for (const { key: action, line, value } of keys?.kind === "object" ? keys.entries : []) {
    if (action.startsWith("editor.")) continue;
    for (const one of value.kind === "array" ? value.items.map((item) => item.value) : [value]) {
      const key = one.kind === "scalar" ? String(one.value) : "";
      const other = holders.get(key);
      if (other !== undefined && other !== action)
        return phrase("config.shared_key", { where: at(line, `ui.keys.${action}`), key, other: `ui.keys.${other}` });
      holders.set(key, action);
    }
  }
  return null;
}

function inside(json: Json | undefined, name: string): Json | undefined {
  return json?.kind === "object" ? json.entries.find(({ key }) => key === name)?.value : undefined;
}
