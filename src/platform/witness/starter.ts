// A program of a few hundred bytes between us and a command: it installs the notification filter, sends us the listener descriptor, and
// executes the command. The runtime cannot do that for a child. Where the filter cannot be installed (an old kernel, a container that
// forbids it), it reports so and executes the command anyway.
import { watchFilter } from "./calls.ts";

export interface StarterFds {
  /** The socket for the listener descriptor. */
  readonly socket: number;
  /** The starter itself. Both are closed before the command begins. */
  readonly self: number;
}

/** `forGood`: sets no_new_privs, without which only CAP_SYS_ADMIN may install a filter. */
export function starterProgram(machine: string, fds: StarterFds, forGood: boolean): Uint8Array | null {
  const filter = watchFilter(machine);
  if (filter === null) return null;
  const { prctl, getpid } = machine === "x64" ? { prctl: 157, getpid: 39 } : { prctl: 167, getpid: 172 };
  const first = forGood ? prctl : getpid;
  const { socket, self } = fds;
  const x64Code = (): Uint8Array => x64(little(first), little(socket), little(self));
  return program(machine, machine === "x64" ? x64Code() : arm64(first, socket, self), filter);
}

const BASE = 0x400000;
const HEADERS = 64 + 2 * 56;

/** ELF with one read-execute segment and a non-executable stack. */
function program(machine: string, code: Uint8Array, filter: Uint8Array): Uint8Array {
  const fprog = HEADERS + code.length;
  const size = fprog + 16 + filter.length;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  const put = (at: number, width: 2 | 4 | 8, value: number): void => {
    if (width === 2) view.setUint16(at, value, true);
    else if (width === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
  };
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  put(16, 2, 2);
  put(18, 2, machine === "x64" ? 62 : 183);
  put(20, 4, 1);
  put(24, 8, BASE + HEADERS);
  put(32, 8, 64);
  for (const [at, value] of [64, 56, 2].entries()) put(52 + 2 * at, 2, value);
  // PT_LOAD, read and execute.
  put(64, 4, 1);
  put(68, 4, 5);
  put(80, 8, BASE);
  put(88, 8, BASE);
  put(96, 8, size);
  put(104, 8, size);
  put(112, 8, 0x1000);
  // PT_GNU_STACK, read and write.
  put(120, 4, 0x6474e551);
  put(124, 4, 6);
  bytes.set(code, HEADERS);
  put(fprog, 2, filter.length / 8);
  put(fprog + 8, 8, BASE + fprog + 16);
  bytes.set(filter, fprog + 16);
  return bytes;
}

function little(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
}

function fromHex(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join("").replaceAll(" ", ""), "hex");
}

const x64 = (first: string, socket: string, self: string): Uint8Array =>
  fromHex([
    // prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), or getpid()
    `4889e3 b8${first} bf26000000 be01000000 31d2 4531d2 4531c0 0f05`,
    // seccomp(SECCOMP_SET_MODE_FILTER, NEW_LISTENER | WAIT_KILLABLE_RECV, fprog); retried without the newer flag
    "be28000000 b83d010000 bf01000000 488d15de000000 0f05 85c0 790a 83fe08 be08000000 75df",
    // on the stack: a control message with the descriptor, one byte of data, and the msghdr for both
    "89c5 4881ec80000000 48c7042414000000 c744240801000000 c744240c01000000 48896c2410 4889642420 48c744242801000000",
    "31c0 4889442430 4889442438 488d4c2420 48894c2440 48c744244801000000 4889642450",
    // no control message without a descriptor
    "b918000000 85ed 0f48c8 48894c2458 4889442460",
    // sendmsg(socket, msghdr, MSG_NOSIGNAL)
    `b82e000000 bf${socket} 488d742430 ba00400000 0f05`,
    // close(listener), close(socket), close(self)
    `b803000000 89ef 0f05 b803000000 bf${socket} 0f05 b803000000 bf${self} 0f05`,
    // execve(argv[1], argv + 1, envp); exit_group(126)
    "488b0b 488b7b10 488d7310 488d54cb10 b83b000000 0f05 b8e7000000 bf7e000000 0f05 0f1f840000000000",
  ]);

function moved(register: number, value: number): string {
  return little(0x52800000 | (value << 5) | register);
}

/** The same, step by step. */
const arm64 = (first: number, socket: number, self: number): Uint8Array =>
  fromHex([
    `f3030091 c00480d2 210080d2 020080d2 030080d2 040080d2 ${moved(8, first)} 010000d4`,
    "14058052 200080d2 e103142a 22060010 a8228052 010000d4 8000f836 9f220071 14018052 01ffff54",
    "f503002a ff0302d1 800280d2 210080d2 e00300f9 e1070129 f50b00f9 e2030091 e20702a9",
    "ff7f03a9 e3830091 e30704a9",
    "040380d2 bf020071 84a09f9a e21305a9 ff3300f9",
    `${moved(0, socket)} e1c30091 02008852 681a8052 010000d4`,
    `e003152a 28078052 010000d4 ${moved(0, socket)} 28078052 010000d4 ${moved(0, self)} 28078052 010000d4`,
    "630240f9 600a40f9 61420091 220c038b a81b8052 010000d4 c00f8052 c80b8052 010000d4 1f2003d5 1f2003d5",
  ]);
