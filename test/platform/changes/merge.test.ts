import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeBytes } from "../../../src/platform/changes/merge.ts";

const merged = (base: string, mine: string, theirs: string): string | null => {
  const out = mergeBytes(Buffer.from(base, "latin1"), Buffer.from(mine, "latin1"), Buffer.from(theirs, "latin1"));
  return out === null ? null : Buffer.from(out).toString("latin1");
};

describe("[RB-2] two changes of one file", () => {
  test("are merged where they are apart, and refused where they touch", () => {
    expect(merged("1\n2\n3\n4\n5\n", "one\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n")).toBe("one\n2\n3\n4\nfive\n");
    expect(merged("1\n2\n3\n", "1\nx\n3\n", "1\ny\n3\n")).toBeNull();
    expect(merged("1\n2\n3\n", "x\n2\n3\n", "1\ny\n3\n")).toBeNull();
    expect(merged("1\n2\n3\n", "1\nx\n3\n", "1\nx\n3\n")).toBe("1\nx\n3\n");
    expect(merged("1\n2\n", "0\n1\n2\n", "9\n1\n2\n")).toBeNull();
  });

  test("keep line ends, marks, other encodings and a missing last line end", () => {
    expect(merged("1\r\n2\r\n3\r\n4", "0\r\n2\r\n3\r\n4", "1\r\n2\r\n3\r\n5")).toBe("0\r\n2\r\n3\r\n5");
    const [mark, gbk] = ["\xef\xbb\xbf", "\xd6\xd0\xce\xc4"];
    expect(merged(`${mark}1\n2\n3\n`, `${mark}1\n2\n3\n${gbk}\n`, `${mark}${gbk}\n2\n3\n`)).toBe(
      `${mark}${gbk}\n2\n3\n${gbk}\n`,
    );
    // A line cannot follow one that has no end.
    expect(merged("1\n2\n3", "1\n2\n3\n4\n", "0\n2\n3")).toBe("0\n2\n3\n4\n");
    expect(merged("1\n2\n3\n", "1\n2\n3\n4\n", "1\n2\n3")).toBeNull();
  });

  test("of what is no text are taken only where one side changed nothing", () => {
    expect(merged("a\0b\nc\nd\n", "a\0B\nc\nd\n", "a\0b\nc\nD\n")).toBeNull();
    expect(merged("a\0b", "a\0b", "x\0")).toBe("x\0");
    expect(merged("a\0b", "x\0", "a\0b")).toBe("x\0");
  });

  test("of any kind lose no line that one side added, and make up none", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "e\n"), { maxLength: 8 });
    const insertion = fc.record({ at: fc.nat(8), who: fc.constantFrom("mine", "theirs") });
    fc.assert(
      fc.property(text, fc.array(insertion, { maxLength: 4 }), (base, insertions) => {
        const side = (who: string): string => {
          const lines: string[] = [...base];
          for (const [index, one] of insertions.entries()) {
            if (one.who === who) lines.splice(Math.min(one.at, lines.length), 0, `${who} ${index}\n`);
          }
          return lines.join("");
        };
        const out = merged(base.join(""), side("mine"), side("theirs"));
        if (out === null) return;
        const lines = out.split("\n").filter(Boolean).sort();
        const added = insertions.map(({ who }, index) => `${who} ${index}`);
        expect(lines).toEqual([...base.map((line) => line.trim()), ...added].sort());
      }),
      { numRuns: 500 },
    );
  });

  test("that take too long to compare are refused in time", () => {
    const lines = (seed: number): string =>
      Array.from({ length: 60_000 }, (_, at) => `${(at * seed) % 60_013}\n`).join("");
    expect(merged(lines(1), lines(7919), lines(104_729))).toBeNull();
  }, 120_000);
});
