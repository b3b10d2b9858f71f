// Google's streamGenerateContent with alt=sse: whole GenerateContentResponse objects, calls in one piece, no closing event.
import { type Carried, type Frame, idOf, pieces, type WirePart, type WireReply } from "./reply.ts";

const finishes = { stop: "STOP", length: "MAX_TOKENS", refused: "SAFETY" } as const;

export function googleFrames(reply: WireReply): readonly Frame[] {
  const frames: Frame[] = [];
  let call = 0;
  for (const part of reply.parts) {
    frames.push(...chunks(part, reply, call).map(([carries, value]) => frame(carries, reply, value)));
    if (part.kind === "call") call++;
  }
  const finishReason = finishes[reply.finish ?? "stop"];
  return [...frames, frame({ kind: "finish" }, reply, { text: "" }, finishReason)];
}

function chunks(part: WirePart, reply: WireReply, call: number): readonly (readonly [Carried, object])[] {
  switch (part.kind) {
    case "text":
      return pieces(part.text, reply).map((text) => [{ kind: "text", piece: text }, { text }]);
    case "thinking": {
      const all = pieces(part.text, reply).map((text) => [
        { kind: "thinking", piece: text },
        { text, thought: true },
      ]);
      const signed = [{ kind: "signature" }, { text: "", thought: true, thoughtSignature: part.signature }];
      return (part.signature === undefined ? all : [...all, signed]) as [Carried, object][];
    }
    case "call": {
      const id = idOf(part, call);
      const functionCall = { ...(id === null ? {} : { id }), name: part.tool, args: argsValue(part.args) };
      const signature = part.signature === undefined ? {} : { thoughtSignature: part.signature };
      return [
        [
          { kind: "call", call, piece: part.args },
          { functionCall, ...signature },
        ],
      ];
    }
  }
}

/** Arguments are an object here; what is not JSON can only come as a string in its place. */
function argsValue(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args; // The attack is that it is not JSON.
  }
}

function frame(carries: Carried, reply: WireReply, part: object, finishReason?: string): Frame {
  const candidate = { content: { role: "model", parts: [part] }, ...(finishReason ? { finishReason } : {}), index: 0 };
  const value = { candidates: [candidate], ...usageOf(reply), modelVersion: "tiny", responseId: "resp_w" };
  return { carries, sse: `data: ${JSON.stringify(value)}\n\n` };
}

/** Every chunk repeats it. */
function usageOf({ usage }: WireReply): object {
  if (usage === undefined) return {};
  const usageMetadata = {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.output,
  };
  return { usageMetadata };
}
