import type { FileChange } from "./message.ts";

/**
 * A change that is not undone, and why. `too_large`: the file alone, or it was not reached in time. `too_much`: all files together. `too_many`: a folder, its name
 * with a slash behind it, that was not looked into. `bad_name`: not UTF-8. `unproved`: git changes this file when it checks it
 * out, so that what it has stored does not tell what was there. `maybe_not_ours`: somebody else may have changed it meanwhile.
 * `others`: somebody else has changed it while a command ran, and the command did not.
 * `workspace`: no file but the folder of all of them, which a command removed, moved or replaced: what was in it is told by itself.
 * `cut_off`: no file but a command, killed together with us, so that nobody looked at what it changed.
 */
export interface Unkept {
  readonly path: string;
  readonly why:
    | "too_large"
    | "too_much"
    | "too_many"
    | "not_a_file"
    | "maybe_not_ours"
    | "others"
    | "unreadable"
    | "bad_name"
    | "unproved"
    | "workspace"
    | "cut_off";
}

/** What one task, undo or redo did to files, from the log. */
export interface PastTask {
  readonly taskId: string;
  /** What the person had asked for, its first line. */
  readonly title: string;
  /** All its lines, as far as they are kept; the title where that is not there. */
  readonly asked?: string;
  readonly kind: "task" | "undo" | "redo";
  /** What the model said of it at its end. */
  readonly told?: string;
  /** In the order in which they were made. */
  readonly changes: readonly FileChange[];
  readonly unkept: readonly Unkept[];
  /** Its changes were taken back, and not brought again since. */
  readonly undone: boolean;
  /** Of an undo: the tasks it took back. */
  readonly undoes?: readonly string[];
  /** What proved it, where it ended VERIFIED. `passed`: `null` = the runner did not say. */
  readonly verified?: readonly { readonly command: string; readonly passed: number | null }[];
}

/** All that may be taken back in a session. */
export interface PastPort {
  /** Newest last. */
  readonly tasks: () => readonly PastTask[];
  /** Content by its hash; `null` = it was not kept, or was cleaned up. */
  readonly bytes: (hash: string) => Uint8Array | null;
  /** Real paths that no undo of the whole workspace touches: our own folder. */
  readonly never?: readonly string[];
}
