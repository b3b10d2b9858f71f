import { readFileSync } from "node:fs";
import { totalmem } from "node:os";

/** Memory limit for each process of a confined command, in bytes: a share of the machine's memory, or our own limit if lower. */
export function memoryLimit(): number {
  return Math.min(Math.floor(totalmem() * 0.75), dataLimit());
}

function dataLimit(): number {
  try {
    const [, soft] = /^Max data size +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
