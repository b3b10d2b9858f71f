import { describe, expect, test } from "bun:test";
import { say } from "../../../src/contract/text/catalogue.ts";
import type { OpenFallback, Published } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import { startOllama } from "../../support/local-servers.ts";
import { type ScriptedServer, startScriptedServer } from "../../support/scripted-server.ts";
import { longEnough } from "../../support/until.ts";

const busy = { status: 503, body: '{"error":{"message":"overloaded"}}' };

interface Given {
  readonly first?: ScriptedServer;
  readonly second: ScriptedServer;
  readonly more?: Record<string, unknown>;
}

/** Two providers of the person's own; the first is asked, the second may stand in for it. */
function config({ first, second, more }: Given) {
  const provider = (base_url: string) => ({ protocol: "openai-chat", base_url });
  return {
    model_attempts: 2,
    providers: { first: provider(first?.url ?? "http://127.0.0.1:9/v1"), second: provider(second.url) },
    fallback_models: ["second/b"],
    ...more,
  };
}

function seatOf(
  bench: Bench,
  given: Given,
  options: { interactive?: boolean; flags?: { fallback?: boolean } } = {},
): Seat {
  const flags = { model: "first/a", ...options.flags } as never;
  // The address of the bench belongs to its own model.
  const seat = bench.open({ ...(flags as object), baseUrl: undefined } as never, {
    config: config(given),
    interactive: options.interactive === true,
  });
  return seat;
}

const notices = (seat: Seat): readonly string[] => seat.all("notice.given").map(({ text }) => say("en", text));
const offered = (one: Published): one is Extract<Published, { kind: "fallback" }> =>
  one.kind === "fallback" && one.offer !== null;

