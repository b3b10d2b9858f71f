import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineSecrets, secretVariables } from "../../contract/path/secret-places.ts";
import type { Confinement } from "../../contract/sandbox.ts";
import type { Environment } from "../environment.ts";
import { isWithin } from "../files/path.ts";
import { listNames, orNull, readText, realOf } from "../files/probe.ts";
import { cacheEnvironment } from "./home/caches.ts";
import { privateTemp } from "./home/private-folder.ts";
import { programFolders, toolPlaces } from "./home/toolchains.ts";
import { memoryLimit } from "./linux/memory.ts";
import { MOST_PROCESSES } from "./linux/processes.ts";
import { gitFoldersOf, repositoryAround } from "./repository-around.ts";
import { systemFolders } from "./system-folders.ts";

interface ConfinementFacts {
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** Absolute, as are all paths here. */
  readonly home: string;
  readonly coderHome: string;
  /** Our own folder as configured, possibly through symlinks. */
  readonly coderHomeNamed?: string;
  readonly network: boolean;
  readonly readOnly: boolean;
  /** Only the programs of the machine are visible. */
  readonly narrow?: boolean;
  readonly env?: Environment;
  /** Secret files and other hidden places that are shown anyway; real paths. */
  readonly allowed?: readonly string[];
  readonly fileSizeMb?: number;
}

function hasInside(chosen: readonly string[]): boolean {
  return chosen.every((root) => !systemFolders.has(root));
}

/** Whether a read-only command can be limited to a view of these folders and the system's programs. */
export function hasNarrowView(chosen: readonly string[]): boolean {
  return process.platform === "linux" && hasInside(chosen);
}

const known = new Map<string, Confinement>();

export function confinementFor(facts: ConfinementFacts): Confinement {
  const key = JSON.stringify(facts);
  const found = known.get(key) ?? confinementOf(facts);
  known.set(key, found);
  return found;
}

function confinementOf(facts: ConfinementFacts): Confinement {
  const { coderHome, network, readOnly, env = process.env, fileSizeMb = 8192 } = facts;
  const home = realOf(facts.home) ?? facts.home;
  // A writable system folder would hand over the whole machine, so such a workspace is read-only.
  const chosen = [facts.workspace, ...facts.addDirs].filter((root) => root !== coderHome);
  const roots = chosen.filter((root) => !systemFolders.has(root));
  const caches = join(coderHome, "cache", Bun.CryptoHasher.hash("sha256", facts.workspace, "hex").slice(0, 16));
  const hide = [coderHome, ...secretPlaces(env)];
  const temp = privateTemp(coderHome);
  const repositories = chosen.flatMap((root) => repositoryAround(root, home) ?? []);
  // With /tmp as the workspace, the private temp folder cannot replace it; /dev/shm is the other place that every command can write.
  const tempInside = chosen.includes("/tmp") ? "/dev/shm" : "/tmp";
  return {
    writable: readOnly ? [] : roots,
    guarded: readOnly ? [] : roots,
    around: [...repositories, ...chosen.flatMap(gitFoldersOf)],
    searched: [...chosen, ...repositories].filter((root) => !systemFolders.has(root)),
    deep: false,
    allowed: facts.allowed ?? [],
    shown: chosen,
    // The user chose to work there, so a hidden place that is the workspace itself is shown.
    hide: hide.filter((path) => ![facts.workspace, ...facts.addDirs].includes(path)),
    veils: veiledFolders(home, chosen),
    tools: toolPlaces(home, env),
    programs: programFolders(env),
    ownPaths: readOnly ? [] : roots.flatMap((root) => waysThrough(root, facts)),
    network,
    loopback: null,
    narrow: facts.narrow === true && readOnly && hasInside(chosen),
    names: false,
    judged: null,
    temp,
    home,
    homeNamed: facts.home,
    caches: readOnly ? null : caches,
    environment: {
      TMPDIR: tempInside,
      TMP: tempInside,
      TEMP: tempInside,
      ...(readOnly ? {} : cacheEnvironment(caches, home, env, network)),
    },
    memory: memoryLimit(),
    processes: MOST_PROCESSES,
    fileSize: fileSizeMb * 2 ** 20,
  };
}

function waysThrough(root: string, { coderHome, coderHomeNamed = coderHome }: ConfinementFacts): readonly string[] {
  const named = below(root, coderHomeNamed);
  const real = coderHome !== root && isWithin(coderHome, root) ? [coderHome] : [];
  return [...new Set([...real, ...(named === null ? [] : [`${root}/${named}`])])];
}

/** The rest of the path after the part that resolves to the root. */
function below(root: string, path: string): string | null {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (realOf(at) === root) return path.slice(at.length + 1);
  }
  return null;
}

// Folders with personal files: a confined command sees only the parts of them that it needs.
const peoplesFolders = ["/home", "/root", "/var/home", "/srv", "/mnt", "/media", "/var/www", "/Users"];

/** Leaves out a folder that is the workspace or inside it: everything there but secrets is shown. */
function veiledFolders(home: string, chosen: readonly string[]): readonly string[] {
  const isChosen = (folder: string): boolean => chosen.includes(folder);
  const others = peoplesFolders.filter((folder) => !isChosen(folder) && !isEmpty(folder));
  const isOpen = systemFolders.has(home) || isChosenHome(home, chosen) || others.some((one) => isWithin(home, one));
  return isOpen ? others : [...others, home];
}

/** The workspace is the home folder or contains it. A system folder above it (`/home`) does not count: it is read-only and veiled. */
function isChosenHome(home: string, chosen: readonly string[]): boolean {
  return chosen.some((root) => isWithin(home, root) && !systemFolders.has(root));
}

/** True for an unreadable folder, which a confined command cannot enter either, and for a symlink to another entry of the list. */
function isEmpty(folder: string): boolean {
  return realOf(folder) !== folder || listNames(folder).length === 0;
}

/** Empty folders and password files without hashes need no mount, and each mount costs time. */
function holdsSomething(path: string): boolean {
  if (/^\/etc\/(?:shadow-|gshadow-?)$/.test(path)) return readText(path).includes(":$");
  return orNull(() => !statSync(path).isDirectory() || readdirSync(path).length > 0) ?? false;
}

function secretPlaces(env: Environment): readonly string[] {
  const named = secretVariables.flatMap((name) => (env[name] ?? "").split(":"));
  const docker = /^unix:\/\/(\/.*)$/s.exec(env.DOCKER_HOST ?? "")?.[1] ?? "";
  // A value like `/` would hide everything.
  const absolute = [...named, docker].filter((path) => /^\/[^/]+\/./s.test(path));
  const machine = process.getuid?.() === 0 ? machineSecrets.filter(holdsSomething) : [];
  return [...machine, ...absolute];
}
