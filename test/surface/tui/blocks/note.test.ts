import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../../src/contract/event.ts";
import { emptySession } from "../../../../src/machine/state.ts";
import { delta, event, problemsIn, replied, rowsOf, Telling } from "../telling.ts";

const input = (text: string, more: Partial<Extract<EventBody, { type: "input.admitted" }>> = {}) =>
  event({ type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text, ...more });
const limits = { maxSteps: 1, maxTokens: null, maxAttempts: 1 };
const started = event({ type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits });

function told(...bodies: readonly EventBody[]): string {
  const telling = new Telling();
  telling.hear(...bodies.map((body) => event(body)));
  telling.take();
  return telling.text;
}

describe("what the person says", () => {
  test("[SU-3] is shown with its mark when it is taken up, and with what it mentions", () => {
    const telling = new Telling({ width: 40 });
    const attachments = [
      { kind: "file" as const, name: "src/a.ts", text: "…", key: "k" },
      { kind: "image" as const, name: "b.png", text: "…", key: "k" },
      { kind: "problem" as const, name: "c", text: "…", key: "k" },
    ];
    telling.hear(event({ type: "notice.given", text: { key: "attach.done", args: { names: "src/a.ts" } } }));
    telling.hear(input("Please look at @src/a.ts and tell me what it is.", { attachments }));
    telling.take();
    expect(telling.text).toBe("");
    telling.hear(started);
    telling.take();
    expect(telling.text.split("\n")).toEqual([
      ...["> Please look at @src/a.ts and tell me", "  what it is.", "  with src/a.ts", "  with the image b.png"],
    ]);
  });

  test("[SU-3] meanwhile is shown where it is delivered, and not at all when it goes back to them", () => {
    const telling = new Telling();
    telling.hear(input("later", { delivery: "steer" }), input("back", { inputId: "i2", delivery: "queue" }));
    telling.hear(event({ type: "input.returned", inputIds: ["i2"] }));
    telling.hear(event({ type: "input.delivered", runId: "r1", inputIds: ["i1", "i2"] }));
    telling.take();
    expect(telling.text).toBe("> later");
  });

  test("[SU-3] a long paste is shown by its ends, and whole on demand", () => {
    const telling = new Telling();
    telling.hear(input(Array.from({ length: 500 }, (_, at) => `row ${at}`).join("\n")), started);
    telling.take();
    const lines = telling.text.split("\n");
    expect([lines.length, lines[0], lines[5], lines.at(-1)]).toEqual([9, "> row 0", "  … +492 lines", "  row 499"]);
    expect(rowsOf(telling.feed.details()[0], 80).length).toBe(500);
    const review = new Telling();
    review.hear(
      input("Review the changes.\nThe diff stands below.\nReport only real problems.", { readOnly: true }),
      started,
    );
    review.take();
    expect(review.text).toBe("> Review the changes.\n  … +2 lines");
    const huge = new Telling();
    huge.hear(input("x".repeat(1_000_000)), started);
    huge.take();
    expect(huge.committed.length).toBeLessThan(20);
    expect(huge.text).toContain("… 1000000 characters in all");
  });
});

describe("thinking", () => {
  test("[SU-3] is one line while it lasts, one quiet line afterwards, and whole on demand", () => {
    const telling = new Telling({ width: 50 });
    telling.hear(delta({ kind: "start" }), delta({ kind: "thinking", text: "First I look.\nThen " }));
    telling.clock += 12_300;
    telling.hear(delta({ kind: "thinking", text: "I think about what that could possibly mean" }));
    telling.take();
    expect([telling.text, telling.live()]).toEqual(["", ["∴ Thinking, 12 s  …t what that could possibly mean"]]);
    telling.hear(delta({ kind: "text", text: "So.\n\n" }));
    telling.take();
    expect(telling.text).toBe("∴ Thought for 12 s\n\nSo.");
    expect(rowsOf(telling.feed.details()[0], 80)).toEqual([
      "First I look.",
      "Then I think about what that could possibly mean",
    ]);
  });
});

