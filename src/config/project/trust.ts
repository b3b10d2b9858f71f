// What a workspace configures that would take effect. Reads each file once: the hashed bytes are the ones used.
import { closeSync, lstatSync, opendirSync } from "node:fs";
import { join, relative } from "node:path";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { sha256 } from "../../platform/files/hash.ts";
import { openFile, readAll } from "../../platform/files/open.ts";
import { isWithin, locate, resolvePath } from "../../platform/files/path.ts";
import { byPath } from "../../platform/files/smallest.ts";
import { rulesFolders, rulesNameIn } from "../../platform/skill/rules-files.ts";
import { rulesFilesIn } from "./project-rules.ts";

type ProjectKind = "config" | "rules" | "servers" | "hooks" | "skills" | "commands" | "other";

export interface ProjectItem {
  readonly path: string;
  readonly kind: ProjectKind;
  /** The content hash; for an unused item, what it is instead of a plain file (`link to x`). */
  readonly hash: string;
  readonly isUsed: boolean;
}

export interface ProjectFile {
  readonly file: string;
  readonly bytes: Buffer;
}

export interface Project {
  readonly items: readonly ProjectItem[];
  readonly hash: string;
  readonly config: ProjectFile | null;
  /** Instructions for the model: files named in the config, then those of the directories from the repository's root down. */
  readonly rules: readonly ProjectFile[];
  /** Why the workspace can never be trusted; `null` = it can. */
  readonly problem: Phrase | null;
}

const maxItems = 1000;
const maxFileBytes = 1_048_576;
const maxBytes = 16 * 1_048_576;
const maxDepth = 8;

const configPath = ".coder/config.json";
/** Coder's own output in `.coder`, which never takes effect. */
const ownOutput = /^(?:sessions|output|exports|pasted|\.gitignore|\..+\.\d+\.\d*\.tmp)$/;

/** `home`: CODER_HOME. Inside the workspace, it could have been written by the workspace's author. */
export function readProject(workspace: string, home: string): Project {
  const reading = new Reading(workspace);
  const realHome = resolvePath(home, workspace, []).real;
  reading.folderRules();
  // If the workspace is the home directory, its `.coder` is the user's own.
  if (realHome !== join(workspace, ".coder")) reading.folder(".coder", 0);
  reading.configuredRules();
  const isHomeInside = realHome === null || isWithin(realHome, workspace);
  const items = reading.items.toSorted((a, b) => byPath(a.path, b.path));
  const problem = isHomeInside ? phrase("trust.home_inside", { home }) : reading.problem;
  const rules = [...reading.configured, ...reading.rules];
  return { items, hash: hashOf(items), config: reading.config, rules, problem };
}

/** The project's hash after our own write to its config. */
export function withConfig({ items }: Project, bytes: Uint8Array): Pick<Project, "hash"> {
  const own: ProjectItem = { path: configPath, kind: "config", hash: sha256(bytes), isUsed: true };
  const rest = items.filter(({ path }) => path !== configPath);
  return { hash: hashOf([...rest, own].toSorted((a, b) => byPath(a.path, b.path))) };
}

function hashOf(items: readonly ProjectItem[]): string {
  const rows = items.map(({ path, hash, isUsed }) => [path, hash, isUsed]);
  return sha256(Buffer.from(JSON.stringify(["project 1", ...rows])));
}

class Reading {
  readonly items: ProjectItem[] = [];
  config: ProjectFile | null = null;
  readonly rules: ProjectFile[] = [];
  readonly configured: ProjectFile[] = [];
  problem: Phrase | null = null;
  private bytes = 0;
  private seen = 0;
  private readonly texts = new Map<string, Buffer>();
  private readonly workspace: string;

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  /** A symlink among instruction files may lead anywhere in the repository. */
  folderRules(): void {
    const folders = rulesFolders(this.workspace);
    for (const folder of folders) {
      const name = rulesNameIn(folder);
      if (name !== null) this.rulesFile(join(relative(this.workspace, folder), name), folders[0], this.rules);
    }
  }

