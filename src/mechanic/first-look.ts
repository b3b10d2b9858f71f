import { phrase, type TextKey } from "../contract/text/catalogue.ts";
import { check } from "./check.ts";
import type { Play } from "./play.ts";
import { findProject, type Project } from "./project.ts";
import type { Report } from "./report.ts";
import { gather, type Scene } from "./scene.ts";
import { environment, type Facts, say, unchecked } from "./words.ts";

/** `said`: nothing to look into, for the reason in `text`. `scene`: `null` if stopped while files were read. */
type Look =
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "failing"; readonly project: Project; readonly report: Report; readonly scene: Scene | null };

/** Runs the tests and reads the files that the failing ones concern. `passed`: the text for no failures. */
export function* firstLook(facts: Facts, passed: TextKey): Play<Look> {
  const said = (text: string): Look => ({ kind: "said", text });
  const found = yield* findProject();
  if (found.kind !== "found")
    return said(say(facts, phrase(found.kind === "stop" ? "mechanic.stopped" : "mechanic.no_project")));
  const { project } = found;
  const { command } = project;
  const checked = yield* check(project, say(facts, phrase("mechanic.runs_tests", { command })), null);
  if (checked.kind !== "report") return said(unchecked(facts, project, checked));
  const { report } = checked;
  if (report.kind === "passed") return said(say(facts, phrase(passed, { summary: report.summary })));
  if (report.kind === "environment") return said(environment(facts, report));
  const scene = yield* gather(project, report, facts.workspace);
  return { kind: "failing", project, report, scene };
}
