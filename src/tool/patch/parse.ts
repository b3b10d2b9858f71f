import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { isEnvelope, parseEnvelope } from "./envelope.ts";
import type { FilePatch } from "./form.ts";
import { parseUnified } from "./unified.ts";

const maxFiles = 1000;

/** Parses a unified diff or a `*** Begin Patch` envelope. Pure, and linear in the length of the text. */
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
  // If the headers end in CR too, the CRs belong to the patch and not to the files.
  const isCrlf = raw.find((line) => header.test(line))?.endsWith("\r") === true;
  return unfenced(isCrlf ? raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : raw);
}

/** If the patch is in a code fence, blanks all lines outside it; line numbers stay. */
function unfenced(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => header.test(line));
  if (!lines.slice(0, Math.max(0, first)).some((line) => fence.test(line))) return lines;
  let isInside = false;
  return lines.map((line) => {
    if (fence.test(line)) isInside = !isInside;
    return isInside && !fence.test(line) ? line : "";
  });
}
