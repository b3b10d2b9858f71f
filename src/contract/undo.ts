import type { FileChange } from "./message.ts";

/**
 * A change that was not recorded for undo, and why. `too_large`: the file itself, or no time was left. `too_much`: all files together.
 * `too_many`: a folder (trailing slash) that was not searched. `bad_name`: not UTF-8. `unproved`: git converts this file on checkout, so
 * its stored content does not tell what was there. `maybe_not_ours`: another process may have changed it. `others`: another process
 * changed it while a command ran, and the command did not. `workspace`: not a file but the whole workspace, which a command removed,
 * moved or replaced; its content is listed separately. `cut_off`: not a file but a command killed together with coder, so its changes
 * are unknown. `background`: not a file but a command that went on in the background: what it changed from then on is unknown.
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
    | "cut_off"
    | "background";
}

export interface PastTask {
  readonly taskId: string;
  readonly title: string;
  /** The whole request as far as stored, else the title. */
  readonly asked?: string;
  readonly kind: "task" | "undo" | "redo";
  /** The model's final words. */
  readonly told?: string;
  /** Oldest first. */
  readonly changes: readonly FileChange[];
  readonly unkept: readonly Unkept[];
  readonly undone: boolean;
  /** For an undo: the tasks it undid. */
  readonly undoes?: readonly string[];
  /** The checks that passed, if it ended VERIFIED. `passed`: `null` = the runner did not say. */
  readonly verified?: readonly { readonly command: string; readonly passed: number | null }[];
}

export interface PastPort {
  /** Newest last. */
  readonly tasks: () => readonly PastTask[];
  /** By hash; `null` = not stored or cleaned up. */
  readonly bytes: (hash: string) => Uint8Array | null;
  /** Real paths that an undo of the whole workspace must not touch: our own folder. */
  readonly never?: readonly string[];
}
