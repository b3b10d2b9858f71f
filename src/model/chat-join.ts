import type { ChatChunk, ChatDelta, RawCall } from "./chat/chat-chunk.ts";

/** What the SDK tells of a chunk, in the order in which it looks for it. */
const stages = { reasoning: 1, text: 2, refusal: 3, calls: 4 } as const;

/** What is as long as this goes on by itself: a person sees text as it comes. */
const enough = 16_384;

/** Several chunks on their way to be one. */
interface Row {
  readonly first: ChatChunk;
  size: number;
  reasoning: string;
  text: string;
  refusal: string;
  calls: RawCall[];
  finish: string | null;
  usage: NonNullable<ChatChunk["usage"]> | null;
  /** The last stage of which something was said. */
  stage: number;
}

/**
 * Chunks that arrived together, as few of them: each costs the SDK four hops through its streams. They are joined as long
 * as the SDK tells the same of one as of several.
 */
export function joinedChunks(chunks: readonly ChatChunk[]): readonly ChatChunk[] {
  if (chunks.length < 2) return chunks;
  const found: ChatChunk[] = [];
  let row: Row | null = null;
  for (const chunk of chunks) {
    if (row !== null && isNext(row, chunk)) {
      add(row, chunk);
      continue;
    }
    if (row !== null) found.push(whole(row));
    row = isPlain(chunk) ? opened(chunk) : null;
    if (row === null) found.push(chunk);
  }
  if (row !== null) found.push(whole(row));
  return found;
}

/** Content in parts stays as it came. */
function isPlain({ choices }: ChatChunk): boolean {
  const content = choices[0]?.delta?.content ?? "";
  return typeof content === "string";
}

function isNext(row: Row, chunk: ChatChunk): boolean {
  const { reasoning, text, refusal, calls, stage } = row;
  const size = reasoning.length + text.length + refusal.length + (calls.at(-1)?.function.arguments?.length ?? 0);
  return size < enough && isPlain(chunk) && stage <= firstStage(chunk.choices[0]?.delta ?? {});
}

function firstStage(delta: ChatDelta): number {
  if ((delta.reasoning_content ?? delta.reasoning ?? "") !== "") return stages.reasoning;
  if ((delta.content ?? "") !== "") return stages.text;
  return (delta.refusal ?? "") === "" ? stages.calls : stages.refusal;
}

function opened(first: ChatChunk): Row {
  const nothing = { size: 0, reasoning: "", text: "", refusal: "", calls: [], finish: null, usage: null, stage: 0 };
  const row: Row = { first, ...nothing };
  add(row, first);
  return row;
}

function add(row: Row, { choices, usage }: ChatChunk): void {
  row.size++;
  if (usage !== null && usage !== undefined) row.usage = usage;
  const choice = choices[0];
  row.finish = choice?.finish_reason ?? row.finish;
  const delta = choice?.delta;
  if (delta === null || delta === undefined) return;
  const reasoning = delta.reasoning_content ?? delta.reasoning ?? "";
  if (reasoning !== "") row.stage = stages.reasoning;
  row.reasoning += reasoning;
  if (typeof delta.content === "string" && delta.content !== "") {
    row.text += delta.content;
    row.stage = stages.text;
  }
  if ((delta.refusal ?? "") !== "") {
    row.refusal += delta.refusal;
    row.stage = stages.refusal;
  }
  for (const call of delta.tool_calls ?? []) {
    row.stage = stages.calls;
    addCall(row.calls, call);
  }
}

/** More arguments of the call before, and nothing else. */
function addCall(calls: RawCall[], call: RawCall): void {
  const last = calls.at(-1);
  const { index, id, function: said, ...more } = call;
  const isMore = typeof index === "number" && (id ?? null) === null && (said.name ?? null) === null;
  if (last === undefined || !isMore || last.index !== index || Object.keys(more).some((key) => key !== "type")) {
    calls.push(call);
    return;
  }
  const text = `${last.function.arguments ?? ""}${said.arguments ?? ""}`;
  calls[calls.length - 1] = { ...last, function: { ...last.function, arguments: text } };
}

function whole({ first, size, reasoning, text, refusal, calls, finish, usage }: Row): ChatChunk {
  if (size === 1) return first;
  const delta: ChatDelta = {
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(text === "" ? {} : { content: text }),
    ...(refusal === "" ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...first, choices: [{ delta, finish_reason: finish }], ...(usage === null ? {} : { usage }) };
}
