import { expect, test } from "bun:test";
import { type Find, readFinds } from "../../scripts/fuzz-policy/finds.ts";
import { written } from "../../scripts/fuzz-policy/path-lines.ts";
import { World } from "../../scripts/fuzz-policy/world.ts";
import type { PermissionRule } from "../../src/contract/permission.ts";
import { judgeCommand } from "../../src/policy/command.ts";
import { alwaysRules } from "../../src/policy/rule/always.ts";
import { answerByRules, type RuleQuestion } from "../../src/policy/rule/rule.ts";
import { workspace } from "./rule-sample.ts";
import { facts } from "./shell/facts.ts";

const question = (line: string): RuleQuestion => ({
  ...{ tool: "bash", access: "exec", paths: [], writes: [], workspace },
  judgement: judgeCommand(line, facts),
});

test("[PO-4] [PO-10] no line that the fuzzer ever found is let through again", async () => {
  using world = new World();
  const open: unknown[] = [];
  for (const find of readFinds()) if (await isLetThrough(find, world)) open.push(find);
  expect(open).toEqual([]);
});

async function isLetThrough({ kind, line, what }: Find, world: World): Promise<boolean> {
  // As the fuzzer judges: what lies in the folder counts too.
  if (kind === "effect") return (await world.decision(line)) === "allow" && world.counting(line, [what]).length > 0;
  if (kind === "always") return answerByRules(alwaysRules(question(what)) ?? [], question(line))?.decision === "allow";
  if (kind === "kept") return (await world.decision(line, [written("deny", `read(${what})`)])) === "allow";
  if (kind === "opened") return (await world.decision(line, [written("allow", `write(${what})`)])) === "allow";
  const command = { argv: [what], isExact: false };
  const deny: PermissionRule = { decision: "deny", tool: "bash", command, source: "--deny", by: "person" };
  return answerByRules([deny], question(line))?.decision !== "deny";
}
