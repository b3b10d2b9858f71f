// Tasks that wait for a person: for a word about their plan, for an answer to the model's question, for what is not clear.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../support/scripted-server.ts";

export const planPrompt =
  "Carry out the planned task: rework the whole report module so that it reads its input lazily, keeps its output format and says what was slow before.";
export const questionPrompt = "choose a report";
export const vaguePrompt = "fix it";

/** What the person says to what is not clear; the model answers to these words. */
export const clearWords = "carry out the side task, which is in notes.md";
export const chosenWords = "the second one";
export const refusingWords = "keep the reports";

export const heldFile = "held.txt";
const laterFile = "later.txt";
/** Written by commands, one line for each time. */
export const askedTokens = { held: "held", later: "later", chosen: "chosen" } as const;

const marking = "mark.sh";
/** What the person has allowed, so that nothing but the plan is asked about. */
export const askedRules: readonly string[] = ["--allow", "write", "--allow", `bash(sh ${marking} *)`];

export function fillForAsking(workspace: string): void {
  writeFileSync(
    join(workspace, marking),
    'printf "%s-start\\n" "$1" >> tokens.log\nprintf "%s-end\\n" "$1" >> tokens.log\n',
  );
}

const write = (path: string) => ({ tool: "write", input: { path, content: `${path}\n` } });
const mark = (token: string) => ({ tool: "bash", input: { command: `sh ${marking} ${token}` } });
const plan = (...steps: readonly string[]): string =>
  `[PLAN]\n${steps.map((step, at) => `${at + 1}. [ ] ${step} (tools: write)`).join("\n")}`;

const question = { question: "Which one?", options: ["the first one", "the second one"] };

export const askedScript = [
  {
    when: planPrompt,
    steps: [
      { text: plan("Delete the old reports", "Write the files"), calls: [write(heldFile), mark(askedTokens.held)] },
      { text: plan("Write the files"), calls: [write(laterFile), mark(askedTokens.later)] },
      { text: "The plan is carried out." },
    ],
  },
  {
    when: questionPrompt,
    steps: [
      { text: "I have to ask.", calls: [{ tool: "question", input: { questions: [question] } }] },
      { text: "Then I take that.", calls: [write(laterFile), mark(askedTokens.chosen)] },
      { text: "The report is chosen." },
    ],
  },
] satisfies Script;
