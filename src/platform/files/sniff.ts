import { closeSync, readSync } from "node:fs";
import { ok, type Result } from "../../contract/error.ts";
import type { ImageRef } from "../../contract/message.ts";
import { ioFailure } from "./failure.ts";
import { imageType } from "./image.ts";
import { openFile } from "./open.ts";
import { type LocatedPath, visible } from "./path.ts";

interface Sniffed {
  /** By content; only a notebook, which is JSON like any other, by its name. */
  readonly kind: "text" | "notebook" | "pdf" | ImageRef["mediaType"];
  readonly size: number;
}

/** What a file is, from its first bytes. Whatever is neither image, notebook nor PDF counts as text until it is read. */
export function sniff(at: LocatedPath): Result<Sniffed> {
  const opened = openFile(at);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  try {
    const head = Buffer.alloc(16);
    readSync(fd, head, 0, head.length, 0);
    const isPdf = head.toString("latin1", 0, 5) === "%PDF-";
    const other = /\.ipynb$/i.test(at.real) ? "notebook" : "text";
    return ok({ kind: imageType(head) ?? (isPdf ? "pdf" : other), size: stat.size });
  } catch (error) {
    return ioFailure(error, visible(at.shown));
  } finally {
    closeSync(fd);
  }
}
