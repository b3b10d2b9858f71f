// Reads one mentioned path under the rules of the tool that reads such paths.

import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import type { LineRange, Mention } from "../../context/mentions.ts";
import type { Attachment } from "../../contract/attachment.ts";
import type { ErrorInfo, Result } from "../../contract/error.ts";
import { isSecretIn } from "../../contract/path/secret-path.ts";
import type { ResultData } from "../../contract/result-data.ts";
import type { Settings } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool, ToolContext, ToolOutput } from "../../contract/tool.ts";
import type { SessionState } from "../../machine/state.ts";
import { orElse } from "../../platform/files/failure.ts";
import { type ResolvedPath, resolvePath } from "../../platform/files/path.ts";
import { limitSignal } from "../../platform/limit.ts";
import { adviceOnNamed } from "../../policy/decide-deed.ts";
import { clean, cleanOutput } from "../call/redact.ts";
import { errorText } from "../call/result.ts";
import type { Judge } from "../judge/judge.ts";
import type { Blob } from "../loop/loop.ts";
import { keyOf, makeCall } from "../model/reply.ts";

export interface AttachDeps {
  readonly settings: Settings;
  readonly judge: Judge;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly state: SessionState;
  /** Tokens. */
  readonly window: number;
  /** Real paths outside the workspace that the user lets the model read with this input. */
  readonly outside: readonly string[];
  /** The model, if it takes no images; else `null`. */
  readonly blind: string | null;
}

/** `refused`: nothing was read. */
export type ReadMention =
  | {
      readonly attachment: Attachment;
      readonly blobs: readonly Blob[];
      readonly isCut: boolean;
      readonly notice?: Phrase;
    }
  | { readonly refused: Phrase };

/** Maximum wait for one mention, such as a huge file or a document that needs a program. */
const maxMs = 10_000;
/** A larger file is attached only with its beginning and its size. */
const maxWhole = 256 * 1024;
const shownLines = 100;

/** Expands `~`, which tools do not know. */
export function placeOf(path: string, { workspace, addDirs }: Settings): ResolvedPath {
  const expanded = path.startsWith("~/") ? `${homedir()}${path.slice(1)}` : path;
  return resolvePath(expanded, workspace, addDirs);
}

export function nameOf({ shown, kind }: ResolvedPath, lines: LineRange | null): string {
  const range = lines === null ? "" : lines.first === lines.last ? `:${lines.first}` : `:${lines.first}-${lines.last}`;
  const name = `${visible(shown)}${kind === "folder" && !shown.endsWith("/") ? "/" : ""}${range}`;
  // A name is data too: one with unusual characters is quoted, so that it cannot pass for our text.
  return /^[\p{L}\p{N}_./~+:-]+$/u.test(name) ? name : JSON.stringify(name);
}

/** `null`: cancelled. */
export async function readMentioned(one: Mention, deps: AttachDeps, signal: AbortSignal): Promise<ReadMention | null> {
  const at = placeOf(one.path, deps.settings);
  const name = nameOf(at, one.lines);
  const toolName = at.kind === "folder" ? "list" : "read";
  const tool = deps.tools.get(toolName);
  if (!tool || !("run" in tool) || deps.settings.toolsOff.includes(toolName))
    return refused(name, [phrase("attach.off", { tool: toolName })]);
  const call = makeCall("i0/0/0", null, toolName, argumentsFor(at, one.lines), deps.tools);
  if (call.problem) return refused(name, [call.problem.text]);
  const judged = deps.judge.judge(call, tool, deps.state);
  const isLet = judged?.decision === "allow" || (deps.outside.includes(at.real ?? "") && isOnlyOutside(judged));
  if (!judged || !isLet) return refused(name, judged ? adviceOnNamed(judged) : []);
  const limit = limitSignal(maxMs);
  const context = contextFor(deps.settings, judged.outside, AbortSignal.any([signal, limit.signal]));
  const output = await tool.run(call.input as never, context);
  limit.stop();
  if (signal.aborted) return null;
  const isSlow = limit.signal.aborted && !output.ok;
  return attach(at, name, one.lines, isSlow ? { ok: false, error: tooSlow(name) } : output);
}

export interface OutsideMention {
  readonly real: string;
  readonly name: string;
}

