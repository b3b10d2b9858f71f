import { fieldsOf } from "../../contract/json.ts";
import type { Failure } from "../fault/fault.ts";
import { metaOf } from "../reply/part-meta.ts";
import type { ReplyWriter } from "../reply/reply-writer.ts";
import { ArgumentsEnd } from "./arguments-end.ts";
import type { RawCall } from "./chat-chunk.ts";

interface CallPiece {
  readonly index: number | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly args: string;
  /** Google's models behind a chat server sign their calls. */
  readonly signature: unknown;
}

interface OpenCall {
  readonly ordinal: number;
  readonly id: string | null;
  readonly name: string;
  readonly end: ArgumentsEnd;
  signature: unknown;
}

interface Nameless {
  id: string | null;
  args: string;
  signature: unknown;
  /** The name was sent, but blank: not a call. */
  isBlank: boolean;
}

/** One completion's calls. Servers tell them apart by index, by id or not at all, and send a name late or repeatedly. */
export class ChatCalls {
  readonly #reply: ReplyWriter;
  readonly #all: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall[]>();
  readonly #nameless = new Map<number | null, Nameless>();

  constructor(reply: ReplyWriter) {
    this.#reply = reply;
  }

  add({ index = null, id, function: { name, arguments: args }, extra_content }: RawCall): void {
    const signature = fieldsOf(fieldsOf(extra_content).google).thought_signature;
    const piece: CallPiece = { index, id: unlessBlank(id), name: unlessBlank(name), args: args ?? "", signature };
    const call = this.#callOf(piece);
    if (call !== null && !isAnother(call, piece)) this.#grow(call, piece);
    else if (piece.name !== null) this.#open(piece, piece.name);
    else this.#keep(piece, typeof name === "string");
  }

  end(): Failure | null {
    for (const { ordinal, signature } of this.#all) {
      this.#reply.closeCall(ordinal, "", metaOf("openai-compatible", { thoughtSignature: signature }));
    }
    const [lost] = [...this.#nameless].find(([, { isBlank }]) => !isBlank) ?? [];
    if (lost === undefined) return null;
    return { kind: "unreadable", detail: `arguments of call ${lost ?? "?"}, which never began` };
  }

  #callOf({ index, id }: CallPiece): OpenCall | null {
    const same = index === null ? this.#all : (this.#byIndex.get(index) ?? []);
    const named = id === null ? undefined : same.findLast((call) => call.id === id);
    return named ?? same.at(-1) ?? null;
  }

  #open({ index, id, args, signature }: CallPiece, name: string): void {
    const before = this.#nameless.get(index);
    this.#nameless.delete(index);
    const firstId = before?.id ?? id;
    const ordinal = this.#reply.openCall(name, firstId);
    const call: OpenCall = { ordinal, id: firstId, name, end: new ArgumentsEnd(), signature: before?.signature };
    this.#all.push(call);
    if (index !== null) this.#byIndex.set(index, [...(this.#byIndex.get(index) ?? []), call]);
    this.#grow(call, { args: `${before?.args ?? ""}${args}`, signature });
  }

  #grow(call: OpenCall, { args, signature }: Pick<CallPiece, "args" | "signature">): void {
    call.signature ??= signature;
    call.end.push(args);
    this.#reply.args(call.ordinal, args);
  }

  #keep({ index, id, args, signature }: CallPiece, isBlank: boolean): void {
    const kept = this.#nameless.get(index) ?? { id, args: "", signature, isBlank };
    // Counts empty ones too, so that a flood of them ends.
    this.#reply.weigh(args.length + 64);
    kept.id ??= id;
    kept.args += args;
    kept.signature ??= signature;
    kept.isBlank ||= isBlank;
    this.#nameless.set(index, kept);
  }
}

/** Whether a piece that seems to continue a call begins another one. */
function isAnother(call: OpenCall, { index, id, name, args }: CallPiece): boolean {
  if (name === null) return false;
  if (name !== call.name || (index === null && (id === null || id !== call.id))) return true;
  const isStart = /^\s*[{[]/.test(args);
  const isOtherId = id !== null && id !== call.id;
  return (isStart && (isOtherId || call.end.isReached)) || (isOtherId && args.trim() === "" && call.end.isReached);
}

function unlessBlank(text: string | null | undefined): string | null {
  return typeof text === "string" && text.trim() !== "" ? text : null;
}
