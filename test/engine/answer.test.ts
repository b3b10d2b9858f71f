import { describe, expect, test } from "bun:test";
import type { Recorded } from "../../src/contract/event.ts";
import { replay } from "../../src/engine/loop/replay.ts";
import { extractJson } from "../../src/engine/structured-output/extract.ts";
import { openStore } from "../../src/store/open.ts";
import { Bench } from "../support/engine.ts";

const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const bad = { text: 'I think it is {"n": "one"}' };
const wrong = { text: '{"n": "one"}' };
const good = { text: 'Here it is:\n```json\n{"n": 1}\n```\n' };

async function ask(bench: Bench) {
  const seat = bench.open();
  await seat.engine.runInput("count", { schema });
  await seat.engine.idle();
  return seat;
}

describe("an answer that has to fit a schema", () => {
  test("[CLI-2] one that fits is taken as it is, without a second call", async () => {
    await using bench = new Bench([good]);
    const seat = await ask(bench);
    expect(seat.engine.structured("t1")).toEqual({ text: '{"n": 1}', value: { n: 1 } });
    expect(seat.all("recovery.decided")).toEqual([]);
    expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "COMPLETED", exit_code: 0 });
    expect(bench.server.requests.length).toBe(1);
  });

  test("[CLI-2] [CX-1] the model is told the schema with the task, and the part of the request before it stays the same", async () => {
    await using bench = new Bench([good]);
    const seat = await ask(bench);
    await seat.run("plainly now");
    const [first, second] = bench.server.requests.map((one) =>
      one.body.messages.map((message) => String(message.content)),
    );
    expect(first?.at(-1)).toContain(JSON.stringify(schema));
    expect(first?.[0]).toBe(second?.[0] ?? "");
    expect(second?.at(-1)).not.toContain(JSON.stringify(schema));
  });

  test("[CLI-2] one that does not fit is sent back once, with what is wrong, within the same task", async () => {
    await using bench = new Bench([wrong, good]);
    const seat = await ask(bench);
    expect(seat.engine.structured("t1")).toEqual({ text: '{"n": 1}', value: { n: 1 } });
    expect(seat.all("checks.finished").map((one) => one.answer)).toEqual([["/n: must be integer, not string"], []]);
    expect(seat.all("recovery.decided").map((one) => [one.runId, one.repairable])).toEqual([["r2", true]]);
    expect(seat.all("task.started").length).toBe(1);
    const told = String(bench.server.requests[1]?.body.messages.at(-1)?.content);
    expect(told).toContain("- /n: must be integer, not string");
  });

  test("[CLI-2] [VF-7] it is sent back also where a step of the plan was blocked, and the task stays what it was", async () => {
    const call = (tool: string, input: object) => ({ calls: [{ tool, input }] });
    const plan = call("plan", {
      title: "Count",
      steps: [
        { id: "1", title: "Get it" },
        { id: "2", title: "Count it" },
      ],
    });
    const blocked = call("plan", { update: [{ id: "1", status: "blocked", reason: "no network" }] });
    const curl = call("bash", { command: "curl http://127.0.0.1:1/x" });
    const write = call("write", { path: "a.txt", content: "1" });
    for (const [denied, exit] of [
      [[], 1],
      [[curl], 4],
    ] as const) {
      await using bench = new Bench([plan, write, ...denied, blocked, bad, wrong, good]);
      const seat = bench.open({ mode: "auto-edit", deny: ["bash(curl *)"] });
      await seat.engine.runInput("count", { schema });
      await seat.engine.idle();
      expect(seat.engine.structured("t1")).toEqual({ text: '{"n": 1}', value: { n: 1 } });
      expect(seat.all("recovery.decided").map(({ rung }) => rung)).toEqual(["replan", "answer"]);
      const { summary } = seat.last("task.summarized");
      expect(summary).toMatchObject({ outcome: "FAILED", exit_code: exit });
      expect(summary.blocked).toBeDefined();
      expect(summary.verification.reason).toBe("the task ended before its changes were tested");
    }
  });

  test("[CLI-2] [SU-2] a second one that does not fit ends the task as failed, with the complaints, and nothing is tried again", async () => {
    await using bench = new Bench([bad, wrong, good]);
    const seat = await ask(bench);
    expect(bench.server.requests.length).toBe(2);
    expect(seat.engine.structured("t1")).toBe("unfit");
    const { summary } = seat.last("task.summarized");
    expect(summary).toMatchObject({ outcome: "FAILED", stop_reason: "BLOCKED", exit_code: 1 });
    const ends = seat.published.flatMap((one) =>
      one.kind === "event" && one.state.task.phase === "SUMMARIZING" ? [one.state.task.end.error] : [],
    );
    expect(ends[0]).toMatchObject({
      code: "E_BUILD_FAIL",
      text: { key: "answer.unfit", args: { problems: "/n: must be integer, not string" } },
    });
  });

  test("[CLI-2] a task that was denied is held to its schema all the same, and stays denied; one without a schema is not", async () => {
    await using bench = new Bench([{ calls: [{ tool: "write", input: { path: "a", content: "b" } }] }, bad, good]);
    const seat = await ask(bench);
    expect(seat.last("task.summarized").summary).toMatchObject({ stop_reason: "DENIED", exit_code: 4 });
    expect(seat.engine.structured("t1")).toEqual({ text: '{"n": 1}', value: { n: 1 } });
    await seat.run("!true");
    expect(seat.engine.structured("t2")).toBeNull();
  });
});

