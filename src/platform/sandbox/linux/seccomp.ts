// The filter that the kernel asks about every system call of a confined command: a program of classic BPF, made here.
import { type Machine, machines, type Syscall } from "./syscalls.ts";

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Without use for building and testing; each has opened ways out of sandboxes, or works on other processes. */
const forbidden: readonly Syscall[] = [
  // Other processes: their memory, their descriptors, their trace.
  ...(["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"] as const),
  ...(["migrate_pages", "move_pages"] as const),
  // Mounts: with them the read-only view could be taken apart.
  ...(["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount"] as const),
  ...(["fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "fanotify_init"] as const),
  // Namespaces: in a new one a process has capabilities again, and with them most of the kernel's old code.
  ...(["setns", "unshare"] as const),
  // Keys of the kernel are not part of any namespace.
  ...(["keyctl", "add_key", "request_key"] as const),
  // Parts of the kernel with a long list of holes.
  ...(["bpf", "perf_event_open", "userfaultfd", "lookup_dcookie", "modify_ldt", "uselib"] as const),
  // The machine itself.
  ...(["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot"] as const),
  ...(["swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "iopl", "ioperm", "syslog", "vhangup"] as const),
  ...(["settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"] as const),
];

/** Programs ask for these first and have another way where the kernel is too old for them. */
const unknown: readonly Syscall[] = [
  ...(["clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register"] as const),
];

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. `clone3` has its flags where a filter cannot look. */
const NEW_NAMESPACE = 0x7e020000;
/** They type into a terminal as if a person did. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Outside of the sandbox such a file gives whoever runs it the rights of its owner or group: of the person, or of root. */
const SET_ID = 0o6000;
/** O_CREAT, __O_TMPFILE: only then a file is made, and its mode counts. */
const MAKES_FILE = 0o20000100;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** The ordinary one, 32-bit names on 64-bit machines, and the question which one it is. */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];

export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

export const load = (offset: number): Instruction => [0x20, 0, 0, offset];
export const give = (action: number): Instruction => [0x06, 0, 0, action];
export const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (errno: number): Instruction => give(0x00050000 | errno);
/** Goes on with the next instruction, or jumps over so many. */
const ifEqual = (value: number, orElseSkip: number): Instruction => [0x15, 0, orElseSkip, value];
export const unlessEqual = (value: number, elseSkip: number): Instruction => [0x15, elseSkip, 0, value];
export const ifAnyBit = (value: number, orElseSkip: number): Instruction => [0x45, 0, orElseSkip, value];
export const ifAtLeast = (value: number, orElseSkip: number): Instruction => [0x35, 0, orElseSkip, value];

export const NUMBER = 0;
export const ARCH = 4;
/** The lower half: all the kernel takes of what is an `int` for it. */
export const argument = (at: number): number => 16 + 8 * at;

/** For one machine; `null` where we do not know the numbers. */
export function seccompFilter(name: string): Uint8Array | null {
  const machine = Object.hasOwn(machines, name) ? machines[name] : undefined;
  return machine === undefined ? null : assemble(program(machine));
}

function program(machine: Machine): readonly Instruction[] {
  const { arch, secondDoor } = machine;
  return [
    load(ARCH),
    unlessEqual(arch, 1),
    give(KILL),
    load(NUMBER),
    ...(secondDoor === null ? [] : [ifAtLeast(secondDoor, 1), refuse(ENOSYS)]),
    ...search(casesOf(machine)),
  ];
}

/** What is done for a number. The steps end with an answer: the number is not loaded any more when they are through. */
export interface Case {
  readonly number: number;
  readonly steps: readonly Instruction[];
}

/** `at`: of the argument that is the mode of a file. */
const modeAt = (at: number): readonly Instruction[] => [
  load(argument(at)),
  ifAnyBit(SET_ID, 1),
  refuse(EPERM),
  give(ALLOW),
];
const opening = (flags: number): readonly Instruction[] => [
  load(argument(flags)),
  ifAnyBit(MAKES_FILE, 3),
  ...modeAt(flags + 1),
];

function casesOf({ number }: Machine): readonly Case[] {
  const steps: Partial<Record<Syscall, readonly Instruction[]>> = {
    ...Object.fromEntries(unknown.map((name) => [name, [refuse(ENOSYS)]])),
    ...Object.fromEntries(forbidden.map((name) => [name, [refuse(EPERM)]])),
    clone: [load(argument(0)), ifAnyBit(NEW_NAMESPACE, 1), refuse(EPERM), give(ALLOW)],
    ioctl: [load(argument(1)), ...each([TIOCSTI, TIOCLINUX], refuse(EPERM)), give(ALLOW)],
    personality: [load(argument(0)), ...each(personalities, give(ALLOW)), refuse(EPERM)],
    ...{ chmod: modeAt(1), fchmod: modeAt(1), fchmodat: modeAt(2), fchmodat2: modeAt(2) },
    ...{ open: opening(1), openat: opening(2), creat: modeAt(1), mknod: modeAt(1), mknodat: modeAt(2) },
    ...{ mkdir: modeAt(1), mkdirat: modeAt(2) },
    socket: [
      load(argument(0)),
      ...each([AF_UNIX, AF_INET, AF_INET6], give(ALLOW)),
      // Only the question which addresses there are: asked by `getaddrinfo` and by every server that prints its own.
      ...only(AF_NETLINK, [load(argument(2)), ...only(NETLINK_ROUTE, [give(ALLOW)])]),
      refuse(EAFNOSUPPORT),
    ],
  };
  const cases = Object.entries(steps).map(([name, own]) => ({ number: number[name as Syscall], steps: own }));
  return cases.filter((one): one is Case => one.number !== null).toSorted((a, b) => a.number - b.number);
}

/** By halves: when a filter is set, the kernel runs it for every number there is, which takes longer than all else about it. */
export function search(cases: readonly Case[]): Instruction[] {
  if (cases.length <= 3) return [...cases.flatMap(({ number, steps }) => only(number, steps)), give(ALLOW)];
  const half = Math.floor(cases.length / 2);
  const [lower, upper] = [search(cases.slice(0, half)), search(cases.slice(half))];
  return [ifAtLeast(cases[half]?.number ?? 0, upper.length), ...upper, ...lower];
}

function only(value: number, steps: readonly Instruction[]): Instruction[] {
  return [ifEqual(value, steps.length), ...steps];
}

function each(values: readonly number[], answer: Instruction): Instruction[] {
  return values.flatMap((value) => only(value, [answer]));
}

export function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(8 * instructions.length);
  const view = new DataView(bytes.buffer);
  for (const [at, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    view.setUint16(8 * at, code, true);
    view.setUint8(8 * at + 2, ifTrue);
    view.setUint8(8 * at + 3, ifFalse);
    view.setUint32(8 * at + 4, value, true);
  }
  return bytes;
}
