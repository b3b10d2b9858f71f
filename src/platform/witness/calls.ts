// System calls that change names or contents of files, and the seccomp filter that reports each of them to us.
import { constants } from "node:fs";
import {
  ALLOW,
  ARCH,
  argument,
  assemble,
  type Case,
  give,
  ifAnyBit,
  ifAtLeast,
  load,
  NUMBER,
  search,
  unlessEqual,
} from "../sandbox/linux/seccomp.ts";
import { machines, type Syscall } from "../sandbox/linux/syscalls.ts";

/** Indices of the arguments that name a file: a path, and the folder descriptor that it is relative to, if any. */
interface NamedArguments {
  readonly path: number;
  readonly folder?: number;
}

/** `cut`: truncates by path. `make`: a folder, symlink, device or hard link. `blind`: later changes have no reported call. */
export interface WatchedCall {
  readonly deed: "open" | "cut" | "make" | "remove" | "move" | "mode" | "blind";
  readonly at: readonly NamedArguments[];
  /** Index of the argument with the flags of an `open`, or with the address of a struct that begins with them. */
  readonly flags?: number;
  readonly flagsAt?: number;
  /** Index of the argument that says whether two names are exchanged, or the second must not exist. */
  readonly how?: number;
}

const first = { path: 0 };
const below = { folder: 0, path: 1 };

/** System calls that the sandbox does not judge, by architecture; on 64-bit ARM all of them take a folder descriptor. */
const more = {
  x64: {
    ...{ truncate: 76, rename: 82, rmdir: 84, link: 86, unlink: 87, symlink: 88 },
    ...{ unlinkat: 263, renameat: 264, linkat: 265, symlinkat: 266, renameat2: 316 },
  },
  arm64: {
    ...{ truncate: 45, rename: null, rmdir: null, link: null, unlink: null, symlink: null },
    ...{ unlinkat: 35, renameat: 38, linkat: 37, symlinkat: 36, renameat2: 276 },
  },
} as const;

type Name = Syscall | keyof (typeof more)["x64"];

const watched: Partial<Record<Name, WatchedCall>> = {
  open: { deed: "open", at: [first], flags: 1 },
  openat: { deed: "open", at: [below], flags: 2 },
  // Its flags are in memory, where a filter cannot look.
  openat2: { deed: "open", at: [below], flagsAt: 2 },
  creat: { deed: "open", at: [first] },
  truncate: { deed: "cut", at: [first] },
  mkdir: { deed: "make", at: [first] },
  mkdirat: { deed: "make", at: [below] },
  mknod: { deed: "make", at: [first] },
  mknodat: { deed: "make", at: [below] },
  link: { deed: "make", at: [{ path: 1 }] },
  linkat: { deed: "make", at: [{ folder: 2, path: 3 }] },
  symlink: { deed: "make", at: [{ path: 1 }] },
  symlinkat: { deed: "make", at: [{ folder: 1, path: 2 }] },
  unlink: { deed: "remove", at: [first] },
  unlinkat: { deed: "remove", at: [below] },
  rmdir: { deed: "remove", at: [first] },
  rename: { deed: "move", at: [first, { path: 1 }] },
  renameat: { deed: "move", at: [below, { folder: 2, path: 3 }] },
  renameat2: { deed: "move", at: [below, { folder: 2, path: 3 }], how: 4 },
  chmod: { deed: "mode", at: [first] },
  fchmodat: { deed: "mode", at: [below] },
  fchmodat2: { deed: "mode", at: [below] },
  io_uring_setup: { deed: "blind", at: [] },
  open_by_handle_at: { deed: "blind", at: [] },
};

/** The same on both architectures, except for O_NOFOLLOW. */
export const O_CREAT = 0o100;
export const O_EXCL = 0o200;
export const O_TRUNC = 0o1000;
export const O_PATH = 0o10000000;
export const O_NOFOLLOW = constants.O_NOFOLLOW;
export const CREATES = 0o1 | O_CREAT | O_TRUNC;
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, __O_TMPFILE. */
const WRITES = 0o1 | 0o2 | CREATES | 0o20000000;
const TELL = 0x7fc00000;

export function watchedCalls(machine: string): ReadonlyMap<number, WatchedCall> | null {
  if (machine !== "x64" && machine !== "arm64") return null;
  const number: Readonly<Partial<Record<Name, number | null>>> = { ...machines[machine]?.number, ...more[machine] };
  return new Map(
    Object.entries(watched).flatMap(([name, call]) => {
      const own = number[name as Name] ?? null;
      return own === null ? [] : [[own, call] as const];
    }),
  );
}

/** Read-only calls cost nothing: only calls that change something, or may, are reported. */
export function watchFilter(machine: string): Uint8Array | null {
  const known = Object.hasOwn(machines, machine) ? machines[machine] : undefined;
  const calls = watchedCalls(machine);
  if (known === undefined || calls === null) return null;
  const cases: readonly Case[] = [...calls].map(([number, { flags }]) => ({
    number,
    steps: flags === undefined ? [give(TELL)] : [load(argument(flags)), ifAnyBit(WRITES, 1), give(TELL), give(ALLOW)],
  }));
  return assemble([
    load(ARCH),
    // Calls of another architecture have other numbers: each is reported and treated as unknown.
    unlessEqual(known.arch, 1),
    give(TELL),
    load(NUMBER),
    ...(known.secondDoor === null ? [] : [ifAtLeast(known.secondDoor, 1), give(TELL)]),
    ...search(cases.toSorted((a, b) => a.number - b.number)),
  ]);
}
