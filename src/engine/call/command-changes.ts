import type { Call } from "../../contract/message.ts";
import type { Settings } from "../../contract/settings.ts";
import type { ToolOutput, WitnessPort } from "../../contract/tool.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { compare } from "../../platform/changes/compare.ts";
import type { TreeFolder } from "../../platform/changes/file-tree.ts";
import type { LookResult, Sight, TreeBaseline } from "../../platform/changes/look.ts";
import type { Ledger } from "../../platform/witness/ledger.ts";
import type { Witness } from "../../platform/witness/witness.ts";

export interface Watched {
  readonly baseline: TreeBaseline;
  readonly witness: WitnessPort;
  /** The actions of the processes, read once; `null` = they could not be followed. `goesOn`: some still run. */
  readonly ledger: (goesOn?: boolean) => Promise<Ledger | null>;
  /** Resumes what was held for the command; gets the number of files it changed. */
  readonly over: (changed: number) => void;
}

/** Finds what commands change by comparing the workspace before and after (RB-1). */
export class Watch {
  private readonly settings: Settings;
  private readonly never: readonly string[];
  private readonly stop = new AbortController();
  private sight: Sight | null = null;
  private kept = { taskId: "", bytes: 0 };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ahead: Promise<void> | null = null;

  private readonly hold: () => (changed: number) => void;

  readonly checks = new CheckMemory();

  /** `never`: our own directory, wherever it is. `hold`: pauses background work during a command; its result resumes it. */
  constructor(settings: Settings, never: readonly string[], hold: () => (changed: number) => void = () => () => {}) {
    this.settings = settings;
    this.never = never;
    this.hold = hold;
  }

  /** Checks write files too. Proven read-only commands need no watch, and background commands outlive their call. */
  isFor(call: Call, isReadOnly: boolean): boolean {
    const { background } = call.input as { background?: boolean };
    return (call.role === "runs" || call.role === "checks") && !isReadOnly && background !== true;
  }

  /** Takes the expensive first look while the model thinks. A reply within `aheadMs` cancels it. */
  lookAhead(): void {
    if (this.timer !== undefined || this.sight !== null || this.settings.toolsOff.includes("bash")) return;
    this.timer = setTimeout(() => {
      // The real look will meet the same error again.
      this.ahead = this.look()
        .then(() => this.lookAtObeyed())
        .catch(() => {});
    }, aheadMs);
    this.timer.unref();
  }

  /** Only in a repository: elsewhere every file would be read. */
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

  /** `isCheck`: earlier check results stay valid unless files have changed. */
  async before(isCheck = false): Promise<Watched> {
    clearTimeout(this.timer);
    await this.ahead;
    const { holdStores, lookBefore, openSight } = await import("../../platform/changes/look.ts");
    const { callWitness, readyWitness } = await import("../../platform/witness/witness.ts");
    const { nothingDone } = await import("../../platform/witness/ledger.ts");
    this.sight ??= openSight(this.settings.workspace, this.never);
    const over = this.hold();
    // Independent of each other.
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
          holdStores(baseline);
          called ??= callWitness(root, isConfined);
          return (await called)?.enter ?? null;
        },
      },
      // A command that never started did nothing.
      ledger: async (goesOn = false) =>
        called === null ? nothingDone : ((await (await called)?.over(goesOn)) ?? null),
    };
  }

  /** All commands of a task share one budget for kept content. */
  async after({ baseline, ledger }: Watched, taskId: string, goesOn = false): Promise<LookResult> {
    const { lookAfter } = await import("../../platform/changes/look.ts");
    if (this.kept.taskId !== taskId) this.kept = { taskId, bytes: 0 };
    const room = baseline.sight.limits.maxBytes - this.kept.bytes;
    const looked = await lookAfter(baseline, { room, ledger: () => ledger(goesOn) });
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

/** Results of checks since files last changed; the same check is not run again until then. */
class CheckMemory {
  private readonly outputs = new Map<string, ToolOutput>();
  /** Results on the files before the task; they do not change within it. */
  readonly before = new Map<string, VerificationResult | null>();
  private newest: string | null = null;
  private tree: TreeFolder | null = null;

  last(key: string): ToolOutput | null {
    return this.outputs.get(key) ?? null;
  }

  keep(key: string, output: ToolOutput): void {
    this.outputs.set(key, output);
    this.newest = key;
  }

  /** Before a check: drops results if anyone has changed files since. */
  look(tree: TreeFolder, compareTrees: typeof compare): void {
    if (this.outputs.size === 0 || this.tree === null) return;
    const { differences, unkept } = compareTrees(this.tree, tree);
    if (differences.length > 0 || unkept.length > 0) this.forget();
    this.newest = null;
  }

  /** After a check: files it wrote itself invalidate the results of earlier checks. */
  seal(tree: TreeFolder | null, hasWritten: boolean): void {
    this.tree = tree;
    if (tree === null) this.forget();
    if (!hasWritten) return;
    for (const key of this.outputs.keys()) if (key !== this.newest) this.outputs.delete(key);
  }

  /** For calls that may change what the watch does not see, such as installed packages and git-ignored files. */
  forget(): void {
    this.outputs.clear();
    this.newest = null;
  }
}
