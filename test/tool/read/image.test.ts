import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { imageSize } from "../../../src/platform/files/document/image.ts";
import { imageType } from "../../../src/platform/files/text/sniff.ts";
import { edit } from "../../../src/tool/edit/edit.ts";
import { read } from "../../../src/tool/read/read.ts";
import { gif, jpeg, png, webp } from "../../support/pictures.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const show = async (path: string): Promise<string> => told(await ws.run(read, { path }));

const pictures: readonly (readonly [name: string, type: string, bytes: Buffer])[] = [
  ["PNG", "image/png", png(640, 480)],
  ["JPEG", "image/jpeg", jpeg(640, 480)],
  ["GIF", "image/gif", gif(640, 480)],
  ["lossy WebP", "image/webp", webp("VP8 ", 640, 480)],
  ["lossless WebP", "image/webp", webp("VP8L", 640, 480)],
  ["extended WebP", "image/webp", webp("VP8X", 640, 480)],
];

describe("an image that is read", () => {
  for (const [name, mediaType, bytes] of pictures) {
    test(`${name}: type, size and bytes are given, and it counts as seen`, async () => {
      ws.put("picture", bytes);
      const hash = sha(bytes);
      const size = bytes.length;
      expect(await ws.run(read, { path: "picture" })).toEqual({
        ok: true,
        value: {
          text: `${mediaType} 640x480, ${size} bytes`,
          data: { path: "picture", media_type: mediaType, width: 640, height: 480, size, hash },
          images: [{ ref: { hash, mediaType: mediaType as "image/png", bytes: size, width: 640, height: 480 }, bytes }],
          seen: [{ real: ws.path("picture"), hash }],
        },
      });
    });
  }

  test("is told by its content, not by its name", async () => {
    ws.put("notes.txt", png(2, 3));
    ws.put("logo.png", "just text\n");
    ws.put("logo.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>\n');
    ws.put("format.txt", "GIF89a is the name of a format\n");
    expect(await show("notes.txt")).toStartWith("image/png 2x3, ");
    expect(await show("logo.png")).toBe("1\tjust text");
    expect(await show("logo.svg")).toBe('1\t<svg xmlns="http://www.w3.org/2000/svg"/>');
    expect(await show("format.txt")).toBe("1\tGIF89a is the name of a format");
  });

  test("is not offered for editing", async () => {
    ws.put("fresh.png", png(4, 4));
    await show("fresh.png");
    const planned = await ws.plan(edit, { path: "fresh.png", old_string: "IDAT", new_string: "IDAX" });
    expect(planned.ok).toBe(false);
  });
});

describe("[TP-6] limits of images", () => {
  const limit = (5 * 2 ** 20 * 3) / 4;
  const bare = png(10, 10, 0, 1).length - 1;

  test("3.75 MiB are taken, one byte more is refused with what to do", async () => {
    ws.put("full.png", png(10, 10, 0, limit - bare));
    ws.put("over.png", png(10, 10, 0, limit - bare + 1));
    expect(await show("full.png")).toBe("image/png 10x10, 3.8 MiB");
    expect(await show("over.png")).toBe(
      "E_INVALID_ARGS: over.png is a 3.8 MiB image; models accept at most 3.75 MiB\nMake a smaller copy and read that, for example: magick IN -resize 1568x1568 OUT.",
    );
  });

  test("8000 pixels on a side are taken, 8001 are refused", async () => {
    ws.put("wide.png", png(8000, 1));
    ws.put("wider.png", png(8001, 1));
    ws.put("higher.jpg", jpeg(1, 65535));
    expect(await show("wide.png")).toStartWith("image/png 8000x1, ");
    expect(await show("wider.png")).toStartWith("E_INVALID_ARGS: wider.png is an image of 8001x1 pixels");
    expect(await show("higher.jpg")).toStartWith("E_INVALID_ARGS: higher.jpg is an image of 1x65535 pixels");
  });
});

describe("a damaged image", () => {
  test("is refused in plain words", async () => {
    ws.put("half.png", png(640, 480).subarray(0, 40));
    expect(await show("half.png")).toBe(
      "E_INVALID_ARGS: half.png is not a complete image: PNG image, 40 bytes, damaged or cut off\nRecreate it, or inspect it with a shell command.",
    );
  });

  for (const [name, type, bytes] of pictures) {
    test(`${name}: cut anywhere before its last pixels, it has no size`, () => {
      const kind = type as "image/png";
      expect(imageSize(bytes, kind)).toEqual({ width: 640, height: 480 });
      // A GIF is whole without its closing byte.
      const end = name === "GIF" ? bytes.length - 1 : bytes.length;
      for (let length = 0; length < end; length++) expect(imageSize(bytes.subarray(0, length), kind)).toBeNull();
    });
  }

  test("a PNG with a flipped bit in a needed chunk, without pixels, or of no width has no size", () => {
    const whole = png(64, 64);
    const flipped = Buffer.from(whole);
    flipped[whole.indexOf("IDAT") + 6]! ^= 1;
    const bare = Buffer.concat([whole.subarray(0, 33), whole.subarray(-12)]);
    for (const bytes of [flipped, bare, png(0, 5)]) expect(imageSize(bytes, "image/png")).toBeNull();
  });

  test("whatever the bytes say, the answer is a size of whole numbers or none, and it comes at once", () => {
    const change = fc.record({ at: fc.nat(120), byte: fc.nat(255) });
    const tail = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.array(change, { maxLength: 12 }),
        tail,
        ([, type, whole], changes, more) => {
          const bytes = Buffer.concat([whole, more]);
          for (const { at, byte } of changes) if (at < bytes.length) bytes[at] = byte;
          const size = imageSize(bytes, type as "image/png");
          if (size === null) return;
          for (const side of [size.width, size.height]) {
            expect(Number.isInteger(side) && side >= 1 && side < 2 ** 32).toBe(true);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("millions of empty parts are passed in linear time", () => {
    const count = 900_000;
    const parts = Buffer.concat([gif(1, 1).subarray(0, 19), Buffer.from("21f900".repeat(count), "hex")]);
    const markers = Buffer.concat([Buffer.from("ffd8", "hex"), Buffer.from("ffe00002".repeat(count), "hex")]);
    expect(imageType(parts)).toBe("image/gif");
    expect([imageSize(parts, "image/gif"), imageSize(markers, "image/jpeg")]).toEqual([null, null]);
  });
});
