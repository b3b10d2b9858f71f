import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, ToolContext } from "../../contract/tool.ts";
import { type DecodedText, isCrOnly } from "../../platform/files/text/encoding.ts";
import { formNotes, lineCount } from "../edit/change.ts";
import { type Budget, type PatchAnswer, patchText } from "./apply-hunks.ts";
import { type Content, contentOf, type Draft, Drafts, newContent, textOf } from "./draft.ts";
import { addedLines, type FilePatch, type Hunk } from "./form.ts";
import { planOfDrafts, problemsOf } from "./patch-report.ts";

const nearestShown = 3;

/** All or nothing: processes the files in order and plans changes only if no part fails. */
export function planPatch(files: readonly FilePatch[], ctx: ToolContext): Result<ChangePlan> {
  const work: Work = { drafts: new Drafts(ctx), budget: { left: nearestShown }, broken: new Set() };
  const errors = files.flatMap((file) => {
    // Later parts for a path that failed would only repeat the failure.
    if (work.broken.has(file.path)) return [];
    const found = draftFile(file, work);
    if (found.length > 0) for (const path of [file.path, file.to ?? file.path]) work.broken.add(path);
    return found;
  });
  return errors.length > 0 ? problemsOf(errors) : planOfDrafts([...work.drafts.all.values()]);
}

interface Work {
  readonly drafts: Drafts;
  readonly budget: Budget;
  readonly broken: Set<string>;
}

type Errors = readonly ErrorInfo[];
const none: Errors = [];

function draftFile(file: FilePatch, work: Work): Errors {
  if (file.action === "create") return create(file, work);
  const draft = work.drafts.existing(file.path);
  if (!draft.ok) return isCreation(file, draft.error) ? create(file, work) : [draft.error];
  const link = file.action === "delete" || file.to !== null ? work.drafts.linkAt(file.path) : null;
  if (link !== null) return [link];
  const { unknown } = draft.value;
  if (unknown !== null && file.hunks.length === 0) return [unknown];
  const changed = file.hunks.length === 0 ? ok(draft.value.now) : changedContent(draft.value, file.hunks, work.budget);
  if ("errors" in changed) return changed.errors;
  if (!changed.ok) return [changed.error];
  if (file.action === "delete") return remove(draft.value, file, changed.value);
  const content = withProgram(changed.value, file.isProgram);
  if (file.to !== null) return rename(draft.value, file.to, content, work);
  draft.value.now = content;
  return none;
}

/** `@@ -0,0 +1,3 @@` creates a file even if the header says `--- a/new`. */
function isCreation({ action, to, hunks }: FilePatch, { text }: ErrorInfo): boolean {
  const isMissing = text.key === "file.missing" || text.key === "file.missing_near";
  const isAllNew = hunks.length === 1 && hunks[0]?.line === 0 && hunks[0].lines.every(({ sign }) => sign === "+");
  return isMissing && action === "change" && to === null && isAllNew;
}

function create(file: FilePatch, { drafts }: Work): Errors {
  const lines = addedLines(file);
  const path = visible(file.path);
  if (lines.length < file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)) {
    return [fail("E_INVALID_ARGS", phrase("patch.not_new", { path })).error];
  }
  const lacksBreak = file.hunks.at(-1)?.newLacksBreak === true || lines.length === 0;
  const text = lines.join("\n") + (lacksBreak ? "" : "\n");
  const draft = drafts.vacant(file.path, Buffer.from(text));
  if (!draft.ok) return [draft.error];
  if (draft.value.isSame) return none;
  const content = newContent(draft.value.at, text, file.isProgram === true);
  if (!content.ok) return [content.error];
  draft.value.now = content.value;
  draft.value.added += lines.length;
  return none;
}

function remove(draft: Draft, { hunks }: FilePatch, left: Content): Errors {
  const text = textOf(draft.at, left);
  const count = text.ok ? lineCount(text.value.text) : 0;
  if (hunks.length > 0 && count > 0) {
    return [fail("E_INVALID_ARGS", phrase("patch.left_over", { path: visible(draft.at.shown), count })).error];
  }
  draft.now = null;
  draft.removed += count;
  return none;
}

function rename(draft: Draft, to: string, content: Content, { drafts }: Work): Errors {
  if (drafts.isAt(to, draft)) {
    draft.now = content;
    return none;
  }
  const target = drafts.vacant(to);
  if (!target.ok) return [target.error];
  const { added, removed, notes } = draft;
  Object.assign(target.value, { now: content, from: draft.from ?? draft.at.shown, added, removed, notes });
  Object.assign(draft, { now: null, isMoved: true, added: 0, removed: 0, notes: [] });
  return none;
}

type Changed = Result<Content> | { readonly errors: Errors };

function changedContent(draft: Draft & { now: Content }, hunks: readonly Hunk[], budget: Budget): Changed {
  const decoded = textOf(draft.at, draft.now);
  if (!decoded.ok) return decoded;
  const form = withMark(decoded.value, hunks);
  const patched = patchAny(form.text, hunks, visible(draft.at.shown), budget);
  // A patch that shows every place correctly proves that the file was read.
  if (draft.unknown !== null && !(patched.ok && patched.value.isShown)) return { errors: [draft.unknown] };
  if (!patched.ok) return patched;
  const { text, added, removed, notes } = patched.value;
  const content = contentOf(draft.at, { ...form, text }, draft.now.mode);
  if (!content.ok) return content;
  draft.added += added;
  draft.removed += removed;
  draft.notes = [...draft.notes, ...notes.map((note) => `(${note})`), ...formNotes(content.value.bytes, form)];
  return content;
}

/** Git shows the byte order mark; such a patch treats it as a character of the first line. */
function withMark(decoded: DecodedText, hunks: readonly Hunk[]): DecodedText {
  const isShown = hunks.some(({ lines }) => lines.some(({ text }) => text.startsWith("\ufeff")));
  if (!decoded.bom || decoded.encoding !== "utf-8" || !isShown) return decoded;
  return { ...decoded, bom: false, text: `\ufeff${decoded.text}` };
}

/** In a file whose lines end in CR alone, each CR counts as LF; the file has no LF that it could be confused with. */
function patchAny(text: string, hunks: readonly Hunk[], path: string, budget: Budget): PatchAnswer {
  if (!isCrOnly(text)) return patchText(text, hunks, path, budget);
  const patched = patchText(text.replaceAll("\r", "\n"), hunks, path, budget);
  if (!patched.ok) return patched;
  return { ok: true, value: { ...patched.value, text: patched.value.text.replaceAll("\n", "\r") } };
}

function withProgram(content: Content, isProgram: boolean | null): Content {
  if (isProgram === null || isProgram === ((content.mode & 0o100) !== 0)) return content;
  // Everybody who may read the file may execute it.
  const mode = isProgram ? content.mode | ((content.mode & 0o444) >> 2) : content.mode & ~0o111;
  return { ...content, mode };
}
