// Reads the user's own rules files. Loaded with the tools: a start without a task does not need it.
import { constants, fstatSync } from "node:fs";
import { readAll } from "../files/open.ts";
import { orNull, withOpen } from "../files/probe.ts";
import { decodeText } from "../files/text/encoding.ts";

export const maxRulesFileBytes = 1_048_576;

type RulesRead = { readonly text: string } | "missing" | "not_text" | "too_big";

/** Never blocks on a pipe. */
export function readRulesFile(path: string): RulesRead {
  const read = (fd: number): RulesRead => {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return "missing";
    if (stat.size > maxRulesFileBytes) return "too_big";
    const text = decodeText(readAll(fd, stat.size))?.text;
    return text === undefined ? "not_text" : { text };
  };
  return orNull(() => withOpen(path, constants.O_RDONLY | constants.O_NONBLOCK, read)) ?? "missing";
}
