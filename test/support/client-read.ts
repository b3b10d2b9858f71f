import { existsSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

/** The client with this port has read all that has come: a connection that is broken takes along what was not read yet. Linux only. */
export async function clientHasRead(port: number): Promise<void> {
  if (!existsSync("/proc/net/tcp")) return;
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  // Its address, that of the other end, the state, and the bytes to be sent and to be read.
  const waiting = new RegExp(`^ *\\d+: [0-9A-F]+:${hex} \\S+ \\S+ \\S+:(?!00000000)\\S+ `, "m");
  await until("the client reads", () => !waiting.test(readFileSync("/proc/net/tcp", "latin1")));
}
