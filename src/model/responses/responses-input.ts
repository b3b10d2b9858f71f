import { fieldsOf, textOf } from "../../contract/json.ts";
import type { ModelMessage } from "../../contract/message.ts";
import {
  dataUrl,
  type PhrasedPart,
  type Phrasing,
  partsOf,
  resultWords,
  userWords,
  wireId,
} from "../request/phrasing.ts";

export type InputItem = Readonly<Record<string, unknown>>;

export function itemsOf(message: ModelMessage, how: Phrasing): readonly InputItem[] {
  switch (message.role) {
    case "user": {
      const { text, images } = userWords(message, how);
      return [{ role: "user", content: [inputText(text), ...images.map(dataUrl).map(inputImage)] }];
    }
    case "assistant":
      return assistantItems(partsOf(message, how));
    case "tool": {
      const { text, images } = resultWords(message, how);
      const output = images.length === 0 ? text : [inputText(text), ...images.map(dataUrl).map(inputImage)];
      return [{ type: "function_call_output", call_id: wireId(message.id, how.quirks), output }];
    }
  }
}

function inputText(text: string): InputItem {
  return { type: "input_text", text };
}

function inputImage(image_url: string): InputItem {
  return { type: "input_image", image_url };
}

function assistantItems(parts: readonly PhrasedPart[]): readonly InputItem[] {
  const thoughts = thoughtsIn(parts);
  return parts.flatMap((part): readonly InputItem[] => {
    if (part.kind === "call") {
      const { id, tool, input } = part;
      return [{ type: "function_call", call_id: id, name: tool, arguments: JSON.stringify(input) }];
    }
    if (part.kind === "thinking") return thoughts.get(part) ?? [];
    const { phase } = fieldsOf(part.meta?.openai);
    return [{ role: "assistant", content: part.text, ...(phase ? { phase } : {}) }];
  });
}

/** Reasoning as whole items, at their first part. Only encrypted reasoning goes back, because the server stored nothing. */
function thoughtsIn(parts: readonly PhrasedPart[]): ReadonlyMap<PhrasedPart, readonly InputItem[]> {
  const items = new Map<string, { readonly first: PhrasedPart; encrypted: string; readonly summary: InputItem[] }>();
  for (const part of parts) {
    const { itemId, reasoningEncryptedContent } = fieldsOf(part.meta?.openai);
    if (part.kind !== "thinking" || part.meta?.openai === undefined) continue;
    const item = items.get(textOf(itemId)) ?? { first: part, encrypted: "", summary: [] };
    items.set(textOf(itemId), item);
    item.encrypted = textOf(reasoningEncryptedContent) || item.encrypted;
    if (part.text !== "") item.summary.push({ type: "summary_text", text: part.text });
  }
  return new Map(
    [...items].map(([id, { first, encrypted, summary }]) => {
      const whole = { type: "reasoning", ...(id === "" ? {} : { id }), encrypted_content: encrypted, summary };
      return [first, encrypted === "" ? [] : [whole]] as const;
    }),
  );
}
