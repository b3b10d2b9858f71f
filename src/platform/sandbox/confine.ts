// The one way to say how far a command may reach.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { machineSecrets, secretVariables } from "../../contract/path/secret-places.ts";
import type { Confinement } from "../../contract/sandbox.ts";
import { isWithin } from "../files/path.ts";
import { cacheEnvironment } from "./home/caches.ts";
import { privateTemp } from "./home/private-folder.ts";
import { programFolders, toolPlaces } from "./home/toolchains.ts";
import { memoryLimit } from "./linux/memory.ts";
import { MOST_PROCESSES } from "./linux/processes.ts";
import { gitFoldersOf, repositoryAround } from "./repository-around.ts";
import { systemFolders } from "./system-folders.ts";

interface ConfinementFacts {
  /** Real paths. */
  readonly workspace: string;
  readonly addDirs: readonly string[];
  /** The person's home and our own folder. */
  readonly home: string;
  readonly coderHome: string;
  /** Our own folder as it was named: maybe through links. */
  readonly coderHomeNamed?: string;
  readonly network: boolean;
  /** Nothing but its own temp can be written. */
  readonly readOnly: boolean;
  /** Of the machine it sees only programs. */
  readonly narrow?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Secret files and other hidden places that are shown all the same; real paths. */
  readonly allowed?: readonly string[];
  /** Of one file, in MiB. */
  readonly fileSizeMb?: number;
}

/** A folder of the machine has no inside of its own. */
function hasInside(chosen: readonly string[]): boolean {
  return chosen.every((root) => !systemFolders.has(root));
}

/** Whether a command that only reads can be shown these folders and nothing else of anybody's. */
export function hasNarrowView(chosen: readonly string[]): boolean {
  return process.platform === "linux" && hasInside(chosen);
}

/** The same facts come with every command. */
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
  // Writable, one of these would hand over the whole machine: a workspace that is one can only be read.
  const chosen = [facts.workspace, ...facts.addDirs].filter((root) => root !== coderHome);
  const roots = chosen.filter((root) => !systemFolders.has(root));
  const caches = join(coderHome, "cache", hashOf(facts.workspace));
  const hide = [coderHome, ...secretPlaces(env)];
  const temp = privateTemp(coderHome);
  const repositories = chosen.flatMap((root) => repositoryAround(root, home) ?? []);
  // Where the person works in /tmp itself, it is shown as it is: of what is left, only this can be written by every command.
  const tempInside = chosen.includes("/tmp") ? "/dev/shm" : "/tmp";
  return {
    writable: readOnly ? [] : roots,
    guarded: readOnly ? [] : roots,
    around: [...repositories, ...chosen.flatMap(gitFoldersOf)],
    searched: [...chosen, ...repositories].filter((root) => !systemFolders.has(root)),
    deep: false,
    allowed: facts.allowed ?? [],
    shown: chosen,
    // A workspace may lie in such a place, or be it: the person chose to work there.
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

/** Below the root, and not the root itself. */
function waysThrough(root: string, { coderHome, coderHomeNamed = coderHome }: ConfinementFacts): readonly string[] {
  const named = below(root, coderHomeNamed);
  const real = coderHome !== root && isWithin(coderHome, root) ? [coderHome] : [];
  return [...new Set([...real, ...(named === null ? [] : [`${root}/${named}`])])];
}

/** What follows the part of a path that leads to the root. */
function below(root: string, path: string): string | null {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (realOf(at) === root) return path.slice(at.length + 1);
  }
  return null;
}

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null; // Not there yet.
  }
}

function hashOf(workspace: string): string {
  return Bun.CryptoHasher.hash("sha256", workspace, "hex").slice(0, 16);
}

// Folders in which people keep their own: of them a confined command sees only what is meant for it.
/** Homes, and where projects and disks of people lie. */
const peoplesFolders: readonly string[] = [
  "/home",
  "/root",
  "/var/home",
  "/srv",
  "/mnt",
  "/media",
  "/var/www",
  "/Users",
];

/**
 * Those of this machine, and the person's own home wherever it is. Not one that the person works in, or works above: there
 * everything is shown that is no secret.
 */
function veiledFolders(home: string, chosen: readonly string[]): readonly string[] {
  const isChosen = (folder: string): boolean => chosen.includes(folder);
  const others = peoplesFolders.filter((folder) => !isChosen(folder) && !isEmpty(folder));
  const isOpen = systemFolders.has(home) || isChosenHome(home, chosen) || others.some((one) => isWithin(home, one));
  return isOpen ? others : [...others, home];
}

/** The person works in the whole of it. A folder of the machine above it is only read, and shows nothing of it. */
function isChosenHome(home: string, chosen: readonly string[]): boolean {
  return chosen.some((root) => isWithin(home, root) && !systemFolders.has(root));
}

/** Also one that is not for us: a confined command cannot enter it either. */
function isEmpty(folder: string): boolean {
  try {
    // As a link it stands for another of them.
    return realpathSync.native(folder) !== folder || readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

// Secrets that lie outside of the home folder, on this machine and by this environment.
/** An empty folder, or a list of users without any password, needs no mount, and each costs time. */
function holdsSomething(path: string): boolean {
  try {
    if (/^\/etc\/(?:shadow-|gshadow-?)$/.test(path)) return readFileSync(path, "utf8").includes(":$");
    return !statSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    // Not there, or not for us; then for a confined command neither.
    return false;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

function secretPlaces(env: Env): readonly string[] {
  const named = secretVariables.flatMap((name) => (env[name] ?? "").split(":"));
  const docker = /^unix:\/\/(\/.*)$/s.exec(env.DOCKER_HOST ?? "")?.[1] ?? "";
  // A value like `/` would hide everything.
  const absolute = [...named, docker].filter((path) => /^\/[^/]+\/./s.test(path));
  const machine = process.getuid?.() === 0 ? machineSecrets.filter(holdsSomething) : [];
  return [...machine, ...absolute];
}
