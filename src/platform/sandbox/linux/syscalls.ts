// System call numbers for the filters. From 424 on they are the same on every architecture.

export interface Machine {
  /** AUDIT_ARCH_*: another architecture's entry point uses other numbers. */
  readonly arch: number;
  /** First number of a second entry point (x32); `null`: none. */
  readonly secondDoor: number | null;
  readonly number: Readonly<Record<Syscall, number | null>>;
}

/** On x64 and on arm64, which lacks the calls that newer ones replace. */
const numbers = {
  open: [2, null],
  ioctl: [16, 29],
  socket: [41, 198],
  clone: [56, 220],
  mkdir: [83, null],
  creat: [85, null],
  chmod: [90, null],
  fchmod: [91, 52],
  ptrace: [101, 117],
  syslog: [103, 116],
  mknod: [133, null],
  uselib: [134, null],
  personality: [135, 92],
  vhangup: [153, 58],
  modify_ldt: [154, null],
  pivot_root: [155, 41],
  adjtimex: [159, 171],
  chroot: [161, 51],
  acct: [163, 89],
  settimeofday: [164, 170],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  lookup_dcookie: [212, 18],
  clock_settime: [227, 112],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  migrate_pages: [256, 238],
  openat: [257, 56],
  mkdirat: [258, 34],
  mknodat: [259, 33],
  fchmodat: [268, 53],
  unshare: [272, 97],
  move_pages: [279, 239],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  open_by_handle_at: [304, 265],
  clock_adjtime: [305, 266],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  clone3: [435, 435],
  openat2: [437, 437],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  fchmodat2: [452, 452],
  open_tree_attr: [467, 467],
} as const satisfies Record<string, readonly [x64: number, arm64: number | null]>;

export type Syscall = keyof typeof numbers;

function numbersOf(column: 0 | 1): Machine["number"] {
  const entries = Object.entries(numbers).map(([name, pair]) => [name, pair[column]]);
  return Object.fromEntries(entries) as Machine["number"];
}

export const machines: Readonly<Record<string, Machine>> = {
  x64: { arch: 0xc000003e, secondDoor: 0x40000000, number: numbersOf(0) },
  arm64: { arch: 0xc00000b7, secondDoor: null, number: numbersOf(1) },
};
