import { lstatSync } from "node:fs";
import { resolve } from "node:path";
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { type LoadedFile, loadFile } from "../../platform/files/open.ts";
import { type LocatedPath, locate } from "../../platform/files/path.ts";
import { type DecodedText, decodeText, newFileForm } from "../../platform/files/text/encoding.ts";
import { isBinary } from "../../platform/files/text/page.ts";
import { checkParent, encodeFor, unknownTo } from "../edit/change.ts";
import { missing } from "../edit/nearest.ts";

/** A file on disk, and as it would be after the part of the patch processed so far. */
export interface Draft {
  readonly at: LocatedPath;
  /** `null` = missing, or not loaded yet. */
  old: LoadedFile | null;
  now: Content | null;
  from: string | null;
  isMoved: boolean;
  /** The patch creates a file that exists with the same content. */
  isSame: boolean;
  added: number;
  removed: number;
  notes: readonly string[];
  /** Why only hunks with matching context may change the file; `null` = it was read. */
  readonly unknown: ErrorInfo | null;
}

export interface Content {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly form?: DecodedText;
}

/** Keyed by real path, so two names of one file share a draft. */
export class Drafts {
  readonly all = new Map<string, Draft>();
  private readonly ctx: ToolContext;

  constructor(ctx: ToolContext) {
    this.ctx = ctx;
  }

  existing(path: string): Result<Draft & { now: Content }> {
    const at = locate(path, this.ctx);
    if (!at.ok) return at;
    const known = this.all.get(at.value.real);
    if (known?.now) return ok(known as Draft & { now: Content });
    if (known !== undefined || at.value.kind === "none") return missing(at.value);
    const loaded = loadFile(at.value);
    if (!loaded.ok) return loaded;
    const { bytes, stamp } = loaded.value;
    const unknown = unknownTo(this.ctx, at.value, loaded.value);
    const draft = { ...empty(at.value), old: loaded.value, now: { bytes, mode: stamp.mode }, unknown };
    this.all.set(at.value.real, draft);
    return ok(draft);
  }

  /** A place for a new file. An existing file is accepted only if its content is the same. */
  vacant(path: string, content?: Buffer): Result<Draft> {
    const at = locate(path, this.ctx);
    if (!at.ok) return at;
    const known = this.all.get(at.value.real);
    if (known?.now) return content?.equals(known.now.bytes) ? ok({ ...known, isSame: true }) : alreadyExists(at.value);
    if (known !== undefined) return ok(known);
    const draft = empty(at.value);
    const parent = at.value.kind === "none" ? checkParent(at.value) : ok(null);
    if (!parent.ok) return parent;
    if (at.value.kind !== "none") {
      const there = loadFile(at.value);
      if (!there.ok || content?.equals(there.value.bytes) !== true) return alreadyExists(at.value);
      Object.assign(draft, { old: there.value, now: { bytes: there.value.bytes, mode: there.value.stamp.mode } });
      draft.isSame = true;
    }
    this.all.set(at.value.real, draft);
    return ok(draft);
  }

  isAt(path: string, { at }: Draft): boolean {
    const found = locate(path, this.ctx);
    return found.ok && found.value.real === at.real;
  }

  /** Deleting or renaming a symlink would not delete or rename its target. */
  linkAt(path: string): ErrorInfo | null {
    const stat = lstatSync(resolve(this.ctx.root, path), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() !== true) return null;
    const args = { path: visible(path) };
    return fail("E_INVALID_ARGS", phrase("patch.is_link", args), { advice: phrase("advice.use_shell") }).error;
  }
}

function empty(at: LocatedPath): Draft {
  const counts = { added: 0, removed: 0, notes: [], unknown: null };
  return { at, old: null, now: null, from: null, isMoved: false, isSame: false, ...counts };
}

function alreadyExists(at: LocatedPath) {
  const text = phrase("patch.exists", { path: visible(at.shown) });
  return fail("E_CONFLICT", text, { advice: phrase("advice.patch_exists") });
}

export function textOf(at: LocatedPath, now: Content): Result<DecodedText> {
  const form = now.form ?? decodeText(now.bytes);
  return form === null ? isBinary(at, now.bytes, now.bytes.length) : ok(form);
}

export function contentOf(at: LocatedPath, form: DecodedText, mode: number): Result<Content> {
  const bytes = encodeFor(at, form.text, form);
  return bytes.ok ? ok({ bytes: bytes.value, mode, form }) : bytes;
}

export function newContent(at: LocatedPath, text: string, isProgram: boolean): Result<Content> {
  const mode = (isProgram ? 0o777 : 0o666) & ~process.umask();
  return contentOf(at, { ...newFileForm, text }, mode);
}
