// How the servers that speak this protocol tell the calls of a reply apart.
import { expect, test } from "bun:test";
import type { RawCall } from "../../../src/model/chat/chat-chunk.ts";
import { ChatEvents } from "../../../src/model/chat/chat-events.ts";
import { ReplyWriter } from "../../../src/model/reply/reply-writer.ts";

type Named = readonly (readonly [tool: string, args: string, id: string | null])[];

/** The calls that come of these pieces, each a chunk of its own, and what is wrong with them. */
function callsOf(pieces: readonly RawCall[]): { readonly calls: Named; readonly problem: string | null } {
  const reply = new ReplyWriter({ textCalls: null, joins: false });
  const events = new ChatEvents(reply);
  for (const piece of pieces) expect(events.read({ choices: [{ delta: { tool_calls: [piece] } }] })).toBeNull();
  const failure = events.end();
  const calls: [string, string, string | null][] = [];
  for (const body of reply.take()) {
    if (body.kind === "tool_call_start") calls.push([body.tool, "", body.providerId]);
    else if (body.kind === "tool_call_args") calls[body.ordinal]![1] += body.text;
  }
  return { calls, problem: failure?.kind === "unreadable" ? failure.detail : null };
}

const piece = (name: string | null, args: string, more: Omit<Partial<RawCall>, "function"> = {}): RawCall => ({
  function: { ...(name === null ? {} : { name }), arguments: args },
  ...more,
});

const habits: readonly (readonly [habit: string, pieces: readonly RawCall[], calls: Named])[] = [
  [
    "an index and an id, then the index alone",
    [
      piece("read", "", { index: 0, id: "a" }),
      piece(null, '{"x"', { index: 0 }),
      piece(null, ":1}", { index: 0 }),
      piece("list", "{}", { index: 1, id: "b" }),
    ],
    [
      ["read", '{"x":1}', "a"],
      ["list", "{}", "b"],
    ],
  ],
  [
    "whole calls with neither index nor id",
    [piece("read", '{"x":1}'), piece("read", '{"x":2}')],
    [
      ["read", '{"x":1}', null],
      ["read", '{"x":2}', null],
    ],
  ],
  [
    "pieces with neither index nor id belong to the last call",
    [piece("read", ""), piece(null, '{"x":'), piece(null, "1}")],
    [["read", '{"x":1}', null]],
  ],
  [
    "an id in every piece and no index",
    [
      piece("read", '{"x":', { id: "a" }),
      piece("list", "{", { id: "b" }),
      piece(null, "1}", { id: "a" }),
      piece(null, "}", { id: "b" }),
    ],
    [
      ["read", '{"x":1}', "a"],
      ["list", "{}", "b"],
    ],
  ],
  [
    "the name again in every piece",
    [
      piece("read", '{"x"', { index: 0, id: "a" }),
      piece("read", ":[1", { index: 0 }),
      piece("read", "]}", { index: 0 }),
    ],
    [["read", '{"x":[1]}', "a"]],
  ],
  [
    "a piece that looks like a beginning, in the middle of arguments",
    [piece("read", '{"x":', { index: 0, id: "a" }), piece("read", '{"y":1}}', { index: 0, id: "a" })],
    [["read", '{"x":{"y":1}}', "a"]],
  ],
  [
    "index 0 for every call",
    [
      piece("read", '{"x":1}', { index: 0, id: "a" }),
      piece("read", '{"x":2}', { index: 0, id: "b" }),
      piece("list", "{}", { index: 0, id: "c" }),
    ],
    [
      ["read", '{"x":1}', "a"],
      ["read", '{"x":2}', "b"],
      ["list", "{}", "c"],
    ],
  ],
  [
    "one id for every call",
    [piece("read", "{}", { index: 0, id: "same" }), piece("read", "{}", { index: 1, id: "same" })],
    [
      ["read", "{}", "same"],
      ["read", "{}", null],
    ],
  ],
  [
    "another id in every piece",
    [piece("read", '{"x":', { index: 0, id: "a" }), piece(null, "1}", { index: 0, id: "b" })],
    [["read", '{"x":1}', "a"]],
  ],
  [
    "the name behind the first arguments",
    [piece(null, '{"x"', { index: 0, id: "a" }), piece(null, ":", { index: 0 }), piece("read", "1}", { index: 0 })],
    [["read", '{"x":1}', "a"]],
  ],
  [
    "a blank name before the name",
    [piece(" ", "", { index: 0, id: "a" }), piece("read", "{}", { index: 0 })],
    [["read", "{}", "a"]],
  ],
  [
    "a blank name in later pieces",
    [piece("read", "{", { index: 0, id: "a" }), piece("", "}", { index: 0, id: "" })],
    [["read", "{}", "a"]],
  ],
  ["a call of nothing, which is none", [piece("", "{}", { index: 0, id: "a" })], []],
];
test.each(habits)("[MD-7] the calls of a server are put together: %s", (_, pieces, calls) => {
  expect(callsOf(pieces)).toEqual({ calls, problem: null });
});

test("[MD-7] arguments that never get a name are never given to another call", () => {
  const found = callsOf([piece("read", "{}", { index: 0, id: "a" }), piece(null, '{"x":1}', { index: 1 })]);
  expect(found).toEqual({ calls: [["read", "{}", "a"]], problem: "arguments of call 1, which never began" });
});
