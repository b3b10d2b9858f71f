import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import type { MessageDelta } from "../../../src/contract/delta.ts";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";
import type { Step } from "../../support/scripted-reply.ts";
import { startScriptedServer } from "../../support/scripted-server.ts";
import { longEnough, until } from "../../support/until.ts";

const never = new AbortController().signal;
const kindsOf = (deltas: readonly MessageDelta[]): string => deltas.map(({ kind }) => kind).join(" ");
const event = (delta: unknown, finish: string | null = null): string =>
  httpChunk(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`);

const stalls: readonly (readonly [phase: string, step: Step, kinds: string])[] = [
  ["before the headers", { text: "x", delayMs: 600_000 }, "start error"],
  ["after the headers", { text: "x", stallAfter: 0 }, "start error"],
  ["inside the reply", { text: "abcd", chunkChars: 2, stallAfter: 1 }, "start text error"],
  ["inside the body of an error", { status: 500, body: "x", stallAfter: 0 }, "start error"],
];

for (const [phase, step, kinds] of stalls) {
  test(`[MD-7] a server that falls silent ${phase} is given up after the idle time, and its connection closed`, async () => {
    using server = startScriptedServer([step]);
    const given = async (idleMs: number) => deltasOf(await openModel(choiceAt(server.url), { idleMs }));
    const deltas = await longEnough(250, given, (all) => kindsOf(all) === kinds);
    // The status of an error has said more already than that its text does not come.
    const kind = phase.includes("error") ? "busy" : "idle";
    expect({ kinds: kindsOf(deltas), fault: replyOf(deltas).failure?.fault }).toEqual({
      kinds,
      fault: { kind, retryAfterMs: null },
    });
    await until("the connection is closed", () => server.open === 0);
  });

  test(`[CAN-1] cancel while the server is silent ${phase} ends the call at once and closes the connection`, async () => {
    using server = startScriptedServer([step]);
    const port = await openModel(choiceAt(server.url), { idleMs: 600_000 });
    const cancel = new AbortController();
    const deltas: MessageDelta[] = [];
    const running = (async () => {
      for await (const delta of port.stream(requestOf(), cancel.signal)) deltas.push(delta);
    })();
    await until("the request has arrived", () => server.requests.length === 1);
    await until("what the server sends has arrived", () => `${kindsOf(deltas)} error` === kinds);
    cancel.abort();
    await running;
    expect({ kinds: kindsOf(deltas), failure: replyOf(deltas).failure }).toEqual({
      kinds,
      failure: {
        error: {
          code: "E_CANCELLED",
          text: { key: "model.cancelled", args: { provider: "local", host: new URL(server.url).host } },
          sideEffect: "none",
        },
        fault: { kind: "cancelled", retryAfterMs: null },
      },
    });
    await until("the connection is closed", () => server.open === 0);
  });
}

test("[CAN-1] a call that was cancelled before it began sends nothing", async () => {
  using server = startScriptedServer([{ text: "x" }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
  const deltas = await deltasOf(port, requestOf(), AbortSignal.abort());
  expect({ kinds: kindsOf(deltas), fault: replyOf(deltas).failure?.fault.kind, sent: server.requests.length }).toEqual({
    kinds: "start error",
    fault: "cancelled",
    sent: 0,
  });
});

test("[CAN-1] a cancel between two deltas ends the call, although the rest has already arrived", async () => {
  using server = startScriptedServer([{ text: "x".repeat(500), chunkChars: 1 }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
  const cancel = new AbortController();
  const kinds: string[] = [];
  for await (const delta of port.stream(requestOf(), cancel.signal)) {
    kinds.push(delta.kind);
    if (kinds.length === 3) cancel.abort();
  }
  expect(kinds).toEqual(["start", "text", "text", "error"]);
});

test("a reader that walks away closes the connection", async () => {
  using server = startScriptedServer([{ text: "abcd", chunkChars: 1, stallAfter: 2 }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 600_000 });
  for await (const delta of port.stream(requestOf(), never)) if (delta.kind === "text") break;
  await until("the connection is closed", () => server.open === 0);
});

test("a slow reader is not taken for a silent server", async () => {
  using server = startScriptedServer([{ text: "x".repeat(400_000), chunkChars: 1_000, chunkBytes: 4_096 }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 1_500 });
  let size = 0;
  let hasPaused = false;
  let last: MessageDelta | undefined;
  for await (const delta of port.stream(requestOf(), never)) {
    last = delta;
    if (delta.kind === "text") size += delta.text.length;
    if (hasPaused || size === 0) continue;
    hasPaused = true;
    // Pieces that lie in between must be left when the pause begins.
    expect(size).toBeLessThan(300_000);
    await Bun.sleep(3_000);
  }
  expect({ size, end: last?.kind }).toEqual({ size: 400_000, end: "done" });
});

test("[MD-7] keep-alives without content do not hold a call open", async () => {
  let pings = 0;
  await using server = await startRawServer((socket) => {
    socket.write(eventStreamHead);
    const timer = setInterval(() => {
      pings++;
      socket.write(httpChunk(": still here\n\n"));
    }, 2);
    socket.on("close", () => clearInterval(timer));
  });
  const given = async (idleMs: number) => deltasOf(await openModel(choiceAt(server.url), { idleMs }));
  const deltas = await longEnough(100, given, () => pings > 1);
  expect({ kinds: kindsOf(deltas), fault: replyOf(deltas).failure?.fault.kind }).toEqual({
    kinds: "start error",
    fault: "idle",
  });
  expect(pings).toBeGreaterThan(1);
});

test("[MD-7] a reply that keeps coming is never too slow", async () => {
  // Takes twice as long in all as it may between two pieces.
  const given = async (idleMs: number): Promise<string> => {
    using server = startScriptedServer([{ text: "x".repeat(40), chunkChars: 1, chunkDelayMs: idleMs / 20 }]);
    return replyOf(await deltasOf(await openModel(choiceAt(server.url), { idleMs }))).text;
  };
  expect(await longEnough(500, given, (text) => text.length === 40)).toBe("x".repeat(40));
});

test("[MD-7] a call that a weak model writes as text is no silence while it is held back", async () => {
  const call = `<tool_call>{"name":"read","arguments":{"path":"${"x".repeat(40)}"}}</tool_call>`;
  const tools = [
    { name: "read", description: "", schema: { type: "object", properties: { path: { type: "string" } } } },
  ];
  const given = async (idleMs: number): Promise<string> => {
    using server = startScriptedServer([{ text: call, chunkChars: 2, chunkDelayMs: idleMs / 20 }]);
    const choice = choiceAt(server.url, { quirks: { textToolCalls: true } });
    return kindsOf(await deltasOf(await openModel(choice, { idleMs }), requestOf({ tools })));
  };
  const wanted = "start tool_call_start tool_call_args tool_call_end done";
  expect(await longEnough(500, given, (kinds) => kinds === wanted)).toBe(wanted);
});

test("[MD-7] a short reply wrapped in 20 MB of unknown fields is read", async () => {
  const event = { choices: [{ delta: { content: "x" }, finish_reason: null }], junk: "j".repeat(100_000) };
  const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
  const body = [...Array(200).fill(event), end].map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");
  using server = startScriptedServer([{ body }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
  const { text, finish } = replyOf(await deltasOf(port));
  expect({ text, finish }).toEqual({ text: "x".repeat(200), finish: "stop" });
});

test("[MD-7] a server that keeps the connection open after the end does not take the reply away", async () => {
  await using server = await startRawServer((socket) => {
    socket.write(eventStreamHead + event({ content: "all of it" }) + event({}, "stop") + httpChunk("data: [DONE]\n\n"));
  });
  const port = await openModel(choiceAt(server.url), { idleMs: 3_000 });
  const deltas = await deltasOf(port);
  expect({ kinds: kindsOf(deltas), text: replyOf(deltas).text }).toEqual({
    kinds: "start text done",
    text: "all of it",
  });
  await until("the connection is closed", () => server.open === 0);
});

/** Writes `chunk` as fast as it is taken, up to 50 MB, and counts. */
function pour(socket: Socket, chunk: string, flood: { written: number }): void {
  while (flood.written < 50 * 2 ** 20 && !socket.destroyed) {
    flood.written += chunk.length;
    if (!socket.write(chunk)) return void socket.once("drain", () => pour(socket, chunk, flood));
  }
}

const limit = 16 * 2 ** 20;
const endless: readonly (readonly [what: string, first: string, piece: string])[] = [
  ["text", "", `data: {"choices":[{"delta":{"content":"${"x".repeat(60_000)}"}}]}\n\n`],
  ["thinking", "", `data: {"choices":[{"delta":{"reasoning_content":"${"x".repeat(60_000)}"}}]}\n\n`],
  [
    "arguments",
    'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"write","arguments":""}}]}}]}\n\n',
    `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"${"x".repeat(60_000)}"}}]}}]}\n\n`,
  ],
  ["one line", 'data: {"choices":[{"delta":{"content":"', "x".repeat(60_000)],
  ["one event of many lines", "", `data: ${"x".repeat(60_000)}\n`],
  ["comments", "", `: ${"x".repeat(60_000)}\n\n`],
];
for (const [what, first, piece] of endless) {
  test(`[MD-7] 50 MB of ${what} are cut off at 16 MiB with a clean error`, async () => {
    const flood = { written: 0 };
    await using server = await startRawServer((socket) => {
      socket.write(eventStreamHead + (first === "" ? "" : httpChunk(first)));
      pour(socket, httpChunk(piece), flood);
    });
    const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
    const reply = replyOf(await deltasOf(port));
    expect(reply.failure).toEqual({
      error: {
        code: "E_MODEL",
        text: { key: "model.too_large", args: { provider: "local", host: new URL(server.url).host, mib: 16 } },
      },
      fault: { kind: "protocol", retryAfterMs: null },
    });
    const kept = reply.text.length + reply.thinking.length + (reply.calls[0]?.args.length ?? 0);
    expect(kept).toBeLessThanOrEqual(limit);
    await until("the connection is closed", () => server.open === 0);
    expect(flood.written).toBeLessThan(40 * 2 ** 20);
  }, 120_000);
}

test("[MD-7] exactly 16 MiB are accepted, and one character more is refused although the reply ends right after it", async () => {
  const mib = event({ content: "x".repeat(2 ** 20) });
  const end = event({}, "stop");
  const fits = await startRawServer((socket) => socket.end(`${eventStreamHead}${mib.repeat(16)}${end}0\r\n\r\n`));
  const exceeds = await startRawServer((socket) => {
    socket.end(`${eventStreamHead}${mib.repeat(16)}${event({ content: "y" })}${end}0\r\n\r\n`);
  });
  const ends: unknown[] = [];
  for (const server of [fits, exceeds]) {
    const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
    const { text, finish, failure } = replyOf(await deltasOf(port));
    ends.push([text.length, finish, failure?.error.text.key]);
    await server[Symbol.asyncDispose]();
  }
  expect(ends).toEqual([
    [limit, "stop", undefined],
    [limit, null, "model.too_large"],
  ]);
});

test("[MD-7] only the beginning of an endless error page is read", async () => {
  const flood = { written: 0 };
  await using server = await startRawServer((socket) => {
    socket.write(eventStreamHead.replace("200 OK", "500 Oops"));
    pour(socket, httpChunk("oops ".repeat(10_000)), flood);
  });
  const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
  expect(replyOf(await deltasOf(port)).failure?.fault).toEqual({ kind: "busy", retryAfterMs: null });
  await until("the connection is closed", () => server.open === 0);
  expect(flood.written).toBeLessThan(20 * 2 ** 20);
});
