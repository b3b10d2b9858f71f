// A task that hands its work on: the outer agent waits inside a call while another one reads, writes and runs a command.
import type { Step } from "../support/scripted-reply.ts";

export const handedPrompt = "carry out the handed task";
/** What the sub-agent is told, and is known by. */
export const handedJob = "do the handed job";
export const handedToken = "handed";

const command = `printf '${handedToken}-start\\n' >> tokens.log; sleep 0.03; printf '${handedToken}-end\\n' >> tokens.log`;
const hand = { tool: "task", input: { kind: "general", title: "the job", prompt: handedJob } };

export const handedSteps: readonly Step[] = [
  {
    text: "I write a first file.",
    calls: [{ tool: "write", input: { path: "handed/outer.txt", content: "outer\n" } }],
  },
  { text: "Another one does the rest.", calls: [hand] },
  { text: "All of it is done." },
];

export const innerSteps: readonly Step[] = [
  { text: "I look.", calls: [{ tool: "read", input: { path: "notes.md" } }] },
  {
    text: "I write.",
    calls: [
      { tool: "write", input: { path: "handed/inner.txt", content: "inner\n" } },
      { tool: "edit", input: { path: "notes.md", old_string: "old", new_string: "new" } },
    ],
  },
  { text: "I run.", calls: [{ tool: "bash", input: { command } }] },
  { text: "handed/inner.txt:1 is written." },
];
