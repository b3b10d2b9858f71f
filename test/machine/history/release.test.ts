// A conversation holds what requests can still show, not all that was ever read.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { buildMessages } from "../../../src/context/build.ts";
import { compact } from "../../../src/context/compact.ts";
import { summaryRequest } from "../../../src/context/summary/request.ts";
import type { View } from "../../../src/contract/event.ts";
import type { Entry } from "../../../src/machine/history/entry.ts";
import type { History } from "../../../src/machine/history/history.ts";
import { Made, type MadeStep, nothing, whole } from "../../context/make.ts";

const held = ({ entries, deeds, said, tasks }: History): number => {
  const plain = (entry: Entry) => ("results" in entry ? { ...entry, results: [...entry.results.values()] } : entry);
  return JSON.stringify([entries.map(plain), [...deeds.values()], said, tasks]).length;
};

const limits = { target: 30_000, keepRecent: 12 };

/** A task of so many steps, compacted as the engine does it, wherever it no longer fits; and the same without letting go of anything. */
function played(steps: Iterable<MadeStep>, target = limits.target): { made: Made; control: Made; view: View } {
  const [made, control] = [new Made(), new Made()];
  let view: View = whole;
  for (const one of [made, control]) one.task("Read everything. Never write.");
  for (const step of steps) {
    for (const one of [made, control]) one.step(step);
    if (buildMessages(made.history, view).tokens <= target) continue;
    const compaction = compact(made.history, view, { ...limits, target }, nothing);
    const { pruneBefore, trimBefore, summary, overviewsFrom } = compaction;
    view = {
      ...{ pruneBefore, trimBefore },
      ...(summary ? { summary } : {}),
      ...(overviewsFrom === undefined ? {} : { overviewsFrom }),
    };
    made.apply({ type: "context.compacted", compaction });
  }
  return { made, control, view };
}

function* many(count: number, out: string, text = ""): Generator<MadeStep> {
  for (let n = 0; n < count; n++) yield { out: `${n} ${out}`, text: text && `${n} ${text}` };
}

test("[CX-2] 5,000 steps with results of 20 KB hold less than a twenty-fifth of what was read", () => {
  const { made, control } = played(many(5_000, "some words of a line\n".repeat(1_000)));
  expect(held(control.history)).toBeGreaterThan(100_000_000);
  expect(held(made.history)).toBeLessThan(4_000_000);
});

test("[CX-2] long replies and arguments are let go of once they lie before the cut, and the person's words are not", () => {
  const { made, view } = played(many(1_000, "ok", "I have thought about this at length. ".repeat(200)));
  expect(view.trimBefore).toBeGreaterThan(900);
  expect(held(made.history)).toBeLessThan(1_500_000);
  expect(made.history.said.map(({ text }) => text)).toEqual(["Read everything. Never write."]);
});

const words = fc.constantFrom("a", "line\n", "中文", "{}", "\\");
const text = fc.tuple(words, fc.nat(4_000)).map(([one, times]) => one.repeat(times));
const step = fc.record({ out: text, text, status: fc.constantFrom("done", "failed" as const) });

test("[CX-1] [CX-2] requests, sizes and what a summary is made from are the same as if nothing had been let go of", () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 800, max: 6_000 }),
      (steps, target) => {
        const { made, control, view } = played(steps, target);
        expect(buildMessages(made.history, view)).toEqual(buildMessages(control.history, view));
        const how = { room: 20_000, words: 300, focus: "" };
        expect(summaryRequest(made.history, view, how)).toEqual(summaryRequest(control.history, view, how));
        const next = { ...limits, target: Math.floor(target / 2) };
        expect(compact(made.history, view, next, nothing)).toEqual(compact(control.history, view, next, nothing));
      },
    ),
    { numRuns: 150 },
  );
});

test("[CX-3] the task that a cut goes through keeps what came with it until the next one does not", () => {
  const made = new Made();
  const attachments = [{ kind: "file", path: "a.txt", text: "whole file ".repeat(100) } as never];
  made.apply({ type: "input.admitted", inputId: "i", kind: "task", delivery: "now", text: "look", attachments });
  const limit = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
  made.apply({ type: "task.started", taskId: "t", runId: "r0", inputId: "i", limits: limit });
  for (const one of many(4, "x")) made.step(one);
  const cut = (at: number) =>
    ({ stage: "trim", pruneBefore: at, trimBefore: at, tokensBefore: 2, tokensAfter: 1 }) as const;
  made.apply({ type: "context.compacted", compaction: cut(3) });
  expect(made.history.entries[0]).toMatchObject({ text: "look", attachments });
  made.task("another");
  for (const one of many(4, "x")) made.step(one);
  made.apply({ type: "context.compacted", compaction: cut(8) });
  expect(made.history.entries[0]).toEqual({ kind: "user", taskId: "t", text: "look", hints: "" });
  expect(made.history.entries[5]).toMatchObject({ kind: "user", text: "another" });
});
