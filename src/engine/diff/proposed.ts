import type { ChangePlan } from "../../contract/tool.ts";
import { decodeText } from "../../platform/files/text/encoding.ts";
import type { ProposedFile } from "../port.ts";

/** `null`: several files, a deletion, a move, or no text. */
export function proposedFile({ changes }: ChangePlan): ProposedFile | null {
  const [only, ...more] = changes;
  if (!only?.afterBytes || more.length > 0) return null;
  const decoded = decodeText(Buffer.from(only.afterBytes));
  return decoded && { path: only.change.path, text: decoded.text };
}
