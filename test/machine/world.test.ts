import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Event, EventType } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import { emptySession, type SessionState } from "../../src/machine/state.ts";
import { Audit } from "./audit.ts";
import { places } from "./places.ts";
import { holds } from "./property.ts";
import { isStopping } from "./rules.ts";
import { samples } from "./samples.ts";
import { World } from "./world.ts";

const tape = fc.uint8Array({ minLength: 1, maxLength: 300, size: "max" });
const long = 600_000;
/** What a log leaves, with a witness who has seen all of it. */
function resumed(events: readonly Event[]): { readonly resume: SessionState; readonly audit: Audit } {
  const audit = new Audit();
  let resume = emptySession;
  for (const one of events) {
    const step = reduce(resume, one);
    audit.step(resume, one, step);
    resume = step.state;
  }
  return { resume, audit: audit.crash() };
}

/** Where plans, checks and recovery stand; what the other phases are like needs no name here. */
function placeOf({ task, run, subs }: SessionState): string {
  const [sub] = subs;
  if (sub) {
    const how = sub.isStopped ? ", closing" : isStopping({ task }) ? ", stopping" : "";
    return `inside${subs.length > 1 ? ` ${subs.length}` : ""}, ${sub.run.phase}${how}`;
  }
  const isHeld = "held" in run ? ", held" : "";
  const isEdited = "edit" in run ? ", edited" : "";
  if (task.phase === "PLANNING" || task.phase === "AWAITING_CONFIRMATION")
    return `${task.phase}${task.begun ? `, ${run.phase}` : ""}${isHeld}${isEdited}`;
  if (task.phase === "VERIFYING")
    return `VERIFYING, ${run.phase}, ${Math.min(task.results.length, 2)} of ${task.todo.length}`;
  if (task.phase === "RECOVERING")
    return `RECOVERING, ${task.cause}${task.undoing ? `, ${run.phase}` : ""}${task.asks ? ", asking" : ""}`;
  return task.phase;
}

describe("any world", () => {
  test(
    "[SM-3] [SM-8] [VF-1] the world goes everywhere: into plans held, edited and refused, checks, and changes taken back",
    () => {
      const reached = new Set<string>();
      for (const bytes of fc.sample(tape, { seed: 5, numRuns: 6_000 })) {
        let state = emptySession;
        for (const one of new World(bytes).play().log) {
          state = reduce(state, one).state;
          reached.add(placeOf(state));
          if (one.type.startsWith("plan.") || one.type.startsWith("check")) reached.add(one.type);
          if (one.type === "plan.rejected" && one.missing) reached.add("plan missing");
          if (state.driven.asked) reached.add("asked about open steps");
          if (one.type === "advice.given" && one.text.key.startsWith("run.step_")) reached.add("told of a step");
          if ("task" in state.task) for (const rung of state.task.task.rungs) reached.add(rung);
          if (state.task.phase === "SUMMARIZING")
            reached.add(`${state.task.end.stop}${state.task.stopping ? ", stopping" : ""}`);
          if (state.run.phase === "completed" && state.run.end.note?.key === "run.cost")
            reached.add(`cost, step ${Math.min(state.run.run.index, 1)}`);
        }
      }
      const wanted = [
        ...["plan.settled", "plan.rejected", "plan.answered", "plan.changed"],
        ...["checks.chosen", "check.judged", "checks.finished", "repair", "rollback", "replan", "DENIED, stopping"],
        ...["cost, step 0", "cost, step 1", "plan missing", "asked about open steps", "told of a step"],
        ...["PLANNING", "PLANNING, preparing", "PLANNING, model_running", "PLANNING, tool_running"],
        ...["PLANNING, tool_running, held", "PLANNING, tool_running, held, edited", "AWAITING_CONFIRMATION"],
        ...["AWAITING_CONFIRMATION, tool_running, held", "AWAITING_CONFIRMATION, tool_running, held, edited"],
        ...["VERIFYING, completed, 0 of 0", "VERIFYING, tool_running, 0 of 1", "VERIFYING, awaiting_human, 0 of 1"],
        ...["VERIFYING, completed, 0 of 3", "VERIFYING, tool_running, 2 of 3", "VERIFYING, completed, 2 of 3"],
        ...["RECOVERING, checks", "RECOVERING, checks, preparing", "RECOVERING, checks, tool_running"],
        ...["RECOVERING, answer", "RECOVERING, run", "RECOVERING, timeout"],
        ...["RECOVERING, plan", "RECOVERING, plan, asking", "fallback", "ask"],
        ...["inside, model_running", "inside, tool_running", "inside, awaiting_human", "inside, completed"],
        ...["inside, model_running, stopping", "inside, tool_running, closing", "inside, failed"],
        ...["inside 2, model_running", "inside 2, tool_running", "inside 2, awaiting_human", "inside 2, completed"],
        ...["inside 2, model_running, stopping", "inside 2, tool_running, closing"],
      ];
      expect(wanted.filter((one) => !reached.has(one))).toEqual([]);
    },
    long,
  );

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
    "[SM-8] [PS-4] [BR-2] a run stuck over failed calls climbs, asks, crashes and ends by the same rules",
    () => {
      const reached = new Set<string>();
      fc.assert(
        fc.property(tape, fc.boolean(), (bytes, isAsked) => {
          const place = places[isAsked ? "RECOVERING, asking" : "RECOVERING after failed calls"];
          const world = new World(bytes, resumed(place)).play();
          if ((bytes[0] ?? 0) > 99) world.finish();
          else world.cancel();
          for (const one of world.log) reached.add(one.type === "recovery.decided" ? (one.rung ?? "") : one.type);
        }),
        { seed: 5, numRuns: 1_500 },
      );
      const wanted = ["retry", "fallback", "ask", "stop", "clarification.answered", "clarification.unanswered"];
      expect(wanted.filter((one) => !reached.has(one))).toEqual([]);
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
          const kept = log.slice(0, cut % (log.length + 1));
          new World(new Uint8Array(), resumed(kept)).cancel();
          new World(new Uint8Array(), resumed(kept)).finish();
          new World(bytes, resumed(kept)).play();
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
