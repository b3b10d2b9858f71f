// Servers that fall silent, or talk for ever and say nothing.
import type { Answer } from "../support/wire/attack-server.ts";
import type { Wire } from "../support/wire/protocols.ts";
import { messageOf } from "../support/wire/reply.ts";
import type { Case } from "../support/wire/run.ts";
import { bytesOf, sample } from "./samples.ts";

const idleMs = 150;

function timed(name: string, ...answers: readonly ((wire: Wire) => Answer)[]): Case {
  const isBlank = name.startsWith("events with ");
  return {
    name,
    tries: (wire) =>
      answers.map((answer, at) => ({
        at: `${name} ${at}`,
        answer: answer(wire),
        patience: { idleMs },
        expected: {
          ...{ fault: "idle", says: "model.idle" },
          ...(isBlank ? {} : { beginningOf: messageOf(sample, wire.protocol) }),
        },
      })),
  };
}

/**
 * Talks all the time; what counts is when something of the reply came last. Slowly and as fast as it is taken, from the beginning and
 * after something was said.
 */
function chatter(name: string, what: (wire: Wire, at: number) => string): Case {
  return timed(
    name,
    (wire) => ({ writes: forEver((at) => what(wire, at)), pauseMs: 2 }),
    (wire) => ({ writes: forEver((at) => what(wire, at)) }),
    (wire) => ({
      writes: after(
        firstFrames(wire),
        forEver((at) => what(wire, at + 1_000)),
      ),
      pauseMs: 2,
    }),
  );
}

function* forEver(what: (at: number) => string): Generator<string> {
  for (let at = 0; ; at++) yield what(at);
}

function* after(beginning: string | Uint8Array, rest: Iterable<string>): Generator<string | Uint8Array> {
  yield beginning;
  yield* rest;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** Whole events of the protocol that say nothing, most with a number of their own. */
const blanks: Readonly<Record<Wire["protocol"], (text: string, at: number) => readonly string[]>> = {
  "openai-chat": (text, at) => [
    data({ choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] }),
    data({ choices: [{ index: 0, delta: { reasoning_content: text }, finish_reason: null }] }),
    data({ choices: [{ index: 0, delta: { unheard_of: `thought ${at}` }, finish_reason: null }] }),
    data({ choices: [], usage: { prompt_tokens: at, completion_tokens: at, total_tokens: 2 * at } }),
  ],
  "openai-responses": (text, at) =>
    [
      { type: "keepalive" },
      { type: "response.in_progress", response: { id: `r${at}` } },
      { type: "response.output_item.added", output_index: at, item: { type: "message", id: `m${at}`, content: [] } },
      { type: "response.output_item.added", output_index: at, item: { type: "reasoning", id: `m${at}`, summary: [] } },
      { type: "response.output_item.added", output_index: at, item: { type: "web_search_call", id: `m${at}` } },
      { type: "response.output_text.delta", output_index: -1, item_id: "m900", content_index: 0, delta: text },
    ].map((event) => data({ ...event, sequence_number: at })),
  anthropic: (text, at) =>
    [
      { type: "ping" },
      { type: "content_block_start", index: at, content_block: { type: "text", text } },
      { type: "content_block_start", index: at, content_block: { type: "thinking", thinking: text } },
      { type: "content_block_delta", index: -1, delta: { type: "text_delta", text } },
      { type: "content_block_delta", index: -2, delta: { type: "thinking_delta", thinking: text } },
      { type: "content_block_stop", index: at },
      { type: "message_delta", delta: { stop_reason: null }, usage: { output_tokens: at } },
    ].map(data),
  google: (text, at) => [
    data({ candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }] }),
    data({ candidates: [{ content: { role: "model", parts: [{ text, thought: true }] }, index: 0 }] }),
    data({ candidates: [{ content: { role: "model", parts: [] }, index: 0 }] }),
    data({ usageMetadata: { promptTokenCount: at, candidatesTokenCount: at } }),
  ],
};

/** One after the other, so that each of them comes in every try. */
const blank = (text: string) => (wire: Wire, at: number) => {
  const all = blanks[wire.protocol](text, at % 2_000);
  return all[at % all.length] ?? "";
};

const first = (wire: Wire, share: number): Uint8Array => {
  const bytes = bytesOf(wire.frames(sample));
  return bytes.subarray(0, bytes.length * share);
};

const firstFrames = (wire: Wire): Uint8Array => {
  const frames = wire.frames(sample);
  return bytesOf(frames.slice(0, frames.length * 0.4));
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
    writes: forEver(() => "x-more: and more\r\n"),
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
        answer: { head: "HTTP/1.1 500 Oops\r\n\r\n", writes: forEver(() => "x"), isRaw: true, pauseMs: 2 },
        patience: { idleMs },
        expected: { fault: "busy", says: "model.busy" },
      },
    ],
  },
  timed("silent inside JSON", () => ({ writes: ['{"error":'], after: "silence" })),
  chatter("comments for ever", () => ": still here\n\n"),
  chatter("empty lines for ever", () => "\n"),
  chatter("empty frames for ever", (wire) => wire.idle),
  chatter("unknown events for ever", () => 'event: shiny\ndata: {"type":"shiny"}\n\n'),
  chatter("unknown events with words for ever", (_, at) =>
    data({ type: "shiny", text: `word ${at}`, delta: { x: "y" } }),
  ),
  chatter(
    "bare colons, returns, names and times for ever",
    (_, at) => [":\n", "\r", "\r\n\r\n", "event: ping\n\n", "id: 7\n", "retry: 9\n\n"][at % 6] ?? "",
  ),
  chatter(
    "empty data for ever",
    (_, at) => ["data:\n\n", "data\n\n", "data: \n\n", "data:  \ndata:\n\n"][at % 4] ?? "",
  ),
  chatter("events without content for ever", blank("")),
  chatter("events with blanks for ever", blank(" \n\t")),
  chatter("events with characters that cannot be seen for ever", blank("\u200b\u00ad\ufeff\u2060")),
  timed(
    "one line that never ends",
    () => ({ writes: forEver(() => "x"), pauseMs: 2 }),
    () => ({
      writes: after(
        "data: {",
        forEver(() => " "),
      ),
      pauseMs: 2,
    }),
  ),
  {
    name: "open after the end",
    tries: (wire) => [
      {
        at: "all said",
        answer: { writes: [bytesOf(wire.frames(sample))], after: "silence" },
        // Far beyond the time that a case may take: whoever waits for the connection's end fails.
        patience: { idleMs: 60_000 },
        expected: { message: messageOf(sample, wire.protocol) },
      },
    ],
  },
  {
    name: "comments for ever after the end",
    tries: (wire) => [
      {
        at: "all said",
        answer: {
          writes: after(
            bytesOf(wire.frames(sample)),
            forEver(() => ": still here\n\n"),
          ),
          pauseMs: 2,
        },
        patience: { idleMs: 60_000 },
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
