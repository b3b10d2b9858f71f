import type { Phrase } from "./text/catalogue.ts";

/** What a confined command may access. Everything else is readable without secrets, or hidden. */
export interface Confinement {
  /** Real paths of writable folders: workspace, added folders, tool caches. Empty = only its private temp directory. */
  readonly writable: readonly string[];
  /** The writable folders of the user: workspace and added folders. Protected names in them cannot be created or changed. */
  readonly guarded: readonly string[];
  /** Read-only surroundings of the chosen folders: the enclosing repository, git's directories of a worktree. */
  readonly around: readonly string[];
  /** Folders searched for secret files to hide. */
  readonly searched: readonly string[];
  /** Also searches package folders, and searches every folder afresh. */
  readonly deep: boolean;
  /** Secret files, and paths in veiled folders, that the user allowed to be visible. */
  readonly allowed: readonly string[];
  /** Workspace and added folders: always readable, even inside a replaced or hidden location. */
  readonly shown: readonly string[];
  /** Hidden paths: our own home, keys outside the veiled folders. */
  readonly hide: readonly string[];
  /** Folders with personal data, such as homes: empty except for `shown`, toolchains and copies of harmless settings. */
  readonly veils: readonly string[];
  readonly tools: readonly string[];
  /** Folders of programs; if one is in a veiled folder, the toolchain around it is visible. */
  readonly programs: readonly string[];
  /** Workspace paths replaced by others, to run a command on an earlier state. */
  readonly over?: readonly { readonly path: string; readonly source: string; readonly isWritable?: boolean }[];
  /** Protected real paths that the user allowed to be created or changed. */
  readonly mayChange?: readonly string[];
  /** Hides git objects if secret files are, or were, among them. */
  readonly hidesHistory?: true;
  /** Paths to our own home through a guarded folder: no folder or symlink on them can be replaced. */
  readonly ownPaths: readonly string[];
  readonly network: boolean;
  /** Without network: commands with the same name share one loopback; `null` = a private one. */
  readonly loopback: string | null;
  /** Outside of `shown`, only system programs and libraries are visible. */
  readonly narrow: boolean;
  /** Allowed only because of `narrow`: if that is not possible, the command does not start. */
  readonly isOnlyNarrow?: true;
  /** Whether `narrow` includes the names of users and groups. */
  readonly names: boolean;
  /** Restricts `shown` to the judged files and folders; `null` = no restriction. */
  readonly judged: Judged | null;
  /** Replaces /tmp. Created on first use, private to this process and removed with it. */
  readonly temp: string;
  /** The user's home directory as a real path; settings of build tools are copied from it, without logins. */
  readonly home: string;
  /** As named in the environment, possibly through symlinks. */
  readonly homeNamed: string;
  readonly caches: string | null;
  readonly environment: Readonly<Record<string, string>>;
  /** Per process, in bytes; `null` = unlimited. */
  readonly memory: number | null;
  /** Concurrent processes and threads; `null` = unlimited. */
  readonly processes: number | null;
  /** Per written file, in bytes, less on a small disk; `null` = unlimited. */
  readonly fileSize: number | null;
}

/** Where protected files are compared before and after a command that may not change them. */
export interface ObeyedScope {
  readonly roots: readonly string[];
  /** Real paths of git directories elsewhere that the command can write. */
  readonly apart?: readonly string[];
  /** Real paths never looked at: our own home. */
  readonly never: readonly string[];
  /** Real paths that the user allowed, with their content. */
  readonly allowed: readonly string[];
  readonly isFree?: boolean;
}

interface Judged {
  readonly paths: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** How an allowed command starts. `readOnly`: proved to have no effect; nothing is writable, and git starts no helper. */
export interface RunForm {
  readonly confined: boolean;
  readonly readOnly: boolean;
  readonly network: boolean;
  /** Judged by the paths it reads and allowed without asking: it sees nothing else of the machine. */
  readonly narrow?: true;
  /** Its reads are only known at run time: it starts only if the rest of the machine can be hidden. */
  readonly roams?: true;
  /** It only asks git for single settings, so git may read the user's config too. */
  readonly ownConfig?: true;
  /** It may dial the hosts named by the user's rules, and cannot be redirected to others. */
  readonly isBound?: true;
  readonly names?: true;
  /** It reads only these, so it sees only these. */
  readonly judged?: Judged;
  /** It may do anything and nobody was asked: git objects of secret files are hidden. */
  readonly isUnasked?: true;
  /** It reads whole folders whose content was not judged: secret files in them are hidden. */
  readonly deep?: true;
  /** Real paths of hidden files that were judged and allowed with the command. */
  readonly shows?: readonly string[];
  /** It runs without asking, whatever the model wrote: git objects with secret files are hidden. */
  readonly isCheck?: true;
  /** Processor seconds per process, for commands that nobody was asked about. */
  readonly cpuSeconds?: number;
  /** The user allowed changes to protected files: all, or these real paths. */
  readonly mayPlant?: true | readonly string[];
}

/** `missing`: not available on this machine. `broken`: installed but failing. */
export type SandboxState =
  | { readonly kind: "ready"; readonly name: string }
  | { readonly kind: "missing" | "broken"; readonly reason: Phrase };

/** `auto`: confines commands except in yolo mode. `on`: in every mode. `off`: never, with a notice. */
export type SandboxUse = "auto" | "on" | "off";
