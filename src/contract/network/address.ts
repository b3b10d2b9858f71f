// Classifies network addresses by the registries of special-purpose addresses (RFC 6890 and its updates).

/**
 * `public`: on the internet. `private`: this machine or its networks. `special`: no web page is there, but cloud metadata services
 * (169.254.169.254 and similar) hand out credentials.
 */
export type AddressKind = "public" | "private" | "special";

type Range = readonly [kind: AddressKind, address: string, bits: number];

const v4Ranges: readonly Range[] = [
  ["special", "100.100.100.200", 32],
  ["special", "168.63.129.16", 32],
  ["private", "10.0.0.0", 8],
  ["private", "100.64.0.0", 10],
  ["private", "127.0.0.0", 8],
  ["private", "172.16.0.0", 12],
  ["private", "192.168.0.0", 16],
  // Reserved for benchmarks, but "fake IP" proxies on desktops resolve every name to it.
  ["private", "198.18.0.0", 15],
  ["special", "0.0.0.0", 8],
  ["special", "169.254.0.0", 16],
  ["special", "192.0.0.0", 24],
  ["special", "192.0.2.0", 24],
  ["special", "192.88.99.0", 24],
  ["special", "198.51.100.0", 24],
  ["special", "203.0.113.0", 24],
  ["special", "224.0.0.0", 3],
  ["public", "0.0.0.0", 0],
];

/** Only 2000::/3 is allocated, parts of it for special purposes. */
const v6Ranges: readonly Range[] = [
  ["private", "::1", 128],
  ["special", "fd00:ec2::254", 128],
  ["private", "fc00::", 7],
  ["private", "fec0::", 10],
  ["special", "2001::", 23],
  ["special", "2001:db8::", 32],
  ["special", "3fff::", 20],
  ["public", "2000::", 3],
  ["special", "::", 0],
];

/** IPv6 prefixes that embed an IPv4 address, which decides. `at`: its first byte. */
const carriers: readonly (readonly [address: string, bits: number, at: number])[] = [
  ["::ffff:0:0", 96, 12],
  ["::ffff:0:0:0", 96, 12],
  ["64:ff9b::", 96, 12],
  ["2002::", 16, 2],
];

/** `null` = not an address. The zone (`%eth0`) is ignored. */
export function addressKind(text: string): AddressKind | null {
  const bytes = bytesOf(text.replace(/%.*$/s, ""));
  return bytes && kindOf(bytes);
}

function kindOf(bytes: readonly number[]): AddressKind {
  if (bytes.length === 4) return firstIn(v4Ranges, bytes);
  const carried = carriers.find(([address, bits]) => isIn(bytes, address, bits));
  if (carried === undefined) return firstIn(v6Ranges, bytes);
  const [, , at] = carried;
  return kindOf(bytes.slice(at, at + 4));
}

function firstIn(ranges: readonly Range[], bytes: readonly number[]): AddressKind {
  return ranges.find(([, address, bits]) => isIn(bytes, address, bits))?.[0] ?? "special";
}

function isIn(bytes: readonly number[], address: string, bits: number): boolean {
  const base = bytesOf(address) ?? [];
  return bytes.every((byte, at) => {
    const left = Math.min(8, Math.max(0, bits - 8 * at));
    const mask = (0xff << (8 - left)) & 0xff;
    return (byte & mask) === ((base[at] ?? 0) & mask);
  });
}

/** 4 or 16 bytes. Only canonical forms, which is what resolvers and URLs give. */
function bytesOf(text: string): readonly number[] | null {
  return text.includes(":") ? v6Bytes(text) : v4Bytes(text);
}

function v4Bytes(text: string): readonly number[] | null {
  const parts = text.split(".");
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isPlain ? parts.map(Number) : null;
}

function v6Bytes(text: string): readonly number[] | null {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  const last = tail.includes(".") ? v4Bytes(tail) : [];
  if (last === null) return null;
  const [head = "", rest, more] = (last.length > 0 ? text.slice(0, -tail.length) : text).split("::");
  if (more !== undefined) return null;
  const left = groupBytes(last.length > 0 && rest === undefined ? head.replace(/:$/, "") : head);
  const right = rest === undefined ? [] : groupBytes(last.length > 0 ? rest.replace(/:$/, "") : rest);
  if (left === null || right === null) return null;
  const gap = 16 - left.length - right.length - last.length;
  if (rest === undefined ? gap !== 0 : gap < 2) return null;
  return [...left, ...new Array<number>(gap).fill(0), ...right, ...last];
}

function groupBytes(text: string): readonly number[] | null {
  if (text === "") return [];
  const groups = text.split(":");
  if (groups.some((group) => !/^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}
