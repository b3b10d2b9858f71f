import { expect, test } from "bun:test";
import fc from "fast-check";
import { findPlaceholder, redactor } from "../../src/policy/redact.ts";

const redact = redactor([]);

const dashes = "-----";
const begin = (label: string) => `${dashes}BEGIN ${label}${dashes}`;
const end = (label: string) => `${dashes}END ${label}${dashes}`;
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Not a key: text that looks like one, different for every seed. */
function body(length: number, seed = 1): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return alphabet[(state >> 16) & 63];
  }).join("");
}

const wrap = (text: string, width: number): string => (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join("\n");
const pem = (label: string, seed = 1) => `${begin(label)}\n${wrap(body(300, seed), 64)}\n${end(label)}`;

const labels = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"];
const placeholder = /^\[REDACTED:private-key:[0-9a-f]{8}\]$/;

test.each([...labels, "PGP PRIVATE KEY BLOCK"])("[TP-6] a whole %p is replaced by one placeholder", (label) => {
  const { text, count } = redact(`before\n${pem(label)}\nafter`);
  expect(text.split("\n")).toEqual(["before", expect.stringMatching(placeholder), "after"]);
  expect(count).toBe(1);
});

test("[TP-6] a key as JSON, with CRLF, in one line, indented or with line numbers is replaced whole", () => {
  const key = pem("PRIVATE KEY");
  const lines = key.split("\n");
  const forms = [
    JSON.stringify({ private_key: `${key}\n` }),
    lines.join("\r\n"),
    lines.join(" "),
    lines.map((line) => `    ${line}`).join("\n"),
    lines.map((line, i) => `${i + 1}\t${line}`).join("\n"),
    lines.map((line, i) => `keys/a.pem:${i + 1}:${line}`).join("\n"),
    `${dashes.slice(1)} BEGIN SSH2 ENCRYPTED PRIVATE KEY ${dashes.slice(1)}\n${body(70)}\n${dashes.slice(1)} END SSH2 ENCRYPTED PRIVATE KEY ${dashes.slice(1)}`,
  ];
  for (const form of forms) {
    const { text, count } = redact(form);
    expect([count, /[A-Za-z0-9+/]{24}/.test(text)]).toEqual([1, false]);
  }
});

test("[TP-6] a key whose end was cut off is replaced up to the cut and no further", () => {
  const cut = pem("RSA PRIVATE KEY").slice(0, 200);
  expect(redact(`${cut}\n[output truncated]\nthe rest`).text).toMatch(
    /^\[REDACTED:private-key:[0-9a-f]{8}\]\n\[output truncated\]\nthe rest$/,
  );
});

test("[TP-6] a key whose beginning was cut off is replaced from the cut on", () => {
  const cut = pem("RSA PRIVATE KEY").slice(60);
  expect(redact(`a line before\n${cut}\nafter`).text).toMatch(
    /^a line before\n\[REDACTED:private-key:[0-9a-f]{8}\]\nafter$/,
  );
});

test("[TP-6] an encrypted key that was cut off keeps none of its lines behind the headers", () => {
  const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF\n";
  const { text } = redact(`${begin("RSA PRIVATE KEY")}\n${headers}\n${wrap(body(200), 64)}`);
  expect(text).toMatch(placeholder);
});

test("markers that are only mentioned, public keys and certificates stay as they are", () => {
  const code = `if (text.startsWith("${begin("PRIVATE KEY")}")) {\n  return text.endsWith("${end("PRIVATE KEY")}");\n}`;
  const texts = [code, begin("PRIVATE KEY"), pem("CERTIFICATE"), pem("PUBLIC KEY"), "an id_rsa PRIVATE KEY is needed"];
  expect(texts.map((text) => redact(text))).toEqual(texts.map((text) => ({ text, count: 0 })));
});

const header: readonly (readonly [text: string, redacted: string])[] = [
  ["Authorization: Bearer abc.def-ghi_1", "Authorization: Bearer [auth-header]"],
  ["curl -H 'authorization: bearer abcdefgh'", "curl -H 'authorization: bearer [auth-header]'"],
  ['{"Authorization": "Basic dXNlcjpwYXNz"}', '{"Authorization": "Basic [auth-header]"}'],
  [
    String.raw`{\"Authorization\": \"Token 0123456789abcdef\"}`,
    String.raw`{\"Authorization\": \"Token [auth-header]\"}`,
  ],
  ['headers["Authorization"] = "Bearer abcd1234efgh"', 'headers["Authorization"] = "Bearer [auth-header]"'],
  ["Proxy-Authorization: Basic dXNlcjpwYXNz==", "Proxy-Authorization: Basic [auth-header]"],
  ["authorization=authorization: Basic dXNlcjpwYXNz", "authorization=authorization: Basic [auth-header]"],
  ["authorization=sk-0123456789abcdef0123", "authorization=[auth-header]"],
  ["sent Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc to it", "sent Bearer [bearer] to it"],
];

test.each(header)("[TP-6] in %p only the secret is replaced", (text, redacted) => {
  expect(redact(text).text.replace(/\[REDACTED:([a-z-]+):[0-9a-f]{8}\]/g, "[$1]")).toBe(redacted);
});

const noSecret = [
  ...["Authorization: Bearer YOUR_TOKEN_HERE", "Authorization: Bearer $TOKEN", "Authorization: Bearer undefined"],
  ...[
    "Authorization: Bearer <token>",
    "const authorization = getAuthorizationHeader(request);",
    "authorization: string",
  ],
  ...["the bearer authentication-scheme", "Bearer xxxxxxxxxxxxxxxxxxxx", "bearer of bad news", "Authorization: Bearer"],
];

test.each(noSecret)("%p holds no secret and stays as it is", (text) => {
  expect(redact(text)).toEqual({ text, count: 0 });
});

test("[TP-6] equal secrets get equal placeholders, different ones different", () => {
  const of = (seed: number) => redact(pem("PRIVATE KEY", seed)).text;
  const both = redact(`${pem("PRIVATE KEY", 7)}\n${pem("PRIVATE KEY", 7)}\n${pem("PRIVATE KEY", 8)}`);
  expect(both).toEqual({ text: `${of(7)}\n${of(7)}\n${of(8)}`, count: 3 });
  expect(of(7)).not.toBe(of(8));
});

test("[TP-6] the placeholder of a secret is the same today and in a log of years ago", () => {
  const texts = ["DB_PASSWORD=hunter2", "DB_PASSWORD=correct-horse"].map((text) => redact(text).text);
  expect(texts).toEqual(["DB_PASSWORD=[REDACTED:password:f181ec53]", "DB_PASSWORD=[REDACTED:password:879baef1]"]);
});

test("[TP-6] a placeholder is found in a text, and only a whole one", () => {
  const { text } = redact(pem("PRIVATE KEY"));
  expect([
    findPlaceholder(`key = ${text};`),
    findPlaceholder("[REDACTED]"),
    findPlaceholder("[REDACTED:x:12]"),
  ]).toEqual([text, null, null]);
});

const width = fc.constantFrom(64, 70, 76, 500);
const label = fc.constantFrom(...labels);
const prefix = fc.constantFrom("", "    ", "+", "12\t", "> ", "a.pem:3:");
const newline = fc.constantFrom("\n", "\r\n", "\\n");
const noise = fc.constantFrom(
  ...[
    "",
    "\n",
    "text\n",
    begin("RSA PRIVATE KEY"),
    end("PRIVATE KEY"),
    "Authorization: ",
    "Bearer ",
    body(30),
    body(50, 3),
  ],
  ...["-", " ", "=", '"', begin("CERTIFICATE"), "abcdefgh12345678", "[REDACTED:bearer:01234567]", "token ", ":", "\\n"],
);
const anyText = fc.array(noise, { maxLength: 14 }).map((parts) => parts.join(""));

test("[TP-6] a planted private key never survives, whatever stands around it", () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      label,
      width,
      prefix,
      newline,
      fc.nat(),
      (before, after, name, w, start, nl, seed) => {
        const secret = wrap(body(400, seed + 1), w).split("\n");
        const key = [begin(name), ...secret, end(name)].map((line) => start + line).join(nl);
        const { text } = redact(`${before}\n${key}\n${after}`);
        expect(secret.filter((line) => text.includes(line))).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

test("[TP-6] a key cut at either end leaves no full line behind", () => {
  fc.assert(
    fc.property(label, width, newline, fc.nat({ max: 300 }), fc.boolean(), (name, w, nl, cut, fromStart) => {
      const secret = wrap(body(400, 5), w).split("\n");
      const key = [begin(name), ...secret, end(name)].join(nl);
      const rest = fromStart ? key.slice(begin(name).length + cut) : key.slice(0, key.length - end(name).length - cut);
      const { text } = redact(`log line\n${rest}\nlog line`);
      expect(secret.filter((line) => line.length >= 24 && text.includes(line))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

const mentioned = `${begin("PRIVATE KEY")} x\n${pem("PRIVATE KEY")}\n`;
const twice = [
  `${mentioned}${end("PRIVATE KEY")}`,
  `${mentioned}call(${body(30)}); ${end("PRIVATE KEY")}`,
  `${body(30)}Authorization: ${body(30)}${begin("PRIVATE KEY")}${end("PRIVATE KEY")}`,
];

test.each(twice)("[TP-6] markers that lose their partner are not found again in %j", (text) => {
  const once = redact(text).text;
  expect(redact(once)).toEqual({ text: once, count: 0 });
});

test("[TP-6] redacting twice changes nothing more", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, count: 0 });
    }),
    { numRuns: 3000 },
  );
});

const size = 10_000_000;
const fill = (text: string) => text.repeat(Math.ceil(size / text.length));
const hostile: Readonly<Record<string, string>> = {
  dashes: fill("-"),
  "beginnings without end": fill(begin("RSA PRIVATE KEY")),
  "ends without beginning": fill(`${end("RSA PRIVATE KEY")}\n`),
  "empty lines after a beginning": begin("PRIVATE KEY") + fill("\n"),
  "half markers": fill(`${dashes}BEGIN A A A A `),
  "plus signs in a key": `${begin("PRIVATE KEY")}\n${body(64)}\n${fill("+")}!`,
  headers: fill("authorization="),
  "a header with an endless value": `authorization: bearer ${fill("a")}`,
  "bearers without token": fill("bearer "),
};

// Linear work takes a fraction of a second, backtracking would take minutes: the time limit of a test tells them apart.
test.each(Object.keys(hostile))(
  "[TP-6] 10 MB of %s are redacted in time and redacted again change no more",
  (name) => {
    const { text } = redact(hostile[name] ?? "");
    expect(redact(text).count).toBe(0);
  },
  120_000,
);
