import { CoderError } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange } from "../../contract/tool.ts";
import { missingAbove } from "../../platform/files/entry.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import type { Blob } from "../loop/loop.ts";

/** Lets an undo remove exactly the directories that were created for a file. */
export function withFolders(change: FileChange): FileChange {
  const folders = change.before === null ? missingAbove(change.real) : 0;
  return folders > 0 ? { ...change, folders } : change;
}

/** Both sides: the old content to undo, the new one to detect later edits and to redo. */
export function blobsOf(planned: PlannedChange): readonly Blob[] {
  const { before, after } = planned.change;
  return [
    ...(before && !isFolderStamp(before) ? [new SideBlob(before.hash, planned, "beforeBytes")] : []),
    ...(after && !isFolderStamp(after) ? [new SideBlob(after.hash, planned, "afterBytes")] : []),
  ];
}

/** Lazy: a command may have changed more than fits into memory. */
class SideBlob implements Blob {
  readonly hash: string;
  private readonly planned: PlannedChange;
  private readonly side: "beforeBytes" | "afterBytes";

  constructor(hash: string, planned: PlannedChange, side: "beforeBytes" | "afterBytes") {
    this.hash = hash;
    this.planned = planned;
    this.side = side;
  }

  get bytes(): Uint8Array {
    const bytes = this.planned[this.side];
    if (bytes === null) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: this.hash }) });
    return bytes;
  }
}

export function isAsIntended(plan: ChangePlan, intended: readonly FileChange[]): boolean {
  return changesKey(plan.changes.map(({ change }) => change)) === changesKey(intended);
}

export function changesKey(changes: readonly FileChange[]): string {
  return JSON.stringify(changes.map(({ real, before, after }) => [real, stampText(before), stampText(after)]).sort());
}

function stampText(stamp: FileChange["before"]): string {
  return stamp === null ? "" : `${stamp.hash} ${stamp.mode}`;
}
