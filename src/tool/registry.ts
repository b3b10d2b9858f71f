import { fail, ok, type Result } from "../contract/error.ts";
import type { ToolSpec } from "../contract/message.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { AnyTool, InputIssue } from "../contract/tool.ts";
import { edit } from "./edit/edit.ts";
import { write } from "./edit/write.ts";
import { fetchUrl } from "./fetch/fetch.ts";
import { commit } from "./git/commit.ts";
import { diff } from "./git/diff.ts";
import { proposal } from "./git/proposal.ts";
import { patch } from "./patch/patch.ts";
import { plan } from "./plan/plan.ts";
import { todoread } from "./plan/todoread.ts";
import { todowrite } from "./plan/todowrite.ts";
import { question } from "./question.ts";
import { read } from "./read/read.ts";
import { glob } from "./search/glob.ts";
import { grep } from "./search/grep.ts";
import { list } from "./search/list.ts";
import { bash } from "./shell/bash.ts";
import { diagnostics } from "./shell/diagnostics.ts";
import { job } from "./shell/job.ts";
import { task } from "./task.ts";
import { undo } from "./undo/undo.ts";

/** In the order the model sees them, which must stay fixed to keep the request prefix cacheable. */
const tools: readonly AnyTool[] = [
  read,
  list,
  glob,
  grep,
  write,
  edit,
  patch,
  bash,
  job,
  diagnostics,
  fetchUrl,
  task,
  todoread,
  todowrite,
  plan,
  question,
  diff,
  undo,
  commit,
  proposal,
];

/** `skill` is built at run time. */
export const toolNames: readonly string[] = [...tools.map(({ name }) => name), "skill"];

/** `more`: tools built at run time. They come last, so that the prefix stays the same. */
export function loadTools(off: readonly string[], more: readonly AnyTool[] = []): ReadonlyMap<string, AnyTool> {
  return new Map([...tools, ...more].filter(({ name }) => !off.includes(name)).map((tool) => [tool.name, tool]));
}

export function toolSpecs(chosen: ReadonlyMap<string, AnyTool>): ToolSpec[] {
  const offered = [...chosen.values()].filter(({ isForPerson }) => !isForPerson);
  return offered.map(({ name, description, input }) => {
    // Some providers reject `$schema`.
    const { $schema: _, ...schema } = input.toJSONSchema() as Readonly<Record<string, unknown>>;
    return { name, description, schema };
  });
}

export function parseInput(tool: AnyTool, raw: unknown): Result<unknown> {
  const parsed = tool.input.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  const problem = parsed.error.issues.map(issueText).join("; ");
  return fail("E_INVALID_ARGS", phrase("run.bad_args", { tool: tool.name, problem }));
}

function issueText({ path, message }: InputIssue): string {
  return path.length === 0 ? message : `${path.map(String).join(".")} ${message}`;
}
