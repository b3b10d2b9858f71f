// Everything but a sound answer: error statuses, pages, redirects, broken bodies and connections.
import type { ModelFault } from "../../src/contract/delta.ts";
import type { TextKey } from "../../src/contract/text/catalogue.ts";
import type { Answer } from "../support/wire/attack-server.ts";
import { type Expected, secret } from "../support/wire/outcome.ts";
import type { Wire } from "../support/wire/protocols.ts";
import { messageOf } from "../support/wire/reply.ts";
import type { Case, Try } from "../support/wire/run.ts";
import { bytesOf, sample } from "./samples.ts";

type Kind = ModelFault["kind"];

/** What each status means for the next move (MD-4). */
const statuses: Readonly<Record<number, readonly [kind: Kind, says: TextKey]>> = {
  400: ["bad_request", "model.rejected"],
  401: ["auth", "model.auth"],
  403: ["auth", "model.auth"],
  404: ["bad_request", "model.rejected"],
  408: ["busy", "model.busy"],
  413: ["overflow", "model.overflow"],
  429: ["busy", "model.busy"],
  500: ["busy", "model.busy"],
  502: ["busy", "model.busy"],
  503: ["busy", "model.busy"],
  529: ["busy", "model.busy"],
};

const later = { date: "Wed, 21 Oct 2026 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" };
const waits: readonly (readonly [headers: Readonly<Record<string, string>>, ms: number | null])[] = [
  [{}, null],
  [{ "retry-after": "7" }, 7_000],
  [{ "retry-after-ms": "1500" }, 1_500],
  [later, 30_000],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "-1" }, null],
];