describe("after a crash", () => {
  /** The log of a session whose first answer did not fit and whose second did. */
  async function wholeLog(): Promise<readonly Recorded[]> {
    await using bench = new Bench([wrong, good]);
    const seat = await ask(bench);
    const { id } = seat.engine.state();
    await seat.close();
    const store = openStore(bench.home);
    const log = [...(store.peek(id) ?? [])];
    store.close();
    return log;
  }

  test("[PS-4] [CLI-2] cut off after any event, the task goes on to the same answer and is repaired exactly once", async () => {
    const log = await wholeLog();
    const from = log.findIndex(({ event }) => event.type === "input.admitted");
    for (let length = from + 1; length <= log.length; length++) {
      await using bench = new Bench([wrong, good]);
      const store = openStore(bench.home);
      const writer = store.create("abcd-efgh", bench.workspace);
      const entries = log.slice(0, length).map(({ event, accepted }) => ({
        accepted,
        event:
          event.type === "session.started" ? { ...event, sessionId: "abcd-efgh", workspace: bench.workspace } : event,
      }));
      writer.append({ from: 1, entries, blobs: [], durable: false });
      store.close();
      const seat = bench.open();
      expect(await seat.engine.resume("abcd-efgh")).toEqual({ ok: true });
      await seat.engine.idle();
      expect([length, seat.engine.structured("t1")]).toEqual([length, { text: '{"n": 1}', value: { n: 1 } }]);
      await seat.close();
      const again = openStore(bench.home);
      const all = [...(again.peek("abcd-efgh") ?? [])];
      again.close();
      const repairs = all.filter(({ event }) => event.type === "recovery.decided");
      expect([length, repairs.length]).toEqual([length, 1]);
      expect(replay(all, null).moved).toEqual([]);
    }
  }, 120_000);

  test("[PS-4] a log of before there were schemas still folds", async () => {
    await using bench = new Bench([good]);
    const seat = bench.open();
    await seat.run("plain");
    const finished = seat.last("checks.finished");
    expect("answer" in finished).toBe(false);
    expect(seat.engine.structured("t1")).toBeNull();
  });
});

describe("the JSON of an answer", () => {
  const rows: readonly (readonly [answer: string, found: unknown])[] = [
    [' {"a": 1}\n', { text: '{"a": 1}', value: { a: 1 } }],
    ["null", { text: "null", value: null }],
    ["```json\r\n[1]\r\n```", { text: "[1]", value: [1] }],
    ["Here:\n~~~~\n2\n~~~~\nDone.", { text: "2", value: 2 }],
    ['{"a": "```"}', { text: '{"a": "```"}', value: { a: "```" } }],
    ['```\n{"a": "\\n```\\n"}\n```', { text: '{"a": "\\n```\\n"}', value: { a: "\n```\n" } }],
    ["```\n1\n```\n```\n2\n```", { problem: "the answer has 2 fenced blocks, and only one may be there" }],
  ];
  for (const [answer, found] of rows) {
    test(`[CLI-2] ${JSON.stringify(answer)}`, () => expect(extractJson(answer)).toEqual(found as never));
  }

  test("[CLI-2] prose, half a JSON value, an empty answer and one nested without end are told apart from JSON", () => {
    for (const answer of ["yes", '{"a": 1', "", "```json\n{\n```", "[".repeat(1_000_000)])
      expect(extractJson(answer)).toHaveProperty("problem");
  });
});
