import { totalmem } from "node:os";
import { readText } from "../../files/probe.ts";

/** Memory limit for each process of a confined command, in bytes: a share of the machine's memory, or our own limit if lower. */
export function memoryLimit(): number {
  const [, own] = /^Max data size +(\d+)/m.exec(readText("/proc/self/limits", "latin1")) ?? [];
  return Math.min(Math.floor(totalmem() * 0.75), Number(own ?? Number.POSITIVE_INFINITY));
}
