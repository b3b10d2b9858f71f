import type { DeltaBody } from "../../contract/delta.ts";
import type { PartMeta } from "../../contract/message.ts";
import type { Failure } from "../fault/fault.ts";
import { Calls } from "./calls.ts";
import { maxCalls, maxReplySize, tooLarge, tooManyCalls } from "./limits.ts";
import { metaSize, saysSomething } from "./part-meta.ts";
import type { TextCalls } from "./text-calls.ts";

type Words = Extract<DeltaBody, { readonly kind: "text" | "thinking" }>;

/** Blanks and invisible characters can be sent forever without any content. */
const visible = /[^\s\p{C}]/u;
/** A longer piece is not joined with the next: users should see text as it arrives. */
const enough = 16_384;

interface ReplyForm {
  /** Extracts calls that the model writes as text; `null` if it writes none. */
  readonly textCalls: TextCalls | null;
  readonly joins: boolean;
}

/** One reply in the making: decoders write to it, and `take` returns the deltas. */
export class ReplyWriter {
  readonly #calls = new Calls();
  readonly #form: ReplyForm;
  readonly #ids = new Set<string>();
  readonly #blocks = new Map<unknown, number>();
  #written: DeltaBody[] = [];
  #size = 0;
  #progress = 0;
  #failure: Failure | null = null;

  constructor(form: ReplyForm) {
    this.#form = form;
  }

  get callCount(): number {
    return this.#calls.count;
  }

  /** Counts the pieces with content, including those held back. */
  get progress(): number {
    return this.#progress;
  }

  /** Set once the reply exceeds a limit; nothing is written from then on. */
  get failure(): Failure | null {
    return this.#failure;
  }

  take(): readonly DeltaBody[] {
    const written = this.#written;
    if (written.length > 0) this.#written = [];
    return written;
  }

  /** `part`: the provider's identity of this part of the reply, if any. An empty text only carries `meta`. */
  words(kind: Words["kind"], text: string, part?: unknown, meta?: PartMeta): void {
    if (text === "" && meta === undefined) return;
    if (!this.weigh(text.length + metaSize(meta))) return;
    if (visible.test(text) || saysSomething(meta)) this.#progress++;
    const { textCalls } = this.#form;
    if (kind === "text" && textCalls !== null) this.#add(textCalls.push(text, this.#calls));
    else if (part === undefined) this.#join(kind, text);
    else {
      const block = this.#blockOf(part);
      if (block !== null) this.#written.push({ kind, text, block, ...(meta === undefined ? {} : { meta }) });
    }
  }

  /** Returns the ordinal. The provider's `id` is kept unless it is a duplicate: servers omit ids or use one twice. */
  openCall(tool: string, id: unknown): number {
    const ordinal = this.#calls.open();
    const providerId = this.#newId(id);
    // The constant makes a flood of empty calls end too.
    if (!this.weigh(tool.length + (providerId?.length ?? 0) + 64)) return ordinal;
    this.#progress++;
    this.#add([{ kind: "tool_call_start", ordinal, providerId, tool }]);
    return ordinal;
  }

  args(ordinal: number, text: string): void {
    if (text === "" || !this.#calls.isOpen(ordinal) || !this.weigh(text.length)) return;
    if (visible.test(text)) this.#progress++;
    this.#calls.grow(ordinal, text.length);
    const last = this.#written.at(-1);
    const isMore = this.#form.joins && last?.kind === "tool_call_args" && last.ordinal === ordinal;
    if (!isMore || last.text.length >= enough) this.#written.push({ kind: "tool_call_args", ordinal, text });
    else this.#written[this.#written.length - 1] = { ...last, text: last.text + text };
  }

  /** `whole`: all arguments, used only if none came in pieces. */
  closeCall(ordinal: number, whole: string, meta?: PartMeta): void {
    if (!this.#calls.isOpen(ordinal)) return;
    if (this.#calls.isEmpty(ordinal)) this.args(ordinal, whole);
    this.#close(ordinal, meta);
  }

  /** Completes the reply: writes held-back text and closes open calls. */
  end(): void {
    this.#add(this.#form.textCalls?.end(this.#calls) ?? []);
    for (const ordinal of this.#calls.left()) this.#close(ordinal, undefined);
  }

  /** Counts arrived text; `false` once it exceeds the limit. */
  weigh(length: number): boolean {
    this.#size += length;
    if (this.#size > maxReplySize) this.#failure ??= tooLarge;
    return this.#failure === null;
  }

  #close(ordinal: number, meta: PartMeta | undefined): void {
    this.#calls.close(ordinal);
    this.#add([{ kind: "tool_call_end", ordinal, ...(meta === undefined ? {} : { meta }) }]);
  }

  #add(bodies: readonly DeltaBody[]): void {
    if (this.#calls.count > maxCalls) this.#failure ??= tooManyCalls;
    if (this.#failure === null) for (const body of bodies) this.#written.push(body);
  }

  #join(kind: Words["kind"], text: string): void {
    const last = this.#written.at(-1);
    const isMore = this.#form.joins && last?.kind === kind && last.text.length < enough;
    if (isMore) this.#written[this.#written.length - 1] = { kind, text: last.text + text };
    else this.#written.push({ kind, text });
  }

  #blockOf(part: unknown): number | null {
    const known = this.#blocks.get(part);
    if (known !== undefined) return known;
    // The constant makes a flood of tiny parts end too.
    if (!this.weigh(64)) return null;
    this.#blocks.set(part, this.#blocks.size);
    return this.#blocks.size - 1;
  }

  #newId(id: unknown): string | null {
    if (typeof id !== "string" || id.trim() === "" || this.#ids.has(id)) return null;
    this.#ids.add(id);
    return id;
  }
}
