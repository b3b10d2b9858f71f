import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { splitBytes } from "../support/scripted-reply.ts";
import { startAttackServer } from "../support/wire/attack-server.ts";
import { wires } from "../support/wire/protocols.ts";
import { messageOf, type WirePart, type WireReply } from "../support/wire/reply.ts";
import { runCase } from "../support/wire/run.ts";
import { bytesOf } from "./samples.ts";

const server = await startAttackServer(() => ({ writes: [] }));
afterAll(() => server[Symbol.asyncDispose]());

const isLong = process.env.CODER_TEST_LONG === "1";
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const call = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((input): WirePart => ({ kind: "call", tool: "read", args: JSON.stringify(input) }));
/** In the order that every protocol can say. */
const replies: fc.Arbitrary<WireReply> = fc.record({
  parts: fc
    .tuple(
      fc.array(
        words.map((text): WirePart => ({ kind: "thinking", text })),
        { maxLength: 1 },
      ),
      fc.array(
        words.map((text): WirePart => ({ kind: "text", text })),
        { maxLength: 1 },
      ),
      fc.array(call, { maxLength: 3 }),
    )
    .map((lists) => lists.flat()),
  chunkChars: fc.integer({ min: 1, max: 12 }),
});
const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });

for (const wire of wires) {
  test(`[MD-7] over ${wire.protocol}, any reply cut into any pieces arrives as it was sent`, async () => {
    await fc.assert(
      fc.asyncProperty(replies, cuts, async (reply, sizes) => {
        const writes = splitBytes([new TextDecoder().decode(bytesOf(wire.frames(reply)))], sizes);
        const expected = { message: messageOf(reply, wire.protocol) };
        const one = { name: "cut", tries: () => [{ at: `${sizes}`, answer: { writes }, expected }] };
        expect(await runCase(server, wire, one)).toEqual([]);
      }),
      { numRuns: isLong ? 500 : 40 },
    );
  }, 120_000);
}

test("a reply written in pieces is read in pieces", async () => {
  const wire = wires[0]!;
  const writes = splitBytes(["abcdef"], 2);
  let read: string[] = [];
  // A busy reader gets two pieces at once: with longer pauses it does not.
  for (let pauseMs = 20; pauseMs <= 20_000 && read.length < writes.length; pauseMs *= 10) {
    server.answer = () => ({ writes, pauseMs });
    const response = await fetch(`${server.url}${wire.path}`, { method: "POST", body: "{}" });
    read = [];
    for await (const bytes of response.body!) read.push(new TextDecoder().decode(bytes));
  }
  expect(read).toEqual(["ab", "cd", "ef"]);
});
