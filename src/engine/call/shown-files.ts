// Files shown by a command count as read: `cat`, `sed -n` and `grep -n` work as well as the read tool.
import { resolve } from "node:path";
import type { PathFact } from "../../contract/tool.ts";
import { sha256 } from "../../platform/files/hash.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { decodeText } from "../../platform/files/text/encoding.ts";
import type { Judged } from "../judge/deed-facts.ts";
import { bytesAt, momentOf, momentSince } from "./file-bytes.ts";

const mostFiles = 50;
/** No command shows enough of a larger file. */
const mostBytes = 4 * 2 ** 20;

/** The files that a command is about to read, at the time of judgement. */
interface Due {
  readonly files: readonly { readonly real: string; readonly moment: string | null }[];
  readonly folders: readonly string[];
  readonly workspace: string;
  readonly at: number;
}

type Seen = { readonly real: string; readonly hash: string };

export class ShownFiles {
  private readonly due = new Map<string, Due>();

  /** Only for commands proven read-only, and never for git: its objects are not the working files. */
  expect(callId: string, { question, decision }: Judged): void {
    const { judgement, paths, workspace } = question;
    if (judgement?.isReadOnly !== true || judgement.usesGit || decision === "deny") return;
    const realsOf = (wanted: PathFact["kind"]): readonly string[] => [
      ...new Set(
        paths.flatMap(({ kind, real }) => (kind === wanted && real !== null ? [real] : [])).slice(0, mostFiles),
      ),
    ];
    const files = realsOf("file").map((real) => ({ real, moment: momentOf(real) }));
    this.due.set(callId, { files, folders: realsOf("folder"), workspace, at: Date.now() });
  }

  /** Files that did not change meanwhile and of which the output shows at least one meaningful line. */
  seenIn(callId: string, output: string): readonly Seen[] {
    const due = this.due.get(callId);
    this.due.delete(callId);
    if (due === undefined || due.files.length + due.folders.length === 0) return [];
    const shown = new Set(output.split("\n").flatMap(readings));
    return [...due.files, ...named(output, due)].flatMap(({ real, moment }) => {
      const bytes = moment === null ? null : bytesAt(real, mostBytes, (now) => now === moment);
      const text = bytes && decodeText(bytes)?.text;
      const isShown = text?.split(/\r\n|\n|\r/).some((line) => saysSomething.test(line) && shown.has(line)) === true;
      return bytes && isShown ? [{ real, hash: sha256(bytes) }] : [];
    });
  }
}

/** Files in `folders` whose names prefix output lines, as in `grep -rn`. */
function named(output: string, { files, folders, workspace, at }: Due): Due["files"] {
  if (folders.length === 0) return [];
  const [first = "", ...others] = folders;
  const names = [...new Set([...output.matchAll(/^([^:\n]+):/gm)].map(([, name = ""]) => name))].slice(0, mostFiles);
  const facts = names.flatMap((name) =>
    [workspace, ...folders].map((from) => resolvePath(resolve(from, name), first, others)),
  );
  const found = facts.flatMap(({ kind, real, inside }) => (kind === "file" && inside && real !== null ? [real] : []));
  const known = new Set(files.map(({ real }) => real));
  return [...new Set(found)].flatMap((real) => {
    const moment = known.has(real) ? null : momentSince(real, at);
    return moment === null ? [] : [{ real, moment }];
  });
}

const saysSomething = /[\p{L}\p{N}]/u;

/** An output line as it is, and without prefixes that programs add: names and numbers up to a colon, dash or tab. */
function readings(given: string): readonly string[] {
  const line = given.endsWith("\r") ? given.slice(0, -1) : given;
  const found = [line];
  for (const mark of line.matchAll(/[:\t-]/g)) {
    found.push(line.slice(mark.index + 1));
    // File names may contain these characters too, but only a few.
    if (found.length > 8) break;
  }
  return found;
}