  /** Files named in the config must be inside the workspace. */
  configuredRules(): void {
    for (const path of this.config ? rulesFilesIn(this.config.bytes) : []) {
      const file = join(this.workspace, path);
      if (this.rules.some((one) => one.file === file)) continue;
      const known = this.texts.get(path);
      if (known) this.configured.push({ file, bytes: known });
      else if (resolvePath(path, this.workspace, []).exists) this.rulesFile(path, this.workspace, this.configured);
    }
  }

  private rulesFile(path: string, root: string | undefined, into: ProjectFile[]): void {
    if (this.items.some((one) => one.path === path)) return;
    const bytes = this.file(path, "rules", root);
    if (bytes !== null) into.push({ file: join(this.workspace, path), bytes });
  }

  folder(path: string, depth: number): void {
    try {
      const stat = lstatSync(join(this.workspace, path), { throwIfNoEntry: false });
      // A symlink could lead to files that others can change.
      if (stat?.isDirectory()) this.entries(path, depth);
      else if (stat !== undefined) this.unused(path, kindOf(path), stat.isSymbolicLink() ? "link" : "no folder");
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      this.unused(path, kindOf(path), `unreadable ${code}`);
    }
  }

  private entries(path: string, depth: number): void {
    if (depth > maxDepth) this.refuse(phrase("trust.too_deep", { path, max: maxDepth }));
    const folder = opendirSync(join(this.workspace, path));
    try {
      for (let entry = folder.readSync(); entry !== null && this.problem === null; entry = folder.readSync()) {
        if (depth === 0 && ownOutput.test(entry.name)) continue;
        this.seen++;
        if (this.seen > maxItems) this.refuse(phrase("trust.too_many", { max: maxItems }));
        else if (entry.isDirectory()) this.folder(`${path}/${entry.name}`, depth + 1);
        else if (entry.isFile()) this.file(`${path}/${entry.name}`);
        else this.unused(`${path}/${entry.name}`, kindOf(`${path}/${entry.name}`), "no plain file");
      }
    } finally {
      folder.closeSync();
    }
  }

  private file(path: string, kind = kindOf(path), root = this.workspace): Buffer | null {
    const bytes = this.read(path, kind, root);
    if (bytes === null || this.problem !== null) return null;
    this.items.push({ path, kind, hash: sha256(bytes), isUsed: true });
    this.texts.set(path, bytes);
    if (path === configPath) this.config = { file: join(this.workspace, path), bytes };
    return bytes;
  }

  private read(path: string, kind: ProjectKind, root: string): Buffer | null {
    const given = join(this.workspace, path);
    const at = locate(given, { root, addDirs: [] });
    if (at.ok && !isPlain(given, at.value.real, kind)) {
      this.unused(path, kind, `link to ${at.value.real}`);
      return null;
    }
    const opened = at.ok ? openFile(at.value) : at;
    if (!opened.ok) {
      this.unused(path, kind, `unreadable ${opened.error.text.key}`);
      return null;
    }
    const { fd, stat } = opened.value;
    try {
      const bytes = stat.size > maxFileBytes ? null : readAll(fd, stat.size);
      this.bytes += bytes?.length ?? 0;
      if (bytes !== null && bytes.length <= maxFileBytes && this.bytes <= maxBytes) return bytes;
      const max = bytes === null || bytes.length > maxFileBytes ? maxFileBytes : maxBytes;
      this.refuse(phrase("trust.too_big", { path, max }));
      this.unused(path, kind, "too big");
      return null;
    } finally {
      closeSync(fd);
    }
  }

  private unused(path: string, kind: ProjectKind, what: string): void {
    this.items.push({ path, kind, hash: what, isUsed: false });
  }

  private refuse(problem: Phrase): void {
    this.problem ??= problem;
  }
}

/** Instruction files are often symlinks to another one; a link to any other file could pass a secret off as instructions. */
function isPlain(path: string, real: string, kind: ProjectKind): boolean {
  return real === path || (kind === "rules" && real.toLowerCase().endsWith(".md"));
}

const kinds: readonly (readonly [RegExp, ProjectKind])[] = [
  [/^\.coder\/config\.json$/, "config"],
  [/^\.coder\/mcp/, "servers"],
  [/^\.coder\/hooks/, "hooks"],
  [/^\.coder\/skills/, "skills"],
  [/^\.coder\/commands/, "commands"],
];

function kindOf(path: string): ProjectKind {
  return kinds.find(([form]) => form.test(path))?.[1] ?? "other";
}
