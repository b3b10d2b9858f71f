import { subKinds } from "../contract/event.ts";
import { defineTool } from "../contract/tool.ts";
import { args, oneOf, text } from "./args.ts";

export const task = defineTool({
  name: "task",
  description:
    "Hand a self-contained job to a sub-agent with a context of its own: explore looks only (for wide searches), general also changes and runs, under the same permissions and budgets. It knows nothing of this conversation; its last message is the result.",
  input: args({
    kind: oneOf(subKinds),
    title: text("A few words", { min: 1 }),
    prompt: text("All it must know, and what to answer", { min: 1 }),
  }),
  access: "session",
  afterCrash: "repeat",
  role: "delegates",
  overlaps: ({ kind }) => kind === "explore",
  sub: ({ kind, title, prompt }) => ({ kind, title, prompt }),
});
