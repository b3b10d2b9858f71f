import { isUtf8 } from "node:buffer";
import { ok, type Result } from "../../contract/error.ts";
import { runRipgrep } from "../../platform/search/rg.ts";
import { type Scope, scopeOf } from "../../platform/search/scope.ts";
import { walk } from "../../platform/search/walk.ts";
import { cancelled, type SearchPlace } from "../../platform/search/wish.ts";
import { type Pace, pace } from "./pace.ts";

const maxFiles = 200_000;
const timeoutMs = 60_000;

/** Receives a path as bytes, which start at this offset and end in NUL, and as text. */
type Take = (bytes: Buffer, at: number, path: string) => void;

/** As the file tools list them: includes hidden files, excludes git's own and ignored ones. */
const flags = "--no-config --no-messages --hidden --glob=!.git --color=never --null --files --threads=1".split(" ");

/** Lists every file of the workspace, in no order. The value tells whether the list is complete. */
export async function listFiles(
  root: string,
  signal: AbortSignal,
  take: Take,
  rg?: string | null,
  most = maxFiles,
): Promise<Result<{ readonly isWhole: boolean }>> {
  const place: SearchPlace = { root, real: root, signal, timeoutMs, max: most };
  const scope = scopeOf(place);
  if (await listAtHand(place, scope, take)) return signal.aborted ? cancelled() : ok({ isWhole: true });
  let count = 0;
  const counted: Take = (...one) => {
    if (++count <= most) take(...one);
  };
  const slice = pace();
  // rg continues while its names are processed, and everything else runs between two slices of them.
  let processed: Promise<void> = Promise.resolve();
  const eat = whole((names) => {
    processed = processed.then(() => each(names, counted, slice));
  });
  const ended = await runRipgrep(rg, [...flags, ...scope.flags, "--", "./"], place, (chunk) => {
    eat(chunk);
    return count <= most;
  });
  await processed;
  if (ended === null) await listPlainly(place, scope, counted);
  if (signal.aborted) return cancelled();
  if (ended !== null && !ended.ok) return ended;
  return ok({ isWhole: count <= most });
}

/** Passes on only complete names, each with its NUL. */
function whole(give: (names: Buffer) => void): (chunk: Buffer) => void {
  let open = Buffer.alloc(0);
  return (chunk) => {
    const end = chunk.lastIndexOf(0) + 1;
    if (end === 0) {
      open = Buffer.concat([open, chunk]);
      return;
    }
    // Its own memory: the C library gets its address, and the chunk's memory is reused.
    const names = Buffer.from(new ArrayBuffer(open.length + end));
    open.copy(names);
    chunk.copy(names, open.length, 0, end);
    open = Buffer.from(chunk.subarray(end));
    give(names);
  };
}

async function each(names: Buffer, take: Take, slice: Pace): Promise<void> {
  const isSound = isUtf8(names);
  for (let at = 0; at < names.length; ) {
    const stop = names.indexOf(0, at);
    const start = names[at] === 0x2e && names[at + 1] === 0x2f ? at + 2 : at;
    // A name that is not UTF-8 cannot be reported.
    if (isSound || isUtf8(names.subarray(start, stop))) take(names, start, names.toString("utf8", start, stop));
    at = stop + 1;
    if (slice.isDue()) await slice.rest();
  }
}

/** Listing this many files takes less time than starting rg. */
const fewFiles = 300;

/** Lists a small workspace completely and returns true; otherwise takes nothing. */
async function listAtHand(place: SearchPlace, scope: Scope, take: Take): Promise<boolean> {
  const found: Parameters<Take>[] = [];
  let count = 0;
  for await (const { kind, path } of walk(place, scope)) {
    if (place.signal.aborted) break;
    if (++count > fewFiles) return false;
    if (kind === "file" && !path.includes("\ufffd")) found.push([named(path), 0, path]);
  }
  for (const one of found) take(...one);
  return true;
}

async function listPlainly(place: SearchPlace, scope: Scope, take: Take): Promise<void> {
  const slice = pace();
  for await (const { kind, path } of walk(place, scope)) {
    if (place.signal.aborted) return;
    if (kind === "file" && !path.includes("\ufffd")) take(named(path), 0, path);
    if (slice.isDue()) await slice.rest();
  }
}

function named(path: string): Buffer {
  const name = Buffer.from(`${path}\0`);
  // Its own memory, because the C library gets its address.
  const bytes = Buffer.from(new ArrayBuffer(name.length));
  name.copy(bytes);
  return bytes;
}
