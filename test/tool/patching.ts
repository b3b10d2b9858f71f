// A workspace in which patches are applied to files that were read before.
import { expect } from "bun:test";
import { loadTools } from "../../src/tool/registry.ts";
import { snapshot, told, type Workspace } from "./workspace.ts";

const patch = loadTools([]).get("patch")!;
const read = loadTools([]).get("read")!;

export const lines = (...list: readonly string[]): string => list.map((line) => `${line}\n`).join("");

export function patching(workspace: () => Workspace) {
  return {
    put: async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
      for (const [name, content] of Object.entries(files)) {
        workspace().put(name, content);
        await workspace().run(read, { path: name });
      }
    },
    /** What the model reads. A failure must have changed nothing at all. */
    apply: async (text: string, more: object = {}): Promise<string> => {
      const before = snapshot(workspace().root);
      const result = await workspace().change(patch, { patch: text, ...more });
      if (!result.ok) expect(snapshot(workspace().root)).toEqual(before);
      return told(result);
    },
  };
}
