import type { Program } from "../verdict/judgement.ts";
import { none, plain, style, time, withHelp } from "./forms.ts";
import { ps } from "./ps.ts";

/** An operand other than `+FORMAT` sets the clock, as `-s` does. A word after it is an option, or refused because it is not a time. */
const date: Program = {
  flags: "uR",
  maybeValued: { I: style },
  valued: { d: time, r: "read" },
  long: { ...plain("utc universal rfc-email iso-8601"), "--date": time, "--reference": "read", "--rfc-3339": style },
  attached: { "--iso-8601": style },
  operands: [/^\+/],
  rest: none,
};

const cal: Program = {
  flags: "13hjJeopwMSbCNyY",
  valued: { A: "number", B: "number", m: /^[A-Za-z0-9]+$/, d: /^[0-9-]+$/ },
  rest: /^[A-Za-z0-9]+$/,
};

const package_ = /^[a-z0-9][a-z0-9.+:-]*$/;

export const systemPrograms = withHelp({
  date,
  cal,
  ncal: cal,
  uname: {
    flags: "asnrvmpio",
    long: plain(
      "all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system",
    ),
  },
  arch: {},
  nproc: { long: { ...plain("all"), "--ignore": "number" } },
  id: { flags: "aGgnruzZ", long: plain("group groups name real user zero context"), rest: "text" },
  whoami: {},
  logname: {},
  groups: { rest: "text" },
  // An operand would set it; the other options query the network.
  hostname: { flags: "s" },
  uptime: { flags: "ps", long: plain("pretty since") },
  // `--lookup` queries the network. `who am i` has two operands, which are harmless as paths.
  who: {
    flags: "abdHlmpqrstTuw",
    long: plain("all boot dead heading login process count runlevel short time mesg message writable users"),
    operands: ["read", "read"],
  },
  w: { flags: "hsuo", long: plain("no-header short") },
  users: { operands: ["read"] },
  tty: { flags: "s", long: plain("silent quiet") },
  // `-m` starts gzip.
  locale: { flags: "ack", long: plain("all-locales category-name keyword-name"), rest: style },
  // `-v` starts a program.
  getconf: { flags: "a", operands: [/^[A-Za-z_][A-Za-z0-9_]*$/, "read"] },
  printenv: { flags: "0", long: plain("null"), rest: "text", takesAnyWord: true },
  free: { flags: "bghklmtwvL", long: plain("bytes kibi mebi gibi human lohi total wide si kilo mega giga") },
  lscpu: { flags: "abceJpxy", long: plain("all online offline json physical hex") },
  lsblk: {
    flags: "abdfilmnpPrStJO",
    valued: { o: /^[A-Za-z,:_-]+$/, e: /^[0-9,]+$/ },
    long: { ...plain("all bytes nodeps fs list perms noheadings paths json tree"), "--output": /^[A-Za-z,:_-]+$/ },
  },
  // Any operand would mount.
  mount: { flags: "l" },
  ps,
  pgrep: {
    flags: "acflnoivwx",
    valued: { u: style, U: style, P: /^[0-9,]+$/, d: "text", g: /^[0-9,]+$/, t: style },
    long: plain("full list-name list-full count ignore-case newest oldest inverse exact"),
    rest: "text",
  },
  pstree: { flags: "aAcghlnpstTuUS", valued: { H: "number" }, operands: [/^[A-Za-z0-9_-]+$/] },
  // An operand would make it run forever.
  vmstat: { flags: "adfmnstw" },
  // Lists installed packages; `--root` and similar options lead elsewhere, and all other commands install.
  dpkg: {
    commands: {
      ...Object.fromEntries(["-l", "--list", "-S", "--search"].map((option) => [option, { rest: "text" }])),
      ...Object.fromEntries(["-L", "-s", "--listfiles", "--status"].map((option) => [option, { rest: package_ }])),
    },
  },
  // A short pause at most.
  sleep: { operands: [/^(?:[0-9]|10)(?:\.[0-9]{1,3})?s?$/] },
});
