// The one way to say how far a command may reach.
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Confinement } from "../../contract/sandbox.ts";
import { isWithin } from "../files/path.ts";
import { cacheEnvironment } from "./home/caches.ts";
import { privateTemp } from "./home/private-folder.ts";
import { programFolders, toolPlaces } from "./home/toolchains.ts";
import { veiledFolders } from "./home/veiled-folders.ts";
import { memoryLimit } from "./linux/memory.ts";
import { MOST_PROCESSES } from "./linux/processes.ts";
import { gitFoldersOf, repositoryAround } from "./repository-around.ts";
import { secretPlaces } from "./secret/secret-places.ts";
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
  return createHash("sha256").update(workspace).digest("hex").slice(0, 16);
}
