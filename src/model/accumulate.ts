import type { MessageDelta, ModelFault } from "../contract/delta.ts";
import type { ErrorInfo } from "../contract/error.ts";
import type { RunId } from "../contract/ids.ts";
import type { AssistantReply, Usage } from "../contract/message.ts";

interface ReplyCall {
  readonly ordinal: number;
  readonly providerId: string | null;
  readonly tool: string;
  /** As sent: not yet parsed, incomplete until the reply has ended. */
  readonly args: string;
}

/** What has arrived of one attempt so far. Changed in place by `accumulate`; `snapshot` gives a copy that stays. */
export interface PartialReply {
  readonly runId: RunId;
  readonly modelCallIndex: number;
  readonly attempt: number;
  lastSeq: number;
  text: string;
  thinking: string;
  readonly calls: Map<number, { -readonly [K in keyof ReplyCall]: ReplyCall[K] }>;
  usage: Usage | null;
  finish: AssistantReply["finish"] | null;
  failure: { readonly error: ErrorInfo; readonly fault: ModelFault } | null;
}

export interface ReplySnapshot {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ReplyCall[];
  /** `null` when the provider reported none. */
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
    calls: new Map(),
    usage: null,
    finish: null,
    failure: null,
  };
}

/** Leaves `reply` as it is for a delta seen before, of another run, index or attempt, or after the end. */
export function accumulate(reply: PartialReply, delta: MessageDelta): PartialReply {
  if (!belongs(reply, delta) || delta.seq <= reply.lastSeq || hasEnded(reply)) return reply;
  reply.lastSeq = delta.seq;
  switch (delta.kind) {
    case "text":
      reply.text += delta.text;
      break;
    case "thinking":
      reply.thinking += delta.text;
      break;
    case "tool_call_start":
      if (!reply.calls.has(delta.ordinal)) {
        const { ordinal, providerId, tool } = delta;
        reply.calls.set(ordinal, { ordinal, providerId, tool, args: "" });
      }
      break;
    case "tool_call_args": {
      const call = reply.calls.get(delta.ordinal);
      if (call) call.args += delta.text;
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
    case "tool_call_end":
      break;
  }
  return reply;
}

export function snapshot(reply: PartialReply): ReplySnapshot {
  return {
    text: reply.text,
    thinking: reply.thinking,
    calls: [...reply.calls.values()].sort((a, b) => a.ordinal - b.ordinal).map((call) => ({ ...call })),
    usage: reply.usage,
    finish: reply.finish,
    failure: reply.failure,
    ended: hasEnded(reply),
  };
}

function belongs(reply: PartialReply, delta: MessageDelta): boolean {
  return (
    delta.runId === reply.runId && delta.modelCallIndex === reply.modelCallIndex && delta.attempt === reply.attempt
  );
}

function hasEnded(reply: PartialReply): boolean {
  return reply.finish !== null || reply.failure !== null;
}
