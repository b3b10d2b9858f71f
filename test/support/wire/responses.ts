// OpenAI's responses: every event is named and numbered, items have an index, and what came in pieces is repeated in full.
import { type Carried, type Frame, idOf, pieces, type WirePart, type WireReply } from "./reply.ts";

type Event = readonly [carries: Carried, type: string, rest: object];

export function responsesFrames(reply: WireReply): readonly Frame[] {
  const events: Event[] = [
    [{ kind: "open" }, "response.created", { response: response("in_progress") }],
    [{ kind: "open" }, "response.in_progress", { response: response("in_progress") }],
  ];
  const output: object[] = [];
  let call = 0;
  for (const [index, part] of reply.parts.entries()) {
    const item = itemOf(part, index, call, reply);
    events.push(...itemEvents(part, item, index, call, reply));
    output.push(item);
    if (part.kind === "call") call++;
  }
  events.push(ending(reply, output));
  return events.map(([carries, type, rest], sequence_number) => ({
    carries,
    sse: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...rest })}\n\n`,
  }));
}

function response(status: string, rest: object = {}): object {
  return { id: "resp_w", object: "response", created_at: 1, status, model: "tiny", output: [], error: null, ...rest };
}

function ending(reply: WireReply, output: readonly object[]): Event {
  const usage = reply.usage && {
    input_tokens: reply.usage.input,
    input_tokens_details: { cached_tokens: reply.usage.cached },
    output_tokens: reply.usage.output,
    output_tokens_details: { reasoning_tokens: reply.usage.reasoning },
    total_tokens: reply.usage.input + reply.usage.output,
  };
  const rest = { output, usage: usage ?? null };
  if (reply.finish !== "length") {
    return [{ kind: "finish" }, "response.completed", { response: response("completed", rest) }];
  }
  const incomplete_details = { reason: "max_output_tokens" };
  return [
    { kind: "finish" },
    "response.incomplete",
    { response: response("incomplete", { ...rest, incomplete_details }) },
  ];
}

/** The item as it is when complete. */
function itemOf(part: WirePart, index: number, call: number, reply: WireReply): { id: string; type: string } {
  switch (part.kind) {
    case "text": {
      const content = [contentOf(part.text, reply)];
      return { id: `msg_w${index}`, type: "message", status: "completed", role: "assistant", content } as never;
    }
    case "thinking": {
      const summary = [{ type: "summary_text", text: part.text }];
      return { id: `rs_w${index}`, type: "reasoning", summary, encrypted_content: part.signature ?? null } as never;
    }
    case "call": {
      const id = idOf(part, call);
      const named = { ...(id === null ? {} : { call_id: id }), name: part.tool, arguments: part.args };
      return { id: `fc_w${index}`, type: "function_call", status: "completed", ...named } as never;
    }
  }
}

function contentOf(text: string, { finish }: WireReply): object {
  if (finish === "refused") return { type: "refusal", refusal: text };
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function itemEvents(
  part: WirePart,
  item: { id: string; type: string },
  output_index: number,
  call: number,
  reply: WireReply,
): readonly Event[] {
  const place = { item_id: item.id, output_index };
  const added = { ...item, status: "in_progress", ...emptied(part) };
  const opens: Carried = part.kind === "call" ? { kind: "call", call, piece: "" } : { kind: "frame" };
  return [
    [opens, "response.output_item.added", { output_index, item: added }],
    ...(part.kind === "call" ? callEvents(part.args, place, call, reply) : textEvents(part, place, reply)),
    [{ kind: "copy" }, "response.output_item.done", { output_index, item }],
  ];
}

function emptied(part: WirePart): object {
  if (part.kind === "call") return { arguments: "" };
  return part.kind === "text" ? { content: [] } : { summary: [], encrypted_content: null };
}

function callEvents(args: string, place: object, call: number, reply: WireReply): readonly Event[] {
  const delta = "response.function_call_arguments.delta";
  return [
    ...pieces(args, reply).map((piece): Event => [{ kind: "args", call, piece }, delta, { ...place, delta: piece }]),
    [{ kind: "copy" }, "response.function_call_arguments.done", { ...place, arguments: args }],
  ];
}

function textEvents(part: Exclude<WirePart, { kind: "call" }>, place: object, reply: WireReply): readonly Event[] {
  const { kind, text } = part;
  const [name, at, field, whole] =
    kind === "thinking"
      ? (["reasoning_summary", { summary_index: 0 }, "text", { type: "summary_text", text }] as const)
      : reply.finish === "refused"
        ? (["refusal", { content_index: 0 }, "refusal", contentOf(text, reply)] as const)
        : (["output_text", { content_index: 0 }, "text", contentOf(text, reply)] as const);
  const partName = kind === "thinking" ? "response.reasoning_summary_part" : "response.content_part";
  const delta = kind === "thinking" ? "response.reasoning_summary_text" : `response.${name}`;
  const here = { ...place, ...at };
  return [
    [{ kind: "frame" }, `${partName}.added`, { ...here, part: { ...whole, [field]: "" } }],
    ...pieces(text, reply).map((piece): Event => [{ kind, piece }, `${delta}.delta`, { ...here, delta: piece }]),
    [{ kind: "copy" }, `${delta}.done`, { ...here, [field]: text }],
    [{ kind: "copy" }, `${partName}.done`, { ...here, part: whole }],
  ];
}
