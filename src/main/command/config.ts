import { join } from "node:path";
import type { ConfigEdit } from "../../config/file/change.ts";
import { findKey, type KeyPlace } from "../../config/file/setting-path.ts";
import type { SettingsSources } from "../../config/load.ts";
import { fail, ok, type Result, unwrap } from "../../contract/error.ts";
import type { Report } from "../../contract/show/insight.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { keepTrust, mustBePerson, sourcesFrom } from "../trust/trust-state.ts";

function sourcesOf(flags: Flags): SettingsSources {
  return sourcesFrom(flags, false);
}

/** `coder config get [KEY]`: what applies, and where it comes from. */
export async function configGet(key: string | undefined, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const { text, data } = unwrap(await configReport(key ?? null, flags, lang));
  io.out(flags.json ? jsonLine(data) : text);
  return 0;
}

/** The same inside the application. */
export async function configReport(key: string | null, flags: Flags, lang: Lang): Promise<Result<Report>> {
  const { effectiveSettings } = await import("../../config/effective.ts");
  const found = key === null ? ok(null) : findKey(key);
  if (!found.ok) return found;
  const place = found.value;
  const all = effectiveSettings(sourcesOf(flags));
  if (!all.ok) return all;
  const chosen = all.value.filter(({ path }) => place === null || place.path.every((name, at) => path[at] === name));
  const isOne = place !== null && place.rule.kind !== "section" && place.rule.kind !== "map";
  const rows =
    isOne && chosen.length === 0 ? [{ path: place.path, value: null, source: { kind: "unset" } as const }] : chosen;
  const values = rows.map(({ path, value, source }) => ({ key: path.join("."), value, source }));
  const lines = rows.map(({ path, value, source }) => {
    const shown = source.kind === "unset" ? "" : ` = ${JSON.stringify(value)}`;
    return plain(`${path.join(".")}${shown}  (${sourceText(source, lang)})\n`);
  });
  return ok({ text: lines.join(""), data: isOne ? values[0] : values });
}

type SettingSource = import("../../config/effective.ts").Setting["source"];

function sourceText(source: SettingSource, lang: Lang): string {
  if (source.kind === "project")
    return say(lang, phrase("config.source.project", { place: `${source.file}:${source.line}` }));
  if (source.kind === "file") return `${source.file}:${source.line}`;
  if (source.kind === "env" || source.kind === "flag") return source.name;
  return say(lang, phrase(source.kind === "default" ? "config.source.default" : "config.source.unset"));
}

/** A value of `-` is read from stdin, which keeps a key out of the shell's history. */
export async function configSet(key: string, raw: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const place = unwrap(findKey(key));
  const text = raw === "-" ? (await Bun.stdin.text()).replace(/\r?\n$/, "") : raw;
  const { withValue } = await import("../../config/file/edit.ts");
  const value = parsedValue(text, place);
  const file = await change(flags, (before) => ok(withValue(before ?? "", place.path, value)));
  await tellEffect(place, file, flags, io, lang);
  return 0;
}

/** Values that are valid JSON and not for a text setting are parsed, others taken literally. */
function parsedValue(raw: string, { rule }: KeyPlace): unknown {
  try {
    const value: unknown = JSON.parse(raw);
    const isText = rule.kind === "text" || rule.kind === "choice";
    return isText && typeof value !== "string" ? raw : value;
  } catch (error) {
    if (error instanceof SyntaxError) return raw;
    throw error;
  }
}

/** Also removes unknown keys. */
export async function configUnset(key: string, flags: Flags): Promise<number> {
  const { withoutValue } = await import("../../config/file/edit.ts");
  const known = findKey(key);
  const path = known.ok ? known.value.path : key.split(".");
  await change(flags, (before, file) => {
    const after = before === null ? null : withoutValue(before, path);
    if (after !== null) return ok(after);
    if (!known.ok) return known;
    return fail("E_CONFIG", phrase("config.key_not_set", { key, file }), {
      advice: phrase("config.key_not_set.advice"),
    });
  });
  return 0;
}

async function change(flags: Flags, edit: ConfigEdit): Promise<string> {
  mustBePerson("config");
  const { changeConfig } = await import("../../config/file/change.ts");
  const { configFile, homeOf } = await import("../../config/values.ts");
  const isProject = flags.project === true;
  if ([isProject, flags.user, flags.config !== undefined].filter(Boolean).length > 1)
    throw usage(phrase("config.user_or_project"));
  const sources = sourcesOf(flags);
  const home = homeOf(sources.env, sources.cwd);
  if (isProject) return changeProject(sources, home, edit);
  const file = configFile(sources);
  unwrap(await changeConfig(home, file, edit));
  return file;
}

async function changeProject(sources: SettingsSources, home: string, edit: ConfigEdit): Promise<string> {
  const { editedConfig } = await import("../../config/file/change.ts");
  const { whileLocked } = await import("../../config/file/write.ts");
  const { readConfigBytes } = await import("../../config/values.ts");
  const { writeConfigFile } = await import("../../store/snapshot.ts");
  const workspace = unwrap((await import("../../config/load.ts")).workspaceOf(sources));
  const file = join(workspace, ".coder", "config.json");
  const done = await whileLocked(home, () => {
    const bytes = readConfigBytes(file, false);
    if (!bytes.ok) return bytes;
    const after = editedConfig(bytes.value, file, edit);
    if (!after.ok) return after;
    const bytesOf = { before: bytes.value, after: new TextEncoder().encode(after.value) };
    return keepTrust(workspace, home, bytesOf, () => writeConfigFile(workspace, after.value));
  });
  unwrap(done);
  return file;
}

/** Warns if another source overrides the written value. */
async function tellEffect(place: KeyPlace, file: string, flags: Flags, io: Io, lang: Lang): Promise<void> {
  if (flags.project) return io.err(`${plain(say(lang, phrase("config.project_note", { file })))}\n`);
  const { effectiveSettings } = await import("../../config/effective.ts");
  const all = effectiveSettings(sourcesOf({ ...flags, config: file }));
  const [now] = all.ok ? all.value.filter(({ path }) => path.join("\0") === place.path.join("\0")) : [];
  if (!now || now.source.kind === "file") return;
  const key = place.path.join(".");
  const text = phrase("config.unused", { key, value: JSON.stringify(now.value), source: sourceText(now.source, lang) });
  io.err(`${plain(say(lang, text))}\n`);
}

export async function configSchemaCommand(io: Io): Promise<number> {
  const { configSchema } = await import("../../config/file/schema.ts");
  io.out(`${JSON.stringify(configSchema(), null, 2)}\n`);
  return 0;
}

export async function configPath(flags: Flags, io: Io): Promise<number> {
  const { configFile } = await import("../../config/values.ts");
  const sources = sourcesOf(flags);
  const user = configFile(sources);
  const project = join(unwrap((await import("../../config/load.ts")).workspaceOf(sources)), ".coder", "config.json");
  io.out(flags.json ? jsonLine({ user, project }) : `${plain(flags.project ? project : user)}\n`);
  return 0;
}
