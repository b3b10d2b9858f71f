import { ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { type ChangePlan, defineTool, type Rewritten, type ToolContext } from "../../contract/tool.ts";
import { args, flag, optional, text } from "../args.ts";
import { inFull } from "../edit/change.ts";
import { addedLines, type FilePatch } from "./form.ts";
import { parsePatch } from "./parse.ts";

type Planner = (files: readonly FilePatch[], ctx: ToolContext) => Result<ChangePlan>;

interface PatchInput {
  readonly patch: string;
  readonly dry_run?: boolean;
}

export const patch = defineTool({
  name: "patch",
  description:
    "Create, change, delete and rename any number of files at once, all or nothing: a unified diff, or *** Begin Patch with *** Add File / Update File / Move to / Delete File. Files must have been read before, unless all lines that the hunks show are there. An error lists every hunk that does not fit; nothing was changed then.",
  input: args({ patch: text("", { min: 1 }), dry_run: optional(flag("Only say what would change")) }),
  access: "write",
  accessOf: ({ dry_run }) => (dry_run === true ? "read" : "write"),
  afterCrash: "reconcile",
  touches: (input) => [...new Set(filesIn(input).flatMap(({ path, to }) => (to === null ? [path] : [path, to])))],
  removes: (input) => goneIn(filesIn(input)),
  writes: (input) => filesIn(input).map((file) => addedLines(file).join("\n")),
  rewrites: rewrittenBy,
  instead: [
    { tool: "edit", how: "read the file again and make one small edit after the other" },
    { tool: "write", how: "read the file again and write it whole, with the change in it" },
  ],
  inFull,
  plan: planOf,
});

function rewrittenBy({ patch }: PatchInput): readonly Rewritten[] {
  const lines = patch.split("\n");
  const side = (sign: string): string =>
    lines
      .filter((line) => line.startsWith(sign) && !/^(?:---|\+\+\+) /.test(line))
      .map((line) => line.slice(1))
      .join("\n");
  const deletes = lines.some((line) => /^\*\*\* Delete File:|^\+\+\+ \/dev\/null/.test(line));
  return [{ before: side("-"), after: side("+"), ...(deletes ? { deletes: true } : {}) }];
}

async function planOf({ patch, dry_run }: PatchInput, ctx: ToolContext): Promise<Result<ChangePlan>> {
  const files = parsePatch(patch);
  if (!files.ok) return files;
  const { planPatch } = await import("./plan-patch.ts");
  return dry_run === true ? dryRun(planPatch, files.value, ctx) : planPatch(files.value, ctx);
}

/** A dry run needs no earlier read, but tells which files the real patch would need to have been read. */
function dryRun(planPatch: Planner, files: readonly FilePatch[], ctx: ToolContext): Result<ChangePlan> {
  const plan = planPatch(files, { ...ctx, readsByItself: true });
  if (!plan.ok) return plan;
  const { changes, text, data } = plan.value;
  const needsRead = !ctx.readsByItself && !planPatch(files, ctx).ok;
  const unread = changes.flatMap(({ change: { real, path, before } }) =>
    !needsRead || before === null || ctx.knownHash(real) === before.hash ? [] : [visible(path)],
  );
  const note = unread.length === 0 ? [] : [`(to be read before the patch: ${unread.join(", ")})`];
  const report = ["dry run, nothing was changed", text, ...note].join("\n");
  return ok({ changes: [], text: report, data: { ...(data as object), dry_run: true } });
}

/** An invalid patch touches nothing; its plan is refused. */
function filesIn({ patch }: PatchInput): readonly FilePatch[] {
  const files = parsePatch(patch);
  return files.ok ? files.value : [];
}

function goneIn(files: readonly FilePatch[]): readonly string[] {
  const stays = new Set(files.flatMap(({ action, path, to }) => to ?? (action === "delete" ? [] : [path])));
  return files.map(({ path }) => path).filter((path) => !stays.has(path));
}
