import { fieldsOf, textOf } from "../../contract/json.ts";
import type { ModelMessage } from "../../contract/message.ts";
import {
  type Image,
  type PhrasedPart,
  type Phrasing,
  partsOf,
  resultWords,
  userWords,
  wireId,
} from "../request/phrasing.ts";
import type { StrictHistory } from "../request/strict-history.ts";

type WireBlock = Readonly<Record<string, unknown>>;

/** Goes on the last block of the prefix that the next request repeats. */
export const cacheMark = { cache_control: { type: "ephemeral" } };

/** Marks the prefix that the next request repeats, twice: the provider looks back 20 blocks from a mark, and a step may add more. */
export function messagesOf(sides: ReturnType<StrictHistory<WireBlock>["sides"]>): readonly object[] {
  const marked = sides.filter(({ isReply }) => !isReply).slice(-2);
  return sides.map((side) => {
    const role = side.isReply ? "assistant" : "user";
    const last = side.pieces.at(-1);
    if (!marked.includes(side) || last === undefined) return { role, content: side.pieces };
    return { role, content: [...side.pieces.slice(0, -1), { ...last, ...cacheMark }] };
  });
}

export function blocksOf(message: ModelMessage, how: Phrasing): readonly WireBlock[] {
  switch (message.role) {
    case "user": {
      const { text, images } = userWords(message, how);
      return [{ type: "text", text }, ...images.map(imageBlock)];
    }
    case "assistant":
      return callsLast(partsOf(message, how).flatMap(partBlock));
    case "tool": {
      const { text, images } = resultWords(message, how);
      const content = images.length === 0 ? text : [{ type: "text", text }, ...images.map(imageBlock)];
      return [{ type: "tool_result", tool_use_id: wireId(message.id, how.quirks), content }];
    }
  }
}

function imageBlock({ mediaType, base64 }: Image): WireBlock {
  return { type: "image", source: { type: "base64", media_type: mediaType, data: base64 } };
}

function partBlock(part: PhrasedPart): readonly WireBlock[] {
  if (part.kind === "call") return [{ type: "tool_use", id: part.id, name: part.tool, input: part.input }];
  if (part.kind === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  const { signature, redactedData } = fieldsOf(part.meta?.anthropic);
  if (textOf(signature) !== "") return [{ type: "thinking", thinking: part.text, signature }];
  return textOf(redactedData) === "" ? [] : [{ type: "redacted_thinking", data: redactedData }];
}

/** Moves calls behind the texts around them, but never past a thinking block. */
function callsLast(blocks: readonly WireBlock[]): readonly WireBlock[] {
  const found: WireBlock[] = [];
  const calls: WireBlock[] = [];
  for (const block of blocks) {
    const isThought = block.type === "thinking" || block.type === "redacted_thinking";
    if (block.type === "tool_use") calls.push(block);
    else {
      if (isThought) found.push(...calls.splice(0));
      found.push(block);
    }
  }
  return [...found, ...calls];
}
