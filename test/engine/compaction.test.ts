import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../src/contract/text/catalogue.ts";
import { type Asked, startAnsweringServer } from "../support/answering-server.ts";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";

const ref = "openai-chat/mock";
const small = { models: { [ref]: { context_window: 8_000 } }, compaction: { keep_recent: 4 } };
const notes = "## Goal\nfinish it\n## Done\nlooked around\n## Decisions and risks\nnone yet\n## Next steps\ngo on\n";
const talk = "I looked at that part of it and it is as it should be. ".repeat(12);
/** Steps whose own words fill the window: nothing that pruning could leave out. */
const look = (n: number): Step => ({ text: `${n}: ${talk}`, calls: [{ tool: "glob", input: { pattern: `${n}*` } }] });
const summaryIn = ({ messages }: Asked): string =>
  messages.map(({ content }) => String(content)).find((text) => text.startsWith("[coder] To make room")) ?? "";
const noticesOf = (seat: Seat) => seat.all("notice.given").map(({ text }) => text.key);

/** A session against a server that answers as a function says. */
async function played(
  answer: (asked: Asked, step: number) => Step | Promise<Step>,
  play: (seat: Seat, asked: readonly Asked[], bench: Bench) => Promise<void>,
  config: object = small,
): Promise<void> {
  using server = startAnsweringServer(answer);
  await using bench = new Bench([]);
  const seat = bench.open({ baseUrl: server.url }, { config });
  await play(seat, server.asked, bench);
}

const untilStep =
  (last: number, more: (asked: Asked) => Step = () => ({ text: notes })) =>
  (asked: Asked, step: number) =>
    asked.isForNotes ? more(asked) : step < last ? look(step) : { text: "done" };

