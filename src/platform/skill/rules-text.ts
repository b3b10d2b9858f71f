// Reads the user's own rules files. Loaded with the tools: a start without a task does not need it.
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { errnoOf } from "../files/failure.ts";
import { readAll } from "../files/open.ts";
import { decodeText } from "../files/text/encoding.ts";

export const maxRulesFileBytes = 1_048_576;

/** Never blocks on a pipe. */
export function readRulesFile(path: string): { readonly text: string } | "missing" | "not_text" | "too_big" {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "missing";
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return "missing";
    if (stat.size > maxRulesFileBytes) return "too_big";
    const text = decodeText(readAll(fd, stat.size))?.text;
    return text === undefined ? "not_text" : { text };
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "missing";
  } finally {
    closeSync(fd);
  }
}
