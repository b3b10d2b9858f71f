import type { Event, EventBody } from "../src/contract/event.ts";
import { callId } from "../src/contract/ids.ts";
import { reduce } from "../src/machine/session.ts";
import { emptySession } from "../src/machine/state.ts";
import { openStore } from "../src/store/open.ts";

/** A finished session of about `events` events, as a run of many read steps leaves it. Returns its id. */
export function makeSession(home: string, workspace: string, events: number): string {
  const id = "bench0-long00";
  const store = openStore(home);
  const log = store.create(id, workspace);
  const count = Math.floor((events - 11) / 4);
  const bodies = [...opening(id, workspace), ...steps(count), ...closing(count + 1)];
  let state = emptySession;
  const entries = bodies.map((body) => {
    const event: Event = { v: 1, at: Date.now(), ...body };
    const step = reduce(state, event);
    if (!step.accepted) throw new Error(`${body.type} does not fit`);
    state = step.state;
    return { event, accepted: true };
  });
  log.append({ from: 1, entries, blobs: [], durable: true });
  store.close();
  return id;
}

function opening(sessionId: string, workspace: string): EventBody[] {
  return [
    {
      type: "session.started",
      sessionId,
      workspace,
      addDirs: [],
      model: "openai-chat/mock",
      mode: "default",
      preset: null,
      forkedFrom: null,
    },
    { type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "read everything" },
    {
      type: "task.started",
      taskId: "t1",
      runId: "r1",
      inputId: "i1",
      limits: { maxSteps: 100_000, maxTokens: null, maxAttempts: 5 },
    },
    {
      type: "task.assessed",
      taskId: "t1",
      assessment: { intent: "task", complexity: "simple", riskLevel: "low", foreseen: [], missing: [] },
    },
    { type: "context.built", taskId: "t1", hints: "time: 2026-01-01 00:00 UTC" },
    { type: "plan.settled", taskId: "t1", plan: null, needsConfirmation: false },
    { type: "run.started", runId: "r1", calls: [] },
  ];
}

const usage = { input: 10, output: 5, cachedInput: 0, reasoning: 0 };

function steps(count: number): EventBody[] {
  return Array.from({ length: count }, (_, n): EventBody[] => {
    const index = n + 1;
    const id = callId("r1", index, 1);
    const call = {
      id,
      providerId: `call_${n}`,
      tool: "read",
      input: { path: `f${n}.txt` },
      key: `k${n}`,
      access: "read",
      afterCrash: "repeat",
    } as const;
    const output = `1\tfile ${n}\n${"2\tsome words of an ordinary source line\n".repeat(12)}`;
    return [
      {
        type: "model.replied",
        runId: "r1",
        index,
        attempt: 1,
        reply: { text: "", thinking: "", calls: [call], usage, finish: "tool_calls" },
      },
      {
        type: "tool.decided",
        runId: "r1",
        callId: id,
        decision: "allow",
        reasons: [{ key: "policy.why.read", args: { source: "mode default" } }],
        source: "mode default",
      },
      { type: "tool.intended", runId: "r1", callId: id, intent: { changes: [], text: "" } },
      {
        type: "tool.settled",
        runId: "r1",
        callId: id,
        result: { status: "done", output, key: `o${n}`, ms: 0, seen: [{ real: `f${n}.txt`, hash: String(n) }] },
      },
    ];
  }).flat();
}

function closing(last: number): EventBody[] {
  const summary = {
    changed_files: [],
    why: "",
    commands: [],
    verification: { status: "none", reason: "" },
    risks: [],
    rollback: "",
    next_steps: [],
    outcome: "UNVERIFIED",
    stop_reason: "COMPLETED",
    check_wanted: false,
    exit_code: 0,
  } as const;
  return [
    {
      type: "model.replied",
      runId: "r1",
      index: last,
      attempt: 1,
      reply: { text: "done", thinking: "", calls: [], usage, finish: "stop" },
    },
    { type: "checks.finished", taskId: "t1", result: { kind: "none", reason: { key: "verify.nothing" } } },
    { type: "task.summarized", taskId: "t1", summary },
    { type: "task.ended", taskId: "t1" },
  ];
}
