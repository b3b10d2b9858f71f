// The kinds of tasks that a soak repeats: what the model says to each, and how each should end.
import type { Step } from "../../test/support/scripted-reply.ts";

export interface Kind {
  readonly name: string;
  /** `job`: the id of the command that was last started in the background. */
  readonly steps: (n: number, job: string) => readonly Step[];
  /** The stop reason of the result. */
  readonly ends: "COMPLETED" | "CANCELLED";
  /** How many of its calls do not succeed; none when absent. */
  readonly fails?: number;
  /** Cancelled at the first line of this type. */
  readonly cancelAt?: "delta" | "output";
  /** Said while the task runs. */
  readonly steer?: string;
  /** Answered once with an error before it is answered. */
  readonly isRefusedFirst?: true;
  /** A tool without which there is nothing to do. */
  readonly needs?: string;
}

const call = (tool: string, input: unknown) => ({ tool, input });
const bash = (command: string) => call("bash", { command });
const background = (command: string) => call("bash", { command, background: true });
const done: Step = { text: "Done.", usage: { input: 900, output: 20 } };

/** There and back, so that neither the file nor what is kept of its old contents grows. */
const words = (n: number): readonly [string, string] => (n % 2 === 0 ? ["one", "two"] : ["two", "one"]);

export const files: Readonly<Record<string, string>> = {
  "notes.md": `${"a line of notes\n".repeat(400)}`,
  "src/app.ts": 'export const greeting = "hello";\n'.repeat(50),
};

const patch = (text: string): string => `*** Begin Patch\n*** Add File: patched.txt\n+${text}\n*** End Patch\n`;

export const kinds: readonly Kind[] = [
  {
    name: "read",
    ends: "COMPLETED",
    steps: () => [
      { calls: [call("read", { path: "notes.md" }), call("list", {}), call("glob", { pattern: "**/*.ts" })] },
      { calls: [call("grep", { pattern: "greeting" }), call("read", { path: "src/app.ts", limit: 5 })] },
      done,
    ],
  },
  {
    name: "edit",
    ends: "COMPLETED",
    steps: (n) => {
      const [from, to] = words(n);
      return [
        { calls: [bash(`echo this is ${from} > turn.txt`), call("read", { path: "turn.txt" })] },
        { calls: [call("edit", { path: "turn.txt", old_string: from, new_string: to })] },
        { calls: [call("write", { path: "turn.txt", content: `this is ${from} again\n` })] },
        done,
      ];
    },
  },
  {
    name: "patch",
    ends: "COMPLETED",
    needs: "patch",
    steps: (n) => [{ calls: [bash("rm -f patched.txt"), call("patch", { patch: patch(words(n)[0]) })] }, done],
  },
  {
    name: "bash",
    ends: "COMPLETED",
    fails: 1,
    steps: () => [{ calls: [bash("seq 1 4000"), bash("echo no >&2; exit 3")] }, done],
  },
  {
    name: "job",
    ends: "COMPLETED",
    needs: "job",
    steps: (_, job) => [
      { calls: [background("seq 1 2000; sleep 0.05"), background("setsid sleep 300 & sleep 300")] },
      { calls: [call("job", { action: "list" }), call("job", { action: "kill", id: job })] },
      done,
    ],
  },
  {
    name: "wrong",
    ends: "COMPLETED",
    fails: 5,
    steps: () => [
      { calls: [call("nonsense", {}), call("read", { path: "absent.txt" }), call("read", { way: "no" })] },
      { calls: [call("bash", "{not json"), call("edit", { path: "notes.md", old_string: "absent", new_string: "" })] },
      done,
    ],
  },
  { name: "retry", ends: "COMPLETED", isRefusedFirst: true, steps: () => [done] },
  {
    name: "long",
    ends: "COMPLETED",
    steps: () => [{ thinking: "thinking ".repeat(500), text: "a long answer ".repeat(4000), chunkChars: 500 }],
  },
  {
    name: "todo",
    ends: "COMPLETED",
    steps: (n) => [
      {
        calls: [
          call("todowrite", {
            todos: [{ id: "1", content: `turn ${n % 2}`, status: "in_progress", priority: "high" }],
          }),
          call("todoread", {}),
        ],
      },
      done,
    ],
  },
  { name: "steer", ends: "COMPLETED", steer: "and be brief", steps: () => [{ calls: [bash("sleep 0.25")] }, done] },
  { name: "cancel-stream", ends: "CANCELLED", cancelAt: "delta", steps: () => [{ text: "never ends", stallAfter: 1 }] },
  {
    name: "cancel-command",
    ends: "CANCELLED",
    cancelAt: "output",
    fails: 1,
    steps: () => [{ calls: [bash("echo started; setsid sleep 300 & sleep 300")] }, done],
  },
];

/** Between tasks; the answer is one `command` line, or a task's result for the shell command. */
export const commands: readonly string[] = ["/status", "/todos", "/sessions", "/help", "!echo typed", "/nonsense"];
