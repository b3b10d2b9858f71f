import type { ModelFault } from "../../contract/delta.ts";
import type { FailureRun } from "../../model/fault/retry.ts";
import { sleep } from "../loop/sleep.ts";

type Kind = ModelFault["kind"];

const untried: FailureRun = { failures: 0, waitedMs: 0 };

/** Not logged: a restart counts from zero. Counted per fault: a reply that breaks off after a long outage is the first of its kind. */
export class Patience {
  private call = "";
  private readonly tried = new Map<Kind, FailureRun>();
  private last: Kind | null = null;
  private open: AbortController | null = null;

  failed({ runId, index }: { readonly runId: string; readonly index: number }, kind: Kind): FailureRun {
    const call = `${runId}/${index}`;
    if (call !== this.call) this.renew();
    this.call = call;
    this.last = kind;
    const { failures, waitedMs } = this.tried.get(kind) ?? untried;
    const now = { failures: failures + 1, waitedMs };
    this.tried.set(kind, now);
    return now;
  }

  renew(): void {
    this.tried.clear();
    this.last = null;
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const open = new AbortController();
    this.open = open;
    const began = performance.now();
    const { last } = this;
    await sleep(ms, AbortSignal.any([signal, open.signal]));
    this.open = null;
    const before = last && this.tried.get(last);
    // If this process was suspended during the wait, the extra time does not count.
    const waitedMs = Math.min(ms, performance.now() - began);
    if (before) this.tried.set(last, { ...before, waitedMs: before.waitedMs + waitedMs });
  }

  /** `false`: there was no wait. */
  endWait(): boolean {
    this.open?.abort();
    return this.open !== null;
  }
}
