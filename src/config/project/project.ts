// Validates a trusted workspace's config: it may choose and tighten, but neither loosen nor redirect the user's keys.
import type { SandboxUse } from "../../contract/sandbox.ts";
import { visible } from "../../contract/show/visible.ts";
import { modes, presets } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { defaults } from "../defaults.ts";
import { check } from "../file/check.ts";
import { decodeConfig, parseTree } from "../file/file.ts";
import { entryAt, type Json, type JsonEntry } from "../file/jsonc.ts";
import { type ConfigKey, type ConfigValues, configRules } from "../file/setting-schema.ts";
import { providerNames } from "../model/providers.ts";
import { isProjectRulesPath } from "./project-rules.ts";
import type { ProjectFile } from "./trust.ts";

export interface Applied {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly line: number;
}

export interface ProjectValues {
  readonly applied: readonly Applied[];
  /** What has no effect, and why. Not an error: a repository must not keep the user from working. */
  readonly ignored: readonly Phrase[];
}

const maxNotices = 20;
const shown = ".coder/config.json";

export function projectValues({ bytes }: Pick<ProjectFile, "bytes">, person: ConfigValues): ProjectValues {
  const text = decodeConfig(bytes);
  if (text === null) return nothing(phrase("config.not_utf8", { file: shown }));
  const tree = parseTree(text, shown);
  if (!tree.ok) return nothing(tree.error.text);
  if (tree.value.kind !== "object") return nothing(phrase("config.not_object", { file: shown }));
  const results = tree.value.entries.flatMap(piecesOf).map((piece) => valuesOf(piece, person));
  return { applied: results.flatMap((one) => one.applied), ignored: results.flatMap((one) => one.ignored) };
}

export function firstFew(ignored: readonly Phrase[]): readonly Phrase[] {
  const rest = ignored.length - maxNotices;
  return rest > 0 ? [...ignored.slice(0, maxNotices), phrase("trust.keys_more", { file: shown, n: rest })] : ignored;
}

export function withProject(person: ConfigValues, applied: readonly Applied[]): ConfigValues {
  const values: Record<string, unknown> = { ...person };
  for (const { path, value } of applied) put(values, path, value);
  return values as ConfigValues;
}

/** Copies each section on the way, so that the user's values stay unchanged. */
function put(at: Record<string, unknown>, [head = "", ...rest]: readonly string[], value: unknown): void {
  const inner = rest.length === 0 ? value : { ...(Object.hasOwn(at, head) ? (at[head] as object) : {}) };
  if (rest.length > 0) put(inner as Record<string, unknown>, rest, value);
  Object.defineProperty(at, head, { value: inner, enumerable: true, configurable: true, writable: true });
}

function nothing(problem: Phrase): ProjectValues {
  return { applied: [], ignored: [phrase("trust.key_bad", { problem })] };
}

/** The unit of validation, so that one mistake does not discard the rest: a key, or one entry of a map. */
interface Piece {
  readonly key: string;
  readonly entry: JsonEntry;
  readonly name: string | null;
  readonly line: number;
}

function piecesOf(entry: JsonEntry): readonly Piece[] {
  const { key, value, line } = entry;
  const whole: Piece = { key, entry, name: null, line };
  if (value.kind !== "object") return [whole];
  if (key === "permissions") return value.entries.flatMap((one) => rulePieces(whole, value, one));
  if (key !== "providers" && key !== "models") return [whole];
  return value.entries.map((one) => ({ key, entry: within(entry, value, one), name: one.key, line: one.line }));
}

type JsonObject = Extract<Json, { readonly kind: "object" }>;

function within(entry: JsonEntry, value: JsonObject, one: JsonEntry): JsonEntry {
  return { ...entry, value: { ...value, entries: [one] } };
}

function rulePieces(whole: Piece, value: JsonObject, one: JsonEntry): readonly Piece[] {
  const rules = one.value;
  const piece = (inner: JsonEntry): Piece => ({ ...whole, entry: within(whole.entry, value, inner) });
  if (rules.kind !== "array") return [piece(one)];
  return rules.items.map((item) => piece({ ...one, value: { ...rules, items: [item] } }));
}

