// Servers that fall silent, or talk for ever and say nothing.
import type { Answer } from "../support/wire/attack-server.ts";
import type { Wire } from "../support/wire/protocols.ts";
import { messageOf } from "../support/wire/reply.ts";
import type { Case } from "../support/wire/run.ts";
import { bytesOf, sample } from "./samples.ts";

const idleMs = 150;

function timed(name: string, answer: (wire: Wire) => Answer, patience = { idleMs, quietMs: 60_000 }): Case {
  return {
    name,
    tries: (wire) => [
      {
        at: name,
        answer: answer(wire),
        patience,
        expected: { fault: "idle", says: "model.idle", beginningOf: messageOf(sample, wire.protocol) },
      },
    ],
  };
}

/** Talks all the time; what counts is when something of the reply came last. */
function chatter(name: string, what: (wire: Wire) => string): Case {
  const answer = (wire: Wire): Answer => ({ writes: forEver(what(wire)), pauseMs: 2 });
  return timed(name, answer, { idleMs: 60_000, quietMs: idleMs });
}

function* forEver(what: string): Generator<string> {
  for (;;) yield what;
}

const first = (wire: Wire, share: number): Uint8Array => {
  const bytes = bytesOf(wire.frames(sample));
  return bytes.subarray(0, bytes.length * share);
};

export const timeAttacks: readonly Case[] = [
  timed("silent before the headers", () => ({ head: "", writes: [], isRaw: true, after: "silence" })),
  timed("silent inside the headers", () => ({
    head: "HTTP/1.1 200 OK\r\nconte",
    writes: [],
    isRaw: true,
    after: "silence",
  })),
  timed("headers for ever", () => ({
    head: "HTTP/1.1 200 OK\r\n",
    writes: forEver("x-more: and more\r\n"),
    isRaw: true,
    pauseMs: 2,
  })),
  timed("silent after the headers", () => ({ writes: [], after: "silence" })),
  timed("silent after some frames", (wire) => ({ writes: [first(wire, 0.4)], after: "silence" })),
  timed("silent before the last frames", (wire) => ({ writes: [lastMissing(wire)], after: "silence" })),
  {
    name: "an error body for ever",
    tries: () => [
      {
        at: "HTTP 500",
        answer: { head: "HTTP/1.1 500 Oops\r\n\r\n", writes: forEver("x"), isRaw: true, pauseMs: 2 },
        patience: { idleMs: 60_000, quietMs: idleMs },
        expected: { fault: "busy", says: "model.busy" },
      },
    ],
  },
  timed("silent inside JSON", () => ({ writes: ['{"error":'], after: "silence" })),
  chatter("comments for ever", () => ": still here\n\n"),
  chatter("empty lines for ever", () => "\n"),
  chatter("empty frames for ever", (wire) => wire.idle),
  chatter("unknown events for ever", () => 'event: shiny\ndata: {"type":"shiny"}\n\n'),
  {
    name: "open after the end",
    tries: (wire) => [
      {
        at: "all said",
        answer: { writes: [bytesOf(wire.frames(sample))], after: "silence" },
        // Far beyond the time that a case may take: whoever waits for the connection's end fails.
        patience: { idleMs: 60_000, quietMs: 60_000 },
        expected: { message: messageOf(sample, wire.protocol) },
      },
    ],
  },
];

/** Everything up to, but without, the frame that says how it ended. */
function lastMissing(wire: Wire): Uint8Array {
  const frames = wire.frames(sample);
  return bytesOf(
    frames.slice(
      0,
      frames.findIndex(({ carries }) => carries.kind === "finish"),
    ),
  );
}
