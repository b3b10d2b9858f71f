// Assembles the seccomp filter for confined commands, a classic BPF program.
import { type Machine, machines, type Syscall } from "./syscalls.ts";

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Unneeded for building and testing; each has enabled sandbox escapes or affects other processes. */
const forbidden: readonly Syscall[] = [
  // Other processes: their memory, descriptors and traces.
  ...(["ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"] as const),
  ...(["migrate_pages", "move_pages"] as const),
  // Mounts: they could undo the read-only view.
  ...(["mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount"] as const),
  ...(["fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "fanotify_init"] as const),
  // Namespaces: a new one grants capabilities again, which expose most of the kernel's old code.
  ...(["setns", "unshare"] as const),
  // The kernel's keyrings are not namespaced.
  ...(["keyctl", "add_key", "request_key"] as const),
  // Kernel subsystems with a long history of vulnerabilities.
  ...(["bpf", "perf_event_open", "userfaultfd", "lookup_dcookie", "modify_ldt", "uselib"] as const),
  ...(["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot"] as const),
  ...(["swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "iopl", "ioperm", "syslog", "vhangup"] as const),
  ...(["settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname"] as const),
];

/** ENOSYS makes programs use their fallback for older kernels. */
const unknown: readonly Syscall[] = [
  ...(["clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register"] as const),
];

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. `clone3` passes its flags in memory, where a filter cannot look. */
const NEW_NAMESPACE = 0x7e020000;
/** They inject input into a terminal. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Outside of the sandbox, a setuid or setgid file runs with the rights of its owner or group: the user or root. */
const SET_ID = 0o6000;
/** O_CREAT, __O_TMPFILE: the mode argument counts only with these. */
const MAKES_FILE = 0o20000100;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** The default, 32-bit names on 64-bit machines, and the query for the current one. */
const personalities = [0x0, 0x8, 0x20000, 0x20008, 0xffffffff];

export type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

export const load = (offset: number): Instruction => [0x20, 0, 0, offset];
export const give = (action: number): Instruction => [0x06, 0, 0, action];
export const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (errno: number): Instruction => give(0x00050000 | errno);
/** Continue with the next instruction, or skip that many. */
const ifEqual = (value: number, orElseSkip: number): Instruction => [0x15, 0, orElseSkip, value];
export const unlessEqual = (value: number, elseSkip: number): Instruction => [0x15, elseSkip, 0, value];
export const ifAnyBit = (value: number, orElseSkip: number): Instruction => [0x45, 0, orElseSkip, value];
export const ifAtLeast = (value: number, orElseSkip: number): Instruction => [0x35, 0, orElseSkip, value];

export const NUMBER = 0;
export const ARCH = 4;
/** The lower 32 bits: the kernel reads only these of an `int`. */
export const argument = (at: number): number => 16 + 8 * at;

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

/** The steps must end with a return: they overwrite the loaded number. */
export interface Case {
  readonly number: number;
  readonly steps: readonly Instruction[];
}

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
      // Only for listing network addresses, which `getaddrinfo` and many servers do.
      ...only(AF_NETLINK, [load(argument(2)), ...only(NETLINK_ROUTE, [give(ALLOW)])]),
      refuse(EAFNOSUPPORT),
    ],
  };
  const cases = Object.entries(steps).map(([name, own]) => ({ number: number[name as Syscall], steps: own }));
  return cases.filter((one): one is Case => one.number !== null).toSorted((a, b) => a.number - b.number);
}

/** A binary search: when a filter is installed, the kernel runs it once for every system call number, the largest part of the cost. */
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
