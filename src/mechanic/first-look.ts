import { phrase, type TextKey } from "../contract/text/catalogue.ts";
import { check } from "./check.ts";
import type { LastWord, Play } from "./play.ts";
import { findProject, type Project } from "./project.ts";
import type { Report } from "./report.ts";
import { gather, type Scene } from "./scene.ts";
import { environment, type Facts, say, unchecked } from "./words.ts";

/** `done`: nothing to look into, for the reason in `said`. `scene`: `null` if stopped while files were read. */
type Look =
  | { readonly kind: "done"; readonly said: LastWord }
  | { readonly kind: "failing"; readonly project: Project; readonly report: Report; readonly scene: Scene | null };

/** Runs the tests and reads the files that the failing ones concern. `passed`: the text for no failures. */
export function* firstLook(facts: Facts, passed: TextKey): Play<Look> {
  const done = (said: LastWord): Look => ({ kind: "done", said });
  const unsolved = (text: string): Look => done({ unsolved: text });
  const found = yield* findProject();
  if (found.kind !== "found")
    return unsolved(say(facts, phrase(found.kind === "stop" ? "mechanic.stopped" : "mechanic.no_project")));
  const { project } = found;
  const { command } = project;
  const checked = yield* check(project, say(facts, phrase("mechanic.runs_tests", { command })), null);
  if (checked.kind !== "report") return unsolved(unchecked(facts, project, checked));
  const { report } = checked;
  if (report.kind === "passed") return done(say(facts, phrase(passed, { summary: report.summary })));
  if (report.kind === "environment") return unsolved(environment(facts, report));
  const scene = yield* gather(project, report, facts.workspace);
  return { kind: "failing", project, report, scene };
}
