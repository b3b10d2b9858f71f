import type { Phrase } from "./text/catalogue.ts";

/** What a confined command may reach. Everything else of the machine is there to be read, without secrets, or not at all. */
export interface Confinement {
  /** Real paths of folders that may be written: workspace, added folders, tool caches. Empty: nothing but its own temp. */
  readonly writable: readonly string[];
  /** Of `writable`: the workspace and what the person added. In them nothing is made that other programs run by themselves. */
  readonly guarded: readonly string[];
  /** What the chosen folders need of those around them: the repository they lie in, git's folders of a worktree. Read-only. */
  readonly around: readonly string[];
  /** Folders in which secret files are looked for and hidden. */
  readonly searched: readonly string[];
  /** They are looked for in folders of packages too, and in every folder anew. */
  readonly deep: boolean;
  /** Secret files, and places in veiled folders, that the person has allowed to be shown. */
  readonly allowed: readonly string[];
  /** Workspace and added folders: there to be read in any case, also where they lie in a place that is replaced or hidden. */
  readonly shown: readonly string[];
  /** Paths of which nothing is shown: our own home, keys outside of the veiled folders. */
  readonly hide: readonly string[];
  /** Folders in which people keep their own: empty but for what is shown, toolchains, and copies of harmless settings. */
  readonly veils: readonly string[];
  /** Toolchains and caches of build tools, shown where they exist. */
  readonly tools: readonly string[];
  /** Folders of programs; of one that is veiled, the toolchain around it is shown. */
  readonly programs: readonly string[];
  /** Paths of the workspace in whose place the command sees others; for a look at how things were before. */
  readonly over?: readonly { readonly path: string; readonly source: string; readonly isWritable?: boolean }[];
  /** Real paths in guarded folders that the person has allowed to be made or changed all the same. */
  readonly mayChange?: readonly string[];
  /** What git keeps is hidden where secret files are, or were, among it. */
  readonly hidesHistory?: true;
  /** Ways to our own home through a guarded folder: none of the folders and links on them can be put elsewhere. */
  readonly ownPaths: readonly string[];
  readonly network: boolean;
  /** Without the network: all commands of the same name share one loopback; `null` = it has its own. */
  readonly loopback: string | null;
  /** Outside of what is shown, only programs and libraries of the system are there. */
  readonly narrow: boolean;
  /** It was allowed because of that: where it cannot be had, the command is not started. */
  readonly isOnlyNarrow?: true;
  /** Then also the names of users and groups. */
  readonly names: boolean;
  /** Of what is shown, only the files and folders that it was judged by; `null` = all of it. */
  readonly judged: Judged | null;
  /** Stands in for /tmp. Made when it is first needed, private to this process, gone with it. */
  readonly temp: string;
  /** The person's home, as a real path: settings of build tools are copied from it, without logins. */
  readonly home: string;
  /** As the environment names it: maybe through links. */
  readonly homeNamed: string;
  /** Holds what build tools keep between commands; `null` = nothing is kept. */
  readonly caches: string | null;
  /** Set for the command, above what the environment says. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of one process, in bytes; `null` = as much as there is. */
  readonly memory: number | null;
  /** Processes and threads at the same time; `null` = as many as the machine takes. */
  readonly processes: number | null;
  /** Of one file that it writes, in bytes; less where the disk has less. `null` = as much as the disk takes. */
  readonly fileSize: number | null;
}

/** Where files that other programs obey are compared before and after a command, which may not make or change them. */
export interface ObeyedScope {
  /** Real paths: workspace and added folders. */
  readonly roots: readonly string[];
  /** Real paths of git's folders that lie elsewhere, and in which the command can write. */
  readonly apart?: readonly string[];
  /** Real paths that are not looked at: our own home. */
  readonly never: readonly string[];
  /** Real paths that the person has allowed, with all that is in them. */
  readonly allowed: readonly string[];
  /** The command may change them all: it is only noted what it does. */
  readonly isFree?: boolean;
}

interface Judged {
  /** Real paths. */
  readonly paths: readonly string[];
  /** By which the command names them. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** How an allowed command is started. `readOnly`: proved to have no effect, so that nothing is writable and git starts no helper. */
export interface RunForm {
  readonly confined: boolean;
  readonly readOnly: boolean;
  readonly network: boolean;
  /** It was judged by the paths it reads, and allowed without being asked about: of the machine it sees no others. */
  readonly narrow?: true;
  /** What it reads is known only when it runs: were there more of the machine to be seen, it would not be started. */
  readonly roams?: true;
  /** It asks git for single settings, and nothing else: git looks at the person's own config as well. */
  readonly ownConfig?: true;
  /** It may dial the hosts that rules of the person's name, and is kept from being led to others. */
  readonly isBound?: true;
  /** It may look up whose files are. */
  readonly names?: true;
  /** Where these are all that it reads: it sees just what was judged. */
  readonly judged?: Judged;
  /** It may do anything, and nobody was asked: what git keeps of secret files is not to be seen. */
  readonly isUnasked?: true;
  /** It reads whole folders, which was not judged by what is in them: no secret file in them is to be seen. */
  readonly deep?: true;
  /** Files that it sees although they are hidden otherwise: judged along with it, and allowed. Real paths. */
  readonly shows?: readonly string[];
  /** It runs by itself whatever the model has written: of git's objects it sees none in which there are secret files. */
  readonly isCheck?: true;
  /** Processor time of each of its processes, for what runs without being asked about. */
  readonly cpuSeconds?: number;
  /** The person has allowed it to make what other programs obey: anything, or these real paths. */
  readonly mayPlant?: true | readonly string[];
}

/** `missing`: this machine offers none. `broken`: it is there and does not work. */
export type SandboxState =
  | { readonly kind: "ready"; readonly name: string }
  | { readonly kind: "missing" | "broken"; readonly reason: Phrase };

/** `auto`: commands are confined, except in yolo mode. `on`: in every mode. `off`: never, with a notice. */
export type SandboxUse = "auto" | "on" | "off";