function valuesOf(piece: Piece, person: ConfigValues): ProjectValues {
  const root: Json = { kind: "object", entries: [piece.entry], from: 0, to: 0 };
  const checked = check(root, configRules, (line, path) => `${shown}:${line}: ${path}`);
  if ("problem" in checked) return nothing(checked.problem);
  const judged = judge(piece, checked.value as ConfigValues, person);
  const leaves = judged.values.map(({ path, value }) => ({ path, value, line: lineAt(root, path) }));
  return { applied: leaves, ignored: judged.ignored };
}

interface Judged {
  readonly values: readonly { readonly path: readonly string[]; readonly value: unknown }[];
  readonly ignored: readonly Phrase[];
}

function judge(piece: Piece, given: ConfigValues, person: ConfigValues): Judged {
  const key = piece.key as ConfigKey;
  switch (key) {
    case "$schema":
    // Valid rules are read in `permission.ts`.
    case "permissions":
      return yes([]);
    case "model":
    case "command_timeout_s":
    case "output_bytes":
      return yes([{ path: [key], value: given[key] }]);
    case "compaction":
      return yes(Object.entries(given[key] ?? {}).map(([name, value]) => ({ path: [key, name], value })));
    case "context":
      return contextEntry(piece, given.context ?? {}, person.context?.map_tokens ?? defaults.context.map_tokens);
    case "tools": {
      const off = [...new Set([...(person.tools?.off ?? []), ...(given.tools?.off ?? [])])];
      return yes([{ path: [key, "off"], value: off }]);
    }
    case "max_steps":
    case "max_tokens":
    case "max_cost":
    case "max_time_s": {
      const own = person[key] ?? (key === "max_steps" ? defaults[key] : Number.POSITIVE_INFINITY);
      return (given[key] ?? 0) <= own ? yes([{ path: [key], value: given[key] }]) : looser(piece, own);
    }
    case "agents": {
      const own = person.agents?.max_parallel ?? defaults.agents.max_parallel;
      const { max_parallel: value = own } = given.agents ?? {};
      const path = [key, "max_parallel"];
      return value <= own ? yes([{ path, value }]) : looser({ ...piece, name: "agents.max_parallel" }, own);
    }
    case "mode":
      return stricter(piece, modes, given.mode, person.mode ?? defaults.mode);
    case "preset":
      return stricter(piece, presets, given.preset, person.preset ?? "yolo");
    case "workflow":
      return workflowEntry(piece, given.workflow ?? {}, person.workflow ?? {});
    case "git":
      // The git history belongs to the user.
      return given.git?.mode === "off" ? yes([{ path: ["git", "mode"], value: "off" }]) : never(piece);
    case "sandbox":
      return sandboxEntry(piece, given.sandbox ?? {}, person.sandbox?.use ?? defaults.sandbox.use);
    case "models":
      return modelEntry(piece, given, person);
    case "providers":
      return providerEntry(piece, given, person);
    default:
      return never(piece);
  }
}

/** A project may lower the user's token budget, not raise it. */
function contextEntry(piece: Piece, given: NonNullable<ConfigValues["context"]>, own: number): Judged {
  // Read with the workspace itself, so that trust covers them.
  const bad = (given.rules_files ?? []).filter((file) => !isProjectRulesPath(file));
  const where = whereOf({ ...piece, name: "rules_files" });
  const notices = bad.map((file) => phrase("rules.project_path", { where, file: visible(file) }));
  const { map_tokens: tokens = 0 } = given;
  if (tokens > own) return merged([{ values: [], ignored: notices }, looser({ ...piece, name: "map_tokens" }, own)]);
  const path = ["context", "map_tokens"];
  return { values: given.map_tokens === undefined ? [] : [{ path, value: tokens }], ignored: notices };
}

/** `order`: strictest first. */
function stricter<T extends string>(piece: Piece, order: readonly T[], value: T | undefined, own: T): Judged {
  const isStricter = value !== undefined && order.indexOf(value) <= order.indexOf(own);
  const path = piece.name === null ? [piece.key] : [piece.key, piece.name];
  return isStricter ? yes([{ path, value }]) : looser(piece, own);
}

