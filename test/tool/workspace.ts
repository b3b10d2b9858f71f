import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Result } from "../../src/contract/error.ts";
import type { Todo } from "../../src/contract/message.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import type { AnyTool, ChangePlan, ToolContext, ToolOutput } from "../../src/contract/tool.ts";
import { applyChanges } from "../../src/platform/files/change/apply.ts";
import { resolvePath } from "../../src/platform/files/path.ts";
import { parseInput } from "../../src/tool/registry.ts";

/** A workspace on disk and the context of a session in it: what was read or written is known. */
export interface Workspace {
  readonly root: string;
  readonly ctx: ToolContext;
  readonly path: (name: string) => string;
  readonly put: (name: string, content: string | Uint8Array, mode?: number) => string;
  readonly bytes: (name: string) => Buffer;
  readonly text: (name: string) => string;
  readonly run: (tool: AnyTool, input: unknown, more?: Partial<ToolContext>) => Promise<Result<ToolOutput>>;
  readonly plan: (tool: AnyTool, input: unknown, more?: Partial<ToolContext>) => Promise<Result<ChangePlan>>;
  /** Plans and applies, as the pipeline does. */
  readonly change: (tool: AnyTool, input: unknown, more?: Partial<ToolContext>) => Promise<Result<ChangePlan>>;
  readonly forget: () => void;
  readonly [Symbol.dispose]: () => void;
}

export function makeContext(root: string, known: ReadonlyMap<string, string>): ToolContext {
  return {
    root,
    addDirs: [],
    commands: { confine: null, keep: [], set: {}, isProved: false },
    allowedOutside: [],
    signal: new AbortController().signal,
    knownHash: (real) => known.get(real),
    readsByItself: false,
    todos: (): readonly Todo[] => [],
    defaultTimeoutMs: 20_000,
    maxStreamBytes: 2 ** 20,
    onOutput: () => {},
    onSpawn: async () => {},
    jobs: noJobs,
    marker: "test",
  };
}

/** Background jobs need a session: they are tested with the engine. */
const none = { ok: false, error: { code: "E_INTERNAL", text: { key: "run.crashed", args: {} } } } as const;
const noJobs: ToolContext["jobs"] = {
  movable: () => ({ asked: new Promise(() => {}), over: () => {} }),
  adopt: async () => "j1",
  start: async () => none,
  output: async () => none,
  kill: async () => none,
  list: () => [],
};

export function makeWorkspace(): Workspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-tool-")));
  const known = new Map<string, string>();
  const ctx = makeContext(root, known);
  const path = (name: string): string => join(root, name);
  const workspace: Workspace = {
    root,
    ctx,
    path,
    put: (name, content, mode) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content, mode === undefined ? {} : { mode });
      return path(name);
    },
    bytes: (name) => readFileSync(path(name)),
    text: (name) => readFileSync(path(name), "utf8"),
    run: async (tool, input, more = {}) => {
      const result = await start(tool, "run", input, { ...ctx, ...more });
      if (result.ok) for (const { real, hash } of result.value.seen ?? []) known.set(real, hash);
      return result;
    },
    plan: (tool, input, more = {}) => start(tool, "plan", input, { ...ctx, ...more }),
    change: async (tool, input, more = {}) => {
      const plan = await workspace.plan(tool, input, more);
      if (!plan.ok) return plan;
      const applied = applyChanges(plan.value, { ...ctx, ...more, tempTag: "test" });
      if (!applied.ok) return applied;
      for (const { change } of plan.value.changes) if (change.after) known.set(change.real, change.after.hash);
      return plan;
    },
    forget: () => known.clear(),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
  return workspace;
}

type Start = {
  (tool: AnyTool, way: "run", input: unknown, ctx: ToolContext): Promise<Result<ToolOutput>>;
  (tool: AnyTool, way: "plan", input: unknown, ctx: ToolContext): Promise<Result<ChangePlan>>;
};

const start = (async (tool: AnyTool, way: "run" | "plan", input: unknown, ctx: ToolContext) => {
  const parsed = parseInput(tool, input);
  if (!parsed.ok) return parsed;
  const call = (tool as unknown as Record<string, (input: unknown, ctx: ToolContext) => Promise<unknown>>)[way];
  if (call === undefined) throw new Error(`${tool.name} has no ${way}`);
  const touched = tool.touches?.(parsed.value as never) ?? [];
  // As the engine judges them a moment before: links inside are followed.
  const inside = touched.map((path) => resolvePath(path, ctx.root, ctx.addDirs)).filter((fact) => fact.inside);
  const judged = inside.flatMap(({ real }) => real ?? []);
  return await call(parsed.value, { ...ctx, allowedOutside: [...ctx.allowedOutside, ...judged] });
}) as Start;

/** Code and words of a failure, as the model would read them; the text of a success. */
export function told(result: Result<{ readonly text: string }>): string {
  if (result.ok) return result.value.text;
  const { code, text, advice } = result.error;
  return [`${code}: ${say("en", text)}`, ...(advice ? [say("en", advice)] : [])].join("\n");
}

/** Everything below a folder with content and mode, for whole comparisons. */
export function snapshot(folder: string): Record<string, string> {
  const names = [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true, onlyFiles: false })].sort();
  return Object.fromEntries(
    names.map((name) => {
      const stat = lstatSync(join(folder, name));
      const content = stat.isFile()
        ? readFileSync(join(folder, name), "latin1")
        : stat.isDirectory()
          ? "folder"
          : "other";
      return [name, `${(stat.mode & 0o7777).toString(8)} ${content}`];
    }),
  );
}
