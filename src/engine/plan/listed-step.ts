// PL-6: whether a call is exactly what a plan lists. Never wider than listed: anything else asks.
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Grant, Listed } from "../../contract/grant.ts";
import type { Call } from "../../contract/message.ts";
import { isSecretPath } from "../../contract/path/secret-path.ts";
import type { AnyTool, PathFact } from "../../contract/tool.ts";
import { listedBy } from "../../machine/grant.ts";
import type { SessionState } from "../../machine/state.ts";
import { isPlainWay, resolvePath } from "../../platform/files/path.ts";
import type { PolicyQuestion } from "../../policy/decide.ts";
import { isProtectedPath, namesOf } from "../../policy/paths.ts";

interface Place {
  readonly workspace: string;
  /** Whether the running task created this file. */
  readonly isMadeHere: (real: string) => boolean;
}

/** The step that lists this call, among steps that were shown for approval and are still in the plan; `null` = none. */
export function listedStep(
  call: Call,
  tool: AnyTool,
  question: PolicyQuestion,
  { grant, plan }: SessionState,
  place: Place,
): string | null {
  if (grant === null || plan === null) return null;
  const now = plan.steps.filter(({ status }) => status !== "skipped").flatMap(listedBy);
  const listed = grant.listed.filter((one) => now.some((other) => isSame(one, other)));
  const order = (one: Listed): number => (grant.steps.includes(one.step) ? 0 : 1);
  const first = listed.toSorted((a, b) => order(a) - order(b));
  if (!isWhereItSays(question, place)) return null;
  const asCall = first.find((one) => one.kind === "call" && isSameCall(one, call));
  return asCall?.step ?? stepOfFiles(first, changesOf(call, tool, question, place), grant, place);
}

export function isCovered(step: string | null, { grant }: SessionState): boolean {
  return step !== null && grant?.steps.includes(step) === true;
}

function isSame(one: Listed, other: Listed): boolean {
  const { step: _, ...what } = one;
  const { step: __, ...that } = other;
  return isDeepStrictEqual(what, that);
}

/** The time limit does not change what a call does. */
function isSameCall({ tool, args }: Extract<Listed, { kind: "call" }>, call: Call): boolean {
  const bare = (input: unknown): unknown => {
    const { timeout_s: _, ...rest } = (input ?? {}) as Readonly<Record<string, unknown>>;
    return rest;
  };
  return tool === call.tool && isDeepStrictEqual(bare(args), bare(call.input));
}

/**
 * Every written path must be inside, under its own name, no symlink, and not protected. Other words of a command may be paths too, so they
 * must not be symlinks either.
 */
function isWhereItSays({ judgement, paths, writes = [], access }: PolicyQuestion, { workspace }: Place): boolean {
  const words = (judgement?.mentions ?? []).map(({ path, isChanged }) => ({
    fact: factOf(path, workspace),
    isChanged,
  }));
  const written = [...(access === "write" ? paths : []), ...writes].map((fact) => ({ fact, isChanged: true }));
  return [...written, ...words].every(({ fact, isChanged }) => {
    const { given, real, inside } = fact;
    const isPlain = real !== null && isPlainWay(given, real, workspace);
    if (!isChanged) return !inside || isPlain;
    return inside && isPlain && !namesOf(fact).some((name) => isSecretPath(name) || isProtectedPath(name));
  });
}

/** Treats `~` as outside, like a shell. */
function factOf(path: string, workspace: string): PathFact {
  const fact = resolvePath(path, workspace, []);
  return path.startsWith("~") ? { ...fact, real: null, inside: false } : fact;
}

/** `path`: the real path. */
type Change = Pick<Extract<Listed, { kind: "file" }>, "path" | "change"> & { readonly isOwn: boolean };

/** The call's file changes; `null` = unknown. */
function changesOf(
  { access, input }: Call,
  tool: AnyTool,
  question: PolicyQuestion,
  place: Place,
): readonly Change[] | null {
  if (access === "exec") return removedBy(input, question, place);
  if (access !== "write") return null;
  const gone = tool.removes?.(input as never) ?? [];
  const changes = question.paths.map((fact): Change | null => {
    if (fact.kind !== "file" && fact.kind !== "none") return null;
    const change = gone.includes(fact.given) ? "delete" : fact.exists ? "modify" : "create";
    return { path: fact.real ?? fact.given, change, isOwn: fact.real !== null && place.isMadeHere(fact.real) };
  });
  const known = changes.filter((one) => one !== null);
  return known.length === changes.length && known.length > 0 ? known : null;
}

/** `rm` of plain files only, without options that extend it. */
function removedBy(input: unknown, { judgement }: PolicyQuestion, place: Place): readonly Change[] | null {
  const { command: _, timeout_s: __, ...more } = input as Readonly<Record<string, unknown>>;
  const [only, ...others] = judgement?.commands ?? [];
  const [program, ...words] = only?.argv ?? [];
  if (Object.keys(more).length > 0 || others.length > 0 || program !== "rm" || !judgement?.isWhole) return null;
  if (judgement.writes.length > 0 || only?.input !== undefined) return null;
  const end = words.indexOf("--");
  const options = words.filter((word, at) => word.startsWith("-") && (end === -1 || at <= end));
  const names = words.filter((word) => !options.includes(word));
  if (!options.every((option) => /^-[fv]+$|^--$/.test(option)) || names.length === 0) return null;
  const facts = names.map((name) => resolvePath(name, place.workspace, []));
  if (!facts.every(({ kind }) => kind === "file")) return null;
  return facts.map((fact) => ({ path: fact.real ?? fact.given, change: "delete", isOwn: false }));
}

/** If all changes are listed: the step not approved yet, else the first. */
function stepOfFiles(
  listed: readonly Listed[],
  changes: readonly Change[] | null,
  { steps }: Grant,
  { workspace }: Place,
): string | null {
  if (changes === null) return null;
  const isListed = (one: Listed, change: Change): boolean => one.kind === "file" && isChange(one, change, workspace);
  const found = changes.map((change) => listed.find((one) => isListed(one, change))?.step);
  if (found.includes(undefined)) return null;
  const open = [...new Set(found.filter((step) => step !== undefined && !steps.includes(step)))];
  // Approving one step cannot cover another.
  if (open.length > 1) return null;
  return open[0] ?? found[0] ?? null;
}

/** A file created by a listed call may be modified later; a file that someone else created meanwhile may not. */
function isChange(one: Extract<Listed, { kind: "file" }>, { path, change, isOwn }: Change, workspace: string): boolean {
  return (
    resolve(workspace, one.path) === path &&
    (one.change === change || (one.change === "create" && change === "modify" && isOwn))
  );
}
