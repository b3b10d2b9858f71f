import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import type { WitnessPort } from "../../contract/tool.ts";
import type { LookResult, Sight, TreeBaseline } from "../../platform/changes/look.ts";
import type { Ledger } from "../../platform/witness/ledger.ts";
import type { Witness } from "../../platform/witness/witness.ts";
import { CheckMemory } from "../check/memory.ts";

/** A command that is being watched. */
export interface Watched {
  readonly baseline: TreeBaseline;
  /** Follows its processes. */
  readonly witness: WitnessPort;
  /** What was seen of them, to be asked for once; `null` = they could not be followed. */
  readonly ledger: () => Promise<Ledger | null>;
  /** What waited for the command goes on; it is told how many files have changed. */
  readonly over: (changed: number) => void;
}

/** What commands change, found by comparing the workspace before and after them (RB-1). */
export class Watch {
  private readonly settings: Settings;
  private readonly never: readonly string[];
  private readonly stop = new AbortController();
  private sight: Sight | null = null;
  private kept = { taskId: "", bytes: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ahead: Promise<void> | null = null;

  private readonly hold: () => (changed: number) => void;

  /** What checks have said of the files as they are. */
  readonly checks = new CheckMemory();

  /** `never`: our own folder, wherever it lies. `hold`: stops what should not go on beside a command, until its answer is called. */
  constructor(settings: Settings, never: readonly string[], hold: () => (changed: number) => void = () => () => {}) {
    this.settings = settings;
    this.never = never;
    this.hold = hold;
  }

  /** Checks write files too. Commands that were proved to only read need none, and those in the background go on after their result. */
  isFor(call: Call, isReadOnly: boolean): boolean {
    const { background } = call.input as { background?: boolean };
    return (call.role === "runs" || call.role === "checks") && !isReadOnly && background !== true;
  }

  /** A model thinks for longer than the first look takes, which is the dear one. A reply that comes at once costs nothing. */
  lookAhead(): void {
    if (this.timer !== undefined || this.sight !== null || this.settings.toolsOff.includes("bash")) return;
    this.timer = setTimeout(() => {
      // Whatever stops it, the look that counts will meet again.
      this.ahead = this.look()
        .then(() => this.lookAtObeyed())
        .catch(() => {});
    }, aheadMs);
    this.timer.unref();
  }

  /** Only with a repository: else all files would be read. */
  private async look(): Promise<void> {
    const { lookAhead, openSight } = await import("../../platform/changes/look.ts");
    const { repositoryAbove } = await import("../../platform/changes/above.ts");
    if (this.sight !== null || this.stop.signal.aborted || repositoryAbove(this.settings.workspace) === null) return;
    this.sight = openSight(this.settings.workspace, this.never);
    await lookAhead(this.sight, this.stop.signal);
  }

  private async lookAtObeyed(): Promise<void> {
    const { lookAhead } = await import("../../platform/obeyed/watch.ts");
    const { workspace, addDirs } = this.settings;
    if (!this.stop.signal.aborted) await lookAhead({ roots: [workspace, ...addDirs], never: this.never, allowed: [] });
  }

  /** `isCheck`: all that was checked before still holds, unless files have changed. */
  async before(isCheck = false): Promise<Watched> {
    clearTimeout(this.timer);
    await this.ahead;
    const { holdStores, lookBefore, openSight } = await import("../../platform/changes/look.ts");
    const { callWitness, readyWitness } = await import("../../platform/witness/witness.ts");
    const { nothingDone } = await import("../../platform/witness/ledger.ts");
    this.sight ??= openSight(this.settings.workspace, this.never);
    const over = this.hold();
    // The two do not need each other.
    const looked = Promise.all([lookBefore(this.sight), readyWitness()]);
    const [baseline] = await looked.catch((error: unknown) => {
      over(0);
      throw error;
    });
    if (isCheck) this.checks.look(baseline.tree, (await import("../../platform/changes/compare.ts")).compare);
    else this.checks.forget();
    const { root } = baseline.sight;
    let called: Promise<Witness | null> | null = null;
    return {
      baseline,
      over,
      witness: {
        enter: async (isConfined) => {
          if (!isConfined) holdStores(baseline);
          called ??= callWitness(root, isConfined);
          return (await called)?.enter ?? null;
        },
      },
      // A command that never began has done nothing.
      ledger: async () => (called === null ? nothingDone : ((await (await called)?.over()) ?? null)),
    };
  }

  /** The commands of a task share what may be kept of it. */
  async after({ baseline, ledger }: Watched, taskId: string): Promise<LookResult> {
    const { lookAfter } = await import("../../platform/changes/look.ts");
    if (this.kept.taskId !== taskId) this.kept = { taskId, bytes: 0 };
    const looked = await lookAfter(baseline, { room: baseline.sight.limits.maxBytes - this.kept.bytes, ledger });
    for (const { change } of looked.changes) this.kept.bytes += (change.before?.size ?? 0) + (change.after?.size ?? 0);
    this.checks.seal(baseline.sight.tree, looked.changes.length + looked.unkept.length > 0);
    return looked;
  }

  close(): void {
    clearTimeout(this.timer);
    this.stop.abort();
    this.sight?.keep.close();
    this.sight?.found?.close();
    this.sight?.stores.close();
  }
}

const aheadMs = 100;
