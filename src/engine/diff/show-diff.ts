import type { FileChange, FileStamp } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { showSize } from "../../platform/files/open.ts";
import { isFolderStamp, isLinkStamp } from "../../platform/files/stamp.ts";
import { type DecodedText, decodeText } from "../../platform/files/text/encoding.ts";

export interface ShowOptions {
  /** Content by hash; `null` = no longer kept. */
  readonly bytes: (hash: string) => Uint8Array | null;
  /** New path → old path of moved files. */
  readonly moved: ReadonlyMap<string, string>;
  readonly lang: Lang;
  readonly maxChars: number;
  /** Redacts content before the comparison, because a replacement can span lines and hunk headers count them. */
  readonly cleaned: (text: string) => string;
}

/** Per side. For more, open the file. */
const maxFileBytes = 2 ** 20;
const maxFileMs = 100;
/** For all files: the terminal waits for it. */
const maxMs = 1_000;
const maxNames = 20;

/** A unified diff in git's form with exact hunk numbers. Lines starting with `\ ` are translated notes. `null` = no file changed. */
export async function showChanges(changes: readonly FileChange[], options: ShowOptions): Promise<string | null> {
  const files = withMoves(changes, options.moved);
  const deadline = performance.now() + maxMs;
  const lines: string[] = [];
  let left = options.maxChars;
  for (const [at, file] of files.entries()) {
    if (left <= 0) {
      lines.push(note(options.lang, moreFiles(files.slice(at))));
      break;
    }
    for (const line of await fileLines(file, options, { left, deadline })) {
      lines.push(line);
      left -= line.length + 1;
    }
    // Lets pending key presses through.
    if (at % 8 === 7) await new Promise((resolve) => setImmediate(resolve));
  }
  return lines.length === 0 ? null : `${lines.join("\n")}\n`;
}

interface Budget {
  readonly left: number;
  readonly deadline: number;
}

async function fileLines(file: ShownChange, options: ShowOptions, { left, deadline }: Budget): Promise<string[]> {
  const head = headOf(file);
  const content = contentOf(file, options);
  if ("key" in content) return [...head, note(options.lang, content)];
  const timeoutMs = Math.max(1, Math.min(maxFileMs, deadline - performance.now()));
  const hunks = await hunksOf(content.before, content.after, timeoutMs);
  const { lines, cut } = cutHunks(hunks, left);
  const notes = [...content.notes, ...(cut > 0 ? [phrase("changes.more_lines", { n: cut })] : [])];
  return [...head, ...lines, ...notes.map((one) => note(options.lang, one))];
}

function cutHunks(hunks: readonly Hunk[], room: number): { readonly lines: readonly string[]; readonly cut: number } {
  const lines: string[] = [];
  let left = room;
  let cut = 0;
  for (const hunk of hunks) {
    const kept: string[] = [];
    for (const line of hunk.lines) {
      left -= line.length + 1;
      if (left < 0) break;
      kept.push(line);
    }
    cut += hunk.lines.length - kept.length;
    if (kept.length === 0) continue;
    lines.push(hunkHead({ ...hunk, lines: kept }));
    for (const line of kept) lines.push(line);
  }
  return { lines, cut };
}

function headOf({ path, from = path, before, after }: ShownChange): string[] {
  const [old, now] = [before && gitMode(before), after && gitMode(after)];
  const [a, b] = [`a/${visible(from)}`, `b/${visible(path)}`];
  return [
    `diff --git ${a} ${b}`,
    ...(old === null && now !== null ? [`new file mode ${now}`] : []),
    ...(old !== null && now === null ? [`deleted file mode ${old}`] : []),
    ...(old !== null && now !== null && old !== now ? [`old mode ${old}`, `new mode ${now}`] : []),
    ...(from === path ? [] : [`rename from ${visible(from)}`, `rename to ${visible(path)}`]),
    `--- ${before === null ? "/dev/null" : a}`,
    `+++ ${after === null ? "/dev/null" : b}`,
  ];
}

function gitMode(stamp: FileStamp): string {
  return (isLinkStamp(stamp) ? 0o120000 : 0o100000 | (stamp.mode & 0o7777)).toString(8);
}

interface Content {
  readonly before: string;
  readonly after: string;
  readonly notes: readonly Phrase[];
}

/** A phrase says why the content is not shown. */
function contentOf({ before, after }: ShownChange, { bytes, lang, cleaned }: ShowOptions): Content | Phrase {
  const size = (stamp: FileStamp | null): string =>
    stamp === null ? say(lang, phrase("changes.no_file")) : showSize(stamp.size);
  const sizes = { before: size(before), after: size(after) };
  if ((before?.size ?? 0) > maxFileBytes || (after?.size ?? 0) > maxFileBytes) return phrase("changes.huge", sizes);
  if (before?.hash === after?.hash) return { before: "", after: "", notes: [] };
  const [old, now] = [before && bytes(before.hash), after && bytes(after.hash)];
  if ((before !== null && old === null) || (after !== null && now === null)) return phrase("changes.gone", sizes);
  const [oldText, nowText] = [old && textOf(old), now && textOf(now)];
  if (oldText === undefined || nowText === undefined) return phrase("changes.binary", sizes);
  const shown = (one: DecodedText | null): DecodedText | null => one && { ...one, text: cleaned(one.text) };
  return inLines(shown(oldText), shown(nowText));
}

