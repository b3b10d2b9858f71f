import type { OptionForm } from "../options.ts";

/** A program that starts another command: tells where its words begin. */
export interface Wrapper extends OptionForm {
  /** Words before the command: a duration, a directory. */
  readonly operands?: number;
  readonly hasAssignments?: boolean;
  /** Adds nothing of its own: without options, or with only numbers and signal names. */
  readonly isClean?: "bare" | "counted";
  /** Without any word it only prints. */
  readonly isFineAlone?: boolean;
  /** Options with which it starts nothing and only prints. */
  readonly asks?: string;
  /** Its words are joined and passed to a shell. */
  readonly isText?: boolean;
  /** Options whose value is the command, as text. */
  readonly scripts?: string;
}

export const shells = new Set("bash sh dash ash zsh ksh mksh yash fish csh tcsh rbash".split(" "));

const any: Wrapper = {};

/** With an unlisted option the started command is unknown: then nothing is allowed. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  command: { flags: "pvV", asks: "v V", isClean: "bare" },
  builtin: { isClean: "bare" },
  exec: { flags: "cl", valued: "a" },
  env: {
    ...{ flags: "i0v", valued: "uCS", long: "ignore-environment null debug", longValued: "unset chdir split-string" },
    ...{ hasAssignments: true, isClean: "bare", isFineAlone: true, scripts: "S split-string" },
  },
  sudo: {
    ...{ flags: "AbBEeHikKlnPsSvV", valued: "CDghpRrtTuU", hasAssignments: true },
    long: "askpass background bell preserve-env edit set-home login list non-interactive preserve-groups stdin shell",
    longValued: "close-from chdir group host prompt chroot role type command-timeout other-user user preserve-env",
  },
  doas: { flags: "Lns", valued: "aCu", hasAssignments: true },
  pkexec: { longValued: "user", long: "disable-internal-agent keep-cwd" },
  su: { flags: "lmpPf", valued: "cgGsTw", longValued: "command group shell", scripts: "c command", operands: 1 },
  runuser: { flags: "lmpPf", valued: "cgGsuw", longValued: "command user", scripts: "c command" },
  time: { flags: "pv", long: "portability verbose", isClean: "counted" },
  timeout: {
    ...{ flags: "v", valued: "ks", long: "foreground preserve-status verbose", longValued: "kill-after signal" },
    ...{ operands: 1, isClean: "counted" },
  },
  nice: { valued: "n", longValued: "adjustment", hasCount: true, isClean: "counted" },
  ionice: { flags: "t", valued: "cn", longValued: "class classdata", long: "ignore", isClean: "counted" },
  stdbuf: { valued: "ioe", longValued: "input output error", isClean: "counted" },
  nohup: any,
  setsid: { flags: "cfw", long: "ctty fork wait" },
  setarch: { operands: 1, flags: "BFILRSTXZv3" },
  taskset: { flags: "acp", operands: 1 },
  chrt: { flags: "abdfimoprv", valued: "TPD", operands: 1 },
  watch: {
    isText: true,
    flags: "bcdegtprwx",
    valued: "nqs",
    longValued: "interval equexit",
    long: "beep color errexit exec no-title",
  },
  strace: { flags: "cCdfFhikqrtTvVwxyYzZ", valued: "abeEIoOpPsSuUX" },
  ltrace: { flags: "bcCfhiLrStTV", valued: "aAeDFlnopsuwx" },
  chroot: { longValued: "userspec groups", long: "skip-chdir", operands: 1 },
  unshare: { flags: "cfimnpruUTC", long: "fork map-root-user mount net pid user ipc uts cgroup mount-proc" },
  nsenter: { flags: "CFimnpruUTZ", valued: "tSGrw", longValued: "target" },
  flock: { flags: "enosuxF", valued: "cEw", scripts: "c command", operands: 1, longValued: "command timeout wait" },
  script: { flags: "aefqt", valued: "cEIoOBTm", longValued: "command", scripts: "c command" },
  parallel: { isText: true, flags: "0kmqrtvX", valued: "IjLnNPsSd", longValued: "jobs delay max-args colsep" },
  busybox: any,
  toybox: any,
  caffeinate: { flags: "disu", valued: "tw" },
  fakeroot: any,
  eatmydata: any,
  unbuffer: { flags: "p" },
  "dbus-run-session": any,
  "systemd-run": {
    flags: "Gqrt",
    valued: "EHMpu",
    long: "user scope wait pty pipe collect",
    longValued: "unit property",
  },
  entr: { flags: "acdnprsz" },
  proxychains: { flags: "q", valued: "f" },
  proxychains4: { flags: "q", valued: "f" },
  torsocks: any,
  faketime: { operands: 1 },
  valgrind: any,
  rlwrap: any,
  chronic: any,
  setpriv: { long: "no-new-privs clear-groups keep-groups init-groups", longValued: "reuid regid groups bounding-set" },
  prlimit: any,
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  sg: { scripts: "c", operands: 1 },
  "systemd-inhibit": { longValued: "what who why mode" },
  "systemd-cat": { valued: "tp", longValued: "identifier priority" },
  "xvfb-run": { flags: "a", valued: "sn", longValued: "server-args server-num" },
  "ssh-agent": any,
  linux32: any,
  linux64: any,
  winpty: any,
};
