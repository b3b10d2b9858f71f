import { candidatesFor } from "./find/candidates.ts";
import { firstLook } from "./first-look.ts";
import type { Play } from "./play.ts";
import { explainedText, type Facts } from "./words.ts";

/** Runs the tests and says what fails, with which values, and where it most likely comes from. */
export function* explain(facts: Facts): Play {
  const look = yield* firstLook(facts, "mechanic.all_pass");
  if (look.kind === "said") return look.text;
  const { scene, report } = look;
  const candidates = scene === null ? { suspects: [] } : candidatesFor(scene, report, facts.request);
  return explainedText(facts, report, candidates);
}
