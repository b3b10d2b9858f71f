// A task with a plan: it is reminded of it, steps end by their files, by a todo list and by a report, and the last is asked for.
import type { Step } from "../support/scripted-reply.ts";

/** So many words that a plan is due. */
export const plannedPrompt =
  "carry out the task of three files: write the three files that it names one after the other and say in the end what was done";
export const plannedText = "All of it is done.";
export const plannedFiles = ["one.txt", "two.txt", "three.txt"] as const;

const write = (path: string) => ({ tool: "write", input: { path, content: `${path}\n` } });
const steps = [
  { id: "1", title: "Write one", expected_artifacts: [{ path: "one.txt", change: "create" }] },
  { id: "2", title: "Write two", dependencies: ["1"] },
  { id: "3", title: "Write three", dependencies: ["2"], expected_artifacts: [{ path: "three.txt", change: "create" }] },
  { id: "4", title: "Say it", dependencies: ["3"] },
];
const todo = (id: string, content: string, status: string) => ({ id, content, status, priority: "medium" });
const todos = [
  todo("1", "Write one", "completed"),
  todo("2", "Write two", "completed"),
  todo("3", "Write three", "in_progress"),
  todo("4", "Say it", "pending"),
];

export const plannedSteps: readonly Step[] = [
  { text: "I look first.", calls: [{ tool: "list", input: {} }] },
  { calls: [{ tool: "plan", input: { steps, verification: "none" } }, write("one.txt")] },
  { calls: [write("two.txt")] },
  { calls: [{ tool: "todowrite", input: { todos } }] },
  { calls: [write("three.txt")] },
  { text: "I think that is all." },
  { calls: [{ tool: "plan", input: { update: [{ id: "4", status: "done" }] } }] },
  { text: plannedText },
];
