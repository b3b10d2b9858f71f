import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event, EventType } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, type SessionState } from "../../src/machine/state.ts";
import { Audit } from "./audit.ts";
import { holds } from "./property.ts";
import { samples } from "./samples.ts";
import { World } from "./world.ts";

const tape = fc.uint8Array({ minLength: 1, maxLength: 300, size: "max" });
const long = 600_000;
const fold = (events: readonly Event[]): SessionState =>
  events.reduce((state, one) => reduce(state, one).state, emptySession);

describe("any world", () => {
  test(
    "[SM-6, TP-1, TP-2, TP-3, TP-4, MD-4, IN-5, PS-4] every rule holds after every event, whatever is answered, crashes or comes late",
    () => {
      holds(
        "every rule holds after every event",
        fc.property(tape, (bytes) => {
          new World(bytes, { audit: new Audit() }).play();
        }),
      );
    },
    long,
  );

  test(
    "[CAN-1] a cancel leads from every state that is ever reached to the end of the task",
    () => {
      holds(
        "a cancel ends the task",
        fc.property(tape, (bytes) => {
          new World(bytes).play().cancel();
        }),
      );
    },
    long,
  );

  test(
    "[SM-3] every task ends when all its orders are answered",
    () => {
      holds(
        "answers end the task",
        fc.property(tape, (bytes) => {
          new World(bytes).play().finish();
        }),
      );
    },
    long,
  );

  test(
    "[PS-4] a session cut off after any event, even in the middle of a batch, can be cancelled and can be finished",
    () => {
      holds(
        "any prefix resumes",
        fc.property(tape, fc.nat({ max: 9_999 }), (bytes, cut) => {
          const { log } = new World(bytes).play();
          const state = fold(log.slice(0, cut % (log.length + 1)));
          new World(new Uint8Array(), { resume: state }).cancel();
          new World(new Uint8Array(), { resume: state }).finish();
        }),
      );
    },
    long,
  );

  test(
    "[SM-6] no event at all, not even one that makes no sense here, breaks a session or is dropped in silence with an effect",
    () => {
      const types = Object.keys(samples) as EventType[];
      const ids = fc.record({
        run: fc.nat({ max: 3 }),
        task: fc.nat({ max: 3 }),
        step: fc.nat({ max: 3 }),
        call: fc.nat({ max: 3 }),
      });
      const strange = fc.array(fc.tuple(fc.constantFrom(...types), ids), { maxLength: 30 });
      holds(
        "strange events break nothing",
        fc.property(tape, strange, (bytes, events) => {
          let { state } = new World(bytes).play();
          for (const [type, at] of events) {
            const event = about(samples[type], at);
            const step = reduce(state, event);
            if (!step.accepted) {
              expect(step.state).toBe(state);
              expect(step.effects.filter((one) => one.type !== "report_internal")).toEqual([]);
              expect(step.effects.length).toBeLessThanOrEqual(1);
            }
            state = step.state;
          }
        }),
      );
    },
    long,
  );
});

/** The same event about another run, task, step or call. */
function about(event: Event, at: { run: number; task: number; step: number; call: number }): Event {
  const runId = `r${at.run}`;
  return {
    ...event,
    ...("runId" in event ? { runId } : {}),
    ...("taskId" in event ? { taskId: `t${at.task}` } : {}),
    ...("index" in event ? { index: at.step } : {}),
    ...("callId" in event ? { callId: `${runId}/${at.step}/${at.call}` } : {}),
    ...("inputId" in event ? { inputId: `i${at.call}` } : {}),
  } as Event;
}
