// What all cases share: the model, the folder their places are made in, and the undisturbed runs.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inMemory } from "../support/places.ts";
import { startScriptedServer } from "../support/scripted-server.ts";
import { lookAt } from "./found.ts";
import { live, makePlace, type Place, runFlags } from "./life.ts";
import { type Outcome, outcomeOf, treeOf } from "./outcome.ts";
import { soundProblems } from "./sound.ts";
import { failing, type Pace, prompts, script } from "./task.ts";

export interface Ground extends Disposable {
  readonly url: string;
  readonly newPlace: () => Place;
  readonly baselines: Readonly<Record<Pace, Outcome>>;
  /** The workspace before anything has happened. */
  readonly untouched: Readonly<Record<string, string>>;
}

/** The folder goes with the ground, unless a case left something in it to look at. */
export async function openGround(): Promise<Ground> {
  const server = startScriptedServer(script, { record: false });
  // A kill is not a power cut: what lies in memory outlives it.
  const folder = mkdtempSync(join(inMemory, "coder-torture-"));
  let made = 0;
  const newPlace = (): Place => makePlace(join(folder, `case-${++made}`));
  const { url } = server;
  const untouched = forgetting(newPlace(), (place) => treeOf(place.workspace));
  const baselines = {
    quick: await baseline(url, newPlace(), "quick"),
    slow: await baseline(url, newPlace(), "slow"),
    heavy: await baseline(url, newPlace(), "heavy"),
    patch: await baseline(url, newPlace(), "patch"),
  };
  const close = (): void => {
    server.stop();
    if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  };
  return { url, newPlace, baselines, untouched, [Symbol.dispose]: close };
}

function forgetting<T>(place: Place, look: (place: Place) => T): T {
  const value = look(place);
  rmSync(place.root, { recursive: true, force: true });
  return value;
}

async function baseline(url: string, place: Place, pace: Pace): Promise<Outcome> {
  const life = await live(place, runFlags(url, [prompts[pace]]), null);
  const found = lookAt(place);
  const outcome = outcomeOf(place, found);
  const problems = [...soundProblems(place, found, outcome, [life])];
  for (const [id, { status, output }] of Object.entries(outcome.calls)) {
    // Otherwise a program that does nothing at all would pass every comparison.
    const isToFail = (pace === "quick" || pace === "slow") && failing.has(id);
    if ((status === "failed") !== isToFail) problems.push(`${id} ${status}: ${output}`);
  }
  if (outcome.task !== "IDLE" || problems.length > 0) {
    throw new Error(`the undisturbed run is not sound (${place.root}): ${problems.join("; ")}\n${life.stderr}`);
  }
  return forgetting(place, () => outcome);
}
