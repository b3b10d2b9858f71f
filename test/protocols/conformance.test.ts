import { afterAll, expect, test } from "bun:test";
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../support/model-calls.ts";
import { startAttackServer } from "../support/wire/attack-server.ts";
import { wires } from "../support/wire/protocols.ts";
import { runCase } from "../support/wire/run.ts";
import { conformance } from "./conformance-cases.ts";

const server = await startAttackServer(() => ({ writes: [] }));
afterAll(() => server[Symbol.asyncDispose]());

for (const wire of wires) {
  for (const one of conformance.filter(({ tries }) => tries(wire).length > 0)) {
    test(`[MD-1] over ${wire.protocol}, this arrives as it was sent: ${one.name}`, async () => {
      expect(await runCase(server, wire, one)).toEqual([]);
    });
  }
}

for (const wire of wires) {
  test(`[MD-2] over ${wire.protocol}, calls at the same time through one port get their own replies`, async () => {
    const words = Array.from({ length: 8 }, (_, n) => `number ${n}: ${"päng ".repeat(20)}`);
    server.answer = ({ body }) => {
      const asked = words.find((word) => JSON.stringify(body).includes(word.slice(0, 9))) ?? "";
      return { writes: wire.frames({ parts: [{ kind: "text", text: asked }] }).map(({ sse }) => sse), pauseMs: 1 };
    };
    const port = await openModel(choiceAt(server.url, { protocol: wire.protocol }), { idleMs: 10_000 });
    const texts = words.map(async (word) => {
      const request = requestOf({ messages: [{ role: "user", text: word.slice(0, 9) }] });
      return replyOf(await deltasOf(port, request)).text;
    });
    expect(await Promise.all(texts)).toEqual(words);
  });
}
