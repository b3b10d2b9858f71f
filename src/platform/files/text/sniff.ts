import { readSync } from "node:fs";
import type { ImageRef } from "../../../contract/message.ts";
import type { OpenFile } from "../open.ts";
import type { LocatedPath } from "../path.ts";

/** Detected by content; only a notebook, which is plain JSON, by its name. */
export type OtherKind = "notebook" | "pdf" | ImageRef["mediaType"];

/** Detects the kind from the first bytes. Everything but images, notebooks and PDFs counts as text until it is read. */
export function kindOf({ fd }: OpenFile, at: LocatedPath): "text" | OtherKind {
  const head = Buffer.alloc(16);
  readSync(fd, head, 0, head.length, 0);
  const isPdf = head.toString("latin1", 0, 5) === "%PDF-";
  const other = /\.ipynb$/i.test(at.real) ? "notebook" : "text";
  return imageType(head) ?? (isPdf ? "pdf" : other);
}

export function imageType(head: Buffer): ImageRef["mediaType"] | null {
  const start = head.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : null;
}
