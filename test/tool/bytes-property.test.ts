import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import fc from "fast-check";
import { decodeText, type Encoding, encodeText, type TextForm } from "../../src/platform/files/text/encoding.ts";
import { edit } from "../../src/tool/edit/edit.ts";
import { write } from "../../src/tool/edit/write.ts";
import { read } from "../../src/tool/read/read.ts";
import { file, forms, linesIn } from "./any-file.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const runs = (count: number) => ({ numRuns: process.env.CODER_TEST_LONG === "1" ? count * 10 : count });

const known = async (bytes: Uint8Array): Promise<void> => {
  ws.put("f.txt", bytes);
  await ws.run(read, { path: "f.txt" });
};
const identity = (): string => {
  const { ino, mtimeMs, mode, size } = statSync(ws.path("f.txt"), { bigint: true });
  return [ino, mtimeMs, mode, size].join(" ");
};
const asLf = (text: string): string => text.replace(/\r\n?/g, "\n");
const shown = async (): Promise<readonly string[]> =>
  told(await ws.run(read, { path: "f.txt" }))
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.slice(line.indexOf("\t") + 1));

test("[TL-1] read shows the text of a file in every encoding, with every line end", async () => {
  await fc.assert(
    fc.asyncProperty(file, async ({ text, bytes, encoding }) => {
      await known(bytes);
      expect(decodeText(bytes)?.encoding).toBe(encoding);
      expect(await shown()).toEqual(linesIn(text));
    }),
    runs(400),
  );
}, 120_000);

test("[TL-1] an edit changes the bytes of its place and no other, and reading it again agrees with a model", async () => {
  const fresh = fc.array(fc.constantFrom("new", "x", " ", "\n", ""), { maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(file, fc.nat(), fc.nat(), fresh, async (given, from, length, added) => {
      const { text, bytes } = given;
      // Half characters cannot be named by a caller: a place begins and ends between whole ones.
      const cuts = cutsOf(text);
      const start = cuts[from % cuts.length]!;
      const end = cuts[Math.min(cuts.length - 1, (from % cuts.length) + 1 + (length % 12))]!;
      const old = text.slice(start, end);
      fc.pre(isOnlyPlace(text, old) && asLf(old) !== asLf(added));
      await known(bytes);
      const result = await ws.change(edit, { path: "f.txt", old_string: old, new_string: added });
      expect(told(result)).toStartWith("edited");
      const after = ws.bytes("f.txt");
      const [head, tail] = [sizeOf(text.slice(0, start), given, true), sizeOf(text.slice(end), given, false)];
      expect(after.subarray(0, head)).toEqual(bytes.subarray(0, head));
      expect(after.subarray(after.length - tail)).toEqual(bytes.subarray(bytes.length - tail));
      // What is between is the new text in the file's own encoding and line ends.
      const middle = decodePart(after.subarray(head, after.length - tail), given);
      expect(asLf(middle)).toBe(added);
      if (!text.includes("\r")) expect(middle).not.toContain("\r");
      if (!text.includes("\n") && text.includes("\r")) expect(middle).not.toContain("\n");
    }),
    runs(500),
  );
}, 120_000);

/** Also for who takes CRLF and LF for the same, unless the text writes a CR out. */
function isOnlyPlace(text: string, old: string): boolean {
  const where = old.includes("\r") ? text : text.replaceAll("\r\n", "\n");
  return old !== "" && where.indexOf(old) === where.lastIndexOf(old);
}

/** Places between characters, never within a CRLF. */
function cutsOf(text: string): readonly number[] {
  const places: number[] = [];
  let at = 0;
  for (const char of text.match(/\r\n|./gsu) ?? []) {
    places.push(at);
    at += char.length;
  }
  return [...places, at];
}

function sizeOf(part: string, { encoding, bom }: TextForm, isStart: boolean): number {
  return (encodeText(part, { encoding, bom: bom && isStart }) as Buffer).length;
}

function decodePart(bytes: Buffer, { encoding }: TextForm): string {
  const label: Partial<Record<Encoding, string>> = { "utf-8 with stray bytes": "utf-8", "latin-1": "windows-1252" };
  return new TextDecoder((label[encoding] ?? encoding) as "utf-8", { fatal: true }).decode(bytes);
}

test("[TL-1] write keeps encoding, mark and the one kind of line end a file has", async () => {
  const content = fc
    .array(fc.constantFrom("a", "b c", "", "\t"), { minLength: 1, maxLength: 6 })
    .map((lines) => lines.join("\n"));
  await fc.assert(
    fc.asyncProperty(file, content, async ({ text, bytes, encoding, bom }, lines) => {
      const fresh = `${forms.find((form) => form.encoding === encoding && form.bom === bom)!.sign.toWellFormed()}${lines}`;
      fc.pre(!fresh.includes("\ufffd"));
      await known(bytes);
      const told_ = told(await ws.change(write, { path: "f.txt", content: fresh }));
      expect(told_).toMatch(/^(?:replaced f.txt|f.txt already has this content)/);
      const kinds = new Set(text.match(/\r\n|\r|\n/g) ?? []);
      const [only = "\n"] = kinds.size === 1 ? [...kinds] : [];
      expect(ws.bytes("f.txt")).toEqual(encodeText(fresh.replaceAll("\n", only), { encoding, bom }) as Buffer);
    }),
    runs(300),
  );
}, 120_000);

test("[TL-1] a change that fails leaves the file as it is: bytes, inode, times and mode", async () => {
  const wrong = fc.constantFrom(
    { old_string: "not there at all", new_string: "x" },
    { old_string: "", new_string: "x" },
    { old_string: ":", new_string: ":" },
    { old_string: "0:", new_string: "\ud800" },
  );
  await fc.assert(
    fc.asyncProperty(file, wrong, async ({ bytes, encoding }, input) => {
      await known(bytes);
      const before = identity();
      expect(told(await ws.change(edit, { path: "f.txt", ...input }))).toStartWith("E_INVALID_ARGS");
      if (encoding === "gbk" || encoding === "latin-1" || encoding === "windows-1252") {
        const misfit = await ws.change(edit, { path: "f.txt", old_string: "0:", new_string: "😀" });
        expect(told(misfit)).toStartWith("E_INVALID_ARGS: the character 😀 does not exist in");
      }
      expect([identity(), ws.bytes("f.txt")]).toEqual([before, bytes]);
    }),
    runs(300),
  );
}, 120_000);
