// Runs command lines for real and says what each of them did to the world.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Traced {
  readonly line: string;
  /** System calls that change something, reach the network, or start a program that the line does not name. */
  readonly effects: readonly string[];
  /** It ran until the time was up. */
  readonly isEndless: boolean;
}

export interface TraceWish {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Seconds that each line may take; `null`: each is known to end, so that no clock has to be started for it. */
  readonly seconds: number | null;
  /** Words that go before strace: a sandbox, say. */
  readonly within?: readonly string[];
  /** Where to put what is run and what is said about it; a sandbox has to show it. */
  readonly folder?: string;
  /** Programs that a line is known to start, where its words do not tell. */
  readonly programs?: (line: string) => ReadonlySet<string>;
  /** Real paths of files that no line may open. */
  readonly kept?: readonly string[];
}

const calls = [
  ...["execve", "execveat", "socket", "connect", "bind", "listen", "sendto", "open", "openat", "openat2", "creat"],
  ...[
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "mkdirat",
    "rmdir",
    "link",
    "linkat",
    "symlink",
  ],
  ...["symlinkat", "mknod", "mknodat", "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat"],
  ...["truncate", "ftruncate", "utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr"],
  ...["removexattr", "mount", "umount2", "ptrace", "settimeofday", "clock_settime", "adjtimex", "sethostname"],
  ...["setdomainname", "sync", "syncfs", "reboot", "init_module", "kill", "tkill", "bpf", "io_uring_setup"],
];

const program = "strace";

/** `null`: it works. */
export function straceProblem(): string | null {
  const tried = spawnSync(program, ["-qq", "-o", "/dev/null", "true"], { encoding: "utf8" });
  return tried.status === 0 ? null : `strace does not work here: ${tried.error?.message ?? tried.stderr}`;
}

/** Each line runs in a shell of its own with an empty input: one after the other in each of two halves. */
export async function trace(lines: readonly string[], wish: TraceWish): Promise<readonly Traced[]> {
  const half = Math.ceil(lines.length / 2);
  const found = await Promise.all([traceInTurn(lines.slice(0, half), wish), traceInTurn(lines.slice(half), wish)]);
  return found.flat();
}

async function traceInTurn(lines: readonly string[], wish: TraceWish): Promise<readonly Traced[]> {
  if (lines.length === 0) return [];
  const folder = mkdtempSync(join(wish.folder ?? tmpdir(), "coder-trace-"));
  try {
    lines.forEach((line, at) => {
      writeFileSync(join(folder, String(at)), line);
    });
    // The shell leaves a mark by trying to read a file that is not there.
    const script = lines
      .map((_, at) => `: 2>/dev/null <"/mark/${at}"; ${oneLine(folder, at, wish.seconds)}`)
      .join("\n");
    writeFileSync(join(folder, "all"), `${script}\n`);
    const output = join(folder, "out");
    const strace = [
      program,
      "-f",
      "-qq",
      "--seccomp-bpf",
      ...(wish.kept ? ["-y"] : []),
      "-s",
      "300",
      "-e",
      `trace=${calls.join(",")}`,
      "-e",
      "signal=none",
    ];
    const argv = [...(wish.within ?? []), ...strace, "-o", output, "bash", join(folder, "all")];
    // What the last line answers says nothing; whether all were run is seen in the trace.
    await promisify(execFile)(argv[0] ?? "", argv.slice(1), { cwd: wish.cwd, env: { ...wish.env } }).catch(() => null);
    const said = readFileSync(output, "utf8");
    if (!said.includes(`/mark/${lines.length - 1}"`)) throw new Error(`not traced to the end: ${argv.join(" ")}`);
    return read(lines, said, folder, wish);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function oneLine(folder: string, at: number, seconds: number | null): string {
  const around = "</dev/null >/dev/null 2>&1";
  if (seconds === null) return `( . "${folder}/${at}" ) ${around}`;
  const isOver = `[ $? = 137 ] && : 2>/dev/null <"/endless/${at}"`;
  return `timeout -s KILL ${seconds} bash "${folder}/${at}" ${around}; ${isOver}`;
}

function read(lines: readonly string[], said: string, folder: string, wish: TraceWish): readonly Traced[] {
  const kept = new Set(wish.kept);
  const { programs = wordsOf } = wish;
  const found = lines.map((line) => ({ line, effects: [] as string[], isEndless: false }));
  let current: (typeof found)[number] | undefined;
  for (const call of wholeCalls(said)) {
    const mark = /"\/(mark|endless)\/(\d+)"/.exec(call);
    if (mark) current = found[Number(mark[2])];
    if (mark?.[1] === "endless" && current) current.isEndless = true;
    const opened = /= \d+<(.*)>$/.exec(call)?.[1] ?? "";
    if (mark || !current || (isHarmless(call, programs(current.line), folder) && !kept.has(opened))) continue;
    current.effects.push(call.replace(/^\d+ +/, ""));
  }
  return found;
}

/** A call during which another process made one stands in two parts. */
function wholeCalls(said: string): readonly string[] {
  const begun = new Map<string, string>();
  const calls: string[] = [];
  for (const line of said.split("\n")) {
    const [, pid = "", first, rest = ""] =
      /^(\d+) +(?:(.*) <unfinished \.\.\.>|<\.\.\. \w+ resumed>(.*))$/s.exec(line) ?? [];
    if (pid === "") calls.push(line);
    else if (first !== undefined) begun.set(pid, first);
    else calls.push(`${pid} ${begun.get(pid) ?? ""}${rest}`);
    if (first === undefined) begun.delete(pid);
  }
  return [...calls, ...[...begun].map(([pid, first]) => `${pid} ${first}`)];
}

/** As far as they are spelled plainly. */
function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.split(/[^A-Za-z0-9_.+[-]+/));
}

function isHarmless(text: string, programs: ReadonlySet<string>, folder: string): boolean {
  const [, call = "", rest = ""] = /^(?:\d+ +)?([a-z0-9_]+)\((.*)$/s.exec(text) ?? [];
  if (call === "") return true;
  if (call === "open" || call === "openat" || call === "openat2") return isReadOrNull(rest);
  if (call === "execve") return isNamed(rest, programs, folder);
  // What the C library does to look up the name of a user.
  if (call === "socket") return rest.startsWith("AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0");
  if (call === "connect") return rest.includes('sun_path="/var/run/nscd/socket"');
  // `timeout` ends what it started, and a shell its own children.
  return (call === "kill" || call === "tkill") && /^\d+, (?:SIGKILL|SIGCONT|0)/.test(rest);
}

function isReadOrNull(rest: string): boolean {
  if (!/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE/.test(rest)) return true;
  // `shasum .` tries it so.
  if (/= -1 EISDIR /.test(rest) && !/O_CREAT|O_TRUNC|O_TMPFILE/.test(rest)) return true;
  // GNU programs open `/dev/full` in place of a closed standard input; every write to it fails.
  return /^(?:AT_FDCWD(?:<[^>]*>)?, )?"\/dev\/(?:null|full|tty)"/.test(rest);
}

/** The program is one of the line's, by its last part; or it is the shell and the clock around the line. */
function isNamed(rest: string, programs: ReadonlySet<string>, folder: string): boolean {
  const path = /^"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? "";
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "timeout" || (name === "bash" && rest.includes(folder))) return true;
  return programs.has(name);
}
