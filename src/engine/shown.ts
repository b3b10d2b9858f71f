// What a command showed of files counts as read: `cat`, `sed -n`, `grep -n` are ways to look at them like any other.
import type { PathFact } from "../contract/tool.ts";
import { decodeText } from "../platform/files/encoding.ts";
import { sha256 } from "../platform/files/hash.ts";
import { bytesAt, momentOf } from "./file-bytes.ts";
import type { Judged } from "./judge.ts";

/** Of a command with more files the first are looked at. */
const mostFiles = 50;
/** Of a larger file nobody is shown enough. */
const mostBytes = 4 * 2 ** 20;

type Seen = { readonly real: string; readonly hash: string };

export class ShownFiles {
  /** What a command that runs will read, as it was when that was judged. */
  private readonly due = new Map<string, readonly { readonly real: string; readonly moment: string | null }[]>();

  /** Only of commands proved to read and do nothing else, and never what git keeps: that is not the file. */
  expect(callId: string, { question, decision }: Judged): void {
    const { judgement, paths } = question;
    if (judgement?.isReadOnly !== true || judgement.usesGit || decision === "deny") return;
    const reals = new Set(paths.slice(0, mostFiles).flatMap(plainFile));
    this.due.set(
      callId,
      [...reals].map((real) => ({ real, moment: momentOf(real) })),
    );
  }

  /** Files that did not change meanwhile, and of which the model is shown at least one line that says something. */
  seenIn(callId: string, output: string): readonly Seen[] {
    const files = this.due.get(callId) ?? [];
    this.due.delete(callId);
    if (files.length === 0) return [];
    const shown = new Set(output.split("\n").flatMap(readings));
    return files.flatMap(({ real, moment }) => {
      const bytes = bytesAt(real, mostBytes, (now) => now === moment);
      const text = bytes && decodeText(bytes)?.text;
      const isShown = text?.split(/\r\n|\n|\r/).some((line) => saysSomething.test(line) && shown.has(line)) === true;
      return bytes && isShown ? [{ real, hash: sha256(bytes) }] : [];
    });
  }
}

const saysSomething = /[\p{L}\p{N}]/u;

function plainFile({ kind, real }: PathFact): readonly string[] {
  return kind === "file" && real !== null ? [real] : [];
}

/** A line of output as it is, and without what programs write in front: names and numbers up to a colon, a dash or a tab. */
function readings(given: string): readonly string[] {
  const line = given.endsWith("\r") ? given.slice(0, -1) : given;
  const found = [line];
  for (const mark of line.matchAll(/[:\t-]/g)) {
    found.push(line.slice(mark.index + 1));
    // A name may hold such signs too; nobody has many of them.
    if (found.length > 8) break;
  }
  return found;
}
