import { type Host, hostOf } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { PathFact } from "../../contract/tool.ts";
import { judgeCommand } from "../command.ts";
import { dialledBy, NETWORK } from "./network.ts";
import { answerByRules, type RuleQuestion } from "./rule.ts";
import { ruleText } from "./text.ts";

export interface BrokenExample {
  readonly rule: PermissionRule;
  readonly problem: Phrase;
}

/** Examples in `matches` that the rule alone does not decide, and examples in `others` that it does. */
export function brokenExamples(rules: readonly PermissionRule[], workspace: string): readonly BrokenExample[] {
  return rules.flatMap((rule) => {
    const { matches = [], others = [] } = rule.examples ?? {};
    const decides = (example: string): boolean => answerByRules([rule], questionFor(rule, example, workspace)) !== null;
    const about = (example: string) => ({ where: rule.source, rule: ruleText(rule), example });
    return [
      ...matches.filter((one) => !decides(one)).map((one) => phrase("permission.example_other", about(one))),
      ...others.filter(decides).map((one) => phrase("permission.example_hit", about(one))),
    ].map((problem) => ({ rule, problem }));
  });
}

/** The example is a command line, a URL, or a path whose real path is its name. */
function questionFor(rule: PermissionRule, example: string, workspace: string): RuleQuestion {
  const factOf = (given: string): PathFact => {
    const real = given.startsWith("/") ? given : `${workspace}/${given}`;
    return { given, real, inside: true, exists: true, kind: "file" };
  };
  if (rule.tool === NETWORK) {
    const judgement = judgeCommand(example, { gitProblem: null });
    const hosts = dialledBy(judgement, { gitProblem: null }) ?? [];
    return { tool: "bash", access: "exec", paths: [], judgement, hosts, workspace };
  }
  if (rule.host !== undefined)
    return { tool: "fetch", access: "network", paths: [], hosts: hostIn(example), workspace };
  if (rule.command === undefined) {
    const tool = rule.tool ?? "read";
    return { tool, access: tool === "write" ? "write" : "read", paths: [factOf(example)], workspace };
  }
  const judgement = judgeCommand(example, { gitProblem: null });
  const paths = judgement.reads.map(({ path }) => factOf(path));
  const writes = judgement.writes.map(({ path }) => factOf(path));
  return { tool: "bash", access: "exec", paths, writes, judgement, workspace };
}

/** A bare host is accepted too. */
function hostIn(example: string): readonly Host[] {
  const url = [example, `https://${example}/`].find((text) => /^https?:\/\//i.test(text) && URL.canParse(text));
  return url === undefined ? [] : [hostOf(new URL(url))];
}
