import { expect, test } from "bun:test";
import { readFinds } from "../../scripts/fuzz-policy/finds.ts";
import type { PermissionRule } from "../../src/contract/permission.ts";
import { judgeCommand } from "../../src/policy/command.ts";
import { answerByRules, type RuleQuestion } from "../../src/policy/rule.ts";
import { alwaysRules } from "../../src/policy/rule-always.ts";
import { workspace } from "./rule-sample.ts";
import { facts } from "./shell/facts.ts";

const question = (line: string): RuleQuestion => ({
  ...{ tool: "bash", access: "exec", paths: [], writes: [], workspace },
  judgement: judgeCommand(line, facts),
});

test("[PO-4] [PO-10] no line that the fuzzer ever found is let through again", () => {
  const open = readFinds().filter(({ kind, line, what }) => {
    if (kind === "effect") return judgeCommand(line, facts).isReadOnly;
    if (kind === "always")
      return answerByRules(alwaysRules(question(what)) ?? [], question(line))?.decision === "allow";
    const command = { argv: [what], isExact: false };
    const deny: PermissionRule = { decision: "deny", tool: "bash", command, source: "--deny", by: "person" };
    return answerByRules([deny], question(line))?.decision !== "deny";
  });
  expect(open).toEqual([]);
});
