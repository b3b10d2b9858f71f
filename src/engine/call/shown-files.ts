// What a command showed of files counts as read: `cat`, `sed -n`, `grep -n` are ways to look at them like any other.
import { resolve } from "node:path";
import type { PathFact } from "../../contract/tool.ts";
import { sha256 } from "../../platform/files/hash.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { decodeText } from "../../platform/files/text/encoding.ts";
import type { Judged } from "../judge/deed-facts.ts";
import { bytesAt, momentOf, momentSince } from "./file-bytes.ts";

/** Of a command with more files the first are looked at. */
const mostFiles = 50;
/** Of a larger file nobody is shown enough. */
const mostBytes = 4 * 2 ** 20;

/** What a command that runs will read, as it was when that was judged. */
interface Due {
  readonly files: readonly { readonly real: string; readonly moment: string | null }[];
  /** Folders that it goes through, and where names may begin. */
  readonly folders: readonly string[];
  readonly workspace: string;
  readonly at: number;
}

type Seen = { readonly real: string; readonly hash: string };

export class ShownFiles {
  private readonly due = new Map<string, Due>();

  /** Only of commands proved to read and do nothing else, and never what git keeps: that is not the file. */
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

  /** Files that did not change meanwhile, and of which the model is shown at least one line that says something. */
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

/** Files in the folders whose names stand in front of lines, as `grep -rn` writes them. */
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
