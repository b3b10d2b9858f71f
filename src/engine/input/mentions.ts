// Everything an input mentions, read once when the input is sent.
import { type Mention, mentionsIn } from "../../context/mentions.ts";
import type { Attachment } from "../../contract/attachment.ts";
import { fail, ok, type Result } from "../../contract/error.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { showSize } from "../../platform/files/open.ts";
import type { Blob } from "../loop/loop.ts";
import { keyOf } from "../model/reply.ts";
import { type LongText, longText, maxTextChars, wordsIn } from "./long-text.ts";
import {
  type AttachDeps,
  nameOf,
  type OutsideMention,
  outsideMention,
  placeOf,
  type ReadMention,
  readMentioned,
} from "./read-mentioned.ts";

export interface Attached {
  readonly attachments: readonly Attachment[];
  readonly blobs: readonly Blob[];
  readonly notices: readonly Phrase[];
  readonly long: LongText | null;
}

const maxCount = 20;
const maxBytes = 128 * 1024;

/** `null`: cancelled. */
export async function attachedTo(
  text: string,
  deps: AttachDeps,
  signal: AbortSignal,
): Promise<Result<Attached> | null> {
  if (text.length > maxTextChars) {
    const sizes = { size: showSize(Buffer.byteLength(text)), max: showSize(maxTextChars) };
    const advice = phrase("attach.too_long.advice");
    return fail("E_INVALID_ARGS", phrase("attach.too_long", sizes), { advice });
  }
  const long = longText(text, deps.window);
  const mentions = mentionsIn(long ? wordsIn(text) : text, (path) => placeOf(path, deps.settings).kind);
  const attachments = new Attachments(deps);
  for (const one of mentions) {
    if (!attachments.accepts(one)) continue;
    const read = await readMentioned(one, deps, signal);
    if (read === null) return null;
    attachments.put(one, read);
  }
  return ok({ ...attachments.content(), long });
}

/** Files that could be attached if the user lets them be. */
export function outsideMentions(text: string, deps: AttachDeps): readonly OutsideMention[] {
  const words = longText(text, deps.window) ? wordsIn(text) : text;
  const found = mentionsIn(words, (path) => placeOf(path, deps.settings).kind).slice(0, maxCount);
  const offered = found.flatMap((one) => outsideMention(one, deps) ?? []);
  return [...new Map(offered.map((one) => [one.real, one])).values()];
}

class Attachments {
  private readonly deps: AttachDeps;
  private readonly attachments: Attachment[] = [];
  private readonly blobs: Blob[] = [];
  private readonly notices: Phrase[] = [];
  private readonly cut: string[] = [];
  private readonly omitted: string[] = [];
  private readonly names = new Set<string>();
  /** A quarter of the window, at about four bytes per token in every script. */
  private readonly most: number;
  private left: number;

  constructor(deps: AttachDeps) {
    this.deps = deps;
    this.most = Math.min(maxBytes, Math.max(deps.window, 1024));
    this.left = this.most;
  }

  accepts(one: Mention): boolean {
    const name = this.nameOf(one);
    if (this.names.has(name)) return false;
    this.names.add(name);
    const isFull = this.attachments.length >= maxCount || this.left <= 0;
    if (isFull) this.omitted.push(name);
    return !isFull;
  }

  put(one: Mention, read: ReadMention): void {
    if ("refused" in read) {
      this.notices.push(read.refused);
      return;
    }
    const { attachment, blobs, isCut, notice } = read;
    const fitted = fit(attachment, this.left);
    if (fitted === null) {
      this.left = 0;
      this.omitted.push(this.nameOf(one));
      return;
    }
    if (isCut || fitted !== attachment) this.cut.push(attachment.name);
    if (notice) this.notices.push(notice);
    this.left -= Buffer.byteLength(fitted.text);
    this.attachments.push(fitted);
    this.blobs.push(...blobs);
  }

  content(): Omit<Attached, "long"> {
    const { blind } = this.deps;
    const unseen = blind === null ? [] : this.attachments.filter(({ kind }) => kind === "image");
    const included = this.attachments
      .filter((one) => one.kind !== "problem" && !unseen.includes(one))
      .map(({ name }) => name);
    const isByCount = this.attachments.length >= maxCount;
    const names = this.omitted.join(", ");
    const omitted = isByCount
      ? phrase("attach.too_many", { max: maxCount, names })
      : phrase("attach.full", { size: showSize(this.most), names });
    const without = phrase("attach.unseen", { names: unseen.map(({ name }) => name).join(", "), model: blind ?? "" });
    const notices = [
      ...(included.length > 0 ? [phrase("attach.done", { names: included.join(", ") })] : []),
      ...(unseen.length > 0 ? [without] : []),
      ...(this.cut.length > 0 ? [phrase("attach.cut", { names: this.cut.join(", ") })] : []),
      ...(this.omitted.length > 0 ? [omitted] : []),
      ...this.notices,
    ];
    return { attachments: this.attachments, blobs: this.blobs, notices };
  }

  private nameOf({ path, lines }: Mention): string {
    return nameOf(placeOf(path, this.deps.settings), lines);
  }
}

/** The whole lines that fit; `null` = not even one. No `seen`: the model does not know a cut file in full. */
function fit(attachment: Attachment, bytes: number): Attachment | null {
  const { text, name, kind } = attachment;
  if (Buffer.byteLength(text) <= bytes) return attachment;
  const lines = text.split("\n");
  let used = 0;
  let count = 0;
  for (; count < lines.length; count++) {
    used += Buffer.byteLength(lines[count] ?? "") + 1;
    if (used > bytes) break;
  }
  if (count === 0) return null;
  const last = /^(\d+)\t/.exec(lines[count - 1] ?? "")?.[1];
  const goesOn = last === undefined ? `${lines.length - count} lines` : `continue with offset=${Number(last) + 1}`;
  const kept = [...lines.slice(0, count), `(cut here, there was no room for more; ${goesOn})`].join("\n");
  return { kind, name, text: kept, key: keyOf(name, kept) };
}
