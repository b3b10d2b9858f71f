import { type DiffData, maxPaths } from "../../contract/diff.ts";
import { fail, ok } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, flag, listOf, optional, text } from "../args.ts";
import { quoted, runCommand } from "../shell/run-command.ts";

/** Runs no program that a repository configures, and does not depend on the user's config. */
const PLAIN = "--no-ext-diff --no-textconv --no-color --src-prefix=a/ --dst-prefix=b/ --relative";
const UNTRACKED = "git ls-files --others --exclude-standard -z";

/** For the user's /diff and /review; not offered to the model. */
export const diff = defineTool({
  name: "diff",
  description: "What has changed in the workspace, as git sees it.",
  input: args({
    base: optional(text("Compare with this revision", { min: 1 })),
    whole: optional(flag("With the contents of untracked files")),
    paths: optional(listOf(text("A changed file", { min: 1 }), maxPaths, 1)),
    send: optional(flag("The model reads it too")),
  }),
  access: "read",
  afterCrash: "repeat",
  role: "compares",
  instead: [{ tool: "bash", how: "use git diff, or diff" }],
  isForPerson: true,
  reach: () => ({ network: false, free: false, onlyReads: true }),
  command: ({ base, paths }) => `${diffCommand(base, paths)} && ${UNTRACKED}`,
  async run({ base, whole = false, paths }, ctx) {
    const command = diffCommand(base, paths);
    const where = { cwd: ctx.root, timeoutMs: ctx.defaultTimeoutMs, isTerminal: false };
    const ran = await runCommand({ ...where, command }, ctx);
    if (!ran.ok) return ran;
    const { output, outcome } = ran.value;
    if (outcome.cancelled || outcome.timedOut) return ok(output);
    if (output.data.exit_code !== 0)
      return fail("E_IO", phrase("diff.failed", { problem: lastLine(outcome.stderr) }), { sideEffect: "none" });
    const listed = await runCommand({ ...where, command: UNTRACKED }, { ...ctx, onOutput: () => {} });
    if (!listed.ok) return listed;
    const isMeant = (name: string): boolean => name !== "" && (paths?.includes(name) ?? true);
    const untracked = listed.value.outcome.stdout.split("\0").filter(isMeant);
    const { stat, changes } = parted(outcome.stdout);
    const { filesInDiff } = await import("./files-in-diff.ts");
    const { untrackedDiff, withoutSecretFiles } = await import("./untracked-diff.ts");
    const kept = whole ? withoutSecretFiles(changes, ctx) : changes;
    const added = whole ? untrackedDiff(untracked, ctx) : { diff: "", left: untracked };
    const all = kept + added.diff;
    const data: DiffData = {
      command,
      exit_code: output.data.exit_code,
      stat,
      diff: all,
      files: filesInDiff(all),
      untracked,
      truncated: output.data.truncated || listed.value.output.data.truncated,
    };
    return ok({ text: shown(data, added.left), data });
  },
});

function diffCommand(base: string | undefined, paths: readonly string[] = []): string {
  const words = [
    ...(base === undefined ? [] : [quoted(base)]),
    ...((base ?? paths[0]) ? ["--"] : []),
    ...paths.map(quoted),
  ];
  const what = words.map((word) => ` ${word}`).join("");
  return `git diff ${PLAIN} --stat${what} && git diff ${PLAIN}${what}`;
}

/** The stat comes first; none of its lines starts like the diff. */
function parted(out: string): { readonly stat: string; readonly changes: string } {
  const at = out.startsWith("diff --") ? 0 : out.indexOf("\ndiff --") + 1;
  return at === 0 && !out.startsWith("diff --")
    ? { stat: out, changes: "" }
    : { stat: out.slice(0, at), changes: out.slice(at) };
}

/** English plain text, because the model reads it too. */
function shown({ stat, diff: changes, untracked }: DiffData, left: readonly string[]): string {
  if (stat === "" && changes === "" && untracked.length === 0) return "no changes";
  const names = left.length === 0 ? [] : ["untracked:", ...left.map((name) => `  ${visible(name)}`)];
  return [stat.trimEnd(), changes.trimEnd(), names.join("\n")].filter((block) => block !== "").join("\n\n");
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.slice(0, 500) ?? "";
}
