// A patch of many files: what lies in the workspace before it, and what the model sends.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "../support/scripted-reply.ts";

const folder = "patched";

const content = (name: string): string =>
  Array.from({ length: 30 }, (_, line) => `${name}, line ${line + 1}\n`).join("");

const changed = ["one.txt", "two.txt", "deep/three.txt", "deep/four.txt", "five.txt"];
const deleted = ["six.txt", "deep/seven.txt", "gone/eight.txt"];
const renamed: Readonly<Record<string, string>> = {
  "nine.txt": "moved/nine.txt",
  "deep/ten.txt": "ten.txt",
  "tool.sh": "moved/into/tool.sh",
};
const created = ["fresh/a.txt", "fresh/b.txt", "fresh/deep/er/c.txt", "beside.txt"];

const program = "tool.sh";

export function fillForPatch(workspace: string): void {
  for (const name of [...changed, ...deleted, ...Object.keys(renamed)]) {
    const path = join(workspace, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content(name));
  }
  chmodSync(join(workspace, folder, program), 0o755);
}

/** 15 files: 5 changed, 3 deleted, 3 renamed of which 2 are changed, 4 new ones, 4 new folders. */
function patchText(): string {
  const hunk = (name: string): string => `@@\n ${name}, line 9\n-${name}, line 10\n+another line\n+and one more\n`;
  const path = (name: string): string => `${folder}/${name}`;
  return [
    "*** Begin Patch\n",
    ...changed.map((name) => `*** Update File: ${path(name)}\n${hunk(name)}`),
    ...deleted.map((name) => `*** Delete File: ${path(name)}\n`),
    ...Object.entries(renamed).map(
      ([from, to]) =>
        `*** Update File: ${path(from)}\n*** Move to: ${path(to)}\n${from === "nine.txt" ? "" : hunk(from)}`,
    ),
    ...created.map((name) => `*** Add File: ${path(name)}\n+fresh ${name}\n+second line\n`),
    "*** End Patch\n",
  ].join("");
}

export function patchSteps(): readonly Step[] {
  const names = [...changed, ...deleted, ...Object.keys(renamed)];
  return [
    {
      text: "I read them all.",
      calls: names.map((name) => ({ tool: "read", input: { path: `${folder}/${name}` } })),
    },
    { text: "Now all at once.", calls: [{ tool: "patch", input: { patch: patchText() } }] },
    { text: "All files are patched." },
  ];
}
