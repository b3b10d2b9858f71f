// One file tool in a process of its own, as a user whom mode bits bind: root ignores them.
import { applyChanges } from "../../src/platform/files/change/apply.ts";
import { loadTools, parseInput } from "../../src/tool/registry.ts";
import { makeContext, told } from "./workspace.ts";

export const nobody = 65534;
export const isRoot = process.getuid?.() === 0;
export const canDrop = !isRoot || Bun.which("setpriv") !== null;

/** What the model would read; `applied` after a change. */
export function callAsNobody(root: string, tool: string, input: object): string {
  return callUnder(
    isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [],
    root,
    tool,
    input,
  );
}

/** The same with another program around it, such as one that sets limits. */
export function callUnder(around: readonly string[], root: string, tool: string, input: object): string {
  const argv = [...around, process.execPath, import.meta.path, root, tool, JSON.stringify(input)];
  const child = Bun.spawnSync(argv, {
    env: { PATH: process.env.PATH ?? "", HOME: root, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
  });
  return child.exitCode === 0 ? child.stdout.toString() : child.stderr.toString();
}

async function main([root = "", name = "", input = ""]: readonly string[]): Promise<string> {
  const tool = loadTools([]).get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const parsed = parseInput(tool, JSON.parse(input));
  if (!parsed.ok) return told(parsed);
  const ctx = { ...makeContext(root, new Map()), readsByItself: true };
  if ("run" in tool) return told(await tool.run(parsed.value as never, ctx));
  if (!("plan" in tool)) throw new Error(`${name} is not carried out by itself`);
  const plan = await tool.plan(parsed.value as never, ctx);
  const applied = plan.ok ? applyChanges(plan.value, { ...ctx, tempTag: "call" }) : plan;
  return applied.ok ? "applied" : told(applied);
}

if (import.meta.main) process.stdout.write(await main(process.argv.slice(2)));
