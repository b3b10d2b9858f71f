// A known value is written in one or two codes, laid out in lines, put into other text, and must not come through.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { redactor } from "../../../src/policy/redact.ts";
import { KnownSecrets } from "../../../src/policy/secret/known/known.ts";
import { RedactingStream } from "../../../src/policy/secret/stream.ts";
import { alnum, body } from "./corpus.ts";

const runs = process.env.CODER_TEST_LONG === "1" ? 20_000 : 1_500;

interface Code {
  readonly name: string;
  readonly write: (text: string) => string;
}

const bytes = (text: string) => Buffer.from(text, "utf8");
const pairs = (text: string) => bytes(text).toString("hex").match(/../g) ?? [];
const around = (before: string, after: string, how: BufferEncoding) => (text: string) =>
  bytes(before + text + after).toString(how);

const codes: readonly Code[] = [
  { name: "plain", write: (text) => text },
  { name: "reversed", write: (text) => [...text].reverse().join("") },
  ...["", "a", "ab", "abc", "KEY="].flatMap((before) =>
    ["", "z", "zy", "\n"].flatMap((after): readonly Code[] => [
      { name: `base64 ${before}${after}`, write: around(before, after, "base64") },
      { name: `base64url ${before}${after}`, write: around(before, after, "base64url") },
    ]),
  ),
  { name: "hex", write: around("", "", "hex") },
  { name: "HEX", write: (text) => around("", "", "hex")(text).toUpperCase() },
  { name: "hex :", write: (text) => pairs(text).join(":") },
  {
    name: "hex 0x",
    write: (text) =>
      pairs(text)
        .map((pair) => `0x${pair}`)
        .join(", "),
  },
  {
    name: "\\x",
    write: (text) =>
      pairs(text)
        .map((pair) => `\\x${pair}`)
        .join(""),
  },
  { name: "url", write: encodeURIComponent },
  {
    name: "URL of all",
    write: (text) =>
      pairs(text)
        .map((pair) => `%${pair.toUpperCase()}`)
        .join(""),
  },
];
/** What leaves the characters of a code together, so that they can be wrapped anywhere. */
const isSolid = ({ name }: Code) => !/^(?:hex 0x|\\x|url|URL)/.test(name);

interface Layout {
  readonly name: string;
  readonly put: (text: string, width: number) => string;
  /** Only the characters of what was put, in their order. */
  readonly take: (shown: string) => string;
}

const wrapped = (text: string, width: number) => text.match(new RegExp(`[^]{1,${width}}`, "g")) ?? [];
const byLines = (name: string, line: (piece: string, n: number) => string, end: string, head: RegExp): Layout => ({
  name,
  put: (text, width) =>
    wrapped(text, width)
      .map((piece, n) => line(piece, n + 1))
      .join(end),
  take: (shown) =>
    shown
      .split(end)
      .map((one) => one.replace(head, ""))
      .join(""),
});

const layouts: readonly Layout[] = [
  byLines("lines", (piece) => piece, "\n", /^(?!)/),
  byLines("lines of Windows", (piece) => piece, "\r\n", /^(?!)/),
  byLines("indented", (piece) => `    ${piece}`, "\n", /^(?!)/),
  byLines("numbered", (piece, n) => `${String(n).padStart(6)}\t${piece}`, "\n", /^\s*\d+\t/),
  byLines("found by grep", (piece, n) => `src/some file.ts:${n}:${piece}`, "\n", /^.*?:\d+:/),
  byLines("named", (piece, n) => `line ${n}: ${piece}`, "\n", /^line \d+: /),
  byLines("strings", (piece) => `  "${piece}" +`, "\n", /^(?!)/),
  byLines("a list", (piece) => `"${piece}"`, ",", /^(?!)/),
  byLines("escaped", (piece) => piece, "\\n", /^(?!)/),
  byLines("a diff", (piece) => `+${piece}`, "\n", /^(?!)/),
  byLines("a comment", (piece) => ` * ${piece}`, "\n", /^(?!)/),
];

const left = (text: string) =>
  text
    .replace(/\[REDACTED:[a-z-]+:[0-9a-f]{8}\]/g, " # ")
    .replace(/0x|\\x/g, "")
    .replace(/[^A-Za-z0-9#]/g, "")
    .toLowerCase();

/** What of a code comes from the value: it is another one for other values. */
function coreOf(value: string, write: (text: string) => string): string {
  const code = write(value);
  const others = [1, 2, 3, 4, 5].map((n) =>
    write(value.replace(/[A-Za-z0-9]/g, (one) => alnum[(alnum.indexOf(one) + 7 * n) % alnum.length] ?? one)),
  );
  const isFixed = (at: number) => others.every((other) => other[at] === code[at]);
  let [from, to] = [0, code.length];
  while (from < to && isFixed(from)) from++;
  while (from < to && isFixed(to - 1)) to--;
  return code.slice(from, to);
}

/** The longest piece of the code that is still there. */
function longestLeft(code: string, shown: string): number {
  const [wanted, text] = [left(code), left(shown)];
  let best = 0;
  for (let at = 0; at + best < wanted.length; at++)
    while (at + best < wanted.length && text.includes(wanted.slice(at, at + best + 1))) best++;
  return best;
}

const token = fc
  .record({ size: fc.integer({ min: 20, max: 72 }), seed: fc.nat(), signs: fc.constantFrom("", "-_", "+/=", ".~!") })
  .map(({ size, seed, signs }) => body(alnum + alnum + signs, size, seed + 1));

const sample = fc.record({
  token,
  first: fc.constantFrom(...codes.filter(({ name }) => !/^(?:hex [:0]|\\x|URL)/.test(name))),
  second: fc.constantFrom(...codes),
  layout: fc.constantFrom(...layouts),
  width: fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 90 })),
  before: fc.constantFrom("", "plain words\n", "const a = 12;\n\n", "x: ", "1 passed, 2 failed\n> "),
  after: fc.constantFrom("", "\n", "\nplain words", " end\n"),
  cuts: fc.array(fc.nat({ max: 4_000 }), { maxLength: 16 }),
});

function piecesAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

/** As many letters in a row of a code as say nothing yet of the value, for each way it is shown. */
const most = (code: Code) => (/^(?:hex|HEX|\\x|URL)/.test(code.name) ? 16 : 12);

test("[TP-6] [SA-secrets] no code of a known value, and no code of a code, comes through in any layout", () => {
  fc.assert(
    fc.property(sample, ({ token: value, first, second, layout, width, before, after, cuts }) => {
      const write = (one: string) => second.write(first.write(one));
      const code = write(value);
      // A number before each piece cannot be told from a piece that is numbers and colons itself.
      const isSplit =
        isSolid(second) && isSolid(first) && !(second.name === "hex :" && /^(?:num|found|named)/.test(layout.name));
      const text = before + (isSplit ? layout.put(code, width) : code) + after;
      const known = new KnownSecrets([value]);
      const stream = new RedactingStream(known);
      const shown = {
        whole: redactor(known)(text).text,
        streamed: [...piecesAt(text, cuts).map((piece) => stream.push(piece)), stream.end()].join(""),
      };
      for (const [how, out] of Object.entries(shown)) {
        const taken = isSplit ? layout.take(out.slice(before.length)) : out;
        const limit = Math.max(most(first), most(second));
        const what = [how, first.name, second.name, layout.name, width, text, out];
        expect([...what, longestLeft(coreOf(value, write), taken) < limit]).toEqual([...what, true]);
      }
    }),
    { numRuns: runs },
  );
});

/** What programs print of bytes: real ones where there are, and `xxd` as it prints. */
function dumps(text: string): readonly (readonly [string, string])[] {
  const ways = [
    "",
    "-c",
    "-b",
    "-x",
    "-d",
    "-An -tx1",
    "-tx1",
    "-tx1z",
    "-tx4",
    "-to1",
    "-tu1",
    "-td2",
    "-A x -t x1z -v",
  ];
  const printed = ways.map((way) => {
    const child = Bun.spawnSync(["od", ...way.split(" ").filter(Boolean)], { stdin: Buffer.from(text) });
    return [`od ${way}`, child.stdout.toString()] as const;
  });
  return [...printed, ...[16, 8, 4, 10].map((width) => [`xxd -c${width}`, xxd(text, width)] as const)];
}

function xxd(text: string, width: number): string {
  const all = [...bytes(text)];
  const lines = Array.from({ length: Math.ceil(all.length / width) }, (_, n) => all.slice(n * width, (n + 1) * width));
  return lines
    .map((line, n) => {
      const address = (n * width).toString(16).padStart(8, "0");
      const groups =
        Buffer.from(line)
          .toString("hex")
          .match(/.{1,4}/g) ?? [];
      const beside = String.fromCharCode(...line.map((code) => (code < 32 || code > 126 ? 46 : code)));
      return `${address}: ${groups.join(" ").padEnd(width * 2.5)} ${beside}\n`;
    })
    .join("");
}

/** The characters of a dump that are not addresses, as one row of each column. */
const columns = (dump: string) =>
  dump
    .split("\n")
    .map((line) => line.replace(/^[0-9a-f]{6,8}(?::|(?= |$))/, "").split(/ {2}(?=[^ ]*[^0-9a-f ]|$)/))
    .reduce(([one, two], [bytesOf = "", beside = ""]) => [one + bytesOf, two + beside], ["", ""]);

test("[TP-6] [SA-secrets] a known value does not come through in dumps of bytes, with addresses and characters beside them", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const value = body(`${alnum}-_`, 30 + seed * 5, seed);
    const known = new KnownSecrets([value]);
    for (const before of ["", "K=", "NAME=", "words before it "]) {
      const text = `${before}${value}\nafter\n`;
      for (const [way, dump] of dumps(text)) {
        const stream = new RedactingStream(known);
        const lines = dump.split(/(?<=\n)/).map((line) => stream.push(line));
        for (const out of [redactor(known)(dump).text, lines.join("") + stream.end()]) {
          const rest = columns(out);
          const plain = columns(dump);
          const longest = rest.map((column, n) =>
            longestLeft(plain[n] ?? "", column.replaceAll("[REDACTED", " # [REDACTED")),
          );
          // What stands before and behind it is in there too, three characters for a byte, or eight.
          const room =
            Math.max(before.length, 7) * (way === "od -b" || way === "od -to1" || way === "od -tu1" ? 3 : 2) + 18;
          expect([way, before, out, Math.max(...longest) <= Math.max(room, 34)]).toEqual([way, before, out, true]);
        }
      }
    }
  }
});
