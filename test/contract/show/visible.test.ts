import { expect, test } from "bun:test";
import fc from "fast-check";
import { plain, plainJson, spelledOut, visible } from "../../../src/contract/show/visible.ts";

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

test("[PO-6] [SA-terminal-escapes] control and bidi characters in names are spelled out", () => {
  expect(visible("a\nb\x1b[2J\u202ec\u200d")).toBe("a\\nb\\u001b[2J\\u202ec\\u200d");
  expect(visible("a\u061cb\u2066c")).toBe("a\\u061cb\\u2066c");
  expect(visible("a\r\tb\u{e0041}\ufe0f\ud800")).toBe("a\\r\\tb\\udb40\\udc41\\ufe0f\\ud800");
  expect(visible("中文 é.txt")).toBe("中文 é.txt");
});

test("[PO-6] [SA-hidden-text] text to be read keeps lines, tabs, joined letters and pictures, and nothing else that is not seen", () => {
  const read = "a\tb\r\nc\n👩\u200d💻 ❤\ufe0f می\u200cخواهم\u00a0!\u3000";
  expect(plain(read)).toBe(read);
  expect(plain("a\rb\x1b]0;x\x07\u009b\u202e\u200b\u00ad\u2028\u3164\u{e0041}\ud800")).toBe(
    "a\\rb\\u001b]0;x\\u0007\\u009b\\u202e\\u200b\\u00ad\\u2028\\u3164\\udb40\\udc41\\ud800",
  );
});

test("[PO-6] [SA-terminal-escapes] JSON with hidden characters escaped means the same", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      const line = plainJson({ text });
      expect(JSON.parse(line)).toEqual({ text });
      expect(
        /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udfff]/.test(line),
      ).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});
