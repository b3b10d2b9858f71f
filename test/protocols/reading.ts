// What an honest reader makes of frames that were repeated, lost or moved: it takes what the wire cannot tell from a sound
// reply as it came, and refuses what the wire shows to be broken. The rules are told in docs/reference/protocols.md.
import type { Usage } from "../../src/contract/message.ts";
import type { Protocol } from "../../src/contract/settings.ts";
import type { Expected, Message } from "../support/wire/outcome.ts";
import { callsOf, type Frame, idOf, messageOf, type WireReply } from "../support/wire/reply.ts";

const unreadable = { fault: "protocol", says: "model.unreadable" } as const;
const cutShort = { fault: "protocol", says: "model.cut_short" } as const;

interface Heard {
  text: string;
  thinking: string;
  readonly calls: Map<number, string>;
  /** Arguments that came before their call. */
  readonly early: Map<number, string>;
  hasOpening: boolean;
  hasUsage: boolean;
  isFinished: boolean;
  isBroken: boolean;
}

export function readingOf(frames: readonly Frame[], reply: WireReply, protocol: Protocol): Expected {
  const heard: Heard = {
    text: "",
    thinking: "",
    calls: new Map(),
    early: new Map(),
    hasOpening: false,
    hasUsage: false,
    isFinished: false,
    isBroken: false,
  };
  for (const { carries } of protocol === "openai-responses" ? [...new Set(frames)] : frames)
    hear(heard, carries, protocol);
  const whole = messageOf(reply, protocol);
  const message = messageFrom(heard, reply, whole, protocol);
  if (!heard.isFinished) return cutShort;
  if (heard.isBroken || heard.early.size > 0 || (protocol === "openai-responses" && isAltered(message, whole)))
    return unreadable;
  return { message };
}

function hear(heard: Heard, carries: Frame["carries"], protocol: Protocol): void {
  switch (carries.kind) {
    case "text":
    case "thinking":
      heard[carries.kind] += carries.piece;
      break;
    case "call":
      // Opened twice under one index or id is one call.
      if (!heard.calls.has(carries.call)) {
        heard.calls.set(carries.call, (heard.early.get(carries.call) ?? "") + carries.piece);
        heard.early.delete(carries.call);
      }
      break;
    case "args": {
      const before = heard.calls.get(carries.call);
      if (before !== undefined) heard.calls.set(carries.call, before + carries.piece);
      else if (protocol !== "openai-chat") heard.isBroken = true;
      else heard.early.set(carries.call, (heard.early.get(carries.call) ?? "") + carries.piece);
      break;
    }
    case "open":
      heard.hasOpening = true;
      break;
    case "usage":
      heard.hasUsage = true;
      break;
    case "finish":
      heard.isFinished = true;
      break;
  }
}

function messageFrom(heard: Heard, reply: WireReply, whole: Message, protocol: Protocol): Message {
  const parts = callsOf(reply);
  const calls = [...heard.calls].map(([call, args]) => {
    const part = parts[call]!;
    return { id: idOf(part, call), tool: part.tool, args };
  });
  const isCalling = whole.finish === "tool_calls" && calls.length === 0;
  return {
    text: heard.text,
    thinking: heard.thinking,
    calls,
    usage: usageFrom(heard, whole.usage, protocol),
    finish: isCalling ? "other" : whole.finish,
  };
}

/** Chat sends it in a frame of its own; Anthropic tells the input in the first frame and the output in the last. */
function usageFrom(heard: Heard, usage: Usage | null, protocol: Protocol): Usage | null {
  if (protocol === "openai-chat" && !heard.hasUsage) return null;
  const isHalf = protocol === "anthropic" && !heard.hasOpening && usage !== null;
  return isHalf ? { ...usage, input: 0, cachedInput: 0 } : usage;
}

/** This protocol repeats texts and arguments in full, so what was lost or moved shows. */
function isAltered(message: Message, whole: Message): boolean {
  return message.text !== whole.text || !Bun.deepEquals(message.calls, whole.calls);
}
