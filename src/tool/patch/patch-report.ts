import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { FileChange } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ChangePlan, PlannedChange } from "../../contract/tool.ts";
import { stampOf } from "../../platform/files/open.ts";
import { notesOn } from "../edit/change.ts";
import type { Draft } from "./draft.ts";

interface PatchedFile {
  readonly path: string;
  readonly change: "create" | "modify" | "delete" | "rename" | "same";
  readonly from?: string;
  readonly added: number;
  readonly removed: number;
}

/** One change per path that differs; a rename has two. */
export function planOfDrafts(drafts: readonly Draft[]): Result<ChangePlan> {
  const changes = drafts.flatMap(changeOf);
  const changed = new Set(changes.map(({ change }) => change.real));
  const shown = drafts.filter(({ at, isMoved, now, isSame }) =>
    changed.has(at.real) ? !isMoved || now !== null : isSame,
  );
  if (shown.length === 0) return fail("E_INVALID_ARGS", phrase("patch.nothing"));
  const files = shown.map((draft) => fileOf(draft, changed.has(draft.at.real)));
  const text = shown.flatMap((draft, index) => [lineOf(files[index]!), ...notesFor(draft)]).join("\n");
  return ok({ changes, text, data: { files } });
}

function changeOf({ at, old, now }: Draft): readonly PlannedChange[] {
  const after = now === null ? null : stampOf(now.bytes, now.mode);
  const before = old?.stamp ?? null;
  if (before?.hash === after?.hash && before?.mode === after?.mode) return [];
  const change: FileChange = { path: at.shown, real: at.real, before, after };
  return [{ change, beforeBytes: old?.bytes ?? null, afterBytes: now?.bytes ?? null }];
}

function fileOf({ at, old, now, from, added, removed }: Draft, isChanged: boolean): PatchedFile {
  const counts = { added, removed };
  if (!isChanged) return { path: at.shown, change: "same", ...counts };
  if (from !== null && now !== null) return { path: at.shown, change: "rename", from, ...counts };
  return { path: at.shown, change: old === null ? "create" : now === null ? "delete" : "modify", ...counts };
}

const letters = { create: "A", modify: "M", delete: "D", rename: "R", same: "=" } as const;

function lineOf({ path, change, from, added, removed }: PatchedFile): string {
  const name = from === undefined ? visible(path) : `${visible(from)} -> ${visible(path)}`;
  return `${letters[change]} ${name} ${change === "same" ? "already has this content" : `+${added} -${removed}`}`;
}

function notesFor({ old, now, notes }: Draft): readonly string[] {
  return [...notes, ...(old !== null && now !== null ? notesOn(old) : [])];
}

const shownProblems = 10;

/** Reports all problems at once, so that the next attempt does not fail at the second one. */
export function problemsOf(errors: readonly ErrorInfo[]): Result<never> {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return { ok: false, error: first };
  const shown = errors.slice(0, shownProblems).map(({ text }) => text);
  const rest = errors.length - shown.length;
  const problems = [...shown, ...(rest > 0 ? [phrase("patch.more_problems", { count: rest })] : [])];
  const text = phrase("patch.problems", { count: errors.length, problems });
  const advice = errors.find((error) => error.code === "E_CONFLICT")?.advice ?? phrase("advice.patch_again");
  return fail(first?.code ?? "E_INVALID_ARGS", text, { advice });
}
