// What developers and agents type all day: how much of it is asked about, and whether what is allowed has an effect.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../src/contract/text/catalogue.ts";
import { Project } from "./project.ts";

export interface Line {
  /** R: plainly read-only on the workspace, r: runs code of the project, network or outside, W: has effects. */
  readonly kind: "R" | "r" | "W";
  readonly text: string;
}

interface Answered extends Line {
  /** `null`: it runs without a question. */
  readonly why: string | null;
}

/** Of what only reads may be asked about, in percent; of everything in `auto-edit` with a sandbox. */
const most = { clean: 5, secrets: 8, autoEdit: 15 };

export function readLines(folder: string): readonly Line[] {
  const rows = readFileSync(join(folder, "everyday-commands.txt"), "utf8").trimEnd().split("\n").slice(1);
  const lines: Line[] = [];
  for (const row of rows) {
    const [, kind, text = ""] = /^([RrW])\|(.*)$/.exec(row) ?? [];
    const last = lines.at(-1);
    if (kind !== undefined) lines.push({ kind: kind as Line["kind"], text });
    else if (last) lines[lines.length - 1] = { ...last, text: `${last.text}\n${row}` };
  }
  return lines;
}

/** Whether all of it is as it should be. `auto-edit` is told, and does not count yet. */
export async function everyday(lines: readonly Line[], print: (text: string) => void): Promise<boolean> {
  const clean = await judgeIn(lines, false, print);
  const beside = await judgeIn(lines, true, print);
  return clean && beside;
}

async function judgeIn(lines: readonly Line[], hasSecrets: boolean, print: (text: string) => void): Promise<boolean> {
  using project = new Project(hasSecrets);
  const here = lines.map((line) => ({ ...line, text: line.text.replaceAll("{ws}", project.workspace) }));
  const answered: Answered[] = [];
  let asked = 0;
  for (const line of here) {
    const { decision, reasons } = await project.judge(line.text, "default");
    answered.push({ ...line, why: decision === "allow" ? null : reasons.map((one) => say("en", one)).join("; ") });
    if ((await project.judge(line.text, "auto-edit")).decision !== "allow") asked += 1;
  }
  const reading = answered.filter(({ kind }) => kind === "R");
  const questions = reading.filter(({ why }) => why !== null);
  const wrong = answered.filter(({ kind, why }) => kind !== "R" && why === null);
  const allowed = answered.filter(({ why }) => why === null).map(({ text }) => text);
  const { found, isSame } = await project.run(allowed);
  const effects = found.filter((one) => one.effects.length > 0);
  const place = hasSecrets ? "beside secrets " : "clean          ";
  const limit = hasSecrets ? most.secrets : most.clean;
  const isQuiet = 100 * questions.length <= limit * reading.length;
  const isFree = 100 * asked <= most.autoEdit * here.length;
  print(
    `everyday       ${place} read-only asked  ${percent(questions.length, reading.length)}, at most ${limit} %${missed(isQuiet)}`,
  );
  for (const { text, why } of questions) print(`    ${text}   ${why}`);
  print(`everyday       ${place} others allowed   ${wrong.length} of ${answered.length - reading.length}`);
  for (const { text } of wrong) print(`    ${text}`);
  print(
    `everyday       ${place} auto-edit asked  ${percent(asked, here.length)}, at most ${most.autoEdit} %${missed(isFree)}`,
  );
  print(
    `everyday       ${place} executed         ${found.length}, with an effect ${effects.length}, workspace ${isSame ? "unchanged" : "CHANGED"}`,
  );
  for (const one of effects) print(`    ${one.line}\n        ${one.effects.slice(0, 3).join("\n        ")}`);
  for (const one of found.filter(({ isEndless }) => isEndless)) print(`    did not end in time: ${one.line}`);
  return isQuiet && wrong.length === 0 && effects.length === 0 && isSame;
}

function missed(isMet: boolean): string {
  return isMet ? "" : "   MISSED";
}

export function percent(part: number, whole: number): string {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
