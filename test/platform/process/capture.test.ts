import { expect, test } from "bun:test";
import fc from "fast-check";
import { keepBounded, showLive } from "../../../src/platform/process/capture.ts";
import { until } from "../../support/until.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Cuts bytes into pieces of the given lengths, over and over. */
function pieces(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const length = lengths[n % lengths.length] ?? 1;
    cut.push(bytes.slice(at, at + length));
    at += length;
  }
  return cut;
}

function keep(chunks: readonly Uint8Array[], maxBytes: number): { text: string; isCut: boolean } {
  const kept = keepBounded(maxBytes);
  for (const chunk of chunks) kept.add(chunk);
  return kept.text();
}

const anyText = fc.string({ unit: "binary", maxLength: 300 }).map((text) => text.toWellFormed());
const anyLengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const missingLine = /\n\[… (\d+) bytes left out …\]\n/;

test("text that fits is kept as it is, whatever the chunks", () => {
  fc.assert(
    fc.property(anyText, anyLengths, (text, lengths) => {
      expect(keep(pieces(encode(text), lengths), 2000)).toEqual({ text, isCut: false });
    }),
  );
});

test("[TL-3] of text that does not fit, head and tail are kept with the exact number of bytes between them", () => {
  fc.assert(
    fc.property(anyText, anyLengths, fc.integer({ min: 8, max: 100 }), (text, lengths, max) => {
      const bytes = encode(text);
      fc.pre(bytes.length > max && !text.includes("bytes left out"));
      const kept = keep(pieces(bytes, lengths), max);
      const [head = "", missing = "", tail = ""] = kept.text.split(missingLine);
      expect(kept.isCut).toBe(true);
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      const keptBytes = encode(head).length + encode(tail).length;
      expect(keptBytes).toBeLessThanOrEqual(max);
      // At most one character is lost at each of the two cuts.
      expect(keptBytes).toBeGreaterThanOrEqual(max - 1 - 2 * 3);
      expect(Number(missing)).toBe(bytes.length - keptBytes);
    }),
  );
});

test("[TL-3] bytes that are not UTF-8 do not make the kept text longer than allowed", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      anyLengths,
      fc.integer({ min: 2, max: 300 }),
      (bytes, lengths, max) => {
        const { text, isCut } = keep(pieces(bytes, lengths), max);
        const size = encode(isCut ? text.replace(missingLine, "") : text).length;
        expect(size).toBeLessThanOrEqual(max);
        if (!isCut) expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
      },
    ),
  );
});

test("a byte order mark is part of the output", () => {
  expect(keep([encode("\ufeffa")], 100)).toEqual({ text: "\ufeffa", isCut: false });
});

test("a limit of zero keeps nothing and says so", () => {
  expect(keep([encode("abc")], 0)).toEqual({ text: "\n[… 3 bytes left out …]\n", isCut: true });
});

test("live text is whole, whatever the chunks: no character is broken at a border", () => {
  fc.assert(
    fc.property(anyText, anyLengths, (text, lengths) => {
      const shown: string[] = [];
      const { show } = showLive(1_000_000, (piece) => shown.push(piece));
      for (const chunk of pieces(encode(text), lengths)) show(chunk);
      expect(shown.join("")).toBe(text);
    }),
  );
});

test("a flood is thinned out live, and what was left out is counted", () => {
  const shown: string[] = [];
  let now = 0;
  const { show } = showLive(
    10,
    (piece) => shown.push(piece),
    () => now,
  );
  for (let n = 0; n < 100; n++) show(encode("中中中中"));
  expect(shown).toEqual(["中中中中"]);
  now = 1000;
  show(encode("后来"));
  expect(shown).toEqual(["中中中中", "\n[… 1188 bytes not shown …]\n", "后来"]);
});

test("[TL-3] when a flood is over, its end is shown although nothing more comes", async () => {
  let shown = "";
  const live = showLive(1_000, (piece) => (shown += piece));
  for (let n = 0; n < 10_000; n++) live.show(encode(`line ${n}\n`));
  expect(shown).not.toContain("line 9999");
  await until("the end is shown", () => shown.endsWith("\nline 9998\nline 9999\n"));
  const before = shown.length;
  let shownLater = "";
  const later = showLive(1_000, (piece) => (shownLater += piece));
  for (const one of [live, later]) for (let n = 0; n < 1_000; n++) one.show(encode(`more ${n}\n`));
  live.end();
  // Whose timer was set behind that of the other.
  await until("the end of the later one is shown", () => shownLater.endsWith("\nmore 999\n"));
  expect(shown.slice(before)).toBe("");
});

const token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");

test("[TP-6] [SA-secrets] a cut goes through no word, so that no half of a secret is kept", () => {
  const max = 20_000;
  // Each cut falls on another place of the token: behind a line, in a minified line, after one long word.
  for (const before of ["\n", '"token":"', " "]) {
    for (let at = 0; at <= token.length; at++) {
      const line = `${before}${token}${before}`;
      const head = "x, ".repeat(max).slice(0, max / 2 - before.length - at);
      const tail = "y, ".repeat(max).slice(-(max / 2 - before.length - at));
      const { text } = keep([encode(`${head}${line}${"z, ".repeat(max)}${line}${tail}`)], max);
      const kept = text.replaceAll(token, "");
      expect([at, /ghp_|[A-Z]\d[a-z]\d/.test(kept)]).toEqual([at, false]);
      expect(text.length).toBeGreaterThan(max - 2 * 2_500);
    }
  }
});

test("[TP-6] [SA-secrets] a flood that is thinned out is shown without the halves of words", () => {
  for (let at = 0; at <= token.length; at++) {
    let now = 0;
    let shown = "";
    const { show } = showLive(
      1_000,
      (piece) => (shown += piece),
      () => now,
    );
    const [first, second] = [token.slice(0, at), token.slice(at)];
    show(encode(`${"x, ".repeat(400)}${first}`));
    show(encode(`${second} ${"x, ".repeat(400)} ${first}`));
    now = 1_000;
    show(encode(`${second} more\nend\n`));
    expect([at, /ghp_|[A-Z]\d[a-z]\d/.test(shown.replaceAll(token, ""))]).toEqual([at, false]);
    expect(shown).toEndWith("end\n");
  }
});