describe("notes", () => {
  test("[SU-3] what a person should know is told, and what means nothing to them is not", () => {
    expect(told({ type: "notice.given", text: { key: "run.cut_reply" } })).toStartWith("▲ The reply was cut off");
    const compaction = {
      stage: "summary",
      tokensBefore: 120_000,
      tokensAfter: 9_400,
      pruneBefore: 0,
      trimBefore: 0,
    } as const;
    expect(told({ type: "context.compacted", compaction })).toBe(
      "◦ Older parts of the session were shortened: 120k → 9.4k tokens.",
    );
    expect(told({ type: "run.stopped", runId: "r1", unstopped: ["sleep (12)"] })).toBe("▲ Could not stop: sleep (12)");
    const job = { jobId: "j1", taskId: "t1", callId: "r1/1/1", command: "npm start", pid: 1, startTime: "" } as const;
    const end = { type: "job.ended", jobId: "j1", fate: "exited", exitCode: 1, signal: null, tail: "" } as const;
    expect(told({ type: "job.started", ...job }, end).split("\n").length).toBe(2);
    const silent: readonly EventBody[] = [
      { type: "context.built", taskId: "t1", hints: "x" },
      { type: "rules.read", files: ["AGENTS.md"], text: "x", salt: "s" },
      { type: "overview.given", part: "map", text: "x" },
      { type: "retry.due", runId: "r1", index: 1, attempt: 1 },
      { type: "run.stopped", runId: "r1", unstopped: [] },
      { type: "advice.given", runId: "r1", text: { key: "run.repeat_advice", args: { n: 3 } } },
      { type: "session.resumed", pid: 1, mode: "plan", preset: null, model: "m" },
      { type: "checks.finished", taskId: "t1", result: { kind: "none", reason: { key: "verify.nothing" } } },
    ];
    expect(told(...silent)).toBe("");
  });

  test("[ER-2] a fault of ours has its code and the id that it is found under", () => {
    const text = told({ type: "internal.reported", traceId: "tr-9", what: "it broke" });
    expect(text.replace(/\s+/g, " ")).toBe(
      "✗ Internal error: it broke This is a bug in coder. Its log has the details under the trace id. [tr-9]",
    );
  });

  test("[SU-3] who goes through the modes is told only where they end up", () => {
    const telling = new Telling();
    telling.hear(event({ type: "session.resumed", pid: 1, mode: "default", preset: null, model: "m" }));
    for (const mode of ["auto-edit", "yolo", "plan"] as const) {
      telling.hear(event({ type: "mode.changed", mode }));
      telling.take();
      expect([telling.text, telling.live()]).toEqual(["", [`◦ mode: ${mode}`]]);
    }
    telling.hear(input("go"), started);
    telling.take();
    expect(telling.text).toBe("◦ mode: plan\n\n> go");
    telling.hear(
      event({ type: "mode.changed", mode: "default" }),
      event({ type: "mode.changed", mode: "plan" }),
      replied({ text: "a" }),
    );
    telling.take();
    expect(telling.text).toBe("◦ mode: plan\n\n> go\n\na");
  });

  test("[SU-3] after a fallback the model is named once", () => {
    const given = { key: "models.fallback.given", args: { from: "a/x", to: "b/y", why: "busy" } } as const;
    expect(told({ type: "notice.given", text: given }, { type: "model.changed", model: "b/y" })).toBe(
      "▲ Switched from a/x to b/y (busy).",
    );
    expect(told({ type: "model.changed", model: "b/y" })).toBe("◦ model: b/y");
  });

  test("[SU-3] a session that is opened again says which it is, and what it was about", () => {
    const telling = new Telling();
    telling.hear({ kind: "session", state: { ...emptySession, id: "abcd-efgh", tasks: 2 } });
    const log = [input("make it right"), started].flatMap((one) => (one.kind === "event" ? [one.recorded] : []));
    telling.feed.past([...log, { seq: 9, accepted: true, event: { v: 1, at: 0, type: "model.replied" } as never }], 1);
    telling.take();
    expect(telling.text).toContain("▲ event 9 of this session cannot be read");
    expect(telling.text.split("\n")[0]).toBe("Session abcd-efgh · 2 tasks · make it right");
    expect(problemsIn(telling.committed, 80)).toEqual([]);
  });

  test("[ER-1] a store that failed is told with what to do", () => {
    const telling = new Telling();
    telling.hear({ kind: "fatal", error: { code: "E_STORE", text: { key: "session.no_model" } } });
    telling.take();
    expect(telling.text).toContain("Check the free space");
  });
});
