import type { Io } from "../../surface/headless/io.ts";

/** The largest single write: memory stays small with a slow reader. */
const batchChars = 256 * 1024;

/** Writes to stdout. If the reader goes away (`| head`), it stops silently. */
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
