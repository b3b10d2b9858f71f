import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { isEnvelope, parseEnvelope } from "./envelope.ts";
import type { FilePatch } from "./form.ts";
import { parseUnified } from "./unified.ts";

const maxFiles = 1000;

/** The files of a patch in either form: a unified diff, or `*** Begin Patch`. Pure, and linear in the text's length. */
export function parsePatch(patch: string): Result<readonly FilePatch[]> {
  const lines = linesOf(patch);
  const files = isEnvelope(lines) ? parseEnvelope(lines) : parseUnified(lines);
  if (!files.ok) return files;
  const count = files.value.length;
  if (count === 0) return fail("E_INVALID_ARGS", phrase("patch.none"), { advice: phrase("advice.patch_forms") });
  if (count > maxFiles) return fail("E_INVALID_ARGS", phrase("patch.too_many", { count, max: maxFiles }));
  return ok(files.value);
}

const header = /^(?:\s*\*\*\*\s*(?:Begin|Add|Update|Delete)|diff --git |--- |\+\+\+ |@@)/;
const fence = /^(?:```|~~~)/;

function linesOf(patch: string): readonly string[] {
  const raw = patch.split("\n");
  if (raw.at(-1) === "") raw.pop();
  // CR at the end of headers too: the patch itself was written so, and its CRs are not those of the files.
  const isCrlf = raw.find((line) => header.test(line))?.endsWith("\r") === true;
  return unfenced(isCrlf ? raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : raw);
}

/** Where the patch stands in fences, what is outside of them goes; every line keeps its number. */
function unfenced(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => header.test(line));
  if (!lines.slice(0, Math.max(0, first)).some((line) => fence.test(line))) return lines;
  let isInside = false;
  return lines.map((line) => {
    if (fence.test(line)) isInside = !isInside;
    return isInside && !fence.test(line) ? line : "";
  });
}
