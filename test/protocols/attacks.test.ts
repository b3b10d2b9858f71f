import { afterAll, expect, test } from "bun:test";
import { startAttackServer } from "../support/wire/attack-server.ts";
import { wires } from "../support/wire/protocols.ts";
import { runCase } from "../support/wire/run.ts";
import { attacks } from "./attacks.ts";

const server = await startAttackServer(() => ({ writes: [] }));
afterAll(() => server[Symbol.asyncDispose]());

for (const wire of wires) {
  for (const one of attacks.filter(({ tries }) => tries(wire).length > 0)) {
    test(`[MD-4] [MD-7] over ${wire.protocol}, this ends in the right message or error: ${one.name}`, async () => {
      expect(await runCase(server, wire, one)).toEqual([]);
    });
  }
}
