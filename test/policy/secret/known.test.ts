import { expect, test } from "bun:test";
import { redactor } from "../../../src/policy/redact.ts";

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
