import { fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, oneOf, optional } from "../args.ts";

/** For the user's /commit --dry-run and /pr; not offered to the model. */
export const proposal = defineTool({
  name: "proposal",
  description: "The words that a commit or pull request of this session's changes could have.",
  input: args({ for: optional(oneOf(["commit", "pr"])), lang: optional(oneOf(["en", "zh"])) }),
  access: "read",
  afterCrash: "repeat",
  isForPerson: true,
  async run(input, ctx) {
    if (!ctx.past) return fail("E_INVALID_ARGS", phrase("git.no_past"));
    const { propose } = await import("./propose.ts");
    return propose(input, ctx.past, ctx);
  },
});
