// 100 MB of everything. Each flood is answered in a process of its own, so that its peak of memory can be read.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Protocol } from "../../src/contract/settings.ts";
import { eventStreamHead } from "../support/raw-server.ts";
import type { AttackServer } from "../support/wire/attack-server.ts";
import type { Measured } from "../support/wire/measure.ts";
import type { Wire } from "../support/wire/protocols.ts";
import type { Carried, WirePart, WireReply } from "../support/wire/reply.ts";
import { sample } from "./samples.ts";

export interface Flood {
  readonly name: string;
  readonly writes: (wire: Wire) => Iterable<string | Uint8Array>;
  /** Those of a plain event stream when absent. */
  readonly head?: string;
  /** Where it is possible; everywhere when absent. */
  readonly isFor?: readonly Protocol[];
  /** What must come of it, without the peak of memory. */
  readonly expected: Omit<Measured, "peakMb">;
}

/** Most that the process may hold at any time: 16 MiB of reply several times over, beside the runtime. */
export const mostMb = 300;

const pieceSize = 60_000;
const total = 100_000_000;
const tooLarge: Flood["expected"] = { kinds: "start … error", fault: "protocol", says: "model.too_large", calls: null };

const tooMany: Flood["expected"] = { ...tooLarge, says: "model.unreadable" };

const parts: Readonly<Record<"text" | "thinking" | "args", WirePart>> = {
  text: { kind: "text", text: "x".repeat(pieceSize) },
  thinking: { kind: "thinking", text: "x".repeat(pieceSize) },
  args: { kind: "call", tool: "edit", args: "x".repeat(pieceSize) },
};

export const floods: readonly Flood[] = [
  { name: "100 MB of text", writes: (wire) => grown(wire, "text"), expected: tooLarge },
  { name: "100 MB of thinking", writes: (wire) => grown(wire, "thinking"), expected: tooLarge },
  { name: "100 MB of arguments", writes: (wire) => grown(wire, "args"), expected: tooLarge },
  { name: "100 MB in one line", writes: () => repeated("data: {", "x".repeat(pieceSize)), expected: tooLarge },
  { name: "100 MB in one event", writes: () => repeated("", `data: ${"x".repeat(pieceSize)}\n`), expected: tooLarge },
  { name: "100 MB of comments", writes: () => repeated("", `: ${"x".repeat(pieceSize)}\n\n`), expected: tooLarge },
  {
    name: "100 MB of unknown events, then a reply",
    writes: (wire) => [
      ...repeated("", `data: {"type":"shiny","x":"${"x".repeat(pieceSize)}"}\n\n`),
      ...wire.frames(sample).map(({ sse }) => sse),
    ],
    expected: { kinds: "start … done", fault: null, says: null, calls: 2 },
  },
  {
    name: "100 MB out of 100 kB of gzip",
    writes: () => [gzipSync(Buffer.concat([Buffer.from("data: {"), Buffer.alloc(total, "x")]))],
    head: eventStreamHead.replace("\r\n\r\n", "\r\ncontent-encoding: gzip\r\n\r\n"),
    expected: tooLarge,
  },
  {
    name: "100,000 calls",
    writes: (wire) => batches(wire.frames(manyCalls).map(({ sse }) => sse)),
    expected: tooMany,
  },
  {
    name: "100,000 empty parts",
    writes: (wire) => batches(Array.from({ length: 100_000 }, (_, at) => emptyPart(wire, at))),
    expected: tooMany,
    isFor: ["openai-responses", "anthropic"],
  },
  {
    name: "100,000 calls in one event",
    writes: inOneEvent,
    expected: tooMany,
    isFor: ["openai-chat", "google"],
  },
];

/** Where a list of calls fits into one event. */
function* inOneEvent(wire: Wire): Generator<string> {
  const calls = Array.from({ length: 100_000 }, (_, index) => index);
  if (wire.protocol === "google") {
    const parts = calls.map((n) => ({ functionCall: { id: `c${n}`, name: "read", args: {} } }));
    yield `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] })}\n\n`;
  } else {
    const tool_calls = calls.map((index) => ({ index, id: `c${index}`, function: { name: "read", arguments: "{}" } }));
    yield `data: ${JSON.stringify({ choices: [{ delta: { tool_calls }, finish_reason: "tool_calls" }] })}\n\n`;
  }
}

function emptyPart(wire: Wire, at: number): string {
  const item = { type: "message", id: `m${at}`, content: [] };
  const event =
    wire.protocol === "anthropic"
      ? { type: "content_block_start", index: at, content_block: { type: "text", text: "" } }
      : { type: "response.output_item.added", output_index: at, item, sequence_number: at };
  return `data: ${JSON.stringify(event)}\n\n`;
}

const manyCalls: WireReply = {
  parts: Array.from({ length: 100_000 }, () => ({ kind: "call", tool: "read", args: "{}" })),
};

/** One reply whose only text, thinking or arguments go on and on. */
function* grown(wire: Wire, kind: "text" | "thinking" | "args"): Generator<string> {
  const frames = wire.frames({ parts: [parts[kind]], chunkChars: pieceSize });
  const carries = (one: Carried): boolean => one.kind === kind && one.piece !== "";
  const at = frames.findIndex((frame) => carries(frame.carries));
  // Google sends arguments whole, so that there is one endless line.
  if (at === -1)
    return yield* repeated(
      'data: {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"x":"',
      "x".repeat(pieceSize),
    );
  yield* frames.slice(0, at).map(({ sse }) => sse);
  for (let n = 0; n * pieceSize < total; n++) yield renumbered(frames[at]!.sse, at + n);
  yield* frames.slice(at + 1).map(({ sse }) => sse);
}

/** A frame with a number of its own, where the protocol numbers them: otherwise it would be a repetition. */
function renumbered(sse: string, number: number): string {
  return sse.replace(/"sequence_number":\d+/, `"sequence_number":${number}`);
}

function* repeated(first: string, piece: string): Generator<string> {
  if (first !== "") yield first;
  for (let sent = 0; sent < total; sent += piece.length) yield piece;
}

function* batches(frames: readonly string[]): Generator<string> {
  for (let at = 0; at < frames.length; at += 500) yield frames.slice(at, at + 500).join("");
}

/** What is wrong, if anything, and the peak of memory. */
export async function runFlood(
  server: AttackServer,
  wire: Wire,
  flood: Flood,
): Promise<{ readonly problems: readonly string[]; readonly peakMb: number }> {
  server.answer = () => ({ writes: flood.writes(wire), ...(flood.head === undefined ? {} : { head: flood.head }) });
  const child = Bun.spawn(
    [
      process.execPath,
      "--no-env-file",
      "--config=/dev/null",
      join(import.meta.dir, "..", "support", "wire", "measure.ts"),
      wire.protocol,
      server.url,
    ],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (out === "") return { problems: [`ended without a word: ${err.slice(-500)}`], peakMb: 0 };
  const { peakMb, ...found } = JSON.parse(out) as Measured;
  const problems: string[] = [];
  if (!Bun.deepEquals(found, flood.expected)) problems.push(`${out.trim()}, not ${JSON.stringify(flood.expected)}`);
  if (peakMb > mostMb) problems.push(`${peakMb} MB at its peak, more than ${mostMb}`);
  return { problems, peakMb };
}
