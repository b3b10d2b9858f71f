import type { EventBody } from "../../contract/event.ts";
import type { Settings } from "../../contract/settings.ts";
import type { ChecksResult, TaskSummary } from "../../contract/task.ts";
import type { History } from "../../machine/history/history.ts";
import type { SessionState } from "../../machine/state.ts";
import { repositoryAbove } from "../../platform/changes/above.ts";

/**
 * RB-4: with `git.mode`, the commit after a task is its own input. It is stored together with the task's end, so that a kill comes before
 * both or after both.
 */
export function commitAfter(settings: Settings, state: SessionState, history: History): readonly EventBody[] {
  const { gitMode, lang, workspace } = settings;
  const { task } = state;
  const summary = history.task?.summary;
  if (gitMode === "off" || task.phase === "IDLE" || task.task.input.kind !== "task" || !summary) return [];
  const range = rangeOf(summary, task.task.checks, task.task.id);
  if (range === null || summary.changed_files.length === 0 || repositoryAbove(workspace) === null) return [];
  const branch = gitMode === "branch" ? { branch: `coder/${state.id}` } : {};
  const input = { auto: true, lang, ...range, ...branch };
  const call = { tool: "commit", input };
  return [
    {
      type: "input.admitted",
      inputId: `commit-${task.task.id}`,
      kind: "tool",
      delivery: "queue",
      text: "commit",
      call,
    },
  ];
}

/** A verified commit covers everything the session did so far. If there was nothing to verify, it covers only this task. */
function rangeOf({ outcome }: TaskSummary, checks: ChecksResult | null, until: string): object | null {
  if (outcome === "VERIFIED") return { until };
  const isUncheckable = checks?.kind === "none" && nothingToVerify.has(checks.reason.key);
  return outcome === "UNVERIFIED" && isUncheckable ? { until, task: until } : null;
}

const nothingToVerify: ReadonlySet<string> = new Set([
  "verify.only_documents",
  "verify.no_project",
  "verify.no_test_script",
  "verify.no_pytest",
]);
