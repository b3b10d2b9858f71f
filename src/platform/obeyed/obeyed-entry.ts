import type { Stamp } from "../changes/file-stat.ts";

/** Something that one of the user's programs obeys. Paths are relative to the root, in Latin-1, one character per byte. */
export interface Obeyed {
  readonly path: string;
  /** `git`: a folder that git takes for a repository. `other`: a pipe, socket or device. */
  readonly kind: "file" | "link" | "other" | "folder" | "git";
  readonly isOfGit: boolean;
  readonly stamp: Stamp;
  /** So recent that another change might leave the same stamp. */
  readonly isFresh: boolean;
  /** For files and symlinks; `null`: none, or it could not be kept. */
  readonly content: Buffer | null;
}

export type Obeying = ReadonlyMap<string, Obeyed>;
