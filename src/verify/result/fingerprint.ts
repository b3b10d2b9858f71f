interface Marked {
  readonly kind: string;
  readonly test: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly error: string;
}

/** Stays the same from run to run. */
export function markOf({ kind, test, file, error }: Marked): number {
  // Found and expected values often stand below the first line: another wrong value is another failure.
  const head = error.split("\n", 5).join("\n");
  return hash(`${kind}\n${settled(test ?? "")}\n${settledFile(file)}\n${settled(head)}`);
}

export function identityOf({ test, file, line, error }: Marked): number {
  const where = test === null ? `${line}` : "";
  return hash(`${test}\n${file}\n${where}\n${(error.split("\n", 1)[0] ?? "").slice(0, 200)}`);
}

/** The same for the same set in any order. */
export function fingerprintOf(type: string, marks: ReadonlySet<number>, other: string): string {
  const sorted = [...marks].sort((a, b) => a - b);
  const text = `${type}\n${sorted.join(" ")}\n${marks.size === 0 ? settled(other) : ""}`;
  return Bun.CryptoHasher.hash("sha256", text, "hex").slice(0, 16);
}

const temporary = /(?:\/private)?(?:\/var)?\/(?:tmp|folders)\/[\w.@+~/-]+/g;
const path = /(?:file:\/\/)?(?:[\w.@+~-]*\/)+([\w.@+~-]+)/g;
const address = /\b0x[0-9a-fA-F]+\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const time = /\b\d+(?:\.\d+)? ?(?:ms|s|sec|secs|seconds|µs|us|ns|m|min)\b/g;
const position = /:\d+(?::\d+)?\b|\(\d+[:,] ?\d+\)|\bline \d+\b/g;
const tempName = /\btmp[\w-]{4,}\b/g;

/** Without the parts that differ between two runs of the same code. */
export function settled(text: string): string {
  const short = text.slice(0, 300);
  if (!/[\d/]/.test(short)) return short.replace(/\s+/g, " ").trim();
  return short
    .replace(uuid, "ID")
    .replace(temporary, "TMP")
    .replace(path, "$1")
    .replace(tempName, "TMP")
    .replace(address, "0x")
    .replace(time, "TIME")
    .replace(position, "")
    .replace(/\s+/g, " ")
    .trim();
}

function settledFile(file: string | null): string {
  return file === null ? "" : file.slice(0, 500).replace(temporary, "TMP").replace(tempName, "TMP");
}

/** 53 bits from two FNV-1a hashes, so a failure costs one number, however many there are. */
function hash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x01000197);
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
