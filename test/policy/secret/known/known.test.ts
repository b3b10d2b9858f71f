import { expect, test } from "bun:test";
import { redactor } from "../../../../src/policy/redact.ts";

const shown = (known: readonly string[], text: string) =>
  redactor(known)(text).text.replace(/\[REDACTED:([a-z-]+):[0-9a-f]{8}\]/g, "[$1]");

test("[TP-6] a value that the process knows to be secret is found anywhere, in every way it may be written", () => {
  const value = 'ocean "wave" über/all';
  const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), btoa(value).replace(/=+$/, "")];
  expect(forms.map((form) => shown([value], `a ${form} b`))).toEqual(forms.map(() => "a [known-secret] b"));
});

test("[TP-6] of values that begin alike the longest is taken, and none leaves its end behind", () => {
  const known = ["orange-juice", "orange-juice-and-more"];
  expect(shown(known, "orange-juice-and-more, orange-juice, \\norange-juice")).toBe(
    "[known-secret], [known-secret], \\n[known-secret]",
  );
});

test("values that are short, or words that stand in for a secret, are not taken from ordinary text", () => {
  const text = "the password is changeme, the host localhost, the user me and the tangerines are fresh";
  expect(shown(["changeme", "localhost", "password", "fresh", "tangerine", ""], text)).toBe(text);
});

test("[TP-6] a long known value is found inside other words too, a short one only as a word", () => {
  const known = ["blue-monday", "blue-monday-in-winter"];
  expect([shown(["orangina"], "an orangina"), shown(["oranges"], "my oranges")]).toEqual([
    "an [known-secret]",
    "my oranges",
  ]);
  expect([shown(["sixteen-sparrows"], "asixteen-sparrowsb"), shown(["fifteen-sparrow"], "afifteen-sparrowb")]).toEqual([
    "a[known-secret]b",
    "afifteen-sparrowb",
  ]);
  expect([shown(known, "xblue-monday-in-wintery"), shown(known, "xblue-monday blue-mondays")]).toEqual([
    "x[known-secret]y",
    "xblue-monday blue-mondays",
  ]);
});

test("[TP-6] a known value that has a format of its own keeps the placeholder of the format", () => {
  const token = `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`;
  expect(redactor([token])(token)).toEqual(redactor([])(token));
  expect(shown([token], token)).toBe("[github-token]");
});

test("[TP-6] [SA-secrets] a known value is found within a longer text in base64, in hex and in a form, wherever it begins", () => {
  const value = "Zebra9quiltXy77pp of mine";
  const redact = redactor([value]);
  for (const before of ["", "a", "ab", "abc"]) {
    for (const after of ["", "z", "zy"]) {
      const text = Buffer.from(`${before}${value}${after}`).toString("base64");
      expect([before, after, redact(`x ${text} y`).count]).toEqual([before, after, 1]);
    }
  }
  const forms = [Buffer.from(value).toString("hex"), new URLSearchParams({ p: value }).toString()];
  expect(forms.map((form) => redact(form).count)).toEqual([1, 1]);
});

test("[TP-6] [SA-secrets] nothing that a reader does not see hides a secret: titles, zero width, the zeros of UTF-16", () => {
  const value = "Zebra9quiltXy77pp";
  const token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
  const redact = redactor([value]);
  for (const secret of [value, token]) {
    const [one, two] = [secret.slice(0, 8), secret.slice(8)];
    const hidden = ["\u200b", "\ufeff", "\u001b]0;x\u0007", "\u001b]8;;\u001b\\", "\u009b1m", "\u001b[1m"];
    for (const mark of hidden)
      expect([secret, mark, redact(`a ${one}${mark}${two} b`).count]).toEqual([secret, mark, 1]);
    for (const encoding of ["utf16le", "utf16be"]) {
      const units = [...`a ${secret} b`].map((char) => (encoding === "utf16le" ? `${char}\0` : `\0${char}`)).join("");
      const { text, count } = redact(units);
      expect([encoding, count, text.includes([...one].join("\0"))]).toEqual([encoding, 1, false]);
    }
  }
  expect(redact("a.txt\0b.txt\0").count).toBe(0);
});
