import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { buildMessages } from "../../src/context/build.ts";
import { compact } from "../../src/context/compact.ts";
import { imageTokens } from "../../src/context/tokens.ts";
import type { Event, EventBody } from "../../src/contract/event.ts";
import { callId } from "../../src/contract/ids.ts";
import type { ImageRef, ModelMessage } from "../../src/contract/message.ts";
import { type History, HistoryFold } from "../../src/machine/history/history.ts";
import { unlabelled } from "../support/labelled.ts";

const whole = { pruneBefore: 0, trimBefore: 0 };
const usage = { input: 0, output: 0, cachedInput: 0, reasoning: 0 };
const note = "[image left out; read it again if it is needed]";

function image(at: number, bytes = 1000, side = 100): ImageRef {
  return { hash: `h${at}`, mediaType: "image/png", bytes, width: side, height: side };
}

/** One step per list of images, each image the result of a call of its own. */
function historyOf(steps: readonly (readonly ImageRef[])[]): History {
  const history = new HistoryFold();
  const apply = (body: EventBody) => history.apply({ v: 1, at: 0, ...body } as Event);
  const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
  apply({ type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "look" });
  apply({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits });
  for (const [index, images] of steps.entries()) {
    const calls = images.map((_, at) => {
      const fixed = { tool: "read", input: {}, key: "k", access: "read", afterCrash: "repeat" } as const;
      return { id: callId("r1", index + 1, at + 1), providerId: null, ...fixed };
    });
    const reply = { text: "", thinking: "", calls, usage, finish: "tool_calls" } as const;
    apply({ type: "model.replied", runId: "r1", index: index + 1, attempt: 1, reply });
    for (const [at, one] of images.entries()) {
      const result = { status: "done", output: `image ${one.hash}`, key: one.hash, ms: 0, images: [one] } as const;
      apply({ type: "tool.settled", runId: "r1", callId: callId("r1", index + 1, at + 1), result });
    }
  }
  return history;
}

function shownIn(messages: readonly ModelMessage[]): readonly ImageRef[] {
  return messages.flatMap((message) => (message.role === "tool" ? (message.images ?? []) : []));
}

const toolTexts = (messages: readonly ModelMessage[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "tool" ? [unlabelled(message.text)] : []));

test("[CX-5] an image counts by its pixels, at most as many as 1568 on the longer side", () => {
  expect(imageTokens(image(0, 1, 750))).toBe(750);
  expect(imageTokens({ ...image(0), width: 1568, height: 750 })).toBe(1568);
  expect(imageTokens({ ...image(0), width: 3136, height: 1500 })).toBe(1568);
  expect(imageTokens({ ...image(0), width: 1, height: 1 })).toBe(1);
  const bare = buildMessages(historyOf([[]]), whole).tokens;
  const [one, two] = [
    buildMessages(historyOf([[image(0)]]), whole),
    buildMessages(historyOf([[image(0, 1, 750)]]), whole),
  ];
  expect(two.tokens - one.tokens).toBe(750 - imageTokens(image(0)));
  expect(one.tokens).toBeGreaterThan(bare + imageTokens(image(0)));
});

test("[CX-2] pruning an old result drops its images and says so", () => {
  const history = historyOf([[image(1)], [image(2)]]);
  const { messages } = buildMessages(history, { pruneBefore: 2, trimBefore: 0 });
  expect(shownIn(messages)).toEqual([image(2)]);
  expect(toolTexts(messages)).toEqual([`image h1\n${note}`, "image h2"]);
});

test("[MD-5] images alone can overflow, and pruning makes room", () => {
  const history = historyOf([[image(1, 1, 1500)], [image(2, 1, 1500)], [image(3, 1, 1500)]]);
  const before = buildMessages(history, whole).tokens;
  const compaction = compact(
    history,
    whole,
    { target: Math.floor(before / 2), keepRecent: 1 },
    { todos: [], plan: null, written: "", focus: "" },
  );
  expect(compaction.stage).toBe("prune");
  expect(buildMessages(history, compaction).tokens).toBe(compaction.tokensAfter);
  expect(shownIn(buildMessages(history, compaction).messages)).toEqual([image(3, 1, 1500)]);
});

describe("[CX-1] the images of one request", () => {
  const mib = 2 ** 20;

  test("20 are shown; with the next one, only the newest 10", () => {
    const images = Array.from({ length: 21 }, (_, at) => image(at));
    expect(shownIn(buildMessages(historyOf(images.slice(0, 20).map((one) => [one])), whole).messages).length).toBe(20);
    const { messages, tokens } = buildMessages(historyOf(images.map((one) => [one])), whole);
    expect(shownIn(messages)).toEqual(images.slice(11));
    expect(toolTexts(messages)[10]).toBe(`image h10\n${note}`);
    const all = buildMessages(historyOf(images.slice(11).map((one) => [one])), whole).tokens;
    expect(tokens).toBeGreaterThan(all);
    expect(tokens).toBeLessThan(all + 11 * 60);
  });

  test("together never exceed 20 and 12 MiB, hold the newest, and change only when something must go", () => {
    const size = fc.integer({ min: 1, max: 3.75 * mib });
    fc.assert(
      fc.property(
        fc.array(fc.array(size, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 25 }),
        (sizes) => {
          let count = 0;
          const steps = sizes.map((list) => list.map((bytes) => image(count++, bytes)));
          let last: readonly ModelMessage[] = [];
          let lastShown: readonly ImageRef[] = [];
          for (let length = 1; length <= steps.length; length++) {
            const { messages } = buildMessages(historyOf(steps.slice(0, length)), whole);
            const shown = shownIn(messages);
            expect(shown.length).toBeLessThanOrEqual(20);
            expect(shown.reduce((sum, one) => sum + one.bytes, 0)).toBeLessThanOrEqual(12 * mib);
            const newest = steps.slice(0, length).flat();
            expect(shown).toEqual(newest.slice(newest.length - shown.length));
            expect(shown.length).toBeGreaterThan(0);
            // Where nothing had to go, the request only grew at its end.
            if (shown[0]?.hash === lastShown[0]?.hash) expect(messages.slice(0, last.length)).toEqual([...last]);
            last = messages;
            lastShown = shown;
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
