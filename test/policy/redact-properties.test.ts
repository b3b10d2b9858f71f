import { expect, test } from "bun:test";
import fc from "fast-check";
import { redactor } from "../../src/policy/redact.ts";
import { RedactingStream } from "../../src/policy/secret/stream.ts";
import { alnum, body, hex, samples } from "./secret/corpus.ts";

const redact = redactor([]);

const token = body(alnum, 24, 3);
const esc = "\u001b";
const noise = fc.constantFrom(
  ...[
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    "-",
    "--",
    "=",
    ":",
    "'",
    '"',
    '\\"',
    "\\n",
    "\\\n",
    "\\",
    "/",
    "@",
    ";",
    ",",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
  ],
  ...[
    "password",
    "PASSWORD",
    "token",
    "secret",
    "api_key",
    "Authorization: ",
    "Bearer ",
    "Basic ",
    "Cookie: ",
    "a=",
    "value",
    "login ",
    "machine ",
  ],
  ...[
    "--password ",
    "mysql -p",
    "curl -u ",
    "https://",
    "me:",
    "export ",
    "name: ",
    "%22",
    "%3D",
    "&",
    "?",
    "|",
    "|| ",
    ">-\n",
    "$6$",
    "{SHA}",
    ":5432:",
    "\tTRUE\t",
  ],
  ...[
    "hunter2",
    token,
    body(hex, 32, 1),
    `ghp_${body(alnum, 36, 1)}`,
    `sk-${body(alnum, 48, 1)}`,
    "eyJ",
    "AKIA",
    "sk-",
    "LS0tLS1CRUdJTi",
    "changeme",
    "word",
  ],
  ...[
    `${esc}[31m`,
    `${esc}[0m`,
    "\\u001b[1m",
    "[REDACTED:bearer:01234567]",
    "[REDACTED:",
    "[REDACTED:x",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
  ],
  ...samples.map(({ make }) => make(5).text),
);
const anyText = fc.array(noise, { maxLength: 16 }).map((parts) => parts.join(""));

test("[TP-6] redacting twice changes nothing more, whatever stands side by side", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, count: 0 });
    }),
    { numRuns: 10_000 },
  );
});

test("[TP-6] the same with values that the process knows", () => {
  const clean = redactor(["hunter2 word", token, "word word word", "REDACTED:bearer", "password"]);
  fc.assert(
    fc.property(anyText, (text) => {
      const once = clean(text).text;
      expect(clean(once)).toEqual({ text: once, count: 0 });
    }),
    { numRuns: 3_000 },
  );
});

test("[TP-6] JSON stays JSON with the same shape when the text of it is redacted", () => {
  const shape = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shape(one)]))
      : typeof value;
  const key = fc.constantFrom("password", "token", "text", "a", "name", "value", "Authorization", "cookie");
  fc.assert(
    fc.property(fc.array(fc.record({ key, text: anyText }), { maxLength: 5 }), fc.boolean(), (rows, isNested) => {
      const flat = Object.fromEntries(rows.map((row) => [row.key, row.text]));
      const value = isNested ? { output: JSON.stringify(flat), flat } : flat;
      const text = redact(JSON.stringify(value, null, 1)).text;
      expect(shape(JSON.parse(text))).toEqual(shape(value));
    }),
    { numRuns: 5_000 },
  );
});

test("[TP-6] a vendor's token never survives, whatever stands around it", () => {
  const apart = fc.constantFrom(" ", "\n", '"', "'", "=", ": ", "\t", "(", ",", "\\n", `${esc}[1m`);
  fc.assert(
    fc.property(
      anyText,
      anyText,
      apart,
      apart,
      fc.constantFrom(...samples),
      fc.nat({ max: 999 }),
      (before, after, left, right, { make }, seed) => {
        const { text, secret } = make(seed + 10);
        expect(redact(before + left + text + right + after).text).not.toContain(secret);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("[TP-6] no part of a token that came in pieces is shown before the whole is known", () => {
  fc.assert(
    fc.property(
      anyText,
      fc.constantFrom(...samples),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
      (before, { make }, sizes) => {
        const { text, secret } = make(7);
        const whole = `${before} ${text} end\n`;
        const stream = new RedactingStream([]);
        let shown = "";
        for (let at = 0, i = 0; at < whole.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          shown += stream.push(whole.slice(at, at + size));
          at += size;
        }
        expect(shown + stream.end()).not.toContain(secret);
      },
    ),
    { numRuns: 2_000 },
  );
});
