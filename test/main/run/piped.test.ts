import { expect, test } from "bun:test";
import { pipedText } from "../../../src/main/run/piped.ts";

const words = "编译失败：找不到文件。请检查路径，然后重新编译一次\n";
const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(words, "utf16le")]);
// The words above as a Chinese Windows writes them.
const gbk = Buffer.from(
  "b1e0d2ebcaa7b0dca3bad5d2b2bbb5bdcec4bcfea1a3c7ebbcecb2e9c2b7beb6a3acc8bbbaf3d6d8d0c2b1e0d2ebd2bbb4ce0a",
  "hex",
);

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("[CLI-1] [CX-1] what is piped in is read in the encodings of files, cut anywhere on its way", async () => {
  const text = Buffer.from(words);
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]);
  for (const bytes of [text, marked, wide]) expect(await pipedText(inPieces(bytes, 5))).toBe(words);
  expect(await pipedText(inPieces(gbk, 5))).toBe(words);
  expect(await pipedText(inPieces(Buffer.from([0, 1, 255, 0, 7]), 2))).toBe("\0\u0001\ufffd\0\u0007");
});

test("[CLI-1] [IN-1] a pipe without end is given up once it is too long for any input", async () => {
  let given = 0;
  const piece = new Uint8Array(2 ** 20).fill(120);
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; ; given++) yield piece;
  }
  const text = await pipedText(endless());
  expect([text.length > 16 * 2 ** 20, given]).toEqual([true, 64]);
});