function textOf(bytes: Uint8Array): DecodedText | undefined {
  return decodeText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? undefined;
}

/** If all lines on both sides end with CR LF, one note says so instead of every line. */
function inLines(old: DecodedText | null, now: DecodedText | null): Content {
  const texts = [old, now].flatMap((one) => (one === null || one.text === "" ? [] : [one.text]));
  const isCrLf = texts.length > 0 && texts.every((text) => text.includes("\n") && !/(?<!\r)\n/.test(text));
  const plain = (text = ""): string => (isCrLf ? text.replaceAll("\r\n", "\n") : text);
  const isOtherForm = old !== null && now !== null && formOf(old) !== formOf(now);
  return {
    before: plain(old?.text),
    after: plain(now?.text),
    notes: [
      ...(isCrLf ? [phrase("changes.crlf")] : []),
      ...(isOtherForm ? [phrase("changes.form", { before: formOf(old), after: formOf(now) })] : []),
    ],
  };
}

function formOf({ encoding, bom }: DecodedText): string {
  return bom ? `${encoding} (BOM)` : encoding;
}

function moreFiles(files: readonly ShownChange[]): Phrase {
  const names = files.slice(0, maxNames).map(({ path }) => visible(path));
  const more = files.length > names.length ? ", …" : "";
  return phrase("changes.more_files", { n: files.length, files: `${names.join(", ")}${more}` });
}

export function note(lang: Lang, what: Phrase): string {
  return `\\ ${visible(say(lang, what))}`;
}

interface Hunk {
  /** First line on each side, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const context = 3;

/** On a timeout, the whole file is shown as replaced, which is also correct. */
async function hunksOf(before: string, after: string, timeoutMs: number): Promise<readonly Hunk[]> {
  if (before === after) return [];
  const { structuredPatch } = await import("diff");
  const made = structuredPatch("", "", before, after, "", "", { context, timeout: timeoutMs });
  return made?.hunks ?? [{ oldStart: 1, newStart: 1, lines: [...signed("-", before), ...signed("+", after)] }];
}

/** Counts the lines that are shown, so that the header of a cut hunk is correct. */
function hunkHead({ oldStart, newStart, lines }: Hunk): string {
  const count = (signs: string): number => lines.filter((line) => signs.includes(line[0] ?? "\\")).length;
  const [old, now] = [count("- "), count("+ ")];
  // An empty side names the line before it.
  return `@@ -${old === 0 ? oldStart - 1 : oldStart},${old} +${now === 0 ? newStart - 1 : newStart},${now} @@`;
}

function signed(sign: "-" | "+", text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => `${sign}${line}`);
  if (!text.endsWith("\n")) return [...lines, "\\ No newline at end of file"];
  return lines.slice(0, -1);
}

interface ShownChange extends Pick<FileChange, "path" | "before" | "after"> {
  readonly from?: string;
}

/** Without directories. Moves are matched by content; only the tool knows about files that were moved and edited (`reported`). */
function withMoves(changes: readonly FileChange[], reported: ReadonlyMap<string, string>): readonly ShownChange[] {
  const files = changes.filter(({ before, after }) => !isFolderStamp(before) && !isFolderStamp(after));
  const gone = files.filter(({ before, after }) => before !== null && after === null);
  const byPath = Map.groupBy(gone, ({ path }) => path);
  const byHash = Map.groupBy(gone, ({ before }) => before?.hash);
  const moved = new Set<FileChange>();
  const firstOf = (some: FileChange[] | undefined): FileChange | undefined => {
    while (some?.[0] && moved.has(some[0])) some.shift();
    return some?.shift();
  };
  const origins = new Map<FileChange, FileChange>();
  const made = files.filter(({ before, after }) => before === null && after !== null);
  // Reported moves are certain, so they go first.
  for (const find of [
    ({ path }: FileChange) => byPath.get(reported.get(path) ?? ""),
    // All empty files are identical.
    ({ after }: FileChange) => (after !== null && after.size > 0 ? byHash.get(after.hash) : undefined),
  ]) {
    for (const one of made) {
      const origin = origins.has(one) ? undefined : firstOf(find(one));
      if (origin === undefined) continue;
      origins.set(one, origin);
      moved.add(origin);
    }
  }
  return files.flatMap((one) => {
    const origin = origins.get(one);
    if (moved.has(one)) return [];
    return [origin ? { ...one, before: origin.before, from: origin.path } : one];
  });
}
