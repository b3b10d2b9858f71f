// The task that is tortured: what the model says, what lies in the workspace, and what each shell command leaves behind.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "../support/scripted-reply.ts";
import type { Script } from "../support/scripted-server.ts";
import { askedScript } from "./asked-task.ts";
import { checkedPrompt, checkedSteps } from "./checked-task.ts";
import { handedJob, handedPrompt, handedSteps, innerSteps } from "./handed-task.ts";
import { lookedPrompt, lookedSteps } from "./looked-task.ts";
import { fillForPatch, patchSteps } from "./patch.ts";
import { plannedSteps } from "./planned-task.ts";
import { undonePrompt, undoneSteps } from "./undone-task.ts";

/**
 * `quick`: as fast as it goes, for kills at system calls. `slow`: streams and commands take a while, for kills at times.
 * `heavy`: large files, whose kept old contents make SQLite move its log into the database in the middle of the task.
 * `patch`: one patch of many files, for kills inside it.
 */
export type Pace = "quick" | "slow" | "heavy" | "patch";

export const prompts: Readonly<Record<Pace, string>> = {
  quick: "carry out the quick task",
  slow: "carry out the slow task",
  heavy: "carry out the heavy task",
  patch: "carry out the patch task",
};
export const sidePrompt = "carry out the side task";
export const sideText = "The side task is done.";
export const backgroundPrompt = "carry out the background task";
export const backgroundText = "One job was ended, one has ended, one runs.";
export const backgroundTokens: readonly string[] = ["server", "build", "watch"];
export const fullDiskPrompt = "carry out the large task";
/** Lies in the workspace and takes its space until the task itself removes it. */
export const fillerFile = "filler.bin";

/** Outside the compared tree: a command that was cut in the middle may or may not have written its line. */
export const tokenFile = "tokens.log";

/** A command leaves a line when it starts and one when it ends, so that a second execution shows. */
function marked(token: string, between: string): string {
  return `printf '${token}-start\\n' >> ${tokenFile}; ${between}; printf '${token}-end\\n' >> ${tokenFile}`;
}

/** Call → the token of its command. */
export const tokens: Readonly<Record<string, string>> = {
  "r1/3/3": "build",
  "r1/5/1": "test",
  "r1/5/2": "fail",
  "r1/7/2": "last",
};

/** Calls that fail as they should; all others succeed. */
export const failing: ReadonlySet<string> = new Set(["r1/2/1", "r1/5/2"]);

function stepsOf(pause: string): readonly Step[] {
  const read = (path: string) => ({ tool: "read", input: { path } });
  const bash = (command: string) => ({ tool: "bash", input: { command } });
  const edit = (path: string, old_string: string, new_string: string) => ({
    tool: "edit",
    input: { path, old_string, new_string },
  });
  return [
    {
      text: "I look around first.",
      calls: [read("src/app.ts"), read("notes.md"), { tool: "list", input: {} }, read("tool.sh")],
    },
    { text: "One file is missing.", calls: [read("src/absent.ts"), { tool: "grep", input: { pattern: "greet" } }] },
    {
      text: "Now the new file, the notes and a build.",
      calls: [
        { tool: "write", input: { path: "src/deep/er/new.ts", content: "export const fresh = true;\n".repeat(40) } },
        { tool: "write", input: { path: "notes.md", content: "# Notes\n\nrewritten\n" } },
        bash(`${marked("build", pause)}; echo built`),
      ],
    },
    {
      text: "Two edits of one file, and one of a program.",
      calls: [
        edit("src/app.ts", "hello", "good morning"),
        edit("src/app.ts", "world", "everyone"),
        edit("tool.sh", "echo 1", "echo 2"),
      ],
    },
    {
      text: "The tests, and a command that fails.",
      calls: [
        bash(`${marked("test", `/bin/true; ${pause}`)}; cat notes.md`),
        bash(`${marked("fail", "true")}; exit 3`),
      ],
    },
    {
      text: "I write down what is left.",
      calls: [
        {
          tool: "todowrite",
          input: { todos: [{ id: "1", content: "tell", status: "completed", priority: "high" }] },
        },
        { tool: "todoread", input: {} },
      ],
    },
    {
      text: "A last file and a last command.",
      calls: [
        { tool: "write", input: { path: "src/last.ts", content: "export const last = 1;\n" } },
        bash(marked("last", pause)),
        read("src/last.ts"),
      ],
    },
    { text: "Everything is done: two files written, two edited, the notes rewritten." },
  ];
}