function answered(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer {
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const length = `content-length: ${Buffer.byteLength(body as string)}`;
  return { head: `HTTP/1.1 ${status} Oops\r\n${[...lines, length].join("\r\n")}\r\n\r\n`, writes: [body], isRaw: true };
}

/** Repeats the key, as some servers do with what they refuse. */
const message = `no, ${secret} will not do`;

function statusCase(status: number): Case {
  const [fault, says] = statuses[status]!;
  const tries = (wire: Wire): readonly Try[] =>
    (fault === "busy" ? waits : waits.slice(0, 1)).map(([headers, retryAfterMs]) => ({
      at: JSON.stringify(headers),
      answer: answered(status, wire.errorBody(status, message), headers),
      expected: { fault, says, retryAfterMs },
    }));
  return { name: `HTTP ${status}`, tries };
}

/** The same answer for every protocol. */
function everywhere(name: string, answer: (wire: Wire) => Answer, expected: (wire: Wire) => Expected): Case {
  return { name, tries: (wire) => [{ at: name, answer: answer(wire), expected: expected(wire) }] };
}

const failed =
  (fault: Kind, says: TextKey) =>
  (wire: Wire): Expected => ({ fault, says, beginningOf: messageOf(sample, wire.protocol) });
const cutShort = failed("protocol", "model.cut_short");
const half = (wire: Wire): Uint8Array => {
  const bytes = bytesOf(wire.frames(sample));
  return bytes.subarray(0, bytes.length / 2);
};
const eventHead = (more: string): string => `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${more}\r\n`;
const page = "<!doctype html><title>Sign in</title><p>Sign in first.</p>";

export const httpAttacks: readonly Case[] = [
  ...Object.keys(statuses).map((status) => statusCase(Number(status))),
  everywhere(
    "HTTP 500 with a page",
    () => answered(500, page, { "content-type": "text/html" }),
    failed("busy", "model.busy"),
  ),
  everywhere("HTTP 500 with 10 MB", () => answered(500, "x".repeat(10_000_000)), failed("busy", "model.busy")),
  everywhere("HTTP 500 without a body", () => answered(500, ""), failed("busy", "model.busy")),
  everywhere("HTTP 401 that breaks off", () => brokenOff(401), failed("auth", "model.auth")),
  everywhere(
    "a redirect",
    () => answered(307, "", { location: "http://127.0.0.1:1/" }),
    failed("bad_request", "model.rejected"),
  ),
  everywhere(
    "a page instead of a reply",
    () => answered(200, page, { "content-type": "text/html" }),
    failed("protocol", "model.no_stream"),
  ),
  everywhere(
    "a page, called a stream of events",
    () => answered(200, ` \n${page}`, { "content-type": "text/event-stream" }),
    failed("protocol", "model.no_stream"),
  ),
  everywhere("JSON instead of a stream", () => answered(200, '{"id":"x"}'), failed("protocol", "model.no_stream")),
  everywhere(
    "10 MB of JSON",
    () => answered(200, `[${"1,".repeat(5_000_000)}1]`),
    failed("protocol", "model.no_stream"),
  ),
  everywhere(
    "an error instead of a stream",
    () => answered(200, `{"error":{"message":"${message}","code":"server_error"}}`),
    failed("busy", "model.busy"),
  ),
  everywhere("an empty body", () => answered(200, ""), cutShort),
  everywhere(
    "HTTP 204",
    () => ({ head: "HTTP/1.1 204 No Content\r\n\r\n", writes: [], isRaw: true }),
    failed("protocol", "model.unreadable"),
  ),
  everywhere(
    "closed after the headers",
    () => ({ writes: [], after: "hang_up" }),
    failed("connection", "model.broken"),
  ),
  everywhere(
    "garbage for gzip",
    () => ({ head: eventHead("content-encoding: gzip\r\n"), writes: ["not gzip"], isRaw: true }),
    failed("protocol", "model.unreadable"),
  ),
  everywhere(
    "no HTTP at all",
    () => ({ head: "good morning\r\n\r\n", writes: [], isRaw: true }),
    failed("protocol", "model.unreadable"),
  ),
  everywhere(
    "reset before the answer",
    () => ({ head: "", writes: [], isRaw: true, after: "reset" }),
    failed("connection", "model.unreachable"),
  ),
  everywhere(
    "reset in the middle",
    (wire) => ({ writes: [half(wire)], after: "reset" }),
    failed("connection", "model.broken"),
  ),
  everywhere(
    "closed in the middle",
    (wire) => ({ writes: [half(wire)], after: "hang_up" }),
    failed("connection", "model.broken"),
  ),
  everywhere("ended in the middle", (wire) => ({ writes: [half(wire)] }), cutShort),
  everywhere(
    "shorter than announced",
    (wire) => ({ head: eventHead("content-length: 99999\r\n"), writes: [half(wire)], isRaw: true }),
    failed("connection", "model.broken"),
  ),
  everywhere(
    "a body that ends with the connection",
    (wire) => ({ head: eventHead("connection: close\r\n"), writes: [bytesOf(wire.frames(sample))], isRaw: true }),
    (wire) => ({ message: messageOf(sample, wire.protocol) }),
  ),
  everywhere(
    "closed after the last frame",
    (wire) => ({ writes: [bytesOf(wire.frames(sample))], after: "hang_up" }),
    (wire) => ({ message: messageOf(sample, wire.protocol) }),
  ),
  inStream("overloaded, first", "overloaded", 0, "busy", "model.busy"),
  inStream("overloaded, in the middle", "overloaded", 5, "busy", "model.busy"),
  inStream("too long, first", "overflow", 0, "overflow", "model.overflow"),
  inStream("too long, in the middle", "overflow", 5, "overflow", "model.overflow"),
];

function brokenOff(status: number): Answer {
  const head = `HTTP/1.1 ${status} No\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
  return { head, writes: ['{"error":'], isRaw: true, after: "hang_up" };
}

/** An error inside the stream; nothing that follows counts. */
function inStream(name: string, what: "overloaded" | "overflow", at: number, fault: Kind, says: TextKey): Case {
  return everywhere(
    `an error event: ${name}`,
    (wire) => {
      const frames = wire.frames(sample).map(({ sse }) => sse);
      return { writes: frames.toSpliced(at, 0, wire.errorFrames[what]) };
    },
    failed(fault, says),
  );
}