/** The path, if nothing but its place outside the workspace stands against reading it. */
export function outsideMention(one: Mention, { settings, judge, tools, state }: AttachDeps): OutsideMention | null {
  const at = placeOf(one.path, settings);
  const tool = tools.get("read");
  if (!tool || at.inside || at.real === null || at.kind !== "file" || settings.toolsOff.includes("read")) return null;
  const call = makeCall("i0/0/0", null, "read", argumentsFor(at, one.lines), tools);
  const isAsked = !call.problem && isOnlyOutside(judge.judge(call, tool, state));
  return isAsked ? { real: at.real, name: nameOf(at, one.lines) } : null;
}

/** Not a secret, not denied, not protected: those are not offered. */
function isOnlyOutside(judged: ReturnType<Judge["judge"]>): boolean {
  return judged?.decision === "ask" && judged.reasons.every(({ key }) => key === "policy.path.outside");
}

function argumentsFor({ given, real, kind }: ResolvedPath, lines: LineRange | null): unknown {
  if (kind === "folder") return { path: given };
  if (lines !== null) return { path: given, offset: lines.first, limit: lines.last - lines.first + 1 };
  // For these formats the file size says nothing about the length of the text.
  // An error is reported by `read`.
  const size = real === null ? 0 : orElse(() => lstatSync(real, { throwIfNoEntry: false })?.size ?? 0, 0);
  const isHuge = size > maxWhole && !/\.(?:pdf|ipynb)$/i.test(given);
  return isHuge ? { path: given, limit: shownLines } : { path: given };
}

function refused(path: string, reasons: readonly Phrase[]): ReadMention {
  return { refused: phrase("attach.refused", { path, reasons }) };
}

function tooSlow(path: string): ErrorInfo {
  const text = phrase("attach.slow", { path, seconds: maxMs / 1000 });
  return { code: "E_TOOL_TIMEOUT", text, advice: phrase("attach.slow.advice"), sideEffect: "none" };
}

/** A file without a text form (a program, a damaged image) is described by its error. */
function attach(at: ResolvedPath, name: string, lines: LineRange | null, output: Result<ToolOutput>): ReadMention {
  if (!output.ok) {
    const text = clean(errorText(output.error));
    const attachment: Attachment = { kind: "problem", name, text, key: keyOf(name, text) };
    const notice = phrase("attach.problem", { path: name, problem: output.error.text });
    return { attachment, blobs: [], isCut: false, notice };
  }
  const { images = [], seen = [], data = {} } = output.value;
  const text = cleanOutput(output.value.text);
  const refs = images.map(({ ref }) => ref);
  const key = keyOf(name, text, ...refs.map(({ hash }) => hash));
  if (refs.length > 0) {
    const attachment: Attachment = { kind: "image", name, text, key, seen, images: refs };
    return { attachment, blobs: images.map(({ ref, bytes }) => ({ hash: ref.hash, bytes })), isCut: false };
  }
  const { isCut, isWhole } = extent(data, lines, text);
  const kind = at.kind === "folder" ? "folder" : "file";
  const known = isWhole && seen.length > 0 ? { seen } : {};
  return { attachment: { kind, name, text, key, ...known }, blobs: [], isCut };
}

/** How much of the requested range is there. A cut line does not count as whole. */
function extent({ first, last, total }: ResultData, lines: LineRange | null, text: string) {
  if (first === undefined || last === undefined) return { isCut: false, isWhole: false };
  const end = total ?? Number.POSITIVE_INFINITY;
  const hasCutLine = / \[line cut at \d+ characters\]$/m.test(text);
  return { isCut: last < Math.min(lines?.last ?? end, end), isWhole: first === 1 && last >= end && !hasCutLine };
}

/** The minimum for `read` and `list`; there is no task and no call yet. */
function contextFor(settings: Settings, allowedOutside: readonly string[], signal: AbortSignal): ToolContext {
  const { workspace, addDirs, maxStreamBytes } = settings;
  const context: Omit<ToolContext, "jobs"> = {
    root: workspace,
    addDirs,
    allowedOutside,
    isSecret: isSecretIn(workspace),
    signal,
    commands: { confine: null, keep: [], set: {}, isProved: false },
    knownHash: () => undefined,
    readsByItself: true,
    todos: () => [],
    defaultTimeoutMs: maxMs,
    maxStreamBytes,
    onOutput: () => {},
    // Document readers only read and have a kernel time limit, so no recovery needs their pid.
    onSpawn: async () => {},
    marker: `intake.${crypto.randomUUID()}`,
  };
  return context as ToolContext;
}
