// Finds the written forms of many values in one pass: every window of eight letters and digits is hashed, and the text is compared with a
// form only where the hash matches.
import type { Written } from "../encodings.ts";
import { Grams } from "../grams.ts";
import type { Secret } from "../span.ts";
import { HashTable, hashAt, type Squeezed, squeeze, windowSize } from "../squeeze.ts";
import { isTokenLike } from "../value.ts";
import { dumpColumns, lastWords, type Stretches, wholeOf } from "../views.ts";
import { isValueRun, piecesAround, runOf, type SecretForm } from "./run.ts";

const encoder = new TextEncoder();

interface Anchor {
  readonly form: SecretForm;
  readonly at: number;
  readonly next: Anchor | undefined;
}

export class KnownIndex {
  private readonly anchors = new HashTable<Anchor>();
  private readonly grams = new Grams();
  /** Forms whose grams are not collected yet: only a stream needs them. */
  private ungathered: SecretForm[] = [];

  /** `isWord`: a part of the value identifies it. Parts of an encoded word always do. */
  add(value: string, forms: readonly Written[], isWord: boolean): void {
    for (const written of forms) {
      const codes = encoder.encode(written.text);
      const isPartial = isWord && (!written.isPlain || isTokenLike(value));
      const form: SecretForm = { ...written, codes, value, isPartial };
      // The widest spacing at which every piece worth finding still contains an anchor.
      const step = isPartial ? Math.max(1, form.least - windowSize + 1) : codes.length;
      for (let at = 0; at + windowSize <= codes.length; at++) {
        if (isPartial && !isDistinctive(codes, at)) continue;
        const hash = hashAt(codes, at);
        this.anchors.set(hash, { form, at, next: this.anchors.get(hash) });
        at += step - 1;
      }
      this.ungathered.push(form);
    }
  }

  find(text: string): readonly Secret[] {
    const found: Secret[] = [];
    for (const [i, view] of viewsOf(text).entries()) {
      const accepts = (anchor: Anchor, last: Squeezed): boolean => isAt(anchor, last, last.length - windowSize);
      const isPresent = this.anchors.isIn(text, view, accepts);
      if (isPresent) found.push(...this.scan(text, view, i === 0));
    }
    return found;
  }

  /** See `KnownSecrets`. */
  openStart(text: string): number {
    for (const { codes, isRare } of this.ungathered) this.grams.add(codes, !isRare);
    this.ungathered = [];
    const tail = Math.max(0, text.length - longestOpen);
    const end = text.slice(tail);
    const views = viewsOf(end);
    return tail + Math.min(...views.map((view) => this.grams.openStart(squeeze(end, view), end)));
  }

  private scan(text: string, view: Stretches, isWholeText: boolean): readonly Secret[] {
    const squeezed = squeeze(text, view);
    const found: Secret[] = [];
    // Forms of one value may begin alike: each is followed to its own end.
    const done = new Map<SecretForm, number>();
    this.anchors.each(squeezed, (at, first) => {
      for (let anchor: Anchor | undefined = first; anchor !== undefined; anchor = anchor.next) {
        const { form } = anchor;
        if ((done.get(form) ?? 0) > at || !isAt(anchor, squeezed, at)) continue;
        const run = runOf(form, anchor.at, squeezed, at);
        done.set(form, run.to);
        if (!isValueRun(form, run, squeezed, text, isWholeText)) continue;
        for (const piece of piecesAround(form, run, squeezed, text)) found.push(piece);
      }
    });
    return found;
  }
}

/** Windows with few distinct letters also occur in other texts, and each hit would cost a comparison. */
function isDistinctive(codes: Uint8Array, at: number): boolean {
  let seen = 0;
  let count = 0;
  for (let i = at; i < at + windowSize; i++) {
    const bit = 1 << (codes[i] as number);
    if ((seen & bit) === 0) count++;
    seen |= bit;
  }
  return count >= 4;
}

/** A stream holds back no more text than this. */
const longestOpen = 8_192;

function viewsOf(text: string): readonly Stretches[] {
  if (!text.includes("\n") && !text.includes("\\n")) return [wholeOf(text)];
  return [wholeOf(text), lastWords(text), ...dumpColumns(text)];
}

/** Different letters can have equal hashes. */
function isAt({ form, at: anchored }: Anchor, { codes }: Squeezed, at: number): boolean {
  if (at < 0) return true;
  for (let i = 0; i < windowSize; i++)
    if (((form.codes[anchored + i] as number) | 32) !== ((codes[at + i] as number) | 32)) return false;
  return true;
}
