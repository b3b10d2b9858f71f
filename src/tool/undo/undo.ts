import { fail } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, flag, optional, text, whole } from "../args.ts";

/** For the user's /undo and /redo; not offered to the model. */
export const undo = defineTool({
  name: "undo",
  description: "Take back the file changes of the last tasks of this session, or bring them again.",
  input: args({
    n: optional(whole("How many tasks", { min: 1, max: 1000 })),
    since: optional(text("This task and everything after it", { min: 1 })),
    redo: optional(flag("Bring them back")),
    unclear: optional(flag("Also what changed while a command ran and nobody knows who changed it")),
    all: optional(flag("Everything that git has not committed or staged")),
  }),
  access: "write",
  isForPerson: true,
  afterCrash: "reconcile",
  role: "undoes",
  survey: (input, { past, ...ctx }) =>
    input.all && past ? import("./undo-all.ts").then(({ countAll }) => countAll(past, ctx)) : null,
  assess: ({ all }, { count }) => (all ? [phrase("undo.all.risk", { n: count ?? "?" })] : []),
  async plan(input, ctx) {
    if (!ctx.past) return fail("E_INVALID_ARGS", phrase("undo.no_past"));
    const isOne =
      !(input.all && (input.redo || input.n !== undefined)) &&
      !(input.unclear && (input.all || input.redo)) &&
      !(input.since !== undefined && (input.all || input.redo || input.n !== undefined));
    if (!isOne) return fail("E_INVALID_ARGS", phrase("workflow.undo_one"));
    if (input.all) return (await import("./undo-all.ts")).planAll(ctx.past, ctx);
    const { planUndo } = await import("./plan-undo.ts");
    return planUndo(input, ctx.past, ctx);
  },
});
