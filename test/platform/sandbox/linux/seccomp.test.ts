import { expect, test } from "bun:test";
import fc from "fast-check";
import { seccompFilter } from "../../../../src/platform/sandbox/linux/seccomp.ts";
import { machines } from "../../../../src/platform/sandbox/linux/syscalls.ts";

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (n: number): number => 0x00050000 | n;

interface SystemCall {
  readonly arch: number;
  readonly number: number;
  readonly args: readonly number[];
}

/** What the kernel does with the filter. */
function ask(filter: Uint8Array, call: SystemCall): number {
  const view = new DataView(filter.buffer);
  const words = [call.number, call.arch, 0, 0, ...call.args.flatMap((arg) => [arg, 0])];
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, value] = [view.getUint16(8 * at, true), view.getUint32(8 * at + 4, true)];
    const [ifTrue, ifFalse] = [view.getUint8(8 * at + 2), view.getUint8(8 * at + 3)];
    if (code === 0x06) return value;
    if (code === 0x20) loaded = (words[value / 4] ?? 0) >>> 0;
    else if (code === 0x15) at += loaded === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += loaded >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (loaded & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the filter has no end");
}

for (const [name, { arch, secondDoor, number }] of Object.entries(machines)) {
  const filter = seccompFilter(name) ?? new Uint8Array();
  const verdict = (call: number | null, ...args: number[]) => ask(filter, { arch, number: call ?? -1, args });

  test(`[PO-8] [SA-syscall] on ${name} another architecture's door is closed`, () => {
    expect(ask(filter, { arch: 0x40000003, number: 1, args: [] })).toBe(KILL);
    if (secondDoor !== null) expect(verdict(secondDoor + 1)).toBe(errno(38));
  });

  test(`[PO-8] [SA-syscall] on ${name} every number of the table is judged`, () => {
    const judged = Object.entries(number).filter(([, value]) => value !== null);
    const modes = [
      "chmod",
      "fchmod",
      "fchmodat",
      "fchmodat2",
      "open",
      "openat",
      "creat",
      "mknod",
      "mknodat",
      "mkdir",
      "mkdirat",
    ];
    const byArguments = ["ioctl", "clone", "socket", "personality", ...modes];
    const allowed = judged.filter(([call, value]) => !byArguments.includes(call) && verdict(value) === ALLOW);
    expect(allowed).toEqual([]);
    expect(new Set(judged.map(([, value]) => value)).size).toBe(judged.length);
  });

  test(`[PO-8] [SA-syscall] on ${name} arguments decide where they must`, () => {
    const found = {
      fork: verdict(number.clone, 17),
      thread: verdict(number.clone, 0x3d0f00),
      newUser: verdict(number.clone, 0x10000011),
      newMounts: verdict(number.clone, 0x00020011),
      size: verdict(number.ioctl, 0, 0x5413),
      typed: verdict(number.ioctl, 0, 0x5412),
      pasted: verdict(number.ioctl, 0, 0x541c),
      unix: verdict(number.socket, 1, 1, 0),
      internet: verdict(number.socket, 10, 1, 0),
      routes: verdict(number.socket, 16, 3, 0),
      audit: verdict(number.socket, 16, 3, 9),
      packets: verdict(number.socket, 17, 3, 0),
      linux: verdict(number.personality, 0),
      which: verdict(number.personality, 0xffffffff),
      noRandomness: verdict(number.personality, 0x40000),
    };
    expect(found).toEqual({
      ...{ fork: ALLOW, thread: ALLOW, newUser: errno(1), newMounts: errno(1) },
      ...{ size: ALLOW, typed: errno(1), pasted: errno(1) },
      ...{ unix: ALLOW, internet: ALLOW, routes: ALLOW, audit: errno(97), packets: errno(97) },
      ...{ linux: ALLOW, which: ALLOW, noRandomness: errno(1) },
    });
  });

  test(`[PO-8] [SA-syscall] on ${name} no file is made that runs with the rights of its owner or group`, () => {
    const made = 0o100100;
    const ways = [
      ...[number.chmod, number.fchmod, number.creat, number.mknod, number.mkdir].map((call) => [call, 0] as const),
      ...[number.fchmodat, number.fchmodat2, number.mknodat, number.mkdirat].map((call) => [call, 0, 0] as const),
      ...([
        [number.open, 0, made] as const,
        [number.openat, 0, 0, made] as const,
        [number.openat, 0, 0, 0o20200002],
      ] as const),
    ].filter(([call]) => call !== null);
    for (const set of [0o104755, 0o102755, 0o6000, 0o2000, 0o4000, 0o47777])
      expect(ways.map(([call, ...args]) => verdict(call, ...args, set))).toEqual(ways.map(() => errno(1)));
    for (const plain of [0o100755, 0o1777, 0o777, 0])
      expect(ways.map(([call, ...args]) => verdict(call, ...args, plain))).toEqual(ways.map(() => ALLOW));
    // Without a file to be made the place of the mode holds anything.
    expect(verdict(number.openat, 0, 0, 0o2000000, 0o7777)).toBe(ALLOW);
  });

  test(`[PO-8] on ${name} any other call is allowed, whatever its arguments`, () => {
    const judged = new Set(Object.values(number));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }),
        fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
        (call, args) => {
          expect(judged.has(call) || verdict(call, ...args) === ALLOW).toBe(true);
        },
      ),
    );
  });
}

test("[PO-8] there is no filter for a machine whose numbers are not known", () => {
  expect([seccompFilter("riscv64"), seccompFilter("toString")]).toEqual([null, null]);
});
