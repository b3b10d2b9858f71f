import { describe, expect, test } from "bun:test";
import type { EventOf } from "../../src/contract/event.ts";
import { Bench, type Seat } from "../support/engine.ts";
import { type Script, startScriptedServer } from "../support/scripted-server.ts";

const good = 'require("node:test")("adds", () => {});\n';
const verified = {
  workflow: { verify_allowed: ["node --test"], verify_commands: ["node --test"], max_verify_attempts: 1 },
};
const write = { calls: [{ tool: "write", input: { path: "a.test.js", content: good } }] };

type Failed = EventOf<"model.failed">;

/** Calls `work` at each failure that something follows; a wait that is not cut short there is waited for. */
function onFailure(seat: Seat, work: (failed: Failed, nth: number) => void): void {
  let nth = 0;
  seat.engine.subscribe((one) => {
    if (one.kind !== "event") return;
    const { event } = one.recorded;
    // The wait begins right after it was told of.
    if (event.type === "model.failed" && event.retryInMs !== null) setTimeout(() => work(event, ++nth), 0);
  });
}

/** The same place on the network, whether anybody is there or not. */
function comesBack(bench: Bench, script: Script) {
  return startScriptedServer(script, { port: Number(new URL(bench.server.url).port) });
}

const places = (seat: Seat) => seat.all("model.failed").map(({ index, attempt, fault }) => [index, attempt, fault]);

describe("a server that goes away in the middle of a task", () => {
  test("[MD-4] [VF-6] and comes back: the task ends VERIFIED without a person, under the same index, nothing twice", async () => {
    const script: Script = [write, { text: "done" }];
    await using bench = new Bench(script);
    const seat = bench.open({ mode: "auto-edit" }, { config: verified });
    seat.engine.subscribe((one) => {
      if (one.kind === "event" && one.recorded.event.type === "tool.settled") bench.server.stop();
    });
    let back: ReturnType<typeof comesBack> | null = null;
    onFailure(seat, (_, nth) => {
      if (nth === 8) back ??= comesBack(bench, script);
      seat.engine.retryNow();
    });
    try {
      await seat.run("go");
    } finally {
      (back as Disposable | null)?.[Symbol.dispose]();
    }
    expect(places(seat)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => [2, attempt, "connection"]));
    expect(seat.all("model.replied").map(({ index, attempt }) => [index, attempt])).toEqual([
      [1, 1],
      [2, 9],
    ]);
    expect(seat.all("tool.intended").filter(({ callId }) => callId.startsWith("r1/1/")).length).toBe(1);
    expect(seat.last("task.summarized").summary).toMatchObject({ outcome: "VERIFIED", exit_code: 0 });
  });

  test("[MD-4] a reply that breaks off after a long outage is the first of its kind, and made again", async () => {
    const script: Script = [{ text: "all of the answer", chunkChars: 4, body: "data: {}\n\n", times: 1 }];
    await using bench = new Bench(script);
    bench.server.stop();
    const seat = bench.open();
    let back: ReturnType<typeof comesBack> | null = null;
    onFailure(seat, (_, nth) => {
      if (nth === 7) back ??= comesBack(bench, script);
      seat.engine.retryNow();
    });
    try {
      await seat.run("go");
    } finally {
      (back as Disposable | null)?.[Symbol.dispose]();
    }
    expect(seat.all("model.failed").map(({ fault }) => fault)).toEqual([
      ...Array<Failed["fault"]>(7).fill("connection"),
      "protocol",
    ]);
    expect(seat.last("model.replied")).toMatchObject({ index: 1, attempt: 9, reply: { text: "all of the answer" } });
  });

  test("[MD-4] and stays away: what was waited for ends the task, not the pauses that a person has cut short", async () => {
    const busy = { status: 429, headers: { "retry-after-ms": "100" }, body: "{}" };
    const failures = async (cut: number): Promise<number> => {
      await using bench = new Bench([busy]);
      const seat = bench.open({}, { config: { model_outage_s: 0.05 } });
      onFailure(seat, (_, nth) => void (nth <= cut && seat.engine.retryNow()));
      await seat.run("go");
      expect(seat.all("model.failed").at(-1)?.retryInMs).toBeNull();
      expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "PROVIDER_FAILED", exit_code: 7 });
      return seat.all("model.failed").length;
    };
    // Two pauses are longer than three times the outage.
    expect([await failures(0), await failures(3)]).toEqual([3, 6]);
  });
});

describe("while a model is waited for", () => {
  const slow = { status: 429, headers: { "retry-after": "500" }, body: '{"error":{"message":"slow down"}}' };

  test("[MD-4] the time of the task goes on: --max-time ends the wait", async () => {
    await using bench = new Bench([slow]);
    const seat = bench.open({ maxTime: "1" });
    await seat.run("go");
    expect(bench.server.requests.length).toBe(1);
    expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "BUDGET", exit_code: 5 });
  });

  test("[MD-4] another one that the person takes is asked at once", async () => {
    await using bench = new Bench([slow]);
    using other = startScriptedServer([{ text: "from the other" }]);
    const providers = { other: { protocol: "openai-chat", base_url: other.url } };
    const seat = bench.open({}, { config: { providers } });
    const taken = new Promise<{ readonly ok: boolean }>((resolve, reject) => {
      onFailure(seat, () => seat.engine.setModel("other/m").then(resolve, reject));
    });
    await seat.run("go");
    expect((await taken).ok).toBe(true);
    expect(seat.last("model.replied")).toMatchObject({ index: 1, attempt: 2, reply: { text: "from the other" } });
  });

  test("[MD-4] asking now is an error where nothing is waited for", async () => {
    await using bench = new Bench([{ text: "ok" }]);
    const seat = bench.open();
    expect(seat.engine.retryNow().ok).toBe(false);
    await seat.run("go");
    expect(seat.engine.retryNow().ok).toBe(false);
  });
});
