import { expect, test } from "bun:test";
import type { MessageDelta, ModelFault } from "../../../src/contract/delta.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf, requestOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";
import type { Step } from "../../support/scripted-reply.ts";
import { startScriptedServer } from "../../support/scripted-server.ts";

const secret = "my-own-secret-key";

async function answerTo(step: Step): Promise<readonly MessageDelta[]> {
  using server = startScriptedServer([step]);
  const port = await openModel(choiceAt(server.url, { apiKey: secret }), { idleMs: 5_000 });
  return await deltasOf(port);
}

interface Seen {
  readonly kinds: string;
  readonly fault: ModelFault | undefined;
  readonly says: string;
}

/** Kinds in order, the fault, and the English text without the port. */
function seen(deltas: readonly MessageDelta[]): Seen {
  const failure = replyOf(deltas).failure;
  const says = failure ? say("en", failure.error.text).replace(/127\.0\.0\.1:\d+/, "HOST") : "";
  return { kinds: deltas.map(({ kind }) => kind).join(" "), fault: failure?.fault, says };
}

const busy = (retryAfterMs: number | null): ModelFault => ({ kind: "busy", retryAfterMs });
const plain = (kind: ModelFault["kind"]): ModelFault => ({ kind, retryAfterMs: null });
const said = (message: string): string => JSON.stringify({ error: { message, type: "x", code: null } });

const httpDate = { date: "Wed, 21 Oct 2026 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" };
const answers: readonly (readonly [step: Step, fault: ModelFault, says: string])[] = [
  [{ status: 429, body: said("slow down") }, busy(null), "local (HOST) is unavailable: HTTP 429, slow down"],
  [{ status: 429, body: "", headers: { "retry-after": "7" } }, busy(7_000), "local (HOST) is unavailable: HTTP 429"],
  [
    { status: 429, body: "", headers: { "retry-after-ms": "1500", "retry-after": "9" } },
    busy(1_500),
    "local (HOST) is unavailable: HTTP 429",
  ],
  [{ status: 503, body: "", headers: httpDate }, busy(30_000), "local (HOST) is unavailable: HTTP 503"],
  [{ status: 503, body: "", headers: { "retry-after": "soon" } }, busy(null), "local (HOST) is unavailable: HTTP 503"],
  [{ status: 503, body: "", headers: { "retry-after": "-5" } }, busy(null), "local (HOST) is unavailable: HTTP 503"],
  [{ status: 408, body: "" }, busy(null), "local (HOST) is unavailable: HTTP 408"],
  [{ status: 500, body: "<html>oops</html>" }, busy(null), "local (HOST) is unavailable: HTTP 500"],
  [{ status: 529, body: said("Overloaded") }, busy(null), "local (HOST) is unavailable: HTTP 529, Overloaded"],
  [{ status: 401, body: said("bad key") }, plain("auth"), "local (HOST) rejected the key: HTTP 401, bad key"],
  [{ status: 403, body: '{"detail":"no"}' }, plain("auth"), "local (HOST) rejected the key: HTTP 403, no"],
  [
    { status: 404, body: '{"error":"model \\"tiny\\" not found"}' },
    plain("bad_request"),
    'local (HOST) rejected the request: HTTP 404, model "tiny" not found',
  ],
  [
    { status: 422, body: '{"detail":[{"msg":"bad field"}]}' },
    plain("bad_request"),
    "local (HOST) rejected the request: HTTP 422, bad field",
  ],
  [
    { status: 429, body: JSON.stringify({ error: { message: "no money", code: "insufficient_quota" } }) },
    plain("bad_request"),
    "local (HOST) rejected the request: HTTP 429, no money",
  ],
  [
    { status: 307, body: "", headers: { location: "http://127.0.0.1:1/" } },
    plain("bad_request"),
    "local (HOST) rejected the request: HTTP 307",
  ],
  [
    { body: `data: ${said("context_length_exceeded")}\n\n` },
    plain("overflow"),
    "the request is too long for tiny at local (HOST): context_length_exceeded",
  ],
  [
    { body: 'data: {"error":{"message":"upstream is gone","code":502},"choices":[]}\n\n' },
    busy(null),
    "local (HOST) is unavailable: HTTP 502, upstream is gone",
  ],
  [{ body: 'data: {"error":"boom"}\n\n' }, plain("protocol"), "local (HOST) reported an error: boom"],
  [{ body: "" }, plain("protocol"), "local (HOST) ended its reply without marking it complete"],
  [
    { body: "<html>a login page</html>" },
    plain("protocol"),
    "local (HOST) answered with HTML, not with a stream of events",
  ],
  [
    { body: '{"id":"x","choices":[{"message":{"content":"hi"}}]}' },
    plain("protocol"),
    "local (HOST) answered with JSON, not with a stream of events",
  ],
  [
    { body: ` \r\n${JSON.stringify({ error: { message: "no such model", code: "model_not_found" } }, null, 2)}` },
    plain("bad_request"),
    "local (HOST) rejected the request: no such model",
  ],
  [
    { body: '{"code":500,"msg":"404 NOT_FOUND","success":false}' },
    busy(null),
    "local (HOST) is unavailable: HTTP 500, 404 NOT_FOUND",
  ],
  [{ body: '{"error":' }, plain("protocol"), "local (HOST) answered with JSON, not with a stream of events"],
];
for (const [step, fault, says] of answers) {
  test(`[MD-4] HTTP ${step.status ?? 200} with ${JSON.stringify({ ...step.headers, body: step.body?.slice(0, 60) })} is ${fault.kind}`, async () => {
    expect(seen(await answerTo(step))).toEqual({ kinds: "start error", fault, says });
  });
}

