import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { type ChangePlan, defineTool, type ToolContext } from "../../contract/tool.ts";
import { loadFile, maxWholeBytes, showSize } from "../../platform/files/open.ts";
import { type LocatedPath, locate } from "../../platform/files/path.ts";
import { decodeText, isCrOnly } from "../../platform/files/text/encoding.ts";
import { isBinary } from "../../platform/files/text/page.ts";
import { args, flag, optional, text } from "../args.ts";
import { checkWhole, encodeFor, formNotes, inFull, loadForChange, planOf, refuseElision } from "./change.ts";
import { elisionIn } from "./elision.ts";
import { countOf, findMatches, isExact, type Match, type Matches } from "./match.ts";
import { missing, nearestText, shownLine } from "./nearest.ts";
import { fromLineStart, replacement } from "./splice.ts";
import { planWrite } from "./write.ts";

interface EditInput {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export const edit = defineTool({
  name: "edit",
  description:
    "Replace old_string by new_string in a file that was read before. old_string is copied from the file without line numbers and must occur exactly once: add surrounding lines, or set replace_all. Line endings are handled. An empty old_string fills a missing or empty file. E_CONFLICT: read the file again.",
  input: args({
    path: text("", { min: 1 }),
    old_string: text(""),
    new_string: text(""),
    replace_all: optional(flag("Replace every occurrence")),
  }),
  access: "write",
  afterCrash: "reconcile",
  touches: ({ path }) => [path],
  writes: ({ new_string }) => [new_string],
  rewrites: ({ path, old_string: old, new_string: fresh }, contentOf) => {
    const content = contentOf(path);
    // A fragment of a line means nothing alone, so the whole file is compared; if old_string does not match exactly, the fragment is all
    // there is.
    const isFound = old !== "" && content.includes(old);
    return [isFound ? { before: content, after: content.split(old).join(fresh) } : { before: old, after: fresh }];
  },
  instead: [
    { tool: "patch", how: "read the file again and send the change as a patch with the lines around it" },
    { tool: "write", how: "read the file again and write it whole, with the change in it" },
  ],
  inFull,
  plansAtOnce: true,
  plan(input, ctx) {
    if (input.old_string === input.new_string) return fail("E_INVALID_ARGS", phrase("edit.same"));
    const at = locate(input.path, ctx);
    if (!at.ok) return at;
    if (input.old_string === "") return fillEmpty(at.value, input, ctx);
    if (at.value.kind === "none") return missing(at.value);
    const sound = checkWhole(at.value, input.new_string);
    if (!sound.ok) return sound;
    const loaded = loadForChange(at.value, ctx);
    if (!loaded.ok) return loaded;
    const old = loaded.value;
    const decoded = decodeText(old.bytes);
    if (decoded === null) return isBinary(at.value, old.bytes, old.bytes.length);
    const edited = editAny(decoded.text, input, at.value);
    if (!edited.ok) return edited;
    const bytes = encodeFor(at.value, edited.value.text, decoded);
    if (!bytes.ok) return bytes;
    if (bytes.value.equals(old.bytes)) return fail("E_INVALID_ARGS", phrase("edit.same"));
    const { text: summary, data } = edited.value.report;
    return ok(
      planOf(at.value, old, bytes.value, { text: [summary, ...formNotes(bytes.value, decoded)].join("\n"), data }),
    );
  },
});

/** An empty old_string matches only a missing or empty file. */
function fillEmpty(at: LocatedPath, { path, new_string: content }: EditInput, ctx: ToolContext): Result<ChangePlan> {
  const input = { path, content };
  if (at.kind === "none") return planWrite(input, ctx);
  const loaded = loadFile(at);
  if (!loaded.ok) return loaded;
  if (decodeText(loaded.value.bytes)?.text === "") return planWrite(input, { ...ctx, readsByItself: true });
  return fail("E_INVALID_ARGS", phrase("edit.empty_old"), { advice: phrase("advice.use_write") });
}

interface Edited {
  readonly text: string;
  readonly report: Pick<ChangePlan, "text"> & { readonly data: object };
}

/** In a file whose lines end in CR alone, each CR counts as LF; the file has no LF that it could be confused with. */
function editAny(before: string, input: EditInput, at: LocatedPath): Result<Edited> {
  const [old, fresh] = [asLf(input.old_string), asLf(input.new_string)];
  if (!isCrOnly(before) || old === fresh) return editText(before, input, at);
  const edited = editText(asLf(before), { ...input, old_string: old, new_string: fresh }, at);
  return edited.ok ? ok({ ...edited.value, text: edited.value.text.replaceAll("\n", "\r") }) : edited;
}

function asLf(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

function editText(before: string, input: EditInput, at: LocatedPath): Result<Edited> {
  const { old_string: old, new_string: fresh, replace_all: all = false } = input;
  const { rung, matches } = findMatches(before, old, all);
  if (matches.length === 0) return noMatch(before, old, at);
  const mayBeMany = rung !== "quotes, dashes or spaces";
  if (matches.length > 1 && !(all && mayBeMany)) return manyMatches(before, matches, mayBeMany, at);
  const elided = elisionIn(old, fresh, at.shown);
  if (elided !== null) return refuseElision(elided, visible(at.shown));
  const size = before.length + matches.length * fresh.length * 2;
  if (size > maxWholeBytes) {
    return fail("E_INVALID_ARGS", phrase("file.too_big", { path: visible(at.shown), size: showSize(size) }));
  }
  const places = isExact(rung) ? matches.map((match) => fromLineStart(before, match, old, fresh)) : matches;
  const isMoved = places.some(({ lead }) => lead !== undefined);
  const report = reportOf(before, { rung: isMoved ? "indentation" : rung, matches: places }, at);
  return ok({ text: spliced(before, places, old, fresh), report });
}

function spliced(before: string, matches: readonly Match[], old: string, fresh: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of matches) {
    parts.push(before.slice(done, match.start), replacement(before, match, (match.lead ?? "") + old, fresh));
    done = match.end;
  }
  return parts.join("") + before.slice(done);
}

function reportOf(before: string, { rung, matches }: Matches, at: LocatedPath): Edited["report"] {
  const line = lineNumber(before, matches[0]!.start);
  const count = matches.length;
  const where = count === 1 ? `at line ${line}` : `in ${count} places, first at line ${line}`;
  const how = isExact(rung) ? "" : ` (matched with different ${rung})`;
  return { text: `edited ${visible(at.shown)} ${where}${how}`, data: { replaced: count, line, matched: rung } };
}

function noMatch(before: string, old: string, at: LocatedPath): Result<never> {
  const path = visible(at.shown);
  const candidates = nearestText(before, old);
  const text =
    candidates === "" ? phrase("edit.no_match", { path }) : phrase("edit.no_match_near", { path, candidates });
  return fail("E_INVALID_ARGS", text, { advice: phrase("advice.copy_old") });
}

const shownMatches = 5;

function manyMatches(before: string, matches: readonly Match[], mayBeMany: boolean, at: LocatedPath): Result<never> {
  const shown = matches.slice(0, shownMatches).map(({ start }) => shownLine(before, start, lineNumber(before, start)));
  const candidates = [...shown, ...(matches.length > shownMatches ? ["…"] : [])].join("\n");
  const text = phrase("edit.many_matches", { path: visible(at.shown), count: countOf(matches), candidates });
  const advice = phrase(mayBeMany ? "advice.more_context" : "advice.copy_signs");
  return fail("E_INVALID_ARGS", text, { advice });
}

function lineNumber(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
