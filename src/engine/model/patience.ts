// How long the model of one session was waited for, and the wait that is open now.
import type { ModelFault } from "../../contract/delta.ts";
import type { FailureRun } from "../../model/fault/retry.ts";
import { sleep } from "../loop/sleep.ts";

type Kind = ModelFault["kind"];

const untried: FailureRun = { failures: 0, waitedMs: 0 };

/**
 * Not in the log: whoever starts coder again after a kill waits anew. Counted by what was waited for: a reply that breaks off
 * when a provider comes back is the first of its kind, however long the outage was.
 */
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

  /** Another model is asked from now on. */
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
    // A wait that this process was stopped in was no longer for that.
    const waitedMs = Math.min(ms, performance.now() - began);
    if (before) this.tried.set(last, { ...before, waitedMs: before.waitedMs + waitedMs });
  }

  /** `false`: nothing is waited for. */
  endWait(): boolean {
    this.open?.abort();
    return this.open !== null;
  }
}
