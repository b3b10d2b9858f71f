import type { Io } from "../../surface/headless/io.ts";

/** Written at once at most; a reader that is slow is waited for, so that what waits stays small. */
const batchChars = 256 * 1024;

/** Pieces to stdout. A reader that is gone (`| head`) ends it quietly, as everywhere. */
export async function pour(io: Io, pieces: Iterable<string>): Promise<number> {
  let isClosed = false;
  io.onClosed(() => {
    isClosed = true;
  });
  let batch = "";
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < batchChars) continue;
    io.out(batch);
    batch = "";
    await io.drained(Number.POSITIVE_INFINITY);
    if (isClosed) return 130;
  }
  io.out(batch);
  await io.drained(Number.POSITIVE_INFINITY);
  return isClosed && io.failure() === null ? 130 : 0;
}
