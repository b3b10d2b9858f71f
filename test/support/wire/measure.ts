// Calls the model once, as the engine does, and prints how it ended and how much memory it took at most.
import { readFileSync } from "node:fs";
import type { Protocol } from "../../../src/contract/settings.ts";
import { openModel } from "../../../src/model/open.ts";
import { accumulate, emptyReply, snapshot } from "../../../src/model/reply/accumulate.ts";
import { choiceAt, requestOf } from "../model-calls.ts";

export interface Measured {
  /** First and last delta. */
  readonly kinds: string;
  readonly fault: string | null;
  readonly says: string | null;
  /** How many, in a reply that is complete. */
  readonly calls: number | null;
  readonly peakMb: number;
}

async function measure(protocol: Protocol, url: string): Promise<Measured> {
  const port = await openModel(choiceAt(url, { protocol }), { idleMs: 30_000 });
  const request = requestOf();
  const reply = emptyReply(request.runId, request.modelCallIndex, request.attempt);
  let first = "";
  let last = "";
  for await (const delta of port.stream(request, new AbortController().signal)) {
    first ||= delta.kind;
    last = delta.kind;
    accumulate(reply, delta);
  }
  const { failure, calls } = snapshot(reply);
  return {
    kinds: `${first} … ${last}`,
    fault: failure?.fault.kind ?? null,
    says: failure?.error.text.key ?? null,
    calls: failure === null ? calls.length : null,
    peakMb: peakMb(),
  };
}

/** The kernel's mark for this program alone: `maxRSS` begins with what the process held that started it. */
function peakMb(): number {
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return Math.round(Number(found?.[1]) / 1024);
}

if (import.meta.main) {
  const [protocol = "openai-chat", url = ""] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await measure(protocol as Protocol, url)));
}
