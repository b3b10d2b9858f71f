// Runs one file tool as whatever user this process is: `bun call.ts ROOT TOOL INPUT`. Prints what the model would read.
import { makeContext, told } from "./workspace.ts";
import { applyChanges } from "../../src/platform/files/apply.ts";
import { loadTools, parseInput } from "../../src/tool/registry.ts";

const [root = "", name = "", input = ""] = process.argv.slice(2);
const tool = loadTools([]).get(name);
if (tool === undefined) throw new Error(`no tool ${name}`);
const parsed = parseInput(tool, JSON.parse(input));
if (!parsed.ok) throw new Error(told(parsed));
const ctx = { ...makeContext(root, new Map()), readsByItself: true };
if ("run" in tool) {
  process.stdout.write(told(await tool.run(parsed.value as never, ctx)));
} else {
  const plan = await tool.plan(parsed.value as never, ctx);
  const applied = plan.ok ? applyChanges(plan.value, { ...ctx, tempTag: "call" }) : plan;
  process.stdout.write(applied.ok ? "applied" : told(applied));
}
