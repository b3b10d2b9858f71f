import type { ToolOutput } from "../../contract/tool.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { compare } from "../../platform/changes/compare.ts";
import type { TreeFolder } from "../../platform/changes/file-tree.ts";

/** What checks have said since files last changed: the same check is not run again until then. */
export class CheckMemory {
  private readonly outputs = new Map<string, ToolOutput>();
  /** What they say on the files as they were before the task, which does not change with it. */
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

  /** Before a check: whoever has changed files, they are not those that were checked. */
  look(tree: TreeFolder, compareTrees: typeof compare): void {
    if (this.outputs.size === 0 || this.tree === null) return;
    const { differences, unkept } = compareTrees(this.tree, tree);
    if (differences.length > 0 || unkept.length > 0) this.forget();
    this.newest = null;
  }

  /** After one. What it has written itself was not there when those before it ran. */
  seal(tree: TreeFolder | null, hasWritten: boolean): void {
    this.tree = tree;
    if (tree === null) this.forget();
    if (!hasWritten) return;
    for (const key of this.outputs.keys()) if (key !== this.newest) this.outputs.delete(key);
  }

  /** A call may have changed what is not looked at: installed packages, files that git ignores. */
  forget(): void {
    this.outputs.clear();
    this.newest = null;
  }
}
