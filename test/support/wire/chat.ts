// OpenAI chat completions: the frames of the scripted model, with what each of them brings.
import { renderReply, type Step } from "../scripted-reply.ts";
import { type Carried, callsOf, type Frame, idOf, joined, type WireReply } from "./reply.ts";

const finishes = { stop: "stop", length: "length", refused: "content_filter" } as const;

export function chatFrames(reply: WireReply): readonly Frame[] {
  const calls = callsOf(reply).map((part, call) => ({ tool: part.tool, input: part.args, id: idOf(part, call) }));
  const step: Step = {
    text: joined(reply, "text"),
    thinking: joined(reply, "thinking"),
    calls,
    chunkChars: reply.chunkChars ?? 7,
    ...(reply.usage ? { usage: reply.usage } : {}),
    ...(reply.finish ? { finish: finishes[reply.finish] } : {}),
  };
  return renderReply(step, "tiny", "w").map((sse) => ({ sse, carries: carried(sse) }));
}

interface Chunk {
  readonly usage?: unknown;
  readonly choices: readonly {
    readonly finish_reason: string | null;
    readonly delta: {
      readonly content?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly { index: number; function: { name?: string; arguments: string } }[];
    };
  }[];
}

function carried(sse: string): Carried {
  if (sse === "data: [DONE]\n\n") return { kind: "last" };
  const { choices } = JSON.parse(sse.slice("data: ".length)) as Chunk;
  const choice = choices[0];
  if (choice === undefined) return { kind: "usage" };
  const call = choice.delta.tool_calls?.[0];
  if (call?.function.name !== undefined) return { kind: "call", call: call.index, piece: "" };
  if (call !== undefined) return { kind: "args", call: call.index, piece: call.function.arguments };
  if (choice.finish_reason !== null) return { kind: "finish" };
  if (choice.delta.reasoning_content !== undefined) return { kind: "thinking", piece: choice.delta.reasoning_content };
  return { kind: "text", piece: choice.delta.content ?? "" };
}
