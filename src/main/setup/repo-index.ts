import { realpathSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "../../context/tokens.ts";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import type { Settings } from "../../contract/settings.ts";
import { clean } from "../../engine/call/redact.ts";
import { openIndex, type RepoIndex } from "../../index/open.ts";
import { answerByRules } from "../../policy/rule/rule.ts";

export function openRepoIndex(settings: Settings): Promise<RepoIndex> {
  return openIndex(settings.workspace, realOf(settings.home), {
    isSecret: hiddenBy(settings),
    hasSecret: (text) => clean(text) !== text,
    tokens: estimateTokens,
  });
}

/** Other processes, devices and kernel switches, even if the workspace is `/`. */
const machine = /^\/(?:proc|sys|dev)\//;

/** Leaves out secrets and files that the model may not read without asking. */
function hiddenBy({ rules, workspace }: Settings): (path: string) => boolean {
  const holding = rules.filter(({ decision }) => decision !== "allow");
  const isSecret = isSecretIn(workspace);
  const isHidden = (path: string): boolean => isSecret(path) || machine.test(join(workspace, path));
  if (holding.length === 0) return isHidden;
  const isRuledOut = (given: string): boolean => {
    const fact = { given, real: join(workspace, given), inside: true, exists: true, kind: "file" } as const;
    const question = { tool: "read", access: "read", paths: [fact], workspace } as const;
    return answerByRules(holding, question) !== null;
  };
  return (path) => isHidden(path) || isRuledOut(path);
}

function realOf(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    return home;
  }
}
