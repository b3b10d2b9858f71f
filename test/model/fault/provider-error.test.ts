// What the vendors document about their errors, each as it comes inside a stream or as a body.
import { expect, test } from "bun:test";
import { faultDelta } from "../../../src/model/fault/fault.ts";

const origin = { provider: "p", host: "h", model: "m", secrets: [], keyNames: ["K"] };

const said: readonly (readonly [value: unknown, kind: string, detail: string])[] = [
  [{ type: "overloaded_error", message: "Overloaded" }, "busy", "Overloaded"],
  [{ type: "rate_limit_error", message: "slow" }, "busy", "slow"],
  [{ type: "api_error", message: "oops" }, "busy", "oops"],
  [{ type: "authentication_error", message: "no" }, "auth", "no"],
  [{ type: "permission_error", message: "no" }, "auth", "no"],
  [{ type: "invalid_request_error", message: "bad" }, "bad_request", "bad"],
  [
    { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
    "overflow",
    "prompt is too long: 9 tokens > 8 maximum",
  ],
  [
    { type: "invalid_request_error", message: "input length and `max_tokens` exceed context limit: 9 + 9 > 8" },
    "overflow",
    "input length and `max_tokens` exceed context limit: 9 + 9 > 8",
  ],
  [{ type: "request_too_large", message: "big" }, "overflow", "big"],
  [{ type: "not_found_error", message: "model: m" }, "bad_request", "model: m"],
  [{ type: "billing_error", message: "pay" }, "bad_request", "pay"],
  [{ type: "error", code: "server_error", message: "sorry" }, "busy", "sorry"],
  [{ code: "rate_limit_exceeded", message: "slow" }, "busy", "slow"],
  [{ code: "context_length_exceeded", message: "long" }, "overflow", "long"],
  [{ code: "insufficient_quota", message: "pay" }, "bad_request", "pay"],
  [{ type: "invalid_request_error", code: "invalid_api_key", message: "no" }, "auth", "no"],
  [
    { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" },
    "busy",
    "HTTP 503, The model is overloaded.",
  ],
  [{ code: 429, message: "many", status: "RESOURCE_EXHAUSTED" }, "busy", "HTTP 429, many"],
  [{ status: "INVALID_ARGUMENT", message: "bad" }, "bad_request", "bad"],
  [{ status: "INTERNAL", message: "oops" }, "busy", "oops"],
  [
    [
      {
        error: { code: 400, status: "INVALID_ARGUMENT", message: "The input token count (9) exceeds the maximum (8)." },
      },
    ],
    "overflow",
    "HTTP 400, The input token count (9) exceeds the maximum (8).",
  ],
  [{ message: "who knows" }, "protocol", "who knows"],
  [null, "protocol", "?"],
  [[], "protocol", "?"],
];
test.each(said)("[MD-4] an error in a stream is understood by its name: %j is %s", (value, kind, detail) => {
  const { fault, error } = faultDelta(origin, { kind: "reported", value });
  expect([fault.kind, error.text.args?.detail]).toEqual([kind as "busy", detail]);
});

test("[MD-4] the wait named in an error inside a stream is honoured, nonsense is not", () => {
  const waits = ["34s", "0.5s", "-3s", "soon", 7].map((retryDelay) => {
    const value = { code: 429, message: "", details: [{ retryDelay }] };
    return faultDelta(origin, { kind: "reported", value }).fault.retryAfterMs;
  });
  expect(waits).toEqual([34_000, 500, null, null, null]);
});
