// How big one file of a confined command may become.
import { statfsSync } from "node:fs";

/** Also on a full disk: what is there can still be written anew. */
const LEAST = 64 * 2 ** 20;

/** In bytes: at most `most`, and never more than the disk has left, so that no single file fills it. */
export function fileSizeLimit(most: number, folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(most, Math.max(bavail * bsize, LEAST));
  } catch {
    return most; // Not there: then nothing is written to it either.
  }
}
