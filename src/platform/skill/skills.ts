// Users may change their own skills at any time; a workspace's skills are used only if they are unchanged since they were trusted.
import { closeSync, type Dirent } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import type { Skill, SkillPlaces, Skills, SkillText } from "../../contract/skill.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../files/failure.ts";
import { sha256 } from "../files/hash.ts";
import { openFile, readAll, showSize } from "../files/open.ts";
import { resolvePath } from "../files/path.ts";
import { listEntries } from "../files/probe.ts";
import { byPath } from "../files/smallest.ts";
import { decodeText } from "../files/text/encoding.ts";
import { type ParsedSkill, parseSkill } from "./skill-text.ts";

const maxBytes = 256 * 1024;
const maxSkills = 200;
const maxFiles = 60;
const maxDepth = 3;

type FoundSkill =
  | { readonly skill: Skill; readonly text: ParsedSkill }
  | { readonly file: string; readonly why: Phrase };

export function findSkills(places: SkillPlaces): Skills {
  const own = personFiles(places).map((file) => readOne(places, file, "person"));
  const theirs = projectFiles(places).map((file) => readOne(places, file, "project"));
  const all = [...own, ...theirs];
  const skills = all.flatMap((one) => ("skill" in one ? [one.skill] : []));
  const isFirst = (skill: Skill): boolean => skills.find(({ name }) => name === skill.name) === skill;
  return {
    skills: skills.filter(isFirst),
    broken: all.flatMap((one) => ("why" in one ? [{ file: visible(one.file), why: one.why }] : [])),
    hidden: skills.filter((skill) => !isFirst(skill)),
    isTrusted: places.trusted !== null,
  };
}

export function readSkill(places: SkillPlaces, skill: Skill): Result<SkillText> {
  const found = readOne(places, skill.file, skill.by);
  if ("why" in found) {
    const text = phrase("skill.broken", { file: visible(skill.file), why: found.why });
    return fail("E_IO", text, { advice: phrase("skill.broken.advice") });
  }
  const folder = dirname(skill.file);
  const files = filesIn(skill.by === "person" ? folder : join(places.workspace, folder), folder, 0);
  const others = files.filter((file) => file !== skill.file);
  const shown = others.slice(0, maxFiles);
  return ok({ skill: found.skill, body: found.text.body, files: shown, isCut: others.length > maxFiles });
}

/** Follows symlinks, because it is the user's own folder. */
function personFiles({ home }: SkillPlaces): readonly string[] {
  const folder = join(home, "skills");
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => join(folder, name, "SKILL.md"))
    .slice(0, maxSkills);
}

function projectFiles({ trusted }: SkillPlaces): readonly string[] {
  const folders = [...(trusted?.keys() ?? [])].flatMap((path) => /^\.coder\/skills\/[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort(byPath).map((folder) => `${folder}/SKILL.md`);
}

function readOne(places: SkillPlaces, file: string, by: Skill["by"]): FoundSkill {
  const bytes = by === "person" ? bytesOf(file, null) : trustedBytes(places, file);
  if (!Buffer.isBuffer(bytes)) return { file, why: bytes };
  const decoded = decodeText(bytes);
  if (decoded === null) return { file, why: phrase("skill.no_text") };
  const folder = dirname(file);
  const text = parseSkill(decoded.text, folder.slice(folder.lastIndexOf("/") + 1));
  if ("why" in text) return { file, why: text.why };
  return { skill: { name: text.name, description: text.description, by, file }, text };
}

/** Uses exactly the bytes that match the trusted hash. */
function trustedBytes({ workspace, trusted }: SkillPlaces, path: string): Buffer | Phrase {
  const hash = trusted?.get(path);
  const bytes = hash === undefined ? phrase("skill.missing") : bytesOf(join(workspace, path), join(workspace, path));
  return !Buffer.isBuffer(bytes) || sha256(bytes) === hash ? bytes : phrase("skill.changed");
}

function bytesOf(file: string, real: string | null): Buffer | Phrase {
  const at = resolvePath(file, dirname(file), []);
  if (at.real === null || (real !== null && at.real !== real)) return phrase("skill.link");
  if (at.kind === "none") return phrase("skill.absent");
  const opened = openFile({ ...at, real: at.real });
  if (!opened.ok) return opened.error.text;
  const { fd, stat } = opened.value;
  try {
    const bytes = stat.size > maxBytes ? null : readAll(fd, stat.size);
    if (bytes !== null && bytes.length <= maxBytes) return bytes;
    return phrase("skill.too_big", { size: showSize(stat.size), max: showSize(maxBytes) });
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return phrase("skill.unreadable", { code });
  } finally {
    closeSync(fd);
  }
}

/** Skips symlinks and hidden files. `named`: the folder's name in the returned paths. */
function filesIn(folder: string, named: string, depth: number): readonly string[] {
  if (depth > maxDepth) return [];
  const found: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = `${named}/${entry.name}`;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory()) found.push(...filesIn(join(folder, entry.name), path, depth + 1));
    if (found.length > maxFiles + 1) break;
  }
  return found;
}

/** In a fixed order; a missing or unreadable folder is empty. */
function entriesOf(folder: string): readonly Dirent[] {
  const shown = listEntries(folder).filter(({ name }) => !name.startsWith("."));
  return shown.sort((a, b) => byPath(a.name, b.name));
}
