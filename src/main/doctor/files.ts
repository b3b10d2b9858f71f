import { constants, lstatSync } from "node:fs";
import { access, mkdtemp, readdir, rmdir, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseConfig } from "../../config/file/file.ts";
import { ownHome } from "../../config/home.ts";
import { type SettingsSources, workspaceOf } from "../../config/load.ts";
import { configFile, readConfigBytes } from "../../config/values.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { isWriterGone, writerForm } from "../../platform/identity.ts";
import { type Finding, fine, problem, problemOf, warning } from "./doctor.ts";

const MIB = 2 ** 20;
/** Below this, storing the next step of a session may fail. */
const TOO_LITTLE = 64 * MIB;
const LITTLE = 1024 * MIB;

export function amount(bytes: number): string {
  return bytes >= 10 * 1024 * MIB ? `${Math.round(bytes / 2 ** 30)} GiB` : `${Math.round(bytes / MIB)} MiB`;
}

export async function homeProbe(home: string, sources: SettingsSources): Promise<readonly Finding[]> {
  const own = ownHome(sources);
  return [...(own.ok ? [] : [problemOf(own.error)]), ...(await stateOf(home))];
}

async function stateOf(home: string): Promise<readonly Finding[]> {
  const found = await statOf(home);
  if (found === null) return [(await notMakeable(home)) ?? fine(phrase("doctor.home_missing", { home }))];
  if (!found.isDirectory())
    return [problem(phrase("doctor.home_not_folder", { home }), phrase("doctor.home_not_folder.advice"))];
  const denied = await notWritable(home);
  if (denied) return [denied];
  const space = await statfs(home);
  const free = space.bavail * space.bsize;
  const findings: Finding[] = [fine(phrase("doctor.home", { home, free: amount(free) }))];
  if (free < LITTLE) {
    const text = phrase("doctor.little_space", { path: home, free: amount(free) });
    const advice = phrase("doctor.little_space.advice");
    findings.push((free < TOO_LITTLE ? problem : warning)(text, advice));
  }
  if ((found.mode & 0o077) !== 0) findings.push(openToOthers(home, found.mode, "700"));
  return findings;
}

export async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Tried beside it and removed: what the system says about permissions is not all that can be in the way. */
async function notMakeable(home: string): Promise<Finding | null> {
  let parent = dirname(home);
  while (parent !== dirname(parent) && (await statOf(parent)) === null) parent = dirname(parent);
  try {
    await rmdir(await mkdtemp(join(parent, ".coder-doctor-")));
    return null;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return problem(phrase("doctor.home_unmade", { home, code }), phrase("doctor.home_not_folder.advice"));
  }
}

async function notWritable(path: string): Promise<Finding | null> {
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return problem(phrase("doctor.not_writable", { path, code }), phrase("doctor.not_writable.advice", { path }));
  }
}

export function openToOthers(path: string, mode: number, want: string): Finding {
  const text = phrase("doctor.open_to_others", { path, mode: (mode & 0o777).toString(8) });
  return warning(text, phrase("doctor.open_to_others.advice", { path, want }));
}

export async function configProbe(sources: SettingsSources): Promise<readonly Finding[]> {
  const file = configFile(sources);
  const bytes = readConfigBytes(file, sources.flags.config !== undefined);
  if (!bytes.ok) return [problem(bytes.error.text)];
  if (bytes.value === null) return [fine(phrase("doctor.config_none", { file }))];
  const parsed = parseConfig(bytes.value, file);
  if (!parsed.ok) return [problem(parsed.error.text, phrase("doctor.config_bad.advice"))];
  const hasKey = Object.values(parsed.value.providers ?? {}).some((one) => one.api_key !== undefined || one.headers);
  const mode = (await stat(file)).mode;
  const findings = [fine(phrase("doctor.config", { file }))];
  return hasKey && (mode & 0o077) !== 0 ? [...findings, openToOthers(file, mode, "600")] : findings;
}

/** Separate from the user's config, because it only counts if trusted. */
export function projectProbe(sources: SettingsSources): Finding {
  const workspace = workspaceOf(sources);
  if (!workspace.ok) return problemOf(workspace.error);
  const file = join(workspace.value, ".coder", "config.json");
  const bytes = readConfigBytes(file, false);
  if (!bytes.ok) return warning(bytes.error.text);
  if (bytes.value === null) return fine(phrase("doctor.config_none", { file }));
  const parsed = parseConfig(bytes.value, file);
  return parsed.ok ? fine(phrase("doctor.project", { file })) : warning(parsed.error.text);
}

export async function workspaceProbe(sources: SettingsSources): Promise<Finding> {
  const workspace = workspaceOf(sources);
  if (!workspace.ok) return problem(workspace.error.text);
  const path = workspace.value;
  const denied = await notWritable(path);
  if (denied) return { ...denied, level: "warning" };
  const isRepository = (await statOf(join(path, ".git"))) !== null;
  return fine(phrase(isRepository ? "doctor.workspace_git" : "doctor.workspace", { path }));
}

const TEMP = new RegExp(
  String.raw`^\.coder-[0-9a-f]{16}-\d+\.tmp$|^\..+?\.(${writerForm})\.tmp$|^\.config\.json\.tmp$`,
);
const SHOWN = 5;

/** Temporary files that a killed process left between write and rename, in directories that coder writes to. */
export async function leftoversProbe(sources: SettingsSources, home: string): Promise<Finding> {
  const workspace = workspaceOf(sources);
  const root = workspace.ok ? workspace.value : sources.cwd;
  const folders = [home, root, ...["", "sessions", "output"].map((name) => join(root, ".coder", name))];
  const files = (await Promise.all([...new Set(folders)].map(tempsIn))).flat();
  if (files.length === 0) return fine(phrase("doctor.no_leftovers"));
  const shown = files.slice(0, SHOWN).join(", ") + (files.length > SHOWN ? ` … (${files.length})` : "");
  return warning(phrase("doctor.leftover_files", { files: shown }), phrase("doctor.leftover_files.advice"));
}

async function tempsIn(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => TEMP.test(name));
    return names.map((name) => join(folder, name)).filter(isLeftover);
  } catch (error) {
    // Missing or unreadable, so coder left nothing there.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

function isLeftover(path: string): boolean {
  const writer = TEMP.exec(basename(path))?.[1];
  return writer === undefined || isWriterGone(writer, lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