describe("a window that fills up", () => {
  test("[CX-2] [MD-5] is summarised by the model itself, in a request without tools, and the person is told", async () => {
    await played(untilStep(30), async (seat, asked) => {
      await seat.run("Find out how it works. Never write anything.");
      const made = seat.all("context.compacted").filter(({ compaction }) => compaction.stage === "summary");
      expect(made.length).toBeGreaterThan(0);
      for (const { compaction } of made) {
        expect(compaction.summary?.by).toBe("model");
        expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore);
        expect(compaction.dropped).toBeGreaterThan(0);
      }
      expect(noticesOf(seat).filter((key) => key === "compact.summarised")).toHaveLength(made.length);
      expect(asked.filter(({ isForNotes }) => isForNotes)).toHaveLength(made.length);
      expect(asked.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      const last = asked.at(-1);
      expect(last && summaryIn(last)).toContain("## Done\nlooked around");
      expect(JSON.stringify(last?.messages)).toContain("Never write anything.");
      expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
    });
  });

  test("[CX-2] what the notes cost counts: tokens, money and the budgets of the task", async () => {
    const usage = { input: 700, output: 50 };
    const price = { input: 1, output: 4 };
    const config = { ...small, models: { [ref]: { context_window: 8_000, price } } };
    const answer = untilStep(30, () => ({ text: notes, usage }));
    await played(
      answer,
      async (seat) => {
        await seat.run("go");
        const asked = seat.all("context.overflowed").flatMap((event) => event.notes ?? []);
        expect(asked.length).toBeGreaterThan(0);
        expect(asked.map(({ cost }) => cost)).toEqual(asked.map(() => 900));
        const { usage: all, cost } = seat.engine.state();
        expect(all.input).toBe(asked.length * 700);
        const replies = seat.all("model.replied").reduce((sum, { reply }) => sum + (reply.cost ?? 0), 0);
        expect(cost).toBe(replies + asked.length * 900);
      },
      config,
    );
    await played(
      answer,
      async (seat) => {
        await seat.run("go");
        expect(seat.last("task.summarized").summary.stop_reason).toBe("BUDGET");
        expect(seat.all("context.compacted")).toHaveLength(1);
      },
      { ...config, max_tokens: 600 },
    );
  });

  const failures: readonly (readonly [how: string, answer: Step])[] = [
    ["fails", { status: 500 }],
    ["answers nothing", { text: "" }],
    ["refuses", { text: "no", finish: "content_filter" }],
    ["writes something else", { text: "I would rather not." }],
    ["calls a tool", { calls: [{ tool: "glob", input: { pattern: "*" } }] }],
    [
      "says that it is too long",
      { status: 400, body: '{"error":{"code":"context_length_exceeded","message":"too long"}}' },
    ],
  ];
  for (const [how, answer] of failures) {
    test(`[CX-2] is summarised by rule when the model ${how}`, async () => {
      await played(
        untilStep(30, () => answer),
        async (seat, asked) => {
          await seat.run("Keep to src/ only.");
          const [first] = seat.all("context.compacted");
          expect(first?.compaction).toMatchObject({ stage: "summary", summary: { by: "rules" } });
          expect(noticesOf(seat)).toContain("compact.ruled");
          expect(asked.flatMap(({ problem }) => problem ?? [])).toEqual([]);
          expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
        },
      );
    });
  }

  test("[MD-5] [CX-2] works when it is already full: the provider says so, and the same call is made again", async () => {
    const full: Step = { status: 400, body: '{"error":{"code":"context_length_exceeded","message":"too long"}}' };
    const config = { compaction: { keep_recent: 4 } };
    // It takes less than we believe, for notes too.
    const limited = (asked: Asked, step: number): Step =>
      asked.bytes.length > 30_000 ? full : untilStep(60)(asked, step);
    await played(
      limited,
      async (seat, asked) => {
        await seat.run("Never give up.");
        expect(seat.all("context.compacted").map(({ compaction }) => compaction.stage)).toContain("summary");
        expect(seat.all("model.failed")).toEqual([]);
        expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
        expect(JSON.stringify(asked.at(-1)?.messages)).toContain("Never give up.");
      },
      config,
    );
  });

  test("[CX-2] is left as it is when compaction is switched off; a full one ends in advice", async () => {
    const off = { ...small, compaction: { keep_recent: 4, off: true } };
    await played(
      untilStep(30),
      async (seat, asked) => {
        await seat.run("go");
        expect([seat.all("context.compacted"), asked.length]).toEqual([[], 31]);
      },
      off,
    );
    const full: Step = { status: 400, body: '{"error":{"code":"context_length_exceeded","message":"too long"}}' };
    await played(
      (_, step) => (step < 12 ? look(step) : full),
      async (seat, asked) => {
        await seat.run("go");
        expect(asked.filter(({ isForNotes }) => isForNotes)).toEqual([]);
        expect(seat.last("context.compacted").compaction.stage).toBe("exhausted");
        const end = seat.published.flatMap((one) =>
          one.kind === "event" && one.state.task.phase === "SUMMARIZING" ? [one.state.task.end] : [],
        )[0];
        expect(end?.error?.advice && say("en", end.error.advice)).toContain("/compact");
        const asking = await seat.run("/compact");
        expect(asking).toMatchObject({ kind: "command", result: { ok: true, data: { stage: "summary" } } });
      },
      off,
    );
  });

  test("[CX-2] [CAN-1] a cancel stops the request for notes, and nothing is compacted", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await played(
      (asked, step) => {
        if (!asked.isForNotes) return look(step);
        resolve();
        return new Promise<Step>(() => {});
      },
      async (seat) => {
        const admission = seat.engine.runInput("go");
        await promise;
        seat.engine.cancel("esc");
        await admission;
        await seat.engine.idle();
        expect(seat.all("context.compacted")).toEqual([]);
        expect(seat.last("task.summarized").summary.stop_reason).toBe("CANCELLED");
        expect(seat.engine.state().view).toEqual({ pruneBefore: 0, trimBefore: 0 });
      },
    );
  });

  test("[CX-2] [PS-4] a resume goes on with the summary that was made, and asks for no other", async () => {
    using server = startAnsweringServer((asked, step) =>
      asked.isForNotes ? { text: notes } : step < 30 ? look(step) : { text: "done" },
    );
    await using bench = new Bench([]);
    const seat = bench.open({ baseUrl: server.url }, { config: small });
    await seat.run("Never forget this.");
    const { id, view } = seat.engine.state();
    expect(view.summary?.by).toBe("model");
    await seat.close();
    const count = server.asked.length;
    const again = bench.open({ baseUrl: server.url }, { config: small });
    expect(await again.engine.resume(id)).toEqual({ ok: true });
    expect(again.engine.state().view).toEqual(view);
    await again.run("and now this");
    const next = server.asked.slice(count);
    expect([next.length, next[0]?.isForNotes]).toEqual([1, false]);
    expect(next[0] && summaryIn(next[0])).toBe(`[coder] ${view.summary?.text}`);
  });
});

