import type { Stamp } from "../changes/file-stat.ts";

/** Something that a program of the person's obeys. Paths hold one character for each byte, relative to the root. */
export interface Obeyed {
  readonly path: string;
  /** `git`: a folder that git takes for a repository. `other`: a pipe, a socket or a device. */
  readonly kind: "file" | "link" | "other" | "folder" | "git";
  /** It lies directly in such a folder. */
  readonly isOfGit: boolean;
  readonly stamp: Stamp;
  /** So young that another change might leave the same stamp. */
  readonly isFresh: boolean;
  /** Of a file or a link; `null` = it has none, or it could not be kept. */
  readonly content: Buffer | null;
}

/** By path, those above others first. */
export type Obeying = ReadonlyMap<string, Obeyed>;
