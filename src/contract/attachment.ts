import type { ImageRef } from "./message.ts";

/** Something that an input mentions, as it was when it was sent: stored with the input, so that a resume sees the same. */
export interface Attachment {
  /** `problem`: it is there and could not be given; the text says why. */
  readonly kind: "file" | "folder" | "image" | "problem";
  /** Its path as shown, with the lines where only some were asked for. */
  readonly name: string;
  /** What the model reads: bounded and redacted. */
  readonly text: string;
  /** Stands at both ends of the text, which cannot hold it: a hash over all of it. */
  readonly key: string;
  /** Files that the model knows in full by it: real path and hash. */
  readonly seen?: readonly { readonly real: string; readonly hash: string }[];
  /** The bytes are blobs of the session's store. */
  readonly images?: readonly ImageRef[];
}
