import { expect, test } from "bun:test";
import fc from "fast-check";
import { spelledOut } from "../../src/contract/visible.ts";

test("[PO-6] [SA-hidden-text] control, bidi, invisible and odd blank characters are spelled out, line breaks and writing are not", () => {
  const hidden = "a\u202eb\u200bc\td\r\x1b[2J\u00a0e\u{e0041}f\u3164g\ufe0fh\ud800";
  expect(spelledOut(hidden)).toBe(
    "a\\u{202e}b\\u{200b}c\\u{9}d\\u{d}\\u{1b}[2J\\u{a0}e\\u{e0041}f\\u{3164}g\\u{fe0f}h\\u{d800}",
  );
  const plain = "grep -n 'x' 源码.ts | sort\n# naïve café “quoted” 😀\n";
  expect(spelledOut(plain)).toBe(plain);
});

test("[PO-6] [SA-hidden-text] runs of blanks or empty lines that push text out of sight are counted instead", () => {
  expect(spelledOut(`ls${" ".repeat(300)}; rm -rf ~`)).toBe("ls [300 blanks] ; rm -rf ~");
  expect(spelledOut(`ls${"\n".repeat(80)}rm -rf ~`)).toBe("ls\n[79 empty lines]\nrm -rf ~");
  expect(spelledOut("a    b\n\nc")).toBe("a    b\n\nc");
});

test("[PO-6] nothing that a terminal acts on is left of any text, and a long command stays whole", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      expect(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/.test(spelledOut(text)),
      ).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  const long = `echo ${"word ".repeat(20_000)}`;
  expect(spelledOut(long)).toBe(long);
});