describe("/compact", () => {
  const filled = async (seat: Seat): Promise<void> => {
    await seat.run("Look around. Only read.");
  };
  const wide = { compaction: { keep_recent: 4 } };
  const dataOf = (admission: unknown) => (admission as { result: { data: unknown } }).result.data;

  test("[CX-2] summarises at once, with a focus for the model, and says what it did", async () => {
    await played(
      untilStep(16),
      async (seat, asked) => {
        await filled(seat);
        const before = asked.length;
        const admission = await seat.run("/compact the parser, and its tests");
        expect(dataOf(admission)).toMatchObject({ stage: "summary", by: "model", dropped: 14 });
        expect(asked.length).toBe(before + 1);
        expect(asked.at(-1)?.isForNotes).toBe(true);
        expect(JSON.stringify(asked.at(-1)?.messages)).toContain("the parser, and its tests");
        const event = seat.last("context.compacted");
        expect(["runId" in event, event.compaction.tokensAfter < event.compaction.tokensBefore]).toEqual([false, true]);
        expect(seat.engine.context().tokens).toBeGreaterThan(0);
        await seat.run("go on");
        const last = asked.at(-1);
        expect(last && summaryIn(last)).toContain("## Done\nlooked around");
        expect(last?.messages.map(({ content }) => String(content).split("\n", 1)[0])).toEqual(
          expect.arrayContaining(["Look around. Only read.", "go on"]),
        );
      },
      wide,
    );
  });

  test("[CX-2] says when there is nothing to win, and asks nobody", async () => {
    await played(
      untilStep(1),
      async (seat, asked) => {
        expect(dataOf(await seat.run("/compact"))).toBeNull();
        await filled(seat);
        const before = asked.length;
        expect(dataOf(await seat.run("/compact"))).toBeNull();
        expect([asked.length, seat.all("context.compacted")]).toEqual([before, []]);
      },
      wide,
    );
  });

  test("[CX-2] [CAN-1] a cancel gives it up and leaves everything as it was", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await played(
      (asked, step) => {
        if (!asked.isForNotes) return step < 16 ? look(step) : { text: "done" };
        resolve();
        return new Promise<Step>(() => {});
      },
      async (seat) => {
        await filled(seat);
        const asking = seat.engine.runInput("/compact");
        await promise;
        seat.engine.cancel("esc");
        expect(await asking).toMatchObject({ kind: "command", result: { ok: false, error: { code: "E_CANCELLED" } } });
        expect(seat.all("context.compacted")).toEqual([]);
      },
      wide,
    );
  });

  test("[CX-2] gives way to a task that begins while the model still writes its notes", async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await played(
      async (asked, step) => {
        if (!asked.isForNotes)
          return step < 16 ? look(step) : { text: "done", calls: [{ tool: "glob", input: { pattern: "z" } }] };
        begun.resolve();
        await go.promise;
        return { text: notes };
      },
      async (seat) => {
        await filled(seat);
        const asking = seat.engine.runInput("/compact");
        await begun.promise;
        await seat.engine.runInput("something else");
        expect(seat.engine.state().task.phase).not.toBe("IDLE");
        go.resolve();
        expect(await asking).toMatchObject({ kind: "command", result: { ok: false, error: { code: "E_CONFLICT" } } });
        expect(seat.all("context.compacted").filter(({ runId }) => runId === undefined)).toEqual([]);
      },
      { ...wide, max_steps: 40 },
    );
  });
});

test("[CX-2] [PS-4] a kill -9 while the model writes its notes: the resume asks again, once, and loses no step", async () => {
  const stalled = Promise.withResolvers<void>();
  let isKilled = false;
  using server = startAnsweringServer((asked, step) => {
    if (!asked.isForNotes) return step < 30 ? look(step) : { text: "done" };
    if (isKilled) return { text: notes };
    stalled.resolve();
    return new Promise<Step>(() => {});
  });
  await using bench = new Bench([]);
  const config = join(bench.root, "config.json");
  writeFileSync(config, JSON.stringify(small));
  const main = join(import.meta.dir, "..", "..", "src", "main.ts");
  const flags = ["--base-url", server.url, "--model", ref, "--config", config];
  const child = Bun.spawn([process.execPath, main, "run", ...flags, "Never stop."], {
    ...{ cwd: bench.workspace, stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    env: { ...process.env, LANG: "C", CODER_HOME: bench.home },
  });
  await stalled.promise;
  child.kill("SIGKILL");
  await child.exited;
  isKilled = true;
  const before = server.asked.filter(({ isForNotes }) => !isForNotes).length;
  const seat = bench.open({ baseUrl: server.url }, { config: small });
  const [row] = seat.engine.sessions(1);
  expect(await seat.engine.resume(row?.id ?? "")).toEqual({ ok: true });
  expect(seat.engine.state().view).toEqual({ pruneBefore: 0, trimBefore: 0 });
  await seat.event("task.ended");
  await seat.engine.idle();
  expect(seat.last("task.summarized").summary.stop_reason).toBe("COMPLETED");
  const [first] = seat.all("context.compacted");
  expect(first?.compaction).toMatchObject({ stage: "summary", summary: { by: "model" } });
  // Each step was asked for once: none is repeated, none is left out.
  const steps = server.asked.filter(({ isForNotes }) => !isForNotes).length;
  expect([before < steps, steps]).toEqual([true, 31]);
});

test("[CX-5] [IN-7] the context of a resumed session is known at once, as it was when the session was left", async () => {
  await using bench = new Bench([{ text: "hello" }]);
  const first = bench.open();
  await first.run("hi");
  const { id } = first.engine.state();
  const { tokens } = first.engine.context();
  expect(tokens).toBeGreaterThan(0);
  await first.close();
  const seat = bench.open();
  expect(seat.engine.context().tokens).toBe(0);
  await seat.engine.resume(id);
  expect(seat.engine.context().tokens).toBe(tokens);
});

test("[CX-2] [CX-5] /compact after a resume says how full the window is, also where there is nothing to win", async () => {
  await using bench = new Bench([{ text: "hello" }]);
  const first = bench.open();
  await first.run("hi");
  const { id } = first.engine.state();
  const { tokens } = first.engine.context();
  await first.close();
  const seat = bench.open();
  await seat.engine.resume(id);
  expect(await seat.run("/compact")).toMatchObject({
    result: { text: `A summary would not free any context (${tokens} tokens).` },
  });
});
