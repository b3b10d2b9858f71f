import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { binaryKind, decodeAs, decodeText, detectForm, encodeText } from "../../../src/platform/files/text/encoding.ts";

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
  ["UTF-16LE without mark", hex("6100 2d4e 0d00 0a00 3dd8 00de"), "utf-16le", false, "a中\r\n😀"],
  ["UTF-16BE without mark", hex("0061 4e2d 000a d83d de00"), "utf-16be", false, "a中\n😀"],
  [
    "UTF-16LE without mark whose first character ends in a zero byte",
    hex("004e 8c4e 0a00"),
    "utf-16le",
    false,
    "一二\n",
  ],
  ["windows-1252", hex("93 636166e9 94 20 80"), "windows-1252", false, "“café” €"],
  ["windows-1252 with a byte that has no character", hex("81 20 61"), "windows-1252", false, "\u0081 a"],
  ["only the mark of UTF-8", hex("efbbbf"), "utf-8", true, ""],
  ["only the mark of UTF-16", hex("fffe"), "utf-16le", true, ""],
  ["the mark of UTF-8 twice", hex("efbbbf efbbbf 61"), "utf-8", true, "\ufeffa"],
  [
    "UTF-8 with a byte that is none",
    Buffer.concat([Buffer.from("十个以上的汉字在这一行里"), hex("ff"), Buffer.from("中")]),
    "utf-8 with stray bytes",
    false,
    "十个以上的汉字在这一行里\udcff中",
  ],
  [
    "UTF-8 with mark, cut within its last character",
    Buffer.concat([hex("efbbbf"), Buffer.from("十个以上的汉字在这一行里，十个以上的汉字"), hex("e4b8")]),
    "utf-8 with stray bytes",
    true,
    "十个以上的汉字在这一行里，十个以上的汉字\udce4\udcb8",
  ],
  ["GBK that is UTF-8 as well", hex("c4a3"), "utf-8", false, "ģ"],
  [
    "a NUL after the stretch that is looked at",
    Buffer.from(`${"a".repeat(8000)}\0b`),
    "utf-8",
    false,
    `${"a".repeat(8000)}\0b`,
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
      fc
        .array(fc.constantFrom(0x00, 0x0a, 0x41, 0x4e, 0x80, 0xe4, 0xb8, 0xad, 0xff), { maxLength: 40 })
        .map((list) => Uint8Array.from(list)),
      fc
        .tuple(
          fc.string({ unit: fc.constantFrom("中", "文", "a"), minLength: 20 }),
          fc.uint8Array({ min: 0x80, maxLength: 2 }),
        )
        .map(([text, stray]) => Uint8Array.from([...Buffer.from(text), ...stray, ...Buffer.from(text)])),
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

test("[TL-1] each of the 256 bytes of windows-1252 is one character, and the platform's decoder agrees", () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const text = decodeAs(bytes, { encoding: "windows-1252", bom: false });
  expect(text).toBe(new TextDecoder("windows-1252").decode(bytes));
  expect(encodeText(text, { encoding: "windows-1252", bom: false })).toEqual(bytes);
});

test("what does not fit an encoding is named", () => {
  expect(encodeText("“a”中", { encoding: "windows-1252", bom: false })).toEqual({ misfit: "中" });
  expect(encodeText("é\u0080", { encoding: "windows-1252", bom: false })).toEqual({ misfit: "\u0080" });
  expect(encodeText("a\ud800\udcff", { encoding: "utf-8 with stray bytes", bom: false })).toEqual(
    Buffer.from("a\ud800\udcff"),
  );
  expect(encodeText("a\ud800", { encoding: "utf-8 with stray bytes", bom: false })).toEqual({ misfit: "\ufffd" });
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
    // Numbers of two bytes, half a pair, a private character, and text that ends in one byte too many.
    hex("0100 0200 0300 0a00"),
    hex("6100 00d8 6100"),
    hex("6100 00e0 6100"),
    hex("6100 6200 63"),
  ];
  expect(data.map((bytes) => decodeText(bytes))).toEqual(data.map(() => null));
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