const slowStream = { chunkChars: 20, chunkDelayMs: 10 };

const bigFile = "data/big.txt";

const heavy: readonly Step[] = [
  { text: "A large file.", calls: [{ tool: "read", input: { path: bigFile, limit: 2 } }] },
  ...["one", "two", "three"].map((word, at, words) => ({
    text: `Change ${at + 1}.`,
    calls: [
      {
        tool: "edit",
        input: { path: bigFile, old_string: `line ${words[at - 1] ?? "zero"}`, new_string: `line ${word}` },
      },
    ],
  })),
  { text: "The large file is changed three times." },
];

/** A write meets a full disk; the model makes room and tries again. */
const large: readonly Step[] = [
  { text: "A large file.", calls: [{ tool: "write", input: largeFile("large.ts") }] },
  { text: "No room: I remove the filler.", calls: [{ tool: "bash", input: { command: `rm ${fillerFile}` } }] },
  { text: "Once more.", calls: [{ tool: "write", input: largeFile("large.ts") }] },
  { text: "Now it is written." },
];

const inBackground = (command: string) => ({ tool: "bash", input: { command, background: true } });
const ofJob = (action: string, id: string, wait_s = 0) => ({ tool: "job", input: { action, id, wait_s } });

/** One job is ended on demand, one ends by itself, one runs when the task is over. */
const background: readonly Step[] = [
  { text: "A server.", calls: [inBackground(marked("server", "sleep 600"))] },
  { text: "A build beside it.", calls: [inBackground(marked("build", "sleep 0.1")), ofJob("output", "j1")] },
  { text: "I wait.", calls: [ofJob("output", "j2", 20), { tool: "bash", input: { command: "echo between" } }] },
  { text: "Enough.", calls: [ofJob("kill", "j1"), inBackground(marked("watch", "setsid sleep 600"))] },
  { text: backgroundText },
];

export function largeFile(path: string): { path: string; content: string } {
  return { path, content: "export const x = 1; // filling\n".repeat(1_500) };
}

export const script: Script = [
  { when: prompts.quick, steps: stepsOf("true") },
  { when: prompts.slow, steps: stepsOf("sleep 0.15").map((step) => ({ ...step, ...slowStream })) },
  { when: prompts.heavy, steps: heavy },
  { when: prompts.patch, steps: patchSteps() },
  { when: sidePrompt, steps: [{ text: sideText }] },
  { when: fullDiskPrompt, steps: large },
  { when: backgroundPrompt, steps: background },
  { when: checkedPrompt, steps: checkedSteps },
  { when: undonePrompt, steps: undoneSteps },
  { when: "the task of three files", steps: plannedSteps },
  { when: lookedPrompt, steps: lookedSteps },
  { when: handedJob, steps: innerSteps },
  { when: handedPrompt, steps: handedSteps },
  ...askedScript,
];

const files: Readonly<Record<string, string>> = {
  "src/app.ts": 'export function greet() {\n  return "hello world";\n}\n',
  "notes.md": "# Notes\n\nold\n",
  // Nor is it a change that the commands have made.
  ".gitignore": `${tokenFile}\n`,
  "tool.sh": "#!/bin/sh\necho 1\n",
  [bigFile]: `line zero\n${"fifteen letters\n".repeat(120_000)}`,
};

export function fillWorkspace(workspace: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  fillForPatch(workspace);
  chmodSync(join(workspace, "tool.sh"), 0o755);
  symlinkSync("notes.md", join(workspace, "link.md"));
}
