import type { ToolOutput } from "../../contract/tool.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { compare } from "../../platform/changes/compare.ts";
import type { TreeFolder } from "../../platform/changes/file-tree.ts";

/** Results of checks since files last changed; the same check is not run again until then. */
export class CheckMemory {
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
