// A task with a command whose changes are found by looking at the workspace before and after it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../support/scripted-reply.ts";
import type { Place } from "./life.ts";

export const lookedPrompt = "carry out the looked task";
const lookedText = "The command has run, or I know that I do not know.";
/** The command, and what it leaves when it starts and when it ends. */
export const lookedCall = "r1/3/1";
export const lookedToken = "look";

const folder = "looked";
/** So that looking takes a while. */
export const manyFiles = `${folder}/many`;
export const editedFile = `${folder}/edited.txt`;
const editedText = "before\nmiddle\nend\n";

const command = [
  `printf '${lookedToken}-start\\n' >> tokens.log; cd ${folder}`,
  "echo changed >> one.txt; rm two.txt; chmod 600 three.txt; mkdir -p made/in; echo new > made/in/new.txt",
  "ln -s one.txt link; sleep 0.03; echo late > late.txt; mv four.txt five.txt",
  `printf '${lookedToken}-end\\n' >> ../tokens.log; echo over`,
].join("; ");

/** With a repository most of the files are known to it. */
export function fillForLook({ workspace }: Place, isRepository: boolean): void {
  for (const part of ["many/a", "many/b", "many/c", ""]) {
    mkdirSync(join(workspace, folder, part), { recursive: true });
    for (let at = 0; part !== "" && at < 300; at++)
      writeFileSync(join(workspace, folder, part, `${at}.txt`), `${part} ${at}\n`.repeat(20));
  }
  for (const name of ["one", "two", "three", "four"])
    writeFileSync(join(workspace, folder, `${name}.txt`), `${name}\n`.repeat(50));
  writeFileSync(join(workspace, editedFile), editedText);
  if (!isRepository) return;
  for (const args of [
    ["init", "-q"],
    ["add", `${folder}/many`, `${folder}/one.txt`, `${folder}/two.txt`],
  ])
    Bun.spawnSync(["git", ...args], { cwd: workspace, env: { PATH: process.env.PATH ?? "", HOME: workspace } });
}

export const lookedSteps: readonly Step[] = [
  { text: "I read it.", calls: [{ tool: "read", input: { path: editedFile } }] },
  {
    text: "I change it.",
    calls: [{ tool: "edit", input: { path: editedFile, old_string: "middle", new_string: "centre" } }],
  },
  { text: "Now the command.", calls: [{ tool: "bash", input: { command } }] },
  { text: lookedText },
];
