// Finds the written forms of many values in one pass: every eight letters and digits of a text are hashed, and only where the
// hash is that of a piece of some form are the two compared.
import type { Written } from "../encodings.ts";
import { Grams } from "../grams.ts";
import type { Secret } from "../span.ts";
import { HashTable, hashAt, type Squeezed, squeeze, windowSize } from "../squeeze.ts";
import { isTokenLike } from "../value.ts";
import { dumpColumns, lastWords, type Stretches, wholeOf } from "../views.ts";
import { isMeant, piecesAround, runOf, type SecretForm } from "./run.ts";

const encoder = new TextEncoder();

interface Anchor {
  readonly form: SecretForm;
  readonly at: number;
  /** Another one with the same hash. */
  readonly next: Anchor | undefined;
}

export class KnownIndex {
  private readonly anchors = new HashTable<Anchor>();
  private readonly grams = new Grams();
  /** Forms whose grams are not gathered yet: only a stream asks for them. */
  private fresh: SecretForm[] = [];

  /** `isWord`: no part of it stands in other texts but as a part of it; in a code that is so for all words. */
  add(value: string, forms: readonly Written[], isWord: boolean): void {
    for (const written of forms) {
      const codes = encoder.encode(written.text);
      const isPartial = isWord && (!written.isPlain || isTokenLike(value));
      const form: SecretForm = { ...written, codes, value, isPartial };
      // As far apart as they may be for each piece that is to be found to hold one.
      const step = isPartial ? Math.max(1, form.least - windowSize + 1) : codes.length;
      for (let at = 0; at + windowSize <= codes.length; at++) {
        if (isPartial && !isRich(codes, at)) continue;
        const hash = hashAt(codes, at);
        this.anchors.set(hash, { form, at, next: this.anchors.get(hash) });
        at += step - 1;
      }
      this.fresh.push(form);
    }
  }

  find(text: string): readonly Secret[] {
    const found: Secret[] = [];
    for (const [i, view] of viewsOf(text).entries()) {
      const isOne = (anchor: Anchor, last: Squeezed): boolean => isAt(anchor, last, last.length - windowSize);
      const isThere = this.anchors.isIn(text, view, isOne);
      if (isThere) found.push(...this.scan(text, view, i === 0));
    }
    return found;
  }

  /** See `KnownSecrets`. */
  openStart(text: string): number {
    for (const { codes, isRare } of this.fresh) this.grams.add(codes, !isRare);
    this.fresh = [];
    const tail = Math.max(0, text.length - longestOpen);
    const end = text.slice(tail);
    const views = viewsOf(end);
    return tail + Math.min(...views.map((view) => this.grams.openStart(squeeze(end, view), end)));
  }

  private scan(text: string, view: Stretches, isWholeText: boolean): readonly Secret[] {
    const squeezed = squeeze(text, view);
    const found: Secret[] = [];
    // Forms of one value may begin alike, and each of them is followed to its own end.
    const done = new Map<SecretForm, number>();
    this.anchors.each(squeezed, (at, first) => {
      for (let anchor: Anchor | undefined = first; anchor !== undefined; anchor = anchor.next) {
        const { form } = anchor;
        if ((done.get(form) ?? 0) > at || !isAt(anchor, squeezed, at)) continue;
        const run = runOf(form, anchor.at, squeezed, at);
        done.set(form, run.to);
        if (!isMeant(form, run, squeezed, text, isWholeText)) continue;
        for (const piece of piecesAround(form, run, squeezed, text)) found.push(piece);
      }
    });
    return found;
  }
}

/** Few different letters stand in other texts too, and each time all would be compared. */
function isRich(codes: Uint8Array, at: number): boolean {
  let seen = 0;
  let count = 0;
  for (let i = at; i < at + windowSize; i++) {
    const bit = 1 << (codes[i] as number);
    if ((seen & bit) === 0) count++;
    seen |= bit;
  }
  return count >= 4;
}

/** More than that is not kept back for what may follow. */
const longestOpen = 8_192;

function viewsOf(text: string): readonly Stretches[] {
  if (!text.includes("\n") && !text.includes("\\n")) return [wholeOf(text)];
  return [wholeOf(text), lastWords(text), ...dumpColumns(text)];
}

/** Equal hashes may be those of other letters. */
function isAt({ form, at: anchored }: Anchor, { codes }: Squeezed, at: number): boolean {
  if (at < 0) return true;
  for (let i = 0; i < windowSize; i++)
    if (((form.codes[anchored + i] as number) | 32) !== ((codes[at + i] as number) | 32)) return false;
  return true;
}