describe("a model that is out of reach", () => {
  test("[MD-4] headless, without the person's word: no other model is asked, and the advice names what would allow it", async () => {
    using second = startScriptedServer([{ text: "never" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { second });
    await seat.run("go");
    expect(second.requests.length).toBe(0);
    expect(seat.all("model.changed")).toEqual([]);
    const { error, retryInMs } = seat.last("model.failed");
    expect(retryInMs).toBeNull();
    expect(say("en", error.advice ?? error.text)).toContain("--fallback");
    expect(seat.last("task.summarized").summary.stop_reason).toBe("PROVIDER_FAILED");
  });

  test("[MD-4] with another one at hand is tried five times, not as long as an outage is waited for", async () => {
    using first = startScriptedServer([{ ...busy, headers: { "retry-after": "0" } }]);
    using second = startScriptedServer([{ text: "from the second" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { first, second, more: { model_attempts: 10 } }, { flags: { fallback: true } });
    await seat.run("go");
    expect([first.requests.length, second.requests.length]).toEqual([5, 1]);
  });

  test("[MD-4] headless with --fallback: after all attempts the next of the list goes on under the same index, told and recorded", async () => {
    using first = startScriptedServer([{ ...busy, headers: { "retry-after": "0" } }]);
    using second = startScriptedServer([{ text: "from the second" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { first, second }, { flags: { fallback: true } });
    await seat.run("go");
    expect([first.requests.length, second.requests.length]).toEqual([2, 1]);
    expect(seat.all("model.changed").map(({ model }) => model)).toEqual(["second/b"]);
    expect(notices(seat)).toEqual([expect.stringMatching(/^Switched from first\/a to second\/b \(.*503.*\)\.$/)]);
    const { index, attempt, reply } = seat.last("model.replied");
    expect([index, attempt, reply.text]).toEqual([1, 3, "from the second"]);
    expect(seat.engine.state().model).toBe("second/b");
    await seat.run("again");
    expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
  });

  test("[MD-4] the one in its place gets all of its own attempts", async () => {
    using second = startScriptedServer([{ ...busy, headers: { "retry-after": "0" }, times: 1, text: "at last" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { second, more: { fallback: { headless: true } } });
    await seat.run("go");
    expect([second.requests.length, seat.last("model.replied").reply.text]).toEqual([2, "at last"]);
  });

  test("[MD-4] each of the list is tried once, those that cannot be used are named, and then it ends", async () => {
    using second = startScriptedServer([busy]);
    await using bench = new Bench([]);
    const fallback_models = ["first/a", "anthropic/claude-opus-5", "second/b"];
    const seat = seatOf(bench, { second, more: { model_attempts: 1, fallback_models } }, { flags: { fallback: true } });
    await seat.run("go");
    expect(second.requests.length).toBe(1);
    expect(notices(seat)).toEqual([
      expect.stringMatching(/^Cannot switch from first\/a to anthropic\/claude-opus-5: No API key for anthropic/),
      expect.stringContaining("Switched from first/a to second/b"),
    ]);
    expect(seat.last("task.summarized").summary.stop_reason).toBe("PROVIDER_FAILED");
  });

  test.each([
    ["a refused key", { status: 401, body: '{"error":{"message":"bad key"}}' }],
    ["a refused request", { status: 400, body: '{"error":{"message":"no such model"}}' }],
  ])("[MD-4] %s is no outage: nothing else is asked", async (_, step) => {
    using first = startScriptedServer([step]);
    using second = startScriptedServer([{ text: "never" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { first, second }, { flags: { fallback: true } });
    await seat.run("go");
    expect([second.requests.length, seat.all("model.changed")]).toEqual([0, []]);
  });
});

describe("with a person", () => {
  test("[MD-4] it is asked first, with what failed and what would go on; yes goes on", async () => {
    using second = startScriptedServer([{ text: "thanks" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { second, more: { model_attempts: 1 } }, { interactive: true });
    const running = seat.run("go");
    const { offer } = await seat.until(offered);
    expect(offer).toMatchObject({ from: "first/a", to: "second/b", why: { key: "model.unreachable" } });
    expect([offerIn(seat), second.requests.length]).toEqual([offer, 0]);
    expect(seat.answerFallback(true)).toEqual({ ok: true, value: undefined });
    await running;
    expect([seat.last("model.replied").reply.text, offerIn(seat)]).toEqual(["thanks", null]);
    expect(seat.answerFallback(true)).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS" } });
  });

  test("[MD-4] no ends the run, and so does whoever could answer leaving", async () => {
    for (const refuse of ["no", "gone"]) {
      using second = startScriptedServer([{ text: "never" }]);
      await using bench = new Bench([]);
      const seat = seatOf(bench, { second, more: { model_attempts: 1 } }, { interactive: true });
      const running = seat.run("go");
      await seat.until(offered);
      if (refuse === "no") seat.answerFallback(false);
      else seat.engine.leaveUnanswered();
      await running;
      expect([second.requests.length, seat.last("task.summarized").summary.stop_reason]).toEqual([
        0,
        "PROVIDER_FAILED",
      ]);
    }
  });

  test("[SM-3] while it is asked, the time of the task does not run", async () => {
    const stopWith = async (ms: number): Promise<string> => {
      using second = startScriptedServer([{ text: "thanks" }]);
      await using bench = new Bench([]);
      const more = { model_attempts: 1, max_time_s: ms / 1_000 };
      const seat = seatOf(bench, { second, more }, { interactive: true });
      const running = seat.run("go");
      await Promise.race([seat.until(offered), running]);
      await Bun.sleep(ms + 100);
      seat.answerFallback(true);
      await running;
      return seat.last("task.summarized").summary.stop_reason;
    };
    expect(await longEnough(1_000, stopWith, (stop) => stop !== "BUDGET")).toBe("COMPLETED");
  });

  test("[CAN-1] cancel while it is asked leaves nothing open and changes no model", async () => {
    using second = startScriptedServer([{ text: "never" }]);
    await using bench = new Bench([]);
    const seat = seatOf(bench, { second, more: { model_attempts: 1 } }, { interactive: true });
    const running = seat.run("go");
    await seat.until(offered);
    seat.engine.cancel("esc");
    await running;
    expect([offerIn(seat), seat.all("model.changed"), second.requests.length]).toEqual([null, [], 0]);
    expect(seat.last("task.summarized").summary.stop_reason).toBe("CANCELLED");
  });

  test("[BR-4] a model without a known price is not taken where a budget of money holds", async () => {
    using second = startScriptedServer([{ text: "never" }]);
    await using bench = new Bench([]);
    const models = { "first/a": { price: { input: 1, output: 1 } } };
    const seat = seatOf(
      bench,
      { second, more: { model_attempts: 1, max_cost: 1, models } },
      { flags: { fallback: true } },
    );
    await seat.run("go");
    expect(second.requests.length).toBe(0);
    expect(notices(seat)).toEqual([expect.stringContaining("Cannot switch from first/a to second/b: A cost budget")]);
  });
});

describe("a local server that cuts off in silence", () => {
  test("[CX-5] what it gives is the window from the second step on, the person is told once, and what it counts is not believed", async () => {
    using ollama = startOllama([{ name: "m", largest: 32_768 }], 2_048);
    await using bench = new Bench([]);
    const seat = bench.open({ model: "ollama/m", baseUrl: undefined } as never, {
      config: { providers: { ollama: { base_url: ollama.url } } },
    });
    await seat.run("one");
    expect(seat.engine.context().window).toBe(2_048);
    await seat.run("two");
    const told = notices(seat);
    expect(told.filter((text) => text.includes("gives ollama/m a context of only 2048 tokens"))).toHaveLength(1);
    expect(told.filter((text) => text.includes("its server truncated the request"))).toHaveLength(1);
    expect(ollama.chats.length).toBeGreaterThanOrEqual(2);
  });
});

function offerIn({ engine }: Seat): OpenFallback | null {
  const open = engine.question();
  return open?.kind === "fallback" ? open.offer : null;
}
