import { fieldsOf, textOf } from "../../contract/json.ts";
import type { ModelMessage, PartMeta } from "../../contract/message.ts";
import {
  type AssistantMessage,
  type Image,
  type Phrasing,
  partsOf,
  resultWords,
  type ToolMessage,
  userWords,
  wireId,
  wireName,
} from "../request/phrasing.ts";
import { isGemini3 } from "./gemini-traits.ts";

export type WirePart = Readonly<Record<string, unknown>>;

/** Google's documented value for a call whose signature is unknown because another model made it. */
const unsigned = "skip_thought_signature_validator";

export function googleParts(model: string): (message: ModelMessage, how: Phrasing) => readonly WirePart[] {
  const isNew = isGemini3(model);
  return (message, how) => {
    if (message.role === "assistant") return modelParts(message, how, isNew);
    if (message.role === "tool") return resultParts(message, how, isNew);
    const { text, images } = userWords(message, how);
    return [{ text }, ...images.map(inline)];
  };
}

function inline({ mediaType, base64 }: Image): WirePart {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}

function modelParts(message: AssistantMessage, how: Phrasing, isNew: boolean): readonly WirePart[] {
  let hasSignature = false;
  return partsOf(message, how).flatMap((part): readonly WirePart[] => {
    const signature = signatureIn(part.meta);
    const signed = signature === "" ? {} : { thoughtSignature: signature };
    if (part.kind === "call") {
      // Only the first of several parallel calls is signed.
      const isLacking = isNew && signature === "" && !hasSignature;
      hasSignature ||= signature !== "";
      const functionCall = { id: part.id, name: part.tool, args: part.input };
      return [{ functionCall, ...(isLacking ? { thoughtSignature: unsigned } : signed) }];
    }
    if (part.text === "" && signature === "") return [];
    return [{ text: part.text, ...(part.kind === "thinking" ? { thought: true } : {}), ...signed }];
  });
}

function signatureIn(meta: PartMeta | undefined): string {
  return textOf(fieldsOf(meta?.google).thoughtSignature);
}

/** Older models take images only beside the result. */
function resultParts(message: ToolMessage, how: Phrasing, isNew: boolean): readonly WirePart[] {
  const { text, images } = resultWords(message, how);
  const name = wireName(message.tool);
  const result = { id: wireId(message.id, how.quirks), name, response: { name, content: text } };
  if (isNew && images.length > 0) return [{ functionResponse: { ...result, parts: images.map(inline) } }];
  const note = { text: "Tool executed successfully and returned this image as a response" };
  return [{ functionResponse: result }, ...images.flatMap((image) => [inline(image), note])];
}
