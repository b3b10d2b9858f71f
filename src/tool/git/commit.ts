import { fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, flag, oneOf, optional, text } from "../args.ts";

/** For the user's /commit and for git.mode; not offered to the model. It never pushes. */
export const commit = defineTool({
  name: "commit",
  description: "Commit what tasks of this session changed.",
  input: args({
    message: optional(text("Instead of the proposed one", { min: 1 })),
    lang: optional(oneOf(["en", "zh"])),
    task: optional(text("Only what this task changed", { min: 1 })),
    until: optional(text("Nothing that tasks after this one changed", { min: 1 })),
    branch: optional(text("On this branch, without checking it out", { min: 1 })),
    auto: optional(flag("Wanted by git.mode")),
  }),
  access: "exec",
  // A repeated call finds the commit it made before.
  afterCrash: "repeat",
  role: "commits",
  isForPerson: true,
  // Rules about commands are matched against this. Hooks that it starts can only read.
  command: () => "git commit",
  reach: () => ({ network: false, free: false, onlyReads: true }),
  async run(input, ctx) {
    if (!ctx.past) return fail("E_INVALID_ARGS", phrase("git.no_past"));
    const { commitNow } = await import("./make-commit.ts");
    return commitNow(input, ctx.past, ctx);
  },
});
