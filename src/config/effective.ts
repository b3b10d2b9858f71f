import { ok, type Result } from "../contract/error.ts";
import { machineZone } from "../contract/show/zoned-time.ts";
import { defaults } from "./defaults.ts";
import { decodeConfig, parseConfig } from "./file/file.ts";
import { parseJsonc } from "./file/jsonc.ts";
import { configRules, type Rule } from "./file/setting-schema.ts";
import { langSource, type SettingsSources } from "./load.ts";
import { lineAt, projectValues } from "./project/project.ts";
import { configFile, overlaysOf, overlayValue, readConfig, readConfigBytes } from "./values.ts";

type ValueSource =
  | { readonly kind: "default" | "unset" }
  | { readonly kind: "file" | "project"; readonly file: string; readonly line: number }
  | { readonly kind: "env" | "flag"; readonly name: string };

export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly source: ValueSource;
}

/** Every leaf in schema order with its source, secrets masked; `unset` ones have no value. */
export function effectiveSettings(sources: SettingsSources): Result<readonly Setting[]> {
  const found = new Map<string, Setting>();
  const put = (setting: Setting) => found.set(JSON.stringify(setting.path), setting);
  for (const path of fixedKeys()) put({ path, value: null, source: { kind: "unset" } });
  for (const { path, value } of leavesOf(defaults, configRules)) put({ path, value, source: { kind: "default" } });
  put({ path: ["ui", "timezone"], value: machineZone(), source: { kind: "default" } });
  const fromFile = settingsOfFile(sources);
  if (!fromFile.ok) return fromFile;
  const lang = langSource(sources.flags, sources.env);
  if (lang.ok && lang.value?.kind === "env") put({ path: ["ui", "lang"], value: lang.value.lang, source: lang.value });
  for (const setting of fromFile.value) put(setting);
  for (const setting of settingsOfProject(sources)) put(setting);
  if (!lang.ok) return lang;
  if (lang.value?.kind === "flag") put({ path: ["ui", "lang"], value: lang.value.lang, source: lang.value });
  for (const overlay of overlaysOf(sources.flags, sources.env)) {
    const value = overlayValue(overlay);
    if (!value.ok) return value;
    const { kind, name } = overlay;
    put({ path: [overlay.key], value: value.value, source: { kind, name } });
  }
  return ok([...found.values()].map(({ path, value, source }) => ({ path, value: masked(path, value), source })));
}

function settingsOfFile(sources: SettingsSources): Result<readonly Setting[]> {
  const file = configFile(sources);
  const bytes = readConfigBytes(file, sources.flags.config !== undefined);
  if (!bytes.ok || bytes.value === null) return bytes.ok ? ok([]) : bytes;
  const checked = parseConfig(bytes.value, file);
  if (!checked.ok) return checked;
  const tree = parseJsonc(decodeConfig(bytes.value) ?? "");
  if ("problem" in tree) return ok([]);
  return ok(
    leavesOf(checked.value, configRules).map((leaf) => ({
      ...leaf,
      source: { kind: "file", file, line: lineAt(tree.value, leaf.path) },
    })),
  );
}

function settingsOfProject(sources: SettingsSources): readonly Setting[] {
  const project = sources.trust?.config;
  const person = project ? readConfig(configFile(sources), false) : null;
  if (!project || !person?.ok) return [];
  return projectValues(project, person.value).applied.flatMap(({ path, value, line }) => {
    const rule = ruleAt(path);
    const leaves = rule ? leavesOf(value, rule, path) : [];
    return leaves.map((leaf) => ({ ...leaf, source: { kind: "project" as const, file: project.file, line } }));
  });
}

/** Keys that always exist, i.e. none below a map, whose names are free. */
export function fixedKeys(rule: Rule = configRules, path: readonly string[] = []): readonly (readonly string[])[] {
  if (rule.kind === "map") return [];
  if (rule.kind !== "section") return [path];
  return Object.entries(rule.keys).flatMap(([key, inner]) => fixedKeys(inner, [...path, key]));
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, rule: Rule, path: readonly string[] = []): readonly Leaf[] {
  if ((rule.kind !== "section" && rule.kind !== "map") || typeof value !== "object" || value === null)
    return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => {
    const innerRule = rule.kind === "map" ? rule.of : rule.keys[key];
    return innerRule ? leavesOf(inner, innerRule, [...path, key]) : [];
  });
}

/** Replaces secrets and headers, which often contain one. */
const MASK = "********";

function masked(path: readonly string[], value: unknown): unknown {
  const rule = ruleAt(path);
  return rule?.kind === "text" && (rule.form === "secret" || rule.form === "header") ? MASK : value;
}

function ruleAt(path: readonly string[]): Rule | undefined {
  return path.reduce<Rule | undefined>(
    (at, key) => (at?.kind === "section" ? at.keys[key] : at?.kind === "map" ? at.of : undefined),
    configRules,
  );
}
