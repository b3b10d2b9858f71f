import type { ModelFault } from "../../contract/delta.ts";
import type { RunId } from "../../contract/ids.ts";
import type { FailureRun } from "../../model/fault/retry.ts";
import { sleep } from "../loop/sleep.ts";

type Kind = ModelFault["kind"];

const untried: FailureRun = { failures: 0, waitedMs: 0 };

/** The failures of one model call. Counted per fault: a reply that breaks off after a long outage is the first of its kind. */
interface Tries {
  readonly index: number;
  readonly tried: Map<Kind, FailureRun>;
  last: Kind;
}

/** Not logged: a restart counts from zero. Runs count for themselves, but share the pause that a busy provider needs. */
export class Patience {
  private readonly runs = new Map<RunId, Tries>();
  private readonly waits = new Set<AbortController>();
  private busyUntil = 0;

  failed({ runId, index }: { readonly runId: RunId; readonly index: number }, kind: Kind): FailureRun {
    const before = this.runs.get(runId);
    const tries = before?.index === index ? before : { index, tried: new Map<Kind, FailureRun>(), last: kind };
    tries.last = kind;
    this.runs.set(runId, tries);
    const { failures, waitedMs } = tries.tried.get(kind) ?? untried;
    const now = { failures: failures + 1, waitedMs };
    tries.tried.set(kind, now);
    return now;
  }

  renew(): void {
    this.runs.clear();
  }

  async wait(runId: RunId, ms: number, signal: AbortSignal): Promise<void> {
    const tries = this.runs.get(runId);
    const began = performance.now();
    await this.sleep(ms, signal);
    const before = tries?.tried.get(tries.last);
    // If this process was suspended during the wait, the extra time does not count.
    const waitedMs = Math.min(ms, performance.now() - began);
    if (tries && before) tries.tried.set(tries.last, { ...before, waitedMs: before.waitedMs + waitedMs });
  }

  /** The provider is busy: no run calls it for so long. */
  pause(ms: number): void {
    this.busyUntil = Math.max(this.busyUntil, performance.now() + ms);
  }

  /** `null`: nothing to wait for. */
  whileBusy(signal: AbortSignal): Promise<void> | null {
    const left = this.busyUntil - performance.now();
    return left > 0 ? this.sleep(left, signal) : null;
  }

  /** `false`: there was no wait. */
  endWait(): boolean {
    this.busyUntil = 0;
    for (const one of this.waits) one.abort();
    return this.waits.size > 0;
  }

  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const open = new AbortController();
    this.waits.add(open);
    await sleep(ms, AbortSignal.any([signal, open.signal]));
    this.waits.delete(open);
    // The next task is the user's wish, and may try at once.
    if (signal.aborted) this.busyUntil = 0;
  }
}
