// Pieces that come fast are handed on together, and nothing else changes: from real servers, through the whole way of a reply.
import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import type { MessageDelta } from "../../../src/contract/delta.ts";
import { openModel } from "../../../src/model/open.ts";
import { Pieces } from "../../../src/model/wire/pieces.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";
import { until } from "../../support/until.ts";

const event = (delta: unknown, finish: string | null = null): string =>
  httpChunk(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`);
const word = (n: number): string => event({ content: `w${n} ` });
const end = event({}, "stop") + httpChunk("data: [DONE]\n\n");
const words = (count: number): string => Array.from({ length: count }, (_, n) => `w${n} `).join("");

/** Writes one after the other, so far apart, and then does something. */
function speak(socket: Socket, pieces: readonly string[], ms: number, then: () => void): void {
  const [first, ...rest] = pieces;
  if (socket.destroyed) return;
  if (first === undefined) {
    then();
    return;
  }
  socket.write(first);
  setTimeout(() => speak(socket, rest, ms, then), ms);
}

const fast = (count: number, ms: number, then: (socket: Socket) => void) =>
  startRawServer((socket) => {
    socket.write(eventStreamHead);
    speak(
      socket,
      Array.from({ length: count }, (_, n) => word(n)),
      ms,
      () => then(socket),
    );
  });

/** Rejections that nobody has taken care of, while something is done. */
async function unhandledIn(act: () => Promise<void>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  process.on("unhandledRejection", note);
  try {
    await act();
    await Bun.sleep(20);
  } finally {
    process.off("unhandledRejection", note);
  }
  return seen;
}

const kindsOf = (deltas: readonly MessageDelta[]): string =>
  deltas
    .map(({ kind }) => kind)
    .filter((kind, at, all) => kind !== all[at - 1])
    .join(" ");

describe("a reply that comes in fast pieces", () => {
  test("[MD-7] is over soon after its end, although the server keeps the connection open and may be silent for long", async () => {
    await using server = await fast(30, 5, (socket) => socket.write(end));
    const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
    const began = performance.now();
    const deltas = await deltasOf(port);
    expect([kindsOf(deltas), replyOf(deltas).text]).toEqual(["start text done", words(30)]);
    expect(performance.now() - began).toBeLessThan(5_000);
    await until("the connection is closed", () => server.open === 0);
  });

  // Closed in the middle, not reset: the system drops what a reset connection has not handed over yet.
  test("[MD-7] that breaks off is told with all that came before, and with nothing unhandled", async () => {
    const unhandled = await unhandledIn(async () => {
      await using server = await fast(10, 3, (socket) => socket.destroy());
      const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
      const deltas = await deltasOf(port);
      const { text, failure } = replyOf(deltas);
      expect([kindsOf(deltas), text, failure?.fault.kind]).toEqual(["start text error", words(10), "connection"]);
    });
    expect(unhandled).toEqual([]);
  });

  test("[MD-7] that falls silent is given up after the idle time, with all that came before", async () => {
    await using server = await fast(10, 3, () => {});
    const port = await openModel(choiceAt(server.url), { idleMs: 300 });
    const deltas = await deltasOf(port);
    expect([replyOf(deltas).text, replyOf(deltas).failure?.fault.kind]).toEqual([words(10), "idle"]);
    await until("the connection is closed", () => server.open === 0);
  });

  test("[CAN-1] is cancelled at once wherever it is, with nothing unhandled and nothing left open", async () => {
    const unhandled = await unhandledIn(async () => {
      for (const after of [0, 20, 60, 75, 90, 130]) {
        await using server = await fast(10_000, 4, () => {});
        const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
        const cancel = new AbortController();
        const deltas: MessageDelta[] = [];
        let cancelled = 0;
        for await (const delta of port.stream(requestOf(), cancel.signal)) {
          if (delta.kind === "text" && cancelled === 0) {
            cancelled = performance.now() + after;
            setTimeout(() => cancel.abort(), after);
          }
          deltas.push(delta);
        }
        expect(performance.now() - cancelled).toBeLessThan(500);
        expect([kindsOf(deltas), replyOf(deltas).failure?.fault.kind]).toEqual(["start text error", "cancelled"]);
        await until("the connection is closed", () => server.open === 0);
      }
    });
    expect(unhandled).toEqual([]);
  });

  test("[MD-7] whose reader walks away is closed, with nothing unhandled", async () => {
    const unhandled = await unhandledIn(async () => {
      await using server = await fast(10_000, 4, () => {});
      const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
      let texts = 0;
      for await (const delta of port.stream(requestOf(), new AbortController().signal))
        if (delta.kind === "text" && ++texts === 3) break;
      await until("the connection is closed", () => server.open === 0);
    });
    expect(unhandled).toEqual([]);
  });

  test("[MD-7] one byte at a time is the same reply, with every letter of it", async () => {
    const body = Array.from({ length: 5 }, (_, n) => `data: {"choices":[{"delta":{"content":"字${n}"}}]}\n\n`).join("");
    const bytes = [...Buffer.from(`${body}data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n`)];
    await using server = await startRawServer((socket) => {
      socket.setNoDelay(true);
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n");
      const next = (at: number): void => {
        if (at === bytes.length) return void socket.end();
        socket.write(Buffer.from([bytes[at] ?? 0]));
        setImmediate(() => next(at + 1));
      };
      next(0);
    });
    const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
    expect(replyOf(await deltasOf(port)).text).toBe("字0字1字2字3字4");
  });
});

describe("pieces", () => {
  type Chunk = { readonly ms: number; readonly bytes: number };

  /** From a server, as they come out of a response. */
  async function handed(chunks: readonly Chunk[], look: (size: number, ms: number) => void = () => {}) {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(
          (async function* () {
            for (const { ms, bytes } of chunks) {
              if (ms > 0) await Bun.sleep(ms);
              yield new Uint8Array(bytes);
            }
          })(),
        ),
    });
    const response = await fetch(server.url);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const pieces = new Pieces(() => reader.read());
    const sizes: number[] = [];
    const began = performance.now();
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return sizes;
      sizes.push(value.byteLength);
      look(value.byteLength, performance.now() - began);
    }
  }

  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

  test("[MD-7] all that comes is handed on, in fewer pieces than it came in, and the first at once", async () => {
    const times: number[] = [];
    const chunks = Array.from({ length: 60 }, () => ({ ms: 5, bytes: 10 }));
    const sizes = await handed(chunks, (_, ms) => times.push(ms));
    expect([sum(sizes), sizes[0]]).toEqual([600, 10]);
    expect(sizes.length).toBeLessThan(25);
    expect(times[0]).toBeLessThan(60);
  });

  test("[MD-7] what came before the end is handed on without waiting for more", async () => {
    const sizes = await handed([
      { ms: 0, bytes: 7 },
      { ms: 10, bytes: 8 },
      { ms: 10, bytes: 9 },
    ]);
    expect(sum(sizes)).toBe(24);
  });

  test("[MD-7] a hundred megabytes are handed on in pieces that stay small, as they come", async () => {
    let largest = 0;
    const chunks = Array.from({ length: 1_600 }, () => ({ ms: 0, bytes: 65_536 }));
    const sizes = await handed(chunks, (size) => {
      largest = Math.max(largest, size);
    });
    expect(sum(sizes)).toBe(1_600 * 65_536);
    expect(largest).toBeLessThan(4 * 2 ** 20);
  });
});
