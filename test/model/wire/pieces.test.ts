// Pieces that come fast are handed on together, and nothing else changes: from real servers, through the whole way of a reply.
import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import type { MessageDelta } from "../../../src/contract/delta.ts";
import { openModel } from "../../../src/model/open.ts";
import { Pieces } from "../../../src/model/wire/pieces.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";
import { longEnough, until } from "../../support/until.ts";

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
    // The runtime tells of them between two turns of its loop.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
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
    const port = await openModel(choiceAt(server.url), { idleMs: 600_000 });
    const deltas = await deltasOf(port);
    expect([kindsOf(deltas), replyOf(deltas).text]).toEqual(["start text done", words(30)]);
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
    const given = async (idleMs: number) => deltasOf(await openModel(choiceAt(server.url), { idleMs }));
    const deltas = await longEnough(300, given, (all) => replyOf(all).text === words(10));
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
        let isFirst = true;
        for await (const delta of port.stream(requestOf(), cancel.signal)) {
          if (delta.kind === "text" && isFirst) {
            isFirst = false;
            setTimeout(() => cancel.abort(), after);
          }
          deltas.push(delta);
        }
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
    const port = await openModel(choiceAt(server.url), { idleMs: 60_000 });
    expect(replyOf(await deltasOf(port)).text).toBe("字0字1字2字3字4");
  });
});

describe("pieces", () => {
  /** As they come out of a response; `next` may put off one. */
  async function handed(count: number, bytes: number, next: (at: number, handed: number) => Promise<void>) {
    const sizes: number[] = [];
    let at = 0;
    const pieces = new Pieces(async () => {
      await next(at, sizes.length);
      return at++ < count ? { done: false, value: new Uint8Array(bytes) } : { done: true, value: undefined };
    });
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return sizes;
      sizes.push(value.byteLength);
    }
  }

  const soon = (): Promise<void> => new Promise(setImmediate);
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

  test("[MD-7] all that comes is handed on, in fewer pieces than it came in, and the first at once", async () => {
    const first = Promise.withResolvers<void>();
    const sizes = await handed(60, 10, async (at, sent) => {
      if (sent > 0) first.resolve();
      // The second comes only when the first was handed on.
      await (at === 1 ? first.promise : soon());
    });
    expect([sum(sizes), sizes[0]]).toEqual([600, 10]);
    expect(sizes.length).toBeLessThan(25);
  });

  test("[MD-7] what came before the end is handed on without waiting for more", async () => {
    expect(sum(await handed(3, 8, soon))).toBe(24);
  });

  test("[MD-7] a hundred megabytes are handed on in pieces that stay small, as they come", async () => {
    const sizes = await handed(1_600, 65_536, soon);
    expect(sum(sizes)).toBe(1_600 * 65_536);
    expect(Math.max(...sizes)).toBeLessThan(4 * 2 ** 20);
  });
});
