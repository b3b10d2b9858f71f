import { expect, test } from "bun:test";
import type { Phrase } from "../../../src/contract/text/catalogue.ts";
import type { EnginePort, Published } from "../../../src/engine/port.ts";
import { emptySession } from "../../../src/machine/state.ts";
import { watch } from "../../../src/surface/headless/watch.ts";

test("[CAN-4] processes that a cancel could not end are named to the person", () => {
  const listeners: ((published: Published) => void)[] = [];
  const port = { subscribe: (one: (typeof listeners)[0]) => listeners.push(one) } as unknown as EnginePort;
  const told: Phrase[] = [];
  watch(port, { onFinished: () => {}, onFatal: () => {}, onNotice: (text) => told.push(text) });
  for (const unstopped of [[], ["dd (pid 7)", "sleep 9 (pid 8)"]]) {
    const event = { v: 1, at: 0, type: "run.stopped", runId: "r1", unstopped } as const;
    const recorded = { seq: 1, accepted: true, event };
    for (const hear of listeners) hear({ kind: "event", recorded, state: emptySession, transitions: [] });
  }
  expect(told).toEqual([{ key: "cancel.left", args: { processes: "dd (pid 7), sleep 9 (pid 8)" } }]);
});
