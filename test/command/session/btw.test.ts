import { describe, expect, test } from "bun:test";
import { Bench } from "../../support/engine.ts";

const usage = { input: 1_000, output: 50 };
const isAside = (body: { readonly messages: readonly unknown[] }): boolean =>
  JSON.stringify(body.messages.at(-1)).includes("The person asks this beside the task");

describe("/btw", () => {
  test("[CX-1] [CX-5] is answered beside a running task: same prefix, no tools run, nothing of it in the task, but paid for", async () => {
    const config = { models: { "openai-chat/mock": { price: { input: 1, output: 10 } } } };
    await using bench = new Bench([
      { when: "beside the task", steps: [{ text: "It is **42**.", usage }] },
      {
        when: "create the file made",
        steps: [
          { calls: [{ tool: "bash", input: { command: "touch made" } }], usage },
          { text: "Done.", usage },
        ],
      },
    ]);
    const seat = bench.open({}, { interactive: true, config });
    await seat.engine.runInput("create the file made");
    await seat.until(() => seat.approval() !== null);
    const heard: string[] = [];
    const before = seat.engine.state();
    const asked = await seat.engine.aside("what is it?", { onText: (text) => heard.push(text) });
    expect(asked).toMatchObject({ ok: true, value: { text: "It is **42**.", model: "openai-chat/mock", cost: 1_500 } });
    expect(heard.join("")).toBe("It is **42**.");
    const after = seat.engine.state();
    expect([after.task, after.plan, after.todos, after.queue]).toEqual([
      before.task,
      before.plan,
      before.todos,
      before.queue,
    ]);
    expect([after.usage.input - before.usage.input, (after.cost ?? 0) - (before.cost ?? 0)]).toEqual([1_000, 1_500]);
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    const bodies = bench.server.requests.map(({ body }) => body);
    const aside = bodies.find(isAside);
    expect(bodies.filter(isAside)).toHaveLength(1);
    expect(aside?.messages.slice(0, -1)).toEqual(bodies[0]?.messages as never);
    expect(aside?.tools).toEqual(bodies[0]?.tools as never);
    expect(JSON.stringify(bodies.at(-1)?.messages)).not.toContain("what is it?");
    expect(JSON.stringify(bodies.at(-1)?.messages)).not.toContain("42");
    expect(seat.engine.spending().tasks.map(({ name, requests }) => [name, requests])).toEqual([
      ["create the file made", 2],
      ["/btw", 1],
    ]);
    const { id } = seat.engine.state();
    const total = seat.engine.state().usage;
    await seat.close();
    const again = bench.open({}, { config });
    await again.engine.resume(id);
    expect(again.engine.state().usage).toEqual(total);
    await again.run("create the file made");
    expect(JSON.stringify(bench.server.requests.at(-1)?.body.messages)).not.toContain("what is it?");
  });

  test("[BR-4] counts towards the budget of the task that runs", async () => {
    await using bench = new Bench([
      { when: "beside the task", steps: [{ text: "Much.", usage: { input: 90_000, output: 10 } }] },
      {
        when: "create the file made",
        steps: [
          { calls: [{ tool: "bash", input: { command: "touch made" } }], usage },
          { text: "Done.", usage },
        ],
      },
    ]);
    const seat = bench.open({ maxTokens: "50000" }, { interactive: true });
    await seat.engine.runInput("create the file made");
    await seat.until(() => seat.approval() !== null);
    await seat.engine.aside("how much?");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(seat.last("task.summarized").summary.stop_reason).toBe("BUDGET");
  });

  test("[CAN-1] is stopped alone, keeps what had come, and works when idle, before the first message and in a script", async () => {
    await using bench = new Bench([
      { when: "long one", steps: [{ text: "word ".repeat(400), chunkChars: 5, chunkDelayMs: 5 }] },
      { when: "beside the task", steps: [{ text: "Yes.", usage }] },
    ]);
    const seat = bench.open();
    const first = await seat.run("/btw is it so?");
    expect(first).toMatchObject({
      kind: "command",
      result: { ok: true, text: "Yes.", data: { model: "openai-chat/mock" } },
    });
    expect(await seat.run("/btw")).toMatchObject({ result: { ok: false } });
    const stop = new AbortController();
    const asked = await seat.engine.aside("the long one", { signal: stop.signal, onText: () => stop.abort() });
    expect(asked).toMatchObject({ ok: true, value: { isCut: true } });
    expect(seat.all("aside.answered").map(({ isCut }) => isCut ?? false)).toEqual([false, true]);
    expect([seat.engine.state().tasks, seat.all("cancel.requested").length]).toEqual([0, 0]);
    const gone = new AbortController();
    gone.abort();
    expect(await seat.engine.aside("never", { signal: gone.signal })).toMatchObject({
      ok: false,
      error: { code: "E_CANCELLED" },
    });
  });

  test("[MD-2] a failing provider is told, and without a model nothing is asked", async () => {
    await using bench = new Bench([{ status: 500, body: "{}", times: 9 }]);
    const seat = bench.open();
    expect(await seat.run("/btw why?")).toMatchObject({ kind: "command", result: { ok: false } });
    expect(seat.all("aside.answered")).toEqual([]);
  });
});
