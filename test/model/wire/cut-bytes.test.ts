import { expect, test } from "bun:test";
import fc from "fast-check";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf } from "../../support/model-calls.ts";
import { renderReply, type Step, splitBytes } from "../../support/scripted-reply.ts";

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const reply = fc.record(
  {
    text,
    thinking: text,
    chunkChars: fc.integer({ min: 1, max: 9 }),
    calls: fc.array(
      fc.record({
        tool: fc.constantFrom("read", "write"),
        input: fc.dictionary(fc.string({ maxLength: 5 }), text, { maxKeys: 3 }),
        id: fc.option(fc.constantFrom("a", "b")),
      }),
      { maxLength: 3 },
    ),
    usage: fc.record({ input: fc.nat(9_999), output: fc.nat(9_999) }),
  },
  { requiredKeys: [] },
);
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

test("[MD-7] the same bytes give the same reply, however they are cut and whatever ends their lines", async () => {
  let writes: readonly Uint8Array[] = [];
  using server = Bun.serve({
    port: 0,
    async fetch(request) {
      await request.text();
      const pieces = writes.values();
      const body = new ReadableStream({
        async pull(controller) {
          const next = pieces.next();
          if (next.done) return controller.close();
          controller.enqueue(next.value);
          // Lets the piece leave before the next one is asked for, so that they are not sent as one.
          await new Promise((resolve) => setImmediate(resolve));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const port = await openModel(choiceAt(`${server.url.href}v1`), { idleMs: 5_000 });
  const replyTo = async (chunks: readonly Uint8Array[]) => {
    writes = chunks;
    return replyOf(await deltasOf(port));
  };
  await fc.assert(
    fc.asyncProperty(reply, sizes, lineEnd, async (given, cuts, end) => {
      const step = given as Step;
      const events = renderReply(step, "tiny", "0");
      const whole = await replyTo(splitBytes(events, Number.POSITIVE_INFINITY));
      const cut = await replyTo(splitBytes([events.join("").replaceAll("\n", end)], cuts));
      expect(cut).toEqual(whole);
      const { text: said, thinking, calls, ended } = whole;
      expect({ said, thinking, calls: calls.map(({ args }) => args), ended }).toEqual({
        said: step.text ?? "",
        thinking: step.thinking ?? "",
        calls: (step.calls ?? []).map(({ input }) => JSON.stringify(input)),
        ended: true,
      });
    }),
    { numRuns: 60 },
  );
}, 120_000);

test("[MD-7] one byte per write splits every character and every line, and changes nothing", async () => {
  const { startScriptedServer } = await import("../../support/scripted-server.ts");
  using server = startScriptedServer([
    { text: "日本語 🎉 ё", calls: [{ tool: "write", input: { content: "ÿ€😀" } }], chunkBytes: 1 },
  ]);
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  const { text: said, calls } = replyOf(await deltasOf(port));
  expect({ said, args: calls.map(({ args }) => args) }).toEqual({ said: "日本語 🎉 ё", args: ['{"content":"ÿ€😀"}'] });
});