const windows: readonly (readonly [who: string, status: number, body: unknown])[] = [
  [
    "OpenAI",
    400,
    {
      error: {
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
        type: "invalid_request_error",
        code: "context_length_exceeded",
      },
    },
  ],
  ["OpenAI, newer", 400, { error: { message: "Your input exceeds the context window of this model." } }],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_ctx: 4096,
      },
    },
  ],
  [
    "vLLM",
    400,
    {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "vLLM, newer",
    400,
    {
      error: {
        message: "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
        code: 400,
      },
    },
  ],
  ["Ollama", 400, { error: "prompt too long; exceeded max context length by 4 tokens" }],
  ["Ollama, runner", 500, { error: { message: "the input length exceeds the context length" } }],
  [
    "OpenRouter",
    400,
    {
      error: {
        message: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
        code: 400,
      },
    },
  ],
  [
    "LM Studio",
    400,
    { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
  ],
  ["Anthropic behind a gateway", 400, { error: { message: "prompt is too long: 213462 tokens > 200000 maximum" } }],
  [
    "Google behind a gateway",
    400,
    { error: { message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)." } },
  ],
  [
    "DashScope",
    400,
    {
      error: {
        message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 202752]",
        type: "invalid_request_error",
        code: "invalid_parameter_error",
      },
    },
  ],
  [
    "SGLang",
    400,
    {
      object: "error",
      message: "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
      code: 400,
    },
  ],
  [
    "vLLM, for input alone",
    400,
    {
      error: { message: "You passed 9 input tokens. However, the model's context length is only 8 tokens.", code: 400 },
    },
  ],
  ["Zhipu", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
  ["Zhipu, in Chinese", 400, { error: { code: "1261", message: "Prompt 超长" } }],
  [
    "Kimi, by bytes",
    400,
    { error: { type: "invalid_request_error", message: "total message size 10176584 exceeds limit 2097152" } },
  ],
  ["a proxy's body limit", 413, "Request Entity Too Large"],
];
for (const [who, status, body] of windows) {
  test(`[MD-4] a request too long for the window is told from other bad requests: ${who}`, async () => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(seen(await answerTo({ status, body: text })).fault).toEqual(plain("overflow"));
  });
}

const unpaid: readonly (readonly [who: string, status: number, error: unknown])[] = [
  [
    "OpenAI",
    429,
    { message: "You exceeded your current quota", type: "insufficient_quota", code: "insufficient_quota" },
  ],
  ["Kimi", 429, { message: "Your account is suspended", type: "exceeded_current_quota_error" }],
  ["Zhipu", 429, { code: "1113", message: "余额不足或无可用资源包,请充值。" }],
  ["DeepSeek", 402, { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" }],
  ["OpenRouter", 402, { code: 402, message: "This request requires more credits" }],
  [
    "DashScope",
    400,
    { code: "Arrearage", message: "Access denied, please make sure your account is in good standing." },
  ],
  [
    "Anthropic",
    400,
    { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
  ],
];
for (const [who, status, error] of unpaid) {
  test(`[MD-4] an account without money is not asked again, and the advice is to pay or to change the model: ${who}`, async () => {
    const failure = replyOf(await answerTo({ status, body: JSON.stringify({ error }) })).failure;
    expect([failure?.fault, failure?.error.advice?.key]).toEqual([plain("bad_request"), "advice.model_quota"]);
  });
}

test("[MD-4] Google's limit per minute speaks of quota and billing too, and is waited for", async () => {
  const message = "You exceeded your current quota, please check your plan and billing details.";
  const body = JSON.stringify({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } });
  expect(seen(await answerTo({ status: 429, body })).fault).toEqual(busy(null));
});

test("[MD-4] a limit of tokens per minute is not taken for a full window", async () => {
  const body = said("Rate limit reached: reduce the length of the messages. Limit 6000 tokens per minute.");
  expect(seen(await answerTo({ status: 429, body })).fault).toEqual(busy(null));
});

const garbage: readonly (readonly [what: string, body: string])[] = [
  ["an event that is not JSON", "data: {nonsense\n\n"],
  ["an event that is no object", "data: 17\n\n"],
  ["choices of the wrong type", 'data: {"choices":[{"delta":{"content":17}}]}\n\n'],
  [
    "a call without a name",
    'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}\n\n',
  ],
];
for (const [what, body] of garbage) {
  test(`[MD-7] after good text, ${what} is a clean protocol error`, async () => {
    const deltas = await answerTo({ body: `data: {"choices":[{"delta":{"content":"hi"}}]}\n\n${body}` });
    const { kinds, fault, says } = seen(deltas);
    expect({ kinds, fault }).toEqual({ kinds: "start text error", fault: plain("protocol") });
    expect(says).toStartWith("local (HOST) sent an unreadable reply: ");
  });
}

test("[ER-2] what the provider repeats of keys, control characters and length never reaches the message", async () => {
  const long = `Key ${secret} or sk-abcdef1234567890 \u001b[2J\u202e\n ${"long ".repeat(100)}`;
  const { says } = seen(await answerTo({ status: 400, body: said(long) }));
  const shown = `Key [redacted] or [redacted] [2J ${"long ".repeat(100)}`.slice(0, 300).trimEnd();
  expect(says).toBe(`local (HOST) rejected the request: HTTP 400, ${shown}…`);
});

test("[ER-2] the advice for a refused key names where the key is read from, and the host without credentials", async () => {
  using server = startScriptedServer([{ status: 401, body: "{}" }]);
  const url = server.url.replace("http://", "http://someone:hunter22@");
  const port = await openModel(choiceAt(url), { idleMs: 5_000 });
  const failure = replyOf(await deltasOf(port)).failure;
  expect(failure?.error).toEqual({
    code: "E_MODEL",
    text: { key: "model.auth", args: { provider: "local", host: new URL(server.url).host, detail: "HTTP 401" } },
    advice: { key: "advice.model_key", args: { names: "LOCAL_API_KEY / CODER_API_KEY" } },
  });
});

test("[MD-4] nobody listening, an unknown host and a connection dropped before the answer are connection failures", async () => {
  await using dropping = await startRawServer((socket) => socket.destroy());
  const found: string[] = [];
  for (const url of ["http://127.0.0.1:1/v1", "http://nowhere.invalid/v1", dropping.url]) {
    const port = await openModel(choiceAt(url), { idleMs: 5_000 });
    const { kinds, fault, says } = seen(await deltasOf(port));
    expect({ kinds, fault }).toEqual({ kinds: "start error", fault: plain("connection") });
    found.push(says.replace(/^.*: /, ""));
  }
  expect(found).toEqual(["ECONNREFUSED", "ENOTFOUND", "ECONNRESET"]);
});

test("[MD-7] an answer that is not HTTP is a protocol failure", async () => {
  await using server = await startRawServer((socket) => socket.end("good morning\r\n\r\n"));
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  expect(seen(await deltasOf(port)).fault).toEqual(plain("protocol"));
});

test("[MD-7] a connection that breaks inside a reply is a connection failure after what had arrived", async () => {
  const deltas = await answerTo({ text: "abcdef", chunkChars: 2, closeAfter: 2 });
  const { kinds, ...failure } = seen(deltas);
  expect(kinds).toMatch(/^start( text){1,2} error$/);
  expect(failure).toEqual({
    fault: plain("connection"),
    says: "the connection to local (HOST) broke before the reply was complete: ECONNRESET",
  });
  expect(replyOf(deltas).text).toBe("abcd");
});

test("[MD-4] an error answer whose body breaks off is judged by its status", async () => {
  await using server = await startRawServer((socket) => {
    socket.write(eventStreamHead.replace("200 OK", "401 Unauthorized") + httpChunk("no "), () => socket.destroy());
  });
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  expect(seen(await deltasOf(port)).fault).toEqual(plain("auth"));
});

test("[MD-3] a connection that breaks after the reply said it was complete leaves it complete", async () => {
  const deltas = await answerTo({ text: "abc", usage: { input: 1, output: 2 }, closeAfter: 2 });
  expect(seen(deltas)).toEqual({ kinds: "start text done", fault: undefined, says: "" });
});

test("[MD-7] a reply that ends cleanly but early, with a half-written event, is a protocol failure", async () => {
  await using server = await startRawServer((socket) => {
    socket.end(
      `${eventStreamHead}${httpChunk('data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: {"choi')}0\r\n\r\n`,
    );
  });
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  expect(seen(await deltasOf(port))).toEqual({
    kinds: "start text error",
    fault: plain("protocol"),
    says: "local (HOST) ended its reply without marking it complete",
  });
});

test("[MD-4] a failed call leaves the port usable, and a fault for the first requests only is over afterwards", async () => {
  using server = startScriptedServer([{ text: "at last", status: 503, body: "", times: 2 }]);
  const port = await openModel(choiceAt(server.url), { idleMs: 5_000 });
  const tries: string[] = [];
  for (const attempt of [1, 2, 3]) {
    const request = requestOf({ attempt });
    const reply = replyOf(await deltasOf(port, request), request);
    tries.push(reply.failure?.fault.kind ?? reply.text);
  }
  expect(tries).toEqual(["busy", "busy", "at last"]);
});
