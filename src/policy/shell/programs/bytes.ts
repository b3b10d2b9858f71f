import type { Program } from "../verdict/judgement.ts";
import { plain, size, style, withHelp } from "./forms.ts";

const offset = /^[+-]?(?:0x)?[0-9a-fA-F]{1,16}[bkKmMG]?$/;

/** Without `-c`: it opens the files that a file lists. */
const sum: Program = { flags: "btz", long: plain("binary text tag zero"), rest: "read", takesAnyWord: true };

const od: Program = {
  flags: "abcdefhilosvxBDFHIOLX",
  maybeValued: { w: "number" },
  valued: { A: /^(?:[dox]|n(?:one)?)$/, j: offset, N: offset, t: /^[acdfouxCSILFDH0-9z]+$/, S: "number" },
  long: {
    ...plain("output-duplicates width"),
    "--address-radix": /^(?:[dox]|n(?:one)?)$/,
    "--skip-bytes": offset,
    "--read-bytes": offset,
    "--format": /^[acdfouxCSILFDH0-9z]+$/,
    "--endian": style,
  },
  attached: { "--width": "number" },
  rest: "read",
  takesAnyWord: true,
};

const hexdump: Program = {
  flags: "bcCdovx",
  valued: { n: offset, s: offset, e: "text", f: "read" },
  rest: "read",
  takesAnyWord: true,
};

/** The binutils read more words from `@file`, and `--plugin` loads code. */
const strings: Program = {
  flags: "afow",
  valued: { n: "number", t: /^[dox]$/, e: /^[sSbBlL]$/ },
  long: {
    ...plain("all print-file-name include-all-whitespace"),
    "--bytes": "number",
    "--radix": /^[dox]$/,
    "--encoding": /^[sSbBlL]$/,
  },
  hasCount: true,
  rest: "read",
  neverBegins: "@",
};

/** Binutils: more words from `@file`. For a thin archive they open the files that it names, wherever those are. */
const object: Program = { rest: "read", neverBegins: "@", roams: true, atLeast: 1 };

const sums = ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum"];
/** Both expand wildcards in the archive's name, and its extension may be omitted. */
const archive: Program = { operands: ["read"], rest: "text", endings: [".zip", ".ZIP"], hasGlobs: true };
const decompress: Program = { rest: "read" };
/** Files only: in a pipe, a few bytes put before compressed git objects would let it unpack them. */
const gunzip: Program = { atLeast: 1, needsFiles: true, rest: "read", endings: [".gz", ".z", "-z", "-gz", "_z", ".Z"] };

export const bytePrograms = withHelp({
  ...Object.fromEntries(sums.map((name) => [name, sum])),
  b2sum: { ...sum, valued: { l: "number" }, long: { ...sum.long, "--length": "number" } },
  cksum: {
    valued: { a: style },
    long: { ...plain("untagged"), "--algorithm": style },
    rest: "read",
    takesAnyWord: true,
  },
  sum: { flags: "rs", long: plain("sysv"), rest: "read", takesAnyWord: true },
  shasum: {
    flags: "bptU01",
    valued: { a: "number" },
    long: { ...plain("binary text"), "--algorithm": "number" },
    rest: "read",
  },
  md5: { flags: "qr", valued: { s: "text" }, rest: "read" },
  od,
  hexdump,
  hd: hexdump,
  // A second operand is written; `-r` reverses the direction.
  xxd: {
    flags: "abCeEipudR",
    valued: { c: "number", g: "number", l: offset, o: offset, s: offset, n: style },
    joins: "none",
    operands: ["read"],
  },
  strings,
  nm: { ...object, flags: "aABCDgnoprSuvP", long: plain("demangle dynamic extern-only undefined-only defined-only") },
  size: { ...object, flags: "ABdoxt" },
  // -w and similar options fetch debug information elsewhere, also from the network.
  readelf: {
    ...object,
    flags: "ahlSgtesnrudVAIW",
    long: plain("all file-header program-headers segments section-headers sections symbols syms dyn-syms dynamic wide"),
  },
  objdump: {
    ...object,
    flags: "adDfhpxrRtTCw",
    long: plain(
      "disassemble archive-headers file-headers section-headers headers private-headers all-headers syms dynamic-syms",
    ),
  },
  // On macOS -i and -o take files as values.
  base64: { flags: "d", valued: { w: size }, long: { ...plain("decode"), "--wrap": size }, operands: ["read"] },
  base32: { flags: "d", valued: { w: size }, long: { ...plain("decode"), "--wrap": size }, operands: ["read"] },
  // Only the options that list, test or print. tar and zcat start other programs to decompress.
  unzip: {
    commands: Object.fromEntries(["-l", "-lv", "-v", "-Z1", "-Z", "-t", "-p"].map((option) => [option, archive])),
  },
  zipinfo: { ...archive, flags: "12hlmstvzT" },
  xzcat: decompress,
  bzcat: decompress,
  gzip: { commands: { "-dc": gunzip, "-cd": gunzip, "-l": gunzip, "-lv": gunzip, "-t": gunzip } },
  xz: { commands: { "-dc": decompress, "-cd": decompress, "-l": decompress, "-t": decompress } },
  bzip2: { commands: { "-dc": decompress, "-cd": decompress, "-t": decompress } },
});
