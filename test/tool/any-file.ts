// Files in every encoding, with every kind of line end.
import fc from "fast-check";
import { decodeText, encodeText, type TextForm } from "../../src/platform/files/text/encoding.ts";

/** Characters that each encoding holds, and one that shows which it is. */
export const forms: readonly (TextForm & { readonly chars: string; readonly sign: string })[] = [
  { encoding: "utf-8", bom: false, sign: "中é", chars: "aé中😀\u2028\u0085\f\t \u00a0\u200b" },
  { encoding: "utf-8", bom: true, sign: "", chars: "aé中😀\u2028\f \ufeff" },
  {
    encoding: "utf-8 with stray bytes",
    bom: false,
    sign: "\udcff中文字符十个以上的一行，中文字符十个以上的一行，中文字符十个以上的一行",
    chars: "aé中\udcff\udc80\t ",
  },
  { encoding: "utf-16le", bom: true, sign: "", chars: "aé中😀\u0a00\u2028\ud800\u000b " },
  { encoding: "utf-16be", bom: true, sign: "", chars: "aé中😀\u0a00\u2028\udc00 " },
  { encoding: "utf-16le", bom: false, sign: "sign: ", chars: "aé中😀\u0a05\u2028 " },
  { encoding: "utf-16be", bom: false, sign: "sign: ", chars: "aé中😀\u0a05\u2028 " },
  { encoding: "gbk", bom: false, sign: "中文编码", chars: "a中文。\t " },
  { encoding: "gb18030", bom: false, sign: "中文编码😀", chars: "a中文😀é\u2028 " },
  { encoding: "latin-1", bom: false, sign: "caf\u00e9 na\u00efve ", chars: "a \u00e9" },
  { encoding: "windows-1252", bom: false, sign: "\u201ccaf\u00e9\u201d na\u00efve \u20ac5 ", chars: "a \u2019" },
];

export interface File extends TextForm {
  readonly text: string;
  readonly bytes: Buffer;
}

/** A file of which the encoding can be told, with line ends of one kind or several. */
export const file: fc.Arbitrary<File> = fc
  .record({
    form: fc.constantFrom(...forms),
    lines: fc.array(fc.array(fc.nat(), { maxLength: 6 }), { minLength: 1, maxLength: 8 }),
    ends: fc.constantFrom(["\n"], ["\r\n"], ["\r"], ["\n", "\r\n"], ["\r\n", "\n", "\r"]),
    hasFinalBreak: fc.boolean(),
  })
  .map(({ form: { sign, chars, encoding, bom }, lines, ends, hasFinalBreak }) => {
    const units = Array.from(chars);
    const words = lines.map((line) => line.map((index) => units[index % units.length]).join(""));
    const text = words
      .map((line, index) => `${sign}${index}:${line}${ends[index % ends.length]}`)
      .join("")
      .replace(/[\r\n]+$/, (end) => (hasFinalBreak ? end : ""));
    return { text, encoding, bom, bytes: encodeText(text, { encoding, bom }) as Buffer };
  })
  .filter(({ text, bytes, encoding }) => {
    // Two half pairs side by side are one character, and strays side by side may be one.
    const decoded = decodeText(bytes);
    return decoded?.text === text && decoded.encoding === encoding;
  });

/** What read numbers as lines. */
export const linesIn = (text: string): readonly string[] => {
  const plain = text.includes("\n") ? text : text.replaceAll("\r", "\n");
  const lines = (plain.endsWith("\n") ? plain.slice(0, -1) : plain).split("\n");
  return plain === "" ? [] : lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line).toWellFormed());
};