/** A project must not decide which of the user's variables commands see, nor how much disk they use. */
function sandboxEntry(piece: Piece, given: NonNullable<ConfigValues["sandbox"]>, own: SandboxUse): Judged {
  const inner = (name: string): Piece => ({ ...piece, name });
  return merged([
    given.use === undefined ? yes([]) : stricter(inner("use"), uses, given.use, own),
    ...(["env", "file_size_mb"] as const).map((name) => (given[name] === undefined ? yes([]) : never(inner(name)))),
  ]);
}

type Workflow = NonNullable<ConfigValues["workflow"]>;

/** A project may choose its checks from the user's list of allowed ones, and lower their number. */
function workflowEntry(piece: Piece, given: Workflow, person: Workflow): Judged {
  const inner = (name: string): Piece => ({ ...piece, name });
  const judged = Object.entries(given).map(([name, value]): Judged => {
    const path = ["workflow", name];
    if (name === "verify_commands" && person.verify_commands === undefined) return yes([{ path, value }]);
    if (name === "verify_commands") return no(phrase("trust.key_yours", { where: whereOf(inner(name)) }));
    if (name !== "max_verify_attempts" && name !== "max_diagnostics") return never(inner(name));
    const own = person[name] ?? defaults.workflow[name];
    return Number(value) <= own ? yes([{ path, value }]) : looser(inner(name), own);
  });
  return merged(judged);
}

const uses: readonly SandboxUse[] = ["on", "auto", "off"];

function modelEntry(piece: Piece, given: ConfigValues, person: ConfigValues): Judged {
  const name = piece.name ?? "";
  if (Object.hasOwn(person.models ?? {}, name)) return no(phrase("trust.key_yours", { where: whereOf(piece) }));
  const { price, ...rest } = given.models?.[name] ?? {};
  const isOnPerson = isPersonsProvider(name.slice(0, name.indexOf("/")), person);
  // A price of zero would disable the user's budget.
  const notices = price && isOnPerson ? [phrase("trust.key_never", { where: `${whereOf(piece)}.price` })] : [];
  return { values: leavesOf(["models", name], price && !isOnPerson ? { ...rest, price } : rest), ignored: notices };
}

function isPersonsProvider(name: string, { providers }: ConfigValues): boolean {
  return providerNames(providers).some((one) => one.toLowerCase() === name.toLowerCase());
}

/** A project may only add providers with a new name: the user's keys never go to them. */
function providerEntry(piece: Piece, given: ConfigValues, person: ConfigValues): Judged {
  const name = piece.name ?? "";
  const where = whereOf(piece);
  if (isPersonsProvider(name, person)) return no(phrase("trust.provider_taken", { where }));
  const { api_key_env: variable, ...own } = given.providers?.[name] ?? {};
  const notices = variable === undefined ? [] : [phrase("trust.provider_variable", { where: `${where}.api_key_env` })];
  return { values: leavesOf(["providers", name], own), ignored: notices };
}

function leavesOf(path: readonly string[], values: object | undefined): Judged["values"] {
  return Object.entries(values ?? {}).map(([key, value]) => ({ path: [...path, key], value }));
}

function yes(values: Judged["values"]): Judged {
  return { values, ignored: [] };
}

function merged(judged: readonly Judged[]): Judged {
  return { values: judged.flatMap(({ values }) => values), ignored: judged.flatMap(({ ignored }) => ignored) };
}

function never(piece: Piece): Judged {
  return no(phrase("trust.key_never", { where: whereOf(piece) }));
}

function no(why: Phrase): Judged {
  return { values: [], ignored: [why] };
}

function looser(piece: Piece, own: string | number): Judged {
  return no(phrase("trust.key_looser", { where: whereOf(piece), own }));
}

function whereOf({ key, name, line }: Piece): string {
  return `${shown}:${line}: ${name === null ? key : `${key}.${name}`}`;
}

export function lineAt(json: Json, path: readonly string[]): number {
  const [head = "", ...rest] = path;
  const entry = entryAt(json, head);
  if (!entry) return 0;
  return rest.length === 0 ? entry.line : lineAt(entry.value, rest);
}
