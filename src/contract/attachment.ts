import type { ImageRef } from "./message.ts";

/** A mention in an input, read when the input was sent and stored with it, so that a resume sees the same. */
export interface Attachment {
  /** `problem`: it exists but could not be attached; the text says why. */
  readonly kind: "file" | "folder" | "image" | "problem";
  /** The shown path, with the line range if only a part was mentioned. */
  readonly name: string;
  readonly text: string;
  /** A hash of the content that delimits the text on both sides, so that the text cannot forge its own end. */
  readonly key: string;
  /** Files whose full content the model now knows: real path and hash. */
  readonly seen?: readonly { readonly real: string; readonly hash: string }[];
  readonly images?: readonly ImageRef[];
}
