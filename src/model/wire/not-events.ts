import type { Failure } from "../fault/fault.ts";
import { fieldsOf } from "./json-value.ts";

/** White space and a byte order mark. */
const blanks: readonly number[] = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];
const marks: readonly number[] = ["{", "[", "<"].map((mark) => mark.charCodeAt(0));

/** Whether a reply begins as JSON or HTML, which no event stream does, whatever its type; `null` = too early to tell. */
export function isNoStream(bytes: Uint8Array): boolean | null {
  const first = bytes.find((byte) => !blanks.includes(byte));
  return first === undefined ? null : marks.includes(first);
}

/** Gateways report errors like this with a status of success; HTML comes from a wrong address or a login. */
export function failureIn(text: string): Failure {
  if (text.trimStart().startsWith("<")) return { kind: "no_stream", form: "HTML" };
  const value = parsed(text);
  const { error, message, msg, detail } = fieldsOf(Array.isArray(value) ? value[0] : value);
  const isError = (error ?? null) !== null || [message, msg, detail].some((words) => typeof words === "string");
  return isError ? { kind: "said", value } : { kind: "no_stream", form: "JSON" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Cut off, or not JSON.
  }
}
