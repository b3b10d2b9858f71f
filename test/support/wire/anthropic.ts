// Anthropic's messages: every event is named, blocks have an index, pings come in between.
import { type Carried, type Frame, idOf, pieces, type WirePart, type WireReply } from "./reply.ts";

const finishes = { stop: "end_turn", length: "max_tokens", refused: "refusal" } as const;

export function anthropicFrames(reply: WireReply): readonly Frame[] {
  const { usage, parts } = reply;
  const frames: Frame[] = [frame({ kind: "open" }, "message_start", { message: opening(reply) })];
  let call = 0;
  for (const [index, part] of parts.entries()) {
    const opens: Carried = part.kind === "call" ? { kind: "call", call, piece: "" } : { kind: "frame" };
    frames.push(frame(opens, "content_block_start", { index, content_block: emptyBlock(part, call) }));
    if (index === 0) frames.push(frame({ kind: "ping" }, "ping", {}));
    frames.push(...deltas(part, reply, call).map(([carries, delta]) => block(carries, index, delta)));
    frames.push(frame({ kind: "frame" }, "content_block_stop", { index }));
    if (part.kind === "call") call++;
  }
  const reason = reply.finish ? finishes[reply.finish] : call > 0 ? "tool_use" : "end_turn";
  const ending = { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: usage?.output ?? 0 } };
  frames.push(frame({ kind: "finish" }, "message_delta", ending));
  return [...frames, frame({ kind: "last" }, "message_stop", {})];
}

function opening({ usage }: WireReply): unknown {
  const cached = usage?.cached ?? 0;
  return {
    id: "msg_w",
    type: "message",
    role: "assistant",
    model: "tiny",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: (usage?.input ?? 0) - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
      output_tokens: usage ? 1 : 0,
    },
  };
}

function emptyBlock(part: WirePart, call: number): unknown {
  switch (part.kind) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "call": {
      const id = idOf(part, call);
      return { type: "tool_use", ...(id === null ? {} : { id }), name: part.tool, input: {} };
    }
  }
}

function deltas(part: WirePart, reply: WireReply, call: number): readonly (readonly [Carried, unknown])[] {
  switch (part.kind) {
    case "text":
      return pieces(part.text, reply).map((text) => [
        { kind: "text", piece: text },
        { type: "text_delta", text },
      ]);
    case "thinking": {
      const signature = { type: "signature_delta", signature: part.signature ?? "" };
      const all = pieces(part.text, reply).map(
        (thinking) =>
          [
            { kind: "thinking", piece: thinking },
            { type: "thinking_delta", thinking },
          ] as const,
      );
      return part.signature === undefined ? all : [...all, [{ kind: "signature" }, signature]];
    }
    case "call":
      // The documentation shows an empty first piece.
      return ["", ...pieces(part.args, reply)].map((partial_json) => [
        { kind: "args", call, piece: partial_json },
        { type: "input_json_delta", partial_json },
      ]);
  }
}

function block(carries: Carried, index: number, delta: unknown): Frame {
  return frame(carries, "content_block_delta", { index, delta });
}

function frame(carries: Carried, type: string, rest: object): Frame {
  return { carries, sse: `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n` };
}
