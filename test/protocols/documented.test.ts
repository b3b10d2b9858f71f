// Replies as the vendors print them in their documentation (the page is named in each file's first line), shortened.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { PartMeta, ReplyPart, Usage } from "../../src/contract/message.ts";
import type { Protocol } from "../../src/contract/settings.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../support/model-calls.ts";
import { splitBytes } from "../support/scripted-reply.ts";
import { startAttackServer } from "../support/wire/attack-server.ts";

const server = await startAttackServer(() => ({ writes: [] }));
afterAll(() => server[Symbol.asyncDispose]());

interface Told {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [id: string, tool: string, input: unknown])[];
  readonly usage: Usage | null;
  readonly finish: string;
  /** What goes back with the parts, in their order. */
  readonly meta: readonly (PartMeta | null)[];
}

const plain: Told = { text: "", thinking: "", calls: [], usage: null, finish: "stop", meta: [] };
const signed = (thoughtSignature: string): PartMeta => ({ google: { thoughtSignature } });

const documented: readonly (readonly [file: string, protocol: Protocol, told: Told])[] = [
  [
    "chat-text",
    "openai-chat",
    { ...plain, text: "Hello there.", usage: { input: 19, output: 10, cachedInput: 8, reasoning: 0 } },
  ],
  [
    "chat-tool-calls",
    "openai-chat",
    {
      ...plain,
      calls: [
        ["call_DdmO9pD3xa9XTPNJ32zg2hcA", "get_weather", { location: "Paris, France" }],
        ["call_Zw1", "get_weather", { location: "Bogotá" }],
      ],
      finish: "tool_calls",
    },
  ],
  [
    "responses-text",
    "openai-responses",
    { ...plain, text: "Hi there!", usage: { input: 37, output: 11, cachedInput: 0, reasoning: 0 } },
  ],
  [
    "responses-reasoning-and-call",
    "openai-responses",
    {
      ...plain,
      thinking: "**Looking up weather**",
      calls: [["call_1234xyz", "get_weather", { location: "Paris, France" }]],
      usage: { input: 75, output: 1_186, cachedInput: 64, reasoning: 1_024 },
      finish: "tool_calls",
      meta: [
        { openai: { itemId: "rs_6876cf02e0bc8192", reasoningEncryptedContent: "gAAAAABoISQ24OyVRYbkYfukdJoqdzWT" } },
        null,
      ],
    },
  ],
  [
    "anthropic-tool-use",
    "anthropic",
    {
      ...plain,
      text: "I look up the weather:",
      calls: [["toolu_01T1x1fJ34qAmk2tNTrN7Up6", "get_weather", { location: "San Francisco, CA" }]],
      usage: { input: 472, output: 89, cachedInput: 0, reasoning: 0 },
      finish: "tool_calls",
    },
  ],
  [
    "anthropic-thinking",
    "anthropic",
    {
      ...plain,
      text: "It is **21**.",
      thinking: "I need the GCD of 1071 and 462.\n\n1071 = 2 × 462 + 147\n462 = 3 × 147 + 21",
      usage: { input: 30, output: 60, cachedInput: 9, reasoning: 41 },
      meta: [{ anthropic: { signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=" } }, null],
    },
  ],
  [
    "google-text",
    "google",
    {
      ...plain,
      text: "1+1 equals 2.",
      thinking: "**Simple sum**\n\nOne and one.",
      usage: { input: 15, output: 32, cachedInput: 0, reasoning: 26 },
      meta: [null, signed("EjQKMgEMvS5fAqE=")],
    },
  ],
  [
    "google-calls",
    "google",
    {
      ...plain,
      calls: [
        ["8f2b1a3c", "check_flight", { flight: "AA100" }],
        ["9c", "check_weather", { city: "Paris", days: 2 }],
      ],
      usage: { input: 114, output: 89, cachedInput: 64, reasoning: 61 },
      finish: "tool_calls",
      meta: [signed("CiQBcsjafFx2aGVyZQ=="), null],
    },
  ],
];

for (const [file, protocol, told] of documented) {
  test(`[MD-1] a reply as its vendor documents it is read whole, at once and cut anywhere: ${file}`, async () => {
    const sse = await Bun.file(join(import.meta.dir, "documented", `${file}.sse`)).text();
    const port = await openModel(choiceAt(server.url, { protocol }), { idleMs: 10_000 });
    for (const writes of [[sse], splitBytes([sse], [97, 3])]) {
      server.answer = () => ({ writes });
      const { text, thinking, calls, usage, finish, parts = [] } = replyOf(await deltasOf(port, requestOf()));
      const called = calls.map(({ providerId, tool, args }) => [providerId, tool, JSON.parse(args)]);
      const meta = parts.map((part: ReplyPart) => part.meta ?? null);
      expect({ text, thinking, calls: called, usage, finish, meta }).toEqual({
        ...told,
        calls: [...told.calls],
      } as never);
    }
  });
}
