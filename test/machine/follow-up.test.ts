import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/contract/event.ts";
import { followUp } from "../../src/machine/follow-up.ts";
import { pending } from "../../src/machine/pending.ts";
import { reduce } from "../../src/machine/session.ts";
import type { SessionState } from "../../src/machine/state.ts";
import { after, event, limits, make, verdict } from "./make.ts";
import { type Place, places } from "./places.ts";

const inPlace = (place: Place): EventBody | null => followUp(after(places[place]));

/** All places in which the state says by itself how it goes on. */
const speaking: Partial<Record<Place, EventBody["type"]>> = {
  CONTEXT_BUILDING: "context.built",
  PLANNING: "plan.settled",
  "VERIFYING, finishing": "checks.finished",
  "RECOVERING after a failed run": "recovery.decided",
  "RECOVERING after failed checks": "recovery.decided",
  "RECOVERING after the undo": "recovery.decided",
  "RECOVERING after a time-out": "recovery.decided",
};

describe("what follows from the state alone", () => {
  for (const place of Object.keys(places) as readonly Place[])
    test(`[SM-3] in ${place}: ${speaking[place] ?? "nothing"}`, () => {
      const state = after(places[place]);
      const next = followUp(state);
      expect(next?.type).toBe(speaking[place]);
      // Never both, or one thing would be decided twice.
      if (next) expect(pending(state).filter(({ type }) => type !== "end_job")).toEqual([]);
      if (next) expect(reduce(state, event(next)).accepted).toBe(true);
    });

  test("[SM-8] [VF-5] a failed check is repaired, and what the person wants of the changes is in the limits of the task", () => {
    const failed = (onVerifyFailure: "keep" | "rollback"): SessionState => {
      const path = [...places["VERIFYING, judging"], make.judged(verdict("test_failure", 2))];
      const own = path.map((one) =>
        one.type === "task.started" ? { ...one, limits: { ...limits, maxChecks: 1, onVerifyFailure } } : one,
      );
      const judged = after(own);
      const finished = followUp(judged);
      expect(finished?.type).toBe("checks.finished");
      return finished ? reduce(judged, event(finished)).state : judged;
    };
    expect(followUp(failed("keep"))).toMatchObject({ type: "recovery.decided", rung: "stop", repairable: false });
    expect(followUp(failed("rollback"))).toMatchObject({
      type: "recovery.decided",
      rung: "rollback",
      repairable: true,
    });
  });

  test("[SM-8] a run that failed for good and a time-out are not repaired", () => {
    expect(inPlace("RECOVERING after a failed run")).toMatchObject({ rung: "stop", repairable: false });
    expect(inPlace("RECOVERING after a time-out")).toMatchObject({ rung: "stop", repairable: false });
  });
});
