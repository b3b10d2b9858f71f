import { expect, test } from "bun:test";
import type { MessageDelta } from "../../../../src/contract/delta.ts";
import type { Lang } from "../../../../src/contract/text/catalogue.ts";
import type { Published } from "../../../../src/engine/port.ts";
import { emptySession, type SessionState } from "../../../../src/machine/state.ts";
import { Progress } from "../../../../src/surface/tui/app/terminal-progress.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";

const keys = { stop: "Esc", now: "Enter", move: "" };
const task = { phase: "EXECUTING", task: { id: "t1" } } as never;
const calling = { phase: "model_running", run: {}, attempt: 1, failures: 0, doing: "calling" } as never;
const state: SessionState = { ...emptySession, task, run: calling };

/** A task that has just begun, on a clock of its own. */
function begun(width = 120, lang: Lang = "en") {
  let time = 0;
  const look = { theme: themeOf("terminal", true), lang, width: () => width } as const;
  const progress = new Progress(
    () => {},
    () => time,
  );
  const hear = (published: unknown): void => progress.hear(published as Published);
  const event = (one: unknown): void => hear({ kind: "event", recorded: { seq: 1, accepted: true, event: one } });
  const delta = (one: unknown): void => hear({ kind: "delta", delta: one as MessageDelta });
  event({ type: "task.started" });
  hear({ kind: "context", tokens: 8_140, window: 128_000 });
  return {
    ...{ event, delta, progress },
    wait: (ms: number): void => {
      time += ms;
    },
    line: (now = state): string | undefined => progress.line(now, null, keys, look)?.slice(2),
  };
}

test("[SU-3] the live line says what is done, for how long, and what went to the model and came back", () => {
  const { delta, event, wait, line } = begun();
  expect(line()).toBe("Waiting for the model 0 s · ↑ 8.1k ↓ 0 · Esc to interrupt");
  wait(4_000);
  delta({ kind: "text", text: "x".repeat(200) });
  wait(2_000);
  delta({ kind: "text", text: "字".repeat(60) });
  expect(line()).toBe("Writing 6 s · ↑ 8.1k ↓ 90 · 45 tok/s · Esc to interrupt");
  event({ type: "model.replied", reply: { usage: { input: 8_000, output: 120 }, cost: 12_345 } });
  expect(line()).toBe("Waiting for the model 6 s · ↑ 8.0k ↓ 120 · $0.0124 · Esc to interrupt");
});

test("[SU-3] a provider that counts nothing leaves the estimates", () => {
  const { delta, event, line } = begun();
  delta({ kind: "tool_call_args", ordinal: 0, text: "x".repeat(400) });
  event({ type: "model.replied", reply: { usage: { input: 0, output: 0 } } });
  expect(line()).toBe("Waiting for the model 0 s · ↑ 8.1k ↓ 100 · Esc to interrupt");
});

test("[SU-3] an attempt that failed is not counted as it streamed", () => {
  const { delta, event, line } = begun();
  delta({ kind: "text", text: "x".repeat(400) });
  event({ type: "model.failed", retryInMs: 1_000 });
  expect(line()).toBe("Writing 0 s · Esc to interrupt");
});

test("[SU-3] after 15 s without anything the line says so, until something comes", () => {
  const { delta, wait, line } = begun();
  wait(14_999);
  expect(line()).not.toContain("received");
  wait(3_001);
  expect(line()).toBe("Waiting for the model 18 s · nothing received for 18 s · ↑ 8.1k ↓ 0 · Esc to interrupt");
  delta({ kind: "thinking", text: "so" });
  wait(1_000);
  expect(line()).toBe("Thinking 19 s · ↑ 8.1k ↓ 1 · 1 tok/s · Esc to interrupt");
  wait(60_000);
  const running = { phase: "tool_running", run: {}, calls: [{ status: "executing", call: { tool: "bash" } }] } as never;
  expect(line({ ...state, run: running })).toContain("Running bash 1 min 19 s · no output for 1 min 1 s");
});

test("[SU-3] what coder waits for on purpose is no stall", () => {
  const { wait, line, progress } = begun();
  wait(60_000);
  const retrying = { phase: "model_running", run: {}, attempt: 1, failures: 1, doing: "waiting" } as never;
  const asked = { phase: "awaiting_human", run: {}, calls: [] } as never;
  for (const run of [retrying, asked]) expect(line({ ...state, run })).not.toMatch(/received|output/);
  progress.cancelled();
  expect(line()).toBe("Stopping 1 min 0 s · ↑ 8.1k ↓ 0");
});

test("[SU-3] in a narrow terminal the numbers go first, then the key", () => {
  for (const [width, shown] of [
    [80, "Waiting for the model 20 s · nothing received for 20 s · Esc to interrupt"],
    [60, "Waiting for the model 20 s · nothing received for 20 s"],
    [50, "nothing received for 20 s · Esc to interrupt"],
    [40, "nothing received for 20 s"],
  ] as const) {
    const { wait, line } = begun(width);
    wait(20_000);
    expect(line()).toBe(shown);
  }
  const { delta, wait, line } = begun(60, "zh");
  delta({ kind: "text", text: "x".repeat(4_000) });
  wait(10_000);
  expect(line()).toBe("输出中 10 秒 · ↑ 8.1k ↓ 1.0k · 100 token/秒 · 按 Esc 中断");
});
