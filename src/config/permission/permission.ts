import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { check } from "../file/check.ts";
import { decodeConfig, parseTree } from "../file/file.ts";
import { entryAt, type Json } from "../file/jsonc.ts";
import { type ConfigValues, permissionRule } from "../file/setting-schema.ts";
import type { SettingsSources } from "../load.ts";
import type { ProjectFile } from "../project/trust.ts";
import { configFile, readConfigBytes } from "../values.ts";
import { checkHost, checkPath, parseCommand, parseRule } from "./permission-text.ts";

type Entry = NonNullable<NonNullable<ConfigValues["permissions"]>["rules"]>[number];
const shown = ".coder/config.json";
type Read = { readonly rule: PermissionRule } | { readonly problem: Phrase };

/** Rules from the user's config and the flags. One broken rule fails them all. */
export function personRules(sources: SettingsSources): Result<readonly PermissionRule[]> {
  const file = configFile(sources);
  const bytes = readConfigBytes(file, sources.flags.config !== undefined);
  if (!bytes.ok) return bytes;
  const home = sources.env.HOME || homedir();
  const tree = bytes.value === null ? null : parseTree(decodeConfig(bytes.value) ?? "", file);
  if (tree?.ok === false) return tree;
  const written = tree === null ? [] : rulesIn(tree.value, { file, home, by: "person" });
  const read = [...written, ...flagRules(sources, home)];
  const problem = read.find((one) => "problem" in one)?.problem;
  if (problem) return fail("E_CONFIG", problem, { advice: phrase("permission.advice") });
  return ok(read.flatMap((one) => ("rule" in one ? [one.rule] : [])));
}

/** The first problem of the rules in a text about to be written. */
export function ruleProblem(text: string, file: string): Phrase | null {
  const tree = parseTree(text, file);
  const read = tree.ok ? rulesIn(tree.value, { file, home: homedir(), by: "person" }) : [];
  return read.find((one) => "problem" in one)?.problem ?? null;
}

export interface ProjectRules {
  readonly rules: readonly PermissionRule[];
  /** What has no effect, and why. Not an error: a repository must not keep the user from working. */
  readonly ignored: readonly Phrase[];
}

/** PO-9: rules of a trusted workspace may only ask or deny, and a broken one does not affect the others. */
export function projectRules({ bytes }: Pick<ProjectFile, "bytes">): ProjectRules {
  const tree = parseTree(decodeConfig(bytes) ?? "", shown);
  const read = tree.ok ? rulesIn(tree.value, { file: shown, home: homedir(), by: "project" }) : [];
  const rules = read.flatMap((one) => ("rule" in one ? [one.rule] : []));
  const problems = read.flatMap((one) => ("problem" in one ? [phrase("trust.key_bad", { problem: one.problem })] : []));
  const loose = rules.filter(({ decision }) => decision === "allow");
  return {
    rules: rules.filter(({ decision }) => decision !== "allow"),
    ignored: [...problems, ...loose.map(({ source }) => phrase("trust.rule_allows", { where: source }))],
  };
}

interface Origin {
  readonly file: string;
  readonly home: string;
  readonly by: PermissionRule["by"];
}

/** The rules of a file, or their problems. `project.ts` reports project rules that fail the schema. */
function rulesIn(tree: Json, origin: Origin): readonly Read[] {
  const at = (line: number, path: string): string => `${origin.file}:${line}: ${path}`;
  const list = entryAt(entryAt(tree, "permissions")?.value, "rules")?.value;
  const items = list?.kind === "array" ? list.items : [];
  return items.flatMap(({ value, line }, index): readonly Read[] => {
    const path = `permissions.rules[${index}]`;
    const entry = check(value, permissionRule, at, path, line);
    if ("problem" in entry) return origin.by === "person" ? [entry] : [];
    return [ruleOf(entry.value as Entry, at(line, path), `${origin.file}:${line}`, origin)];
  });
}

function ruleOf(entry: Entry, where: string, source: string, { home, by }: Origin): Read {
  const { decision, tool, command, path, host, reason, examples } = entry;
  const abouts = [command, path, host].filter((one) => one !== undefined).length;
  if (tool === undefined && abouts === 0) return bad("permission.names_nothing", where);
  if (abouts > 1) return bad("permission.command_and_path", where);
  if (command !== undefined && (tool ?? "bash") !== "bash") return bad("permission.command_tool", where);
  if (path !== undefined && tool === "bash") return bad("permission.path_tool", where);
  const dials = tool === undefined || tool === "fetch" || tool === "network";
  if (path !== undefined && tool !== undefined && dials) return bad("permission.path_fetch", where);
  if (host !== undefined && !dials) return bad("permission.host_tool", where);
  if (host === undefined && tool === "network") return bad("permission.network_alone", where);
  if (examples !== undefined && abouts === 0) return bad("permission.examples_alone", where);
  const pattern = command === undefined ? null : parseCommand(command, `${where}.command`);
  if (pattern && "problem" in pattern) return pattern;
  const glob = path === undefined ? null : checkPath(path, `${where}.path`);
  if (glob && "problem" in glob) return glob;
  const dialled = host === undefined ? null : checkHost(host, `${where}.host`);
  if (dialled && "problem" in dialled) return dialled;
  const named = pattern ? { tool: "bash", command: pattern.value } : tool === undefined ? {} : { tool };
  return {
    rule: {
      decision: decision ?? "deny",
      ...named,
      ...(glob ? { path: realGlob(glob.value, home) } : {}),
      ...(dialled ? { tool: tool ?? "fetch", host: dialled.value } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(examples ? { examples: { matches: examples.matches ?? [], others: examples.others ?? [] } } : {}),
      source,
      by,
    },
  };
}

function flagRules({ flags }: SettingsSources, home: string): readonly Read[] {
  const read =
    (decision: "allow" | "deny") =>
    (text: string): Read => {
      const source = `--${decision}`;
      const parsed = parseRule(text, `${source} ${JSON.stringify(text)}`);
      if ("problem" in parsed) return parsed;
      const { path, ...named } = parsed.value;
      const real = path === undefined ? {} : { path: realGlob(path, home) };
      return { rule: { decision, ...named, ...real, source, by: "person" } };
    };
  return [...(flags.allow ?? []).map(read("allow")), ...(flags.deny ?? []).map(read("deny"))];
}

/** Rules match real paths: resolves `~/` and the literal prefix of an absolute glob. */
function realGlob(path: string, home: string): string {
  const absolute = path === "~" || path.startsWith("~/") ? `${escaped(home)}${path.slice(1)}` : path;
  if (!absolute.startsWith("/")) return path;
  const names = absolute.split("/");
  const wild = names.findIndex((name) => /[*?\\]/.test(name));
  const plain = wild === -1 ? names : names.slice(0, wild);
  const rest = wild === -1 ? [] : names.slice(wild);
  return [escaped(realOf(plain.join("/") || "/")).replace(/\/$/, ""), ...rest].join("/") || "/";
}

/** Resolves symlinks in the part of the path that exists. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), path.slice(parent.length));
  }
}

function escaped(path: string): string {
  return path.replace(/[*?\\]/g, "\\$&");
}

function bad(key: Parameters<typeof phrase>[0], where: string): { problem: Phrase } {
  return { problem: phrase(key, { where }) };
}
