// The bytes of a sound reply are cut, mixed with what does not belong there, and written with other line ends.
import { splitBytes } from "../support/scripted-reply.ts";
import type { Answer } from "../support/wire/attack-server.ts";
import type { Expected } from "../support/wire/outcome.ts";
import type { Wire } from "../support/wire/protocols.ts";
import { type Frame, messageOf } from "../support/wire/reply.ts";
import type { Case, Try } from "../support/wire/run.ts";
import { bytesOf, sample } from "./samples.ts";

const unreadable: Expected = { fault: "protocol", says: "model.unreadable" };

const same = (wire: Wire): Expected => ({ message: messageOf(sample, wire.protocol) });

/** The sample with every frame's text changed, written at once and byte by byte. */
function rewritten(name: string, change: (sse: string, at: number) => string): Case {
  return {
    name,
    tries: (wire) => {
      const text = wire.frames(sample).map(({ sse }, at) => change(sse, at));
      return [
        { at: "at once", answer: { writes: [text.join("")] }, expected: same(wire) },
        { at: "byte by byte", answer: { writes: splitBytes(text, 1) }, expected: same(wire) },
      ];
    },
  };
}

/** The sample with something written before each frame in turn. */
function mixedIn(name: string, what: (wire: Wire) => string | Uint8Array, expected: (wire: Wire) => Expected): Case {
  return {
    name,
    tries: (wire) => {
      const frames = wire.frames(sample);
      const last = frames.findIndex(({ carries }) => carries.kind === "finish");
      return [0, 3, Math.floor(last / 2), last].map((at) => mixed(wire, frames, at, what(wire), expected(wire)));
    },
  };
}

function mixed(wire: Wire, frames: readonly Frame[], at: number, what: string | Uint8Array, expected: Expected): Try {
  const before = frames.slice(0, at).map(({ sse }) => sse);
  const behind = frames.slice(at).map(({ sse }) => sse);
  const whole = messageOf(sample, wire.protocol);
  return {
    at: `before frame ${at}`,
    answer: { writes: [...before, what, ...behind] },
    expected: "fault" in expected ? { ...expected, beginningOf: whole } : expected,
  };
}

function inPieces(sizes: number | readonly number[]): (wire: Wire) => Try {
  return (wire) => ({
    at: `${sizes} bytes at a time`,
    answer: { writes: splitBytes([new TextDecoder().decode(bytesOf(wire.frames(sample)))], sizes) },
    expected: same(wire),
  });
}

const sizes: readonly (number | readonly number[])[] = [1, 2, 3, 7, 64, [1, 1_000], [500, 1]];
const notEvents = ["17", '"text"', "[]", "null", "true"];

export const byteAttacks: readonly Case[] = [
  { name: "cut at every byte", tries: (wire) => sizes.map((size) => inPieces(size)(wire)) },
  rewritten("CRLF line ends", (sse) => sse.replaceAll("\n", "\r\n")),
  rewritten("CR line ends", (sse) => sse.replaceAll("\n", "\r")),
  rewritten("line ends mixed", (sse, at) => sse.replaceAll("\n", ["\n", "\r\n", "\r"][at % 3]!)),
  rewritten("a byte order mark", (sse, at) => (at === 0 ? `\uFEFF${sse}` : sse)),
  rewritten("no space behind data:", (sse) => sse.replaceAll("data: ", "data:")),
  rewritten("ids, retry times and comments", (sse, at) => `: hello\nid: ${at}\nretry: 10\n${sse}`),
  rewritten("JSON over several lines", overLines),
  rewritten("JSON over several lines with CRLF", (sse) => overLines(sse).replaceAll("\n", "\r\n")),
  rewritten("unknown fields", (sse) => sse.replace("data: {", 'data: {"shiny":{"new":[1,null,"x"]},')),
  mixedIn("a line that says nothing", () => "just some words\n", same),
  mixedIn("NUL bytes between frames", () => new Uint8Array([0, 0, 0, 10]), same),
  mixedIn("invalid UTF-8 between frames", () => new Uint8Array([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 10]), same),
  mixedIn("an unknown event", () => 'event: shiny\ndata: {"type":"shiny","value":1}\n\n', same),
  mixedIn("an event without data", () => "event: shiny\n\n", same),
  mixedIn(
    "an event that is not JSON",
    () => "data: {nonsense\n\n",
    () => unreadable,
  ),
  mixedIn(
    "a NUL inside JSON",
    () => 'data: {"type":"\0"}\n\n',
    () => unreadable,
  ),
  ...notEvents.map((value) =>
    mixedIn(
      `an event that is ${value}`,
      () => `data: ${value}\n\n`,
      () => unreadable,
    ),
  ),
  mixedIn("invalid UTF-8 inside a string", () => badString, same),
  { name: "text of the wrong type", tries: (wire) => [wrongType(wire)] },
  { name: "cut inside a character", tries: cutCharacter },
];

/** In an unknown event, so that the reply itself stays sound. */
const badString = new Uint8Array([
  ...new TextEncoder().encode('data: {"type":"shiny","x":"'),
  0xff,
  0xfe,
  34,
  125,
  10,
  10,
]);

function overLines(sse: string): string {
  if (sse.includes("[DONE]")) return sse;
  const [name, json = ""] = sse.split("data: ");
  const lines = JSON.stringify(JSON.parse(json), null, 1).split("\n");
  return `${name}${lines.map((line) => `data: ${line}\n`).join("")}\n`;
}

function wrongType(wire: Wire): Try {
  const writes = wire.frames(sample).map(({ sse, carries }) => {
    return carries.kind === "text" ? sse.replace(JSON.stringify(carries.piece), "17") : sse;
  });
  return { at: "17 for a text", answer: { writes }, expected: unreadable };
}

/** Ends the connection between the bytes of one character, after what is whole. */
function cutCharacter(wire: Wire): readonly Try[] {
  const bytes = bytesOf(wire.frames(sample));
  const at = bytes.findIndex((byte) => byte >= 0xe0) + 1;
  const answer: Answer = { writes: [bytes.subarray(0, at)] };
  const whole = messageOf(sample, wire.protocol);
  return [{ at: `${at}`, answer, expected: { fault: "protocol", says: "model.cut_short", beginningOf: whole } }];
}
