import { type Redacted, redactor, replaceSecrets, secretFinder } from "../redact.ts";
import { openKeyLines } from "./key-lines.ts";
import { KnownSecrets } from "./known/known.ts";
import { openKeyStart } from "./private-key.ts";
import type { Secret } from "./span.ts";

/** Limit for an unfinished line; an unfinished private key may be longer. */
const longestLine = 16_384;
const longestKey = 65_536;
/** Held back when a longer line is cut: a secret may begin in it. */
const heldBack = 4_096;
/** A name may precede its value by this much. */
const nameRoom = 256;
/** Room for four lines with one letter each, after the names of their files. */
const lookBack = 1_024;
/** No value continues over more lines than this. */
const maxContinued = 40;

// The value may follow on the next line: `login me`, `name: DB_PASSWORD`, `key: >-`, a backslash.
const continues =
  /(?:\\|login[ \t]+\S{1,128}|[:=][ \t]*[|>][+-]?|name["']?[:=][ \t]*["']?[\w-]{1,80}["']?,?)[ \t]*\r?\n$/i;
// Progress dots and bars are shown at once: no secret begins with them.
const progress = /^[\s.#|()[\]·•…▁-█░▒▓✓✔✗✘×]*$/;

/** Redacts text that arrives in pieces. The output equals `redact` of the whole text. */
export class RedactingStream {
  private readonly known: KnownSecrets;
  private readonly find: (text: string) => readonly Secret[];
  private readonly redact: (text: string) => Redacted;
  private pending = "";
  /** The end of the text already shown: a known value may have begun there. */
  private before = "";
  /** Inside a secret longer than the limit: dropped up to the next blank. */
  private isSwallowing = false;

  constructor(known: readonly string[] | KnownSecrets) {
    this.known = known instanceof KnownSecrets ? known : new KnownSecrets(known);
    this.known.deepen();
    this.find = secretFinder(this.known);
    this.redact = redactor(this.known);
  }

  /** Returns the text that may be shown now. The rest follows with a later piece, or with `end`. */
  push(text: string): string {
    const fresh = this.isSwallowing ? this.afterSecret(text) : text;
    const hadPending = this.pending !== "";
    this.pending += fresh;
    // A line end may arrive in two pieces: `\r` alone counts as one as soon as something other than `\n` follows.
    if (!hadPending && progress.test(fresh)) return this.redactPending(fresh.length);
    const hasLineEnd = /[\r\n]/.test(this.pending.slice(-fresh.length - 1));
    if (!hasLineEnd && this.pending.length <= longestLine) return "";
    return this.redactPending(this.wholeLines()) + this.cutLines();
  }

  end(): string {
    return this.redactPending(this.pending.length);
  }

  private redactPending(length: number): string {
    const text = this.takePending(length);
    return text === "" ? "" : this.redact(text).text;
  }

  private takePending(length: number): string {
    const text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    this.before = (this.before + text).slice(-lookBack);
    return text;
  }

  /** The length of the lines that no later text can change. */
  private wholeLines(): number {
    const { pending } = this;
    const end = Math.max(pending.lastIndexOf("\n"), pending.slice(0, -1).lastIndexOf("\r")) + 1;
    const key = openKeyStart(pending.slice(0, end));
    let lines = key >= 0 ? lineStart(pending, key) : end;
    for (let i = 0; i < maxContinued && lines > 0; i++) {
      const shorter = this.withoutOpen(lines);
      if (shorter === lines) return lines;
      lines = shorter;
    }
    return lines;
  }

  /** The same length, or less where the last lines may continue in the next one. */
  private withoutOpen(lines: number): number {
    const { pending, before } = this;
    if (continues.test(pending.slice(Math.max(0, lines - nameRoom), lines))) return lineStart(pending, lines - 1);
    const whole = pending.slice(0, lines);
    const open = Math.min(this.known.openStart(before + whole) - before.length, openKeyLines(whole));
    return open < lines ? lineStart(pending, open + 1) : lines;
  }

  /** Shows the part of the pending text that exceeds the limit; a secret at the cut stays whole. */
  private cutLines(): string {
    const limit = openKeyStart(this.pending) >= 0 ? longestKey : longestLine;
    let shown = "";
    while (this.pending.length > limit) shown += this.cutOnce();
    return shown;
  }

  private cutOnce(): string {
    const secrets = this.find(this.pending);
    const cut = this.pending.length - heldBack - nameRoom;
    const crossing = secrets.find(({ to }) => to > cut);
    if (crossing === undefined || crossing.from > cut + nameRoom) return this.replaceFound(cut, secrets);
    if (crossing.from > nameRoom) return this.replaceFound(crossing.from - nameRoom, secrets);
    this.isSwallowing = crossing.to === this.pending.length;
    return this.replaceFound(crossing.to, secrets);
  }

  private replaceFound(length: number, secrets: readonly Secret[]): string {
    return replaceSecrets(
      this.takePending(length),
      secrets.filter(({ to }) => to <= length),
    );
  }

  private afterSecret(text: string): string {
    const end = text.search(/[\s"'`<>]/);
    if (end < 0) return "";
    this.isSwallowing = false;
    return text.slice(end);
  }
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}
