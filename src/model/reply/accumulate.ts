import type { MessageDelta, ModelFault } from "../../contract/delta.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { RunId } from "../../contract/ids.ts";
import type { AssistantReply, PartMeta, ReplyPart, Usage } from "../../contract/message.ts";

interface ReplyCall {
  readonly ordinal: number;
  readonly providerId: string | null;
  readonly tool: string;
  readonly args: string;
}

/** A part of the reply as it grows. `block` distinguishes neighbours of one kind. */
type GrowingPart = { meta: PartMeta | undefined } & (
  | { readonly kind: "text" | "thinking"; readonly block: number | undefined; length: number }
  | { readonly kind: "call"; readonly ordinal: number }
);

/** The state of one attempt so far. `accumulate` changes it in place; `snapshot` copies it. */
export interface PartialReply {
  readonly runId: RunId;
  readonly modelCallIndex: number;
  readonly attempt: number;
  lastSeq: number;
  text: string;
  thinking: string;
  readonly parts: GrowingPart[];
  readonly calls: Map<number, { -readonly [K in keyof ReplyCall]: ReplyCall[K] }>;
  usage: Usage | null;
  finish: AssistantReply["finish"] | null;
  failure: { readonly error: ErrorInfo; readonly fault: ModelFault } | null;
}

export interface ReplySnapshot {
  readonly text: string;
  readonly thinking: string;
  /** Absent if the reply is one text, then calls. */
  readonly parts?: readonly ReplyPart[];
  readonly calls: readonly ReplyCall[];
  readonly usage: Usage | null;
  readonly finish: AssistantReply["finish"] | null;
  readonly failure: { readonly error: ErrorInfo; readonly fault: ModelFault } | null;
  readonly ended: boolean;
}

export function emptyReply(runId: RunId, modelCallIndex: number, attempt: number): PartialReply {
  return {
    runId,
    modelCallIndex,
    attempt,
    lastSeq: -1,
    text: "",
    thinking: "",
    parts: [],
    calls: new Map(),
    usage: null,
    finish: null,
    failure: null,
  };
}

/** Ignores repeated deltas, those of another run, index or attempt, and those after the end. */
export function accumulate(reply: PartialReply, delta: MessageDelta): PartialReply {
  if (!belongs(reply, delta) || delta.seq <= reply.lastSeq || hasEnded(reply)) return reply;
  reply.lastSeq = delta.seq;
  switch (delta.kind) {
    case "text":
    case "thinking":
      reply[delta.kind] += delta.text;
      grow(reply.parts, delta);
      break;
    case "tool_call_start":
      if (!reply.calls.has(delta.ordinal)) {
        const { ordinal, providerId, tool } = delta;
        reply.calls.set(ordinal, { ordinal, providerId, tool, args: "" });
        reply.parts.push({ kind: "call", ordinal, meta: undefined });
      }
      break;
    case "tool_call_args": {
      const call = reply.calls.get(delta.ordinal);
      if (call) call.args += delta.text;
      break;
    }
    case "tool_call_end": {
      const part = reply.parts.find((one) => one.kind === "call" && one.ordinal === delta.ordinal);
      if (part) part.meta = merged(part.meta, delta.meta);
      break;
    }
    case "usage":
      reply.usage = delta.usage;
      break;
    case "done":
      reply.finish = delta.finish;
      break;
    case "error":
      reply.failure = { error: delta.error, fault: delta.fault };
      break;
    case "start":
      break;
  }
  return reply;
}

type TextDelta = Extract<MessageDelta, { readonly kind: "text" | "thinking" }>;

/** Only the newest part of a kind can grow, since each kind has one string; `meta` alone finds its part anywhere. */
function grow(parts: GrowingPart[], { kind, block, text, meta }: TextDelta): void {
  const last = block === undefined ? parts.at(-1) : parts.findLast((one) => one.kind === kind);
  const isNewest = last !== undefined && last.kind === kind && last.block === block;
  const found = isNewest || text !== "" ? last : parts.findLast((one) => one.kind === kind && one.block === block);
  if (found !== undefined && found.kind === kind && found.block === block) {
    found.length += text.length;
    found.meta = merged(found.meta, meta);
  } else if (text !== "" || meta !== undefined) parts.push({ kind, block, length: text.length, meta });
}

function merged(old: PartMeta | undefined, fresh: PartMeta | undefined): PartMeta | undefined {
  if (old === undefined || fresh === undefined) return fresh ?? old;
  const both: Record<string, PartMeta[string]> = { ...old };
  for (const [provider, values] of Object.entries(fresh)) both[provider] = { ...both[provider], ...values };
  return both;
}

export function snapshot(reply: PartialReply): ReplySnapshot {
  return {
    text: reply.text,
    thinking: reply.thinking,
    ...(isPlain(reply.parts) ? {} : { parts: reply.parts.map(settled) }),
    calls: [...reply.calls.values()].sort((a, b) => a.ordinal - b.ordinal).map((call) => ({ ...call })),
    usage: reply.usage,
    finish: reply.finish,
    failure: reply.failure,
    ended: hasEnded(reply),
  };
}

/** One text, then calls, without metadata: the default form of a reply without parts. */
function isPlain(parts: readonly GrowingPart[]): boolean {
  return parts.every(
    (part, at) => part.meta === undefined && (part.kind === "call" || (part.kind === "text" && at === 0)),
  );
}

function settled(part: GrowingPart): ReplyPart {
  const meta = part.meta === undefined ? {} : { meta: part.meta };
  return part.kind === "call"
    ? { kind: "call", ordinal: part.ordinal, ...meta }
    : { kind: part.kind, length: part.length, ...meta };
}

function belongs(reply: PartialReply, delta: MessageDelta): boolean {
  return (
    delta.runId === reply.runId && delta.modelCallIndex === reply.modelCallIndex && delta.attempt === reply.attempt
  );
}

function hasEnded(reply: PartialReply): boolean {
  return reply.finish !== null || reply.failure !== null;
}
