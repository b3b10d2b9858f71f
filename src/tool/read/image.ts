import { fail, ok, type Result } from "../../contract/error.ts";
import type { ImageRef } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { imageSize } from "../../platform/files/document/image.ts";
import { loadFile, showSize } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import { binaryKind, detectForm } from "../../platform/files/text/encoding.ts";

/** Anthropic accepts 5 MiB of base64, i.e. 3.75 MiB of image; measured by its error ("5272940 bytes > 5242880 bytes"). */
const maxBytes = (5 * 2 ** 20 * 3) / 4;
/** The smallest limit of all providers (Anthropic's documentation on images). */
const maxSide = 8000;

/** `null` if the file is text that only starts like an image. */
export function imageOutput(
  at: LocatedPath,
  size: number,
  mediaType: ImageRef["mediaType"],
): Result<ToolOutput> | null {
  const path = visible(at.shown);
  const advice = phrase("image.shrink");
  if (size > maxBytes)
    return fail("E_INVALID_ARGS", phrase("image.too_big", { path, size: showSize(size) }), { advice });
  const loaded = loadFile(at);
  if (!loaded.ok) return loaded;
  const { bytes, stamp } = loaded.value;
  const shown = showSize(bytes.length);
  const dimensions = bytes.length > maxBytes ? null : imageSize(bytes, mediaType);
  if (dimensions === null) {
    if (detectForm(bytes) !== null) return null;
    const damaged = phrase("image.damaged", { path, kind: binaryKind(bytes), size: shown });
    return fail("E_INVALID_ARGS", damaged, { advice: phrase("image.repair") });
  }
  const { width, height } = dimensions;
  if (Math.max(width, height) > maxSide)
    return fail("E_INVALID_ARGS", phrase("image.too_wide", { path, width, height }), { advice });
  const ref = { hash: stamp.hash, mediaType, bytes: bytes.length, width, height };
  return ok({
    text: `${mediaType} ${width}x${height}, ${shown}`,
    data: { path: at.shown, media_type: mediaType, width, height, size: bytes.length, hash: stamp.hash },
    images: [{ ref, bytes }],
    // Lets a patch rename or delete the file; edit and write refuse binary files.
    seen: [{ real: at.real, hash: stamp.hash }],
  });
}
