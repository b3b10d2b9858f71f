import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { type ChangePlan, defineTool, type ToolContext } from "../../contract/tool.ts";
import { type LocatedPath, locate } from "../../platform/files/path.ts";
import { decodeText, isCrOnly, newFileForm } from "../../platform/files/text/encoding.ts";
import { isBinary } from "../../platform/files/text/page.ts";
import { args, text } from "../args.ts";
import {
  checkParent,
  checkWhole,
  encodeFor,
  formNotes,
  inFull,
  lineCount,
  loadForChange,
  planOf,
  refuseElision,
} from "./change.ts";
import { elisionIn } from "./elision.ts";

export const write = defineTool({
  name: "write",
  description:
    "Create a file, with missing folders, or replace its whole content. An existing file must have been read before (else E_CONFLICT); its encoding and line endings are kept. For small changes use edit.",
  input: args({ path: text("", { min: 1 }), content: text("") }),
  access: "write",
  afterCrash: "reconcile",
  touches: ({ path }) => [path],
  writes: ({ content }) => [content],
  rewrites: ({ path, content }, contentOf) => [{ before: contentOf(path), after: content }],
  inFull,
  plansAtOnce: true,
  plan: planWrite,
});

interface WriteInput {
  readonly path: string;
  readonly content: string;
}

export function planWrite({ path, content }: WriteInput, ctx: ToolContext): Result<ChangePlan> {
  const at = locate(path, ctx);
  if (!at.ok) return at;
  const sound = checkWhole(at.value, content);
  if (!sound.ok) return sound;
  if (at.value.kind === "none" && !path.endsWith("/")) return create(at.value, content);
  if (at.value.kind === "file" || at.value.kind === "other") return replace(at.value, content, ctx);
  return fail("E_INVALID_ARGS", phrase("file.is_folder", { path: visible(at.value.shown) }));
}

function create(at: LocatedPath, content: string): Result<ChangePlan> {
  const parent = checkParent(at);
  if (!parent.ok) return parent;
  const bytes = encodeFor(at, content, newFileForm);
  if (!bytes.ok) return bytes;
  return ok(
    planOf(at, null, bytes.value, { text: `created ${sizeOf(at, content, bytes.value)}`, data: { created: true } }),
  );
}

function replace(at: LocatedPath, content: string, ctx: ToolContext): Result<ChangePlan> {
  const loaded = loadForChange(at, ctx);
  if (!loaded.ok) return loaded;
  const old = loaded.value;
  const form = decodeText(old.bytes);
  if (form === null) return isBinary(at, old.bytes, old.bytes.length);
  const elided = elisionIn(form.text, content, at.shown);
  if (elided !== null) return refuseElision(elided, visible(at.shown));
  const plain = form.bom && content.startsWith("\ufeff") ? content.slice(1) : content;
  const bytes = encodeFor(at, plain.includes("\r") ? plain : plain.replaceAll("\n", lineEndOf(form.text)), form);
  if (!bytes.ok) return bytes;
  if (bytes.value.equals(old.bytes)) {
    return ok({
      changes: [],
      text: `${visible(at.shown)} already has this content`,
      data: { path: at.shown, created: false },
    });
  }
  const report = [`replaced ${sizeOf(at, content, bytes.value)}`, ...formNotes(bytes.value, form)].join("\n");
  return ok(planOf(at, old, bytes.value, { text: report, data: { created: false } }));
}

/** The line ending if it is the same everywhere; LF if it is mixed. */
function lineEndOf(text: string): "\n" | "\r\n" | "\r" {
  if (isCrOnly(text)) return "\r";
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
}

function sizeOf(at: LocatedPath, content: string, bytes: Buffer): string {
  return `${visible(at.shown)} (${lineCount(content)} lines, ${bytes.length} bytes)`;
}
