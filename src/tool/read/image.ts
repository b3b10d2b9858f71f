import { fail, ok, type Result } from "../../contract/error.ts";
import type { ImageRef } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { imageSize } from "../../platform/files/document/image.ts";
import { loadFile, showSize } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import { binaryKind, detectForm } from "../../platform/files/text/encoding.ts";

/** Anthropic takes 5 MiB of base64, which are 3.75 MiB of image; measured by its refusals ("5272940 bytes > 5242880 bytes"). */
const maxBytes = (5 * 2 ** 20 * 3) / 4;
/** The smallest limit among the providers: Anthropic's documentation of images. */
const maxSide = 8000;

/** `null` when it is text after all, which only begins like an image. */
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
    // For a patch that renames or deletes it: edit and write refuse what is no text.
    seen: [{ real: at.real, hash: stamp.hash }],
  });
}
