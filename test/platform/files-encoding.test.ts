import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { binaryKind, decodeText, detectForm, encodeText } from "../../src/platform/files/encoding.ts";

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(" ", ""), "hex");

const samples: readonly (readonly [name: string, bytes: Buffer, encoding: string, bom: boolean, text: string])[] = [
  ["plain ASCII", Buffer.from("abc\n"), "utf-8", false, "abc\n"],
  ["nothing", Buffer.alloc(0), "utf-8", false, ""],
  ["UTF-8", Buffer.from("中文 é 😀"), "utf-8", false, "中文 é 😀"],
  ["UTF-8 with mark", hex("efbbbf 61"), "utf-8", true, "a"],
  ["UTF-16LE", hex("fffe 6100 2d4e 0a00"), "utf-16le", true, "a中\n"],
  ["UTF-16BE", hex("feff 0061 4e2d 000a"), "utf-16be", true, "a中\n"],
  ["UTF-16 with half a pair", hex("fffe 00d8 6100"), "utf-16le", true, "\ud800a"],
  ["GBK", hex("d6d0cec4 0a"), "gbk", false, "中文\n"],
  ["GB18030 with a four-byte code", hex("d6d0 9439da33"), "gb18030", false, "中💩"],
  ["Latin-1", hex("636166e9 0a"), "latin-1", false, "café\n"],
  [
    "Latin-1 whose letters form GBK pairs",
    Buffer.from("Müller grüßt Jürgen, Köln", "latin1"),
    "latin-1",
    false,
    "Müller grüßt Jürgen, Köln",
  ],
  ["Latin-1 with a digit after the accent", Buffer.from("né1 né2", "latin1"), "latin-1", false, "né1 né2"],
];

describe("[TL-1] an encoding is recognised and gives back the same bytes", () => {
  for (const [name, bytes, encoding, bom, text] of samples) {
    test(name, () => {
      const decoded = decodeText(bytes);
      expect(decoded).toEqual({ encoding: encoding as "utf-8", bom, text });
      expect(encodeText(text, decoded!)).toEqual(bytes);
    });
  }

  test("whatever is taken for text is written back byte for byte", () => {
    const chinese = fc
      .array(fc.tuple(fc.integer({ min: 0xb0, max: 0xf7 }), fc.integer({ min: 0xa1, max: 0xfe })))
      .map((pairs) => Uint8Array.from(pairs.flat()));
    const utf16 = fc.uint8Array({ maxLength: 60 }).map((body) => Uint8Array.from([0xff, 0xfe, ...body]));
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.uint8Array({ min: 0x20, maxLength: 60 }),
      chinese,
      utf16,
      fc.string({ unit: "binary" }).map((text) => Uint8Array.from(Buffer.from(text))),
    );
    fc.assert(
      fc.property(any, (raw) => {
        const bytes = Buffer.from(raw);
        const decoded = decodeText(bytes);
        if (decoded !== null) expect(encodeText(decoded.text, decoded)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });

  test("every character but nineteen private ones survives GB18030, and its own decoder agrees", () => {
    const form = { encoding: "gb18030", bom: false } as const;
    const all = Array.from({ length: 0x10000 - 0x80 }, (_, index) => String.fromCharCode(index + 0x80)).filter(
      (char) => char.isWellFormed() && char !== "\ufeff",
    );
    const fits = (char: string): boolean => Buffer.isBuffer(encodeText(char, form));
    const fitting = all.filter(fits);
    const misfits = all.filter((char) => !fits(char));
    expect(misfits.map((char) => /\p{Co}/u.test(char))).toEqual(Array(19).fill(true));
    const text = fitting.join("");
    const bytes = encodeText(`${text}😀\u{10ffff}`, form);
    expect(new TextDecoder("gb18030", { fatal: true }).decode(bytes as Buffer)).toBe(`${text}😀\u{10ffff}`);
  });
});

test("what does not fit an encoding is named", () => {
  expect(encodeText("a中", { encoding: "latin-1", bom: false })).toEqual({ misfit: "中" });
  expect(encodeText("中😀", { encoding: "gbk", bom: false })).toEqual({ misfit: "😀" });
  expect(encodeText("\ud800", { encoding: "gb18030", bom: false })).toEqual({ misfit: "\ud800" });
  expect(encodeText("\ud800", { encoding: "utf-8", bom: false })).toEqual({ misfit: "\ufffd" });
});

test("data is not text", () => {
  const data = [
    hex("89504e47 0d0a1a0a 00"),
    hex("ff00ff00"),
    hex("61 01 e9"),
    hex("fffe0000 61000000"),
    Buffer.from("a\0b"),
  ];
  expect(data.map((bytes) => decodeText(bytes))).toEqual([null, null, null, null, null]);
  expect([hex("89504e47"), hex("1f8b08"), Buffer.from("x")].map(binaryKind)).toEqual([
    "PNG image",
    "gzip archive",
    "binary data",
  ]);
});

test("the head of a file may end within a character", () => {
  const utf8 = Buffer.from("中".repeat(10));
  expect([28, 29, 30].map((end) => detectForm(utf8.subarray(0, end), true)?.encoding)).toEqual([
    "utf-8",
    "utf-8",
    "utf-8",
  ]);
  expect(detectForm(utf8.subarray(0, 29), false)?.encoding).not.toBe("utf-8");
  expect(detectForm(hex("d6d0cec4 d6"), true)?.encoding).toBe("gbk");
});
