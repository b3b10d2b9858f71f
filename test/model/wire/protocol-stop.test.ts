import { expect, test } from "bun:test";
import type { MessageDelta } from "../../../src/contract/delta.ts";
import type { Protocol } from "../../../src/contract/settings.ts";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, requestOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";
import { sse } from "../../support/sse-model.ts";
import { until } from "../../support/until.ts";

/** The first words of a reply in each protocol. */
const beginnings: Readonly<Record<Exclude<Protocol, "openai-chat">, readonly unknown[]>> = {
  "openai-responses": [{ type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "hi" }],
  anthropic: [
    { type: "message_start", message: { id: "m", model: "x", usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "hi" } },
  ],
  google: [{ candidates: [{ content: { parts: [{ text: "hi" }] } }] }],
};

type Place = "asked" | "answered" | "speaking";

for (const [protocol, events] of Object.entries(beginnings)) {
  for (const place of ["asked", "answered", "speaking"] as const satisfies readonly Place[]) {
    test(`[CAN-1] over ${protocol}, a call is cancelled at once when it is ${place}, and its connection closed`, async () => {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      await using server = await startRawServer((socket) => {
        if (place !== "asked") socket.write(eventStreamHead);
        if (place === "speaking") socket.write(httpChunk(events.map(sse).join("")));
        else reach();
      });
      const port = await openModel(choiceAt(server.url, { protocol: protocol as Protocol }), { idleMs: 600_000 });
      const stop = new AbortController();
      const seen: MessageDelta[] = [];
      const asked = (async () => {
        for await (const delta of port.stream(requestOf(), stop.signal)) {
          seen.push(delta);
          if (delta.kind === "text") reach();
        }
      })();
      await reached;
      stop.abort();
      await asked;
      const last = seen.at(-1);
      expect([seen.map(({ kind }) => kind).join(" "), last?.kind === "error" && last.fault.kind]).toEqual([
        place === "speaking" ? "start text error" : "start error",
        "cancelled",
      ]);
      await until("the connection is closed", () => server.open === 0);
    });
  }

  test(`[CAN-1] over ${protocol}, a call cancelled before it began sends nothing`, async () => {
    await using server = await startRawServer(() => {
      throw new Error("a connection");
    });
    const port = await openModel(choiceAt(server.url, { protocol: protocol as Protocol }), { idleMs: 10_000 });
    const kinds: string[] = [];
    for await (const delta of port.stream(requestOf(), AbortSignal.abort())) kinds.push(delta.kind);
    expect(kinds).toEqual(["start", "error"]);
  });
}
