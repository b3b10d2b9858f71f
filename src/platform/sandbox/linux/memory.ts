// How much memory one process of a confined command may have.
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** In bytes: a part of what the machine has, or the limit that holds for us already, when that is lower. */
export function memoryLimit(): number {
  return Math.min(Math.floor(totalmem() * 0.75), dataLimit());
}

function dataLimit(): number {
  try {
    const [, soft] = /^Max data size +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY; // Not on this machine.
  }
}
