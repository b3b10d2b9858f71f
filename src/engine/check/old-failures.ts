// VF-5: tells apart failures that existed before the task.
import { posix } from "node:path";
import type { Baseline } from "../../contract/tool.ts";
import type { VerificationDetail, VerificationResult } from "../../contract/verification.ts";
import type { TaskCore } from "../../machine/state.ts";
import type { PipelineDeps } from "../call/tool-context.ts";

const aboutCode: readonly VerificationResult["type"][] = ["test_failure", "lint_failure", "build_failure"];

export function baselineOf(deps: PipelineDeps, { id, input }: Pick<TaskCore, "id" | "input">): Baseline {
  const { settings, history, past, guard, watch } = deps;
  const { workspace, lang } = settings;
  const touchedIn = async (cwd: string): Promise<(detail: VerificationDetail) => boolean> => {
    const { touching } = await import("../../verify/relate/touched.ts");
    const { changedIn } = await import("./choose-checks.ts");
    const below = posix.relative(workspace, cwd);
    return touching({ root: workspace, cwd: below, changed: changedIn(history), asked: input.text });
  };
  return {
    isWanted: async ({ type, details }, cwd) => {
      if (!aboutCode.includes(type)) return false;
      const isTouched = await touchedIn(cwd);
      return details.some((detail) => !isTouched(detail));
    },
    before: async (given, signal) => {
      const confine =
        given ?? ((await guard.canHold()) ? await guard.confiner.confine(inSandbox, deps.state().id) : null);
      if (confine === null) return null;
      const { before } = await import("./baseline.ts");
      return before(confine, { workspace, history, bytes: past.bytes, ownFolder: guard.confiner.ownFolder, signal });
    },
    known: async (check, run) => {
      const key = JSON.stringify([id, check]);
      const known = watch.checks.before.get(key);
      if (known !== undefined) return known;
      const found = await run();
      watch.checks.before.set(key, found);
      return found;
    },
    without: async (now, old, cwd) => {
      const { withoutOld } = await import("../../verify/result/subtract-baseline.ts");
      const isTouched = await touchedIn(cwd);
      return withoutOld(now, old, lang, (detail) => !isTouched(detail));
    },
  };
}

/** The baseline runs in the sandbox even if the check itself ran without one. */
const inSandbox = { confined: true, readOnly: false, network: false, isCheck: true } as const;
