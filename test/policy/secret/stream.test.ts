import { expect, test } from "bun:test";
import fc from "fast-check";
import { redactor } from "../../../src/policy/redact.ts";
import { RedactingStream } from "../../../src/policy/secret/stream.ts";
import { alnum, body, samples } from "./corpus.ts";

const redact = redactor([]);

function streamed(pieces: readonly string[]): string {
  const stream = new RedactingStream([]);
  return [...pieces.map((piece) => stream.push(piece)), stream.end()].join("");
}

function cutAt(text: string, places: readonly number[]): readonly string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...sorted].map((from, i) => text.slice(from, sorted[i] ?? text.length));
}

const dashes = "-----";
const key = (lines: number) =>
  [
    `${dashes}BEGIN PRIVATE KEY${dashes}`,
    ...Array.from({ length: lines }, (_, i) => body(alnum, 64, i + 1)),
    `${dashes}END PRIVATE KEY${dashes}`,
  ].join("\n");

const token = body(alnum, 24, 3);
const line = fc.oneof(
  fc.constantFrom(...samples).map(({ make }) => `value ${make(1).text} end`),
  fc.constantFrom(
    ...[
      "",
      "plain words",
      "....",
      "  10%\r  20%\r",
      "DB_PASSWORD=hunter2",
      `{"token": "${token}"}`,
      "machine x\n  login me\n  password hunter2",
    ],
    ...[
      `TOKEN=${token.slice(0, 9)}\\\n${token.slice(9)}`,
      "- name: DB_PASSWORD\n  value: hunter2",
      `\u001b[31mTOKEN\u001b[0m=${token}`,
      key(5),
    ],
    ...["password: >-\n  hunter2", "postgres://app:hunter2@db/x", `Cookie: sid=${token}`, "mysql -u root -phunter2 db"],
  ),
);

test("[TP-6] text that arrives in pieces, cut anywhere, is shown as redact would leave the whole", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.nat({ max: 3_000 }), { maxLength: 12 }),
      (lines, end, cuts) => {
        const text = lines.join(end);
        expect(streamed(cutAt(text, cuts))).toBe(redact(text).text);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("[TP-6] text that arrives one character at a time is shown as redact would leave the whole", () => {
  for (const { make } of samples) {
    const text = `first line\nvalue ${make(2).text} end\nlast`;
    expect(streamed([...text])).toBe(redact(text).text);
  }
});

test("a whole line is shown at once, and so are the dots of a test runner", () => {
  const stream = new RedactingStream([]);
  const shown = ["one\ntw", "o\n", "..", ".", "\n", "10%\r", "20%\r", "done"].map((piece) => stream.push(piece));
  expect([...shown, stream.end()]).toEqual(["one\n", "two\n", "..", ".", "\n", "", "10%\r", "20%\r", "done"]);
});

test("[TP-6] a known value is found though it came in two pieces", () => {
  const stream = new RedactingStream(["orange-juice"]);
  const shown = stream.push("it is orange-") + stream.push("juice\n") + stream.end();
  expect(shown).toMatch(/^it is \[REDACTED:known-secret:[0-9a-f]{8}\]\n$/);
});

test("[TP-6] a private key as long as they get is held back whole, and a mention of a marker holds nothing back", () => {
  const stream = new RedactingStream([]);
  const lines = key(900).split("\n");
  expect(lines.map((one) => stream.push(`${one}\n`)).join("")).toMatch(/^\[REDACTED:private-key:[0-9a-f]{8}\]\n$/);
  expect(stream.push(`if (text === "${dashes}BEGIN PRIVATE KEY${dashes}") {\n  return found;\n}\n`)).toContain(
    "return found",
  );
});

test("[TP-6] a line without an end is held back to a bound, and a secret at the bound stays whole", () => {
  for (const where of [0, 100, 11_900, 12_000, 12_030, 12_050, 12_300, 15_000]) {
    const text = `${"word ".repeat(where / 5)}API_TOKEN=${token} ${"more ".repeat(5_000)}`;
    const stream = new RedactingStream([]);
    let held = 0;
    let shown = "";
    for (const piece of text.match(/.{1,700}/g) ?? []) {
      shown += stream.push(piece);
      held += piece.length;
    }
    expect(held - shown.length).toBeLessThan(20_000);
    expect(shown + stream.end()).toBe(redact(text).text);
  }
});

test("[TP-6] of a secret longer than what is held back nothing is shown", () => {
  const stream = new RedactingStream([]);
  const long = body(alnum, 60_000, 1);
  const pieces = `x API_TOKEN=${long} after\n`.match(/.{1,1000}\n?/g) ?? [];
  const shown = pieces.map((piece) => stream.push(piece)).join("") + stream.end();
  expect(shown).toMatch(/^x API_TOKEN=\[REDACTED:secret:[0-9a-f]{8}\] after\n$/);
});
