import { binaryKind, decodeAs, detectForm } from "../../platform/files/text/encoding.ts";
import type { Body } from "./body.ts";

export type Form = "html" | "text";

export interface ContentType {
  /** Without parameters; "" = no header. */
  readonly type: string;
  readonly charset: string | null;
}

export function contentType(header: string | undefined): ContentType {
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim());
  const charset = parameters.flatMap((one) => /^charset\s*=\s*"?([\w:.+-]+)"?$/i.exec(one)?.[1] ?? [])[0];
  return { type: type.toLowerCase().slice(0, 100), charset: charset ?? null };
}

const textTypes =
  /^(?:text\/.+|.+\/(?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|typescript|sql|graphql|x-sh|x-ndjson|jsonlines)|.+\+(?:json|xml|yaml))$/;

/** `unsaid`: only the bytes can tell. */
export function formOf({ type }: ContentType): Form | "unsaid" | null {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "" || type === "application/octet-stream" || type === "unknown/unknown") return "unsaid";
  return textTypes.test(type) ? "text" : null;
}

/** The text, or the kind of binary data. A byte order mark wins over the header, the header over the page's own declaration. */
export function textOf(body: Body, charset: string | null, form: Form | "unsaid"): string | { readonly kind: string } {
  const { bytes, isCut } = body;
  const found = detectForm(bytes, isCut);
  if (found === null) return { kind: binaryKind(bytes) };
  const label = found.bom ? null : (charset ?? (form === "text" ? null : charsetIn(bytes)));
  const decoder = label === null ? null : decoderFor(label);
  return decoder ? decoder.decode(bytes) : decodeAs(bytes, found);
}

export function isHtml(text: string): boolean {
  return /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 4_000));
}

/** In the first 1024 bytes, as browsers look for it. */
function charsetIn(bytes: Buffer): string | null {
  const head = bytes.toString("latin1", 0, 1024);
  return /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w:.+-]{1,40})/i.exec(head)?.[1] ?? null;
}

/** `null` for an unknown label: then the bytes decide. */
function decoderFor(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label as Bun.Encoding);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
