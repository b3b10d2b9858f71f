import { phrase } from "../contract/text/catalogue.ts";
import { candidatesFor } from "./candidates.ts";
import { check } from "./check.ts";
import type { Play } from "./play.ts";
import { findProject } from "./project.ts";
import { gather } from "./scene.ts";
import { environment, explainedText, type Facts, say, unchecked } from "./words.ts";

/** Runs the tests and says what fails, with which values, and where it most likely comes from. */
export function* explain(facts: Facts): Play {
  const found = yield* findProject();
  if (found.kind !== "found")
    return say(facts, phrase(found.kind === "stop" ? "mechanic.stopped" : "mechanic.no_project"));
  const { project } = found;
  const checked = yield* check(project, say(facts, phrase("mechanic.runs_tests", { command: project.command })), null);
  if (checked.kind !== "report") return unchecked(facts, project, checked);
  const { report } = checked;
  if (report.kind === "passed") return say(facts, phrase("mechanic.all_pass", { summary: report.summary }));
  if (report.kind === "environment") return environment(facts, report);
  const scene = yield* gather(project, report, facts.workspace);
  const candidates = scene === null ? { suspects: [] } : candidatesFor(scene, report, facts.request);
  return explainedText(facts, report, candidates);
}
