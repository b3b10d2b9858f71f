// What a workspace brings along that would take effect. Each file is read once: what is hashed is what is used.
import { closeSync, lstatSync, opendirSync } from "node:fs";
import { join } from "node:path";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { sha256 } from "../platform/files/hash.ts";
import { openFile, readAll } from "../platform/files/open.ts";
import { isWithin, locate, resolvePath } from "../platform/files/path.ts";
import { byPath } from "../platform/files/smallest.ts";

type ProjectKind = "config" | "rules" | "servers" | "hooks" | "skills" | "commands" | "other";

export interface ProjectItem {
  /** Relative to the workspace. */
  readonly path: string;
  readonly kind: ProjectKind;
  /** Of its content; for what takes no effect, what it is instead of a plain file: `link to x`. */
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
  /** Why it cannot be trusted, whatever anybody says; `null` = it can. */
  readonly problem: Phrase | null;
}

const maxItems = 1000;
const maxFileBytes = 1_048_576;
const maxBytes = 16 * 1_048_576;
const maxDepth = 8;

const configPath = ".coder/config.json";
const rulesPath = "AGENTS.md";
/** Directly in `.coder`: what coder itself writes there. Nothing under these names ever takes effect. */
const ownOutput = /^(?:sessions|output|exports|\.gitignore|\..+\.\d+\.\d*\.tmp)$/;

/** `home`: CODER_HOME. Where it lies inside the workspace, whoever wrote the workspace may have written it too. */
export function readProject(workspace: string, home: string): Project {
  const reading = new Reading(workspace);
  const realHome = resolvePath(home, workspace, []).real;
  reading.rules();
  // A home folder as workspace: its `.coder` is the person's own, and read as such.
  if (realHome !== join(workspace, ".coder")) reading.folder(".coder", 0);
  const isHomeInside = realHome === null || isWithin(realHome, workspace);
  const items = reading.items.toSorted((a, b) => byPath(a.path, b.path));
  const problem = isHomeInside ? phrase("trust.home_inside", { home }) : reading.problem;
  return { items, hash: hashOf(items), config: reading.config, problem };
}

/** The same project with another config file: for our own writes, which change nothing else. */
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
  problem: Phrase | null = null;
  private bytes = 0;
  private seen = 0;
  private readonly workspace: string;

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  rules(): void {
    if (resolvePath(rulesPath, this.workspace, []).exists) this.file(rulesPath);
  }

  folder(path: string, depth: number): void {
    try {
      const stat = lstatSync(join(this.workspace, path), { throwIfNoEntry: false });
      // A link would lead to files that somebody else can change.
      if (stat?.isDirectory()) this.entries(path, depth);
      else if (stat !== undefined) this.unused(path, stat.isSymbolicLink() ? "link" : "no folder");
    } catch (error) {
      const code = errnoOf(error);
      if (code === undefined) throw error;
      this.unused(path, `unreadable ${code}`);
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
        else this.unused(`${path}/${entry.name}`, "no plain file");
      }
    } finally {
      folder.closeSync();
    }
  }

  private file(path: string): void {
    const bytes = this.read(path);
    if (bytes === null || this.problem !== null) return;
    this.items.push({ path, kind: kindOf(path), hash: sha256(bytes), isUsed: true });
    if (path === configPath) this.config = { file: join(this.workspace, path), bytes };
  }

  private read(path: string): Buffer | null {
    const at = locate(path, { root: this.workspace, addDirs: [] });
    if (at.ok && !this.isPlain(path, at.value.real)) {
      this.unused(path, `link to ${at.value.real}`);
      return null;
    }
    const opened = at.ok ? openFile(at.value) : at;
    if (!opened.ok) {
      this.unused(path, `unreadable ${opened.error.text.key}`);
      return null;
    }
    const { fd, stat } = opened.value;
    try {
      const bytes = stat.size > maxFileBytes ? null : readAll(fd, stat.size);
      this.bytes += bytes?.length ?? 0;
      if (bytes !== null && bytes.length <= maxFileBytes && this.bytes <= maxBytes) return bytes;
      const max = bytes === null || bytes.length > maxFileBytes ? maxFileBytes : maxBytes;
      this.refuse(phrase("trust.too_big", { path, max }));
      return null;
    } finally {
      closeSync(fd);
    }
  }

  /** Rules are often a link to another file of rules; one to anything else could pass a secret off as rules. */
  private isPlain(path: string, real: string): boolean {
    return real === join(this.workspace, path) || (path === rulesPath && real.toLowerCase().endsWith(".md"));
  }

  private unused(path: string, what: string): void {
    this.items.push({ path, kind: kindOf(path), hash: what, isUsed: false });
  }

  private refuse(problem: Phrase): void {
    this.problem ??= problem;
  }
}

const kinds: readonly (readonly [RegExp, ProjectKind])[] = [
  [/^\.coder\/config\.json$/, "config"],
  [/^AGENTS\.md$/, "rules"],
  [/^\.coder\/mcp/, "servers"],
  [/^\.coder\/hooks/, "hooks"],
  [/^\.coder\/skills/, "skills"],
  [/^\.coder\/commands/, "commands"],
];

function kindOf(path: string): ProjectKind {
  return kinds.find(([form]) => form.test(path))?.[1] ?? "other";
}
