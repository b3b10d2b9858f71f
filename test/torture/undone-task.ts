// A task that is taken back: every way to change a tree, by tools and by a command.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "../support/scripted-reply.ts";

export const undonePrompt = "carry out the wide task";

const lines = (name: string): string => Array.from({ length: 12 }, (_, at) => `${name}, line ${at + 1}\n`).join("");

const files = ["a.txt", "b.txt", "c.txt", "deep/d.txt", "gone.txt", "plain.txt", "dropped.txt", "moved.txt", "swap"];
const away = ["away/one.txt", "away/inner/two.txt"];

const folder = "wide";

/** One of those that the task changes at its beginning, so that a line at its end is somebody else's affair. */
export const sharedFile = `${folder}/b.txt`;
/** In a folder that the task makes. */
export const ownFile = `${folder}/made/own.txt`;
export const ownLine = "and a line of the person's\n";

export function fillForUndo(workspace: string): void {
  for (const name of [...files, ...away, "tool.sh"]) {
    const path = join(workspace, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines(name));
  }
  chmodSync(join(workspace, folder, "tool.sh"), 0o755);
  chmodSync(join(workspace, folder, "away", "inner"), 0o750);
  symlinkSync("a.txt", join(workspace, folder, "link"));
}

const command = [
  "chmod 755 plain.txt && chmod 600 tool.sh && chmod 700 deep",
  "ln -s ../nowhere new-link && ln -sfn c.txt link",
  "mkdir -p made/inner empty && echo fresh > made/inner/f.txt && mv moved.txt made/moved.txt",
  "rm dropped.txt && rm -r away",
  "rm swap && mkdir swap && echo inside > swap/in.txt",
  "printf 'more\\n' >> c.txt",
].join(" && ");

const edit = (name: string) => ({
  tool: "edit",
  input: { path: `${folder}/${name}`, old_string: `${name}, line 2\n`, new_string: "another second line\n" },
});

const patch = [
  "*** Begin Patch\n",
  `*** Update File: ${folder}/deep/d.txt\n@@\n deep/d.txt, line 9\n-deep/d.txt, line 10\n+another line\n`,
  `*** Delete File: ${folder}/gone.txt\n`,
  `*** Add File: ${folder}/fresh/er/p.txt\n+fresh\n`,
  "*** End Patch\n",
].join("");

export const undoneSteps: readonly Step[] = [
  {
    text: "I read them.",
    calls: ["a.txt", "b.txt", "c.txt", "deep/d.txt", "gone.txt"].map((name) => ({
      tool: "read",
      input: { path: `${folder}/${name}` },
    })),
  },
  {
    text: "Now all of it.",
    calls: [
      ...["a.txt", "b.txt", "c.txt"].map(edit),
      { tool: "write", input: { path: `${folder}/new/one.txt`, content: "one\n" } },
      { tool: "patch", input: { patch } },
      { tool: "bash", input: { command: `cd ${folder} && ${command}` } },
    ],
  },
  { text: "The tree is another one." },
];
