import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_RULES_BYTES, rulesText } from "../../src/context/rules-text.ts";
import { estimateTokens } from "../../src/context/tokens.ts";
import type { RulesFile } from "../../src/contract/rules.ts";

const word = fc.constantFrom("rule", "规则", "🙂", "\n", " ", "\ud83d", "[end x]", "é", "\r\n");
const file = fc.record({
  name: fc.constantFrom("AGENTS.md", "../AGENTS.md", "~/r.md"),
  text: fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 400 }).map((all) => all.join("").repeat(30)),
  ),
});
const files = fc
  .array(fc.tuple(file, fc.boolean()), { maxLength: 5 })
  .map((all) => all.map(([one, isOwn]): RulesFile => (isOwn ? { ...one, isOwn: true } : one)));

test("[CX-1] whatever the files hold, each is told in its order and whole or with a note, in at most the room there is", () => {
  fc.assert(
    fc.property(files, fc.integer({ min: 500, max: 30_000 }), (all, room) => {
      const { text, cut } = rulesText(all, room, "salt");
      if (all.length === 0) return expect({ text, cut }).toEqual({ text: "", cut: [] });
      expect(estimateTokens(text)).toBeLessThanOrEqual(Math.max(room, 600));
      const rows = [...text.matchAll(/^\[rules (\w+): (.*?)(, the person's own)?\]$/gm)];
      expect(rows.map(([, , name, own]) => [name, own !== undefined])).toEqual(
        all.map((one) => [one.name, one.isOwn === true]),
      );
      let at = 0;
      for (const [n, [head, mark]] of rows.entries()) {
        const from = text.indexOf(head, at) + head.length + 1;
        const to = text.indexOf(`\n[end ${mark}]`, from);
        const [shown, note] = text.slice(from, to).split(/\n(?=\[\d+ characters of .* left out here)/);
        expect(all[n]?.text.startsWith(shown ?? "?")).toBe(true);
        const isWhole = shown === all[n]?.text;
        expect(note === undefined).toBe(isWhole);
        at = to;
      }
      const short = all
        .filter((one) => new TextEncoder().encode(one.text).length > MAX_RULES_BYTES)
        .map(({ name }) => name);
      for (const name of short) expect(cut).toContain(name);
    }),
    { numRuns: 150 },
  );
});

test("[CX-1] a file over 32 KiB ends at a line, and half a character is never left of it", () => {
  const { text, cut } = rulesText([{ name: "A", text: "字🙂行\n".repeat(10_000) }], 1_000_000, "s");
  expect(cut).toEqual(["A"]);
  expect(text).not.toContain("\ufffd");
  expect(text).toMatch(/行\n\n\[\d+ characters of A left out here/);
});

test("[CX-1] the same files make the same text in one session, and another mark in the next", () => {
  const one: RulesFile = { name: "A", text: "x" };
  expect(rulesText([one], 1_000, "s1")).toEqual(rulesText([{ ...one }], 1_000, "s1"));
  expect(rulesText([one], 1_000, "s1").text).not.toBe(rulesText([one], 1_000, "s2").text);
});
