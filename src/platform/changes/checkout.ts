import { findProgram, foreignPath } from "../find-program.ts";
import { type Repository, readBlobs, withoutHelpers } from "./repository.ts";

/** A file in git's index. The path is relative to the top, in Latin-1, one character per byte. */
interface StagedFile {
  readonly path: string;
  readonly oid: string;
  readonly isLink: boolean;
}

/** `filtered`: a program, another encoding or `$Id$` would change the content, so we cannot compute it. */
export type CheckedOut = Uint8Array | "filtered" | "unreadable";

export interface Habits {
  readonly autoCrlf: "true" | "false" | "input";
  readonly eol: string;
  /** Whether file modes on the disk are meaningful. */
  readonly fileMode: boolean;
  readonly symlinks: boolean;
}

const timeoutMs = 60_000;

/** The content of a checkout in a clean clone. Uses the staged attributes: those in the workspace may be about to be dropped. */
export async function checkedOut(
  repository: Repository,
  staged: readonly StagedFile[],
  habits: Habits,
): Promise<ReadonlyMap<string, CheckedOut>> {
  const found = new Map<string, CheckedOut>();
  if (staged.length === 0) return found;
  const files = staged.filter(({ isLink }) => !isLink).map(({ path }) => path);
  const attributes = await attributesOf(repository, files);
  const blobs = new Map<string, Buffer>();
  await readBlobs(repository, [...new Set(staged.map(({ oid }) => oid))], (oid, bytes) =>
    blobs.set(oid, Buffer.from(bytes)),
  );
  for (const { path, oid, isLink } of staged) {
    const blob = blobs.get(oid);
    if (blob === undefined) found.set(path, "unreadable");
    else if (isLink) found.set(path, habits.symlinks ? blob : "filtered");
    else found.set(path, written(blob, attributes.get(path) ?? null, habits));
  }
  return found;
}

/** Includes the user's own settings: line endings are often configured there. */
export async function habitsOf(repository: Repository): Promise<Habits> {
  const names = "^core\\.(autocrlf|eol|filemode|symlinks)$";
  const out = await gitOutput(repository, ["config", "-z", "--get-regexp", names], "");
  const values = new Map<string, string>();
  for (const line of (out ?? "").split("\0")) {
    const [name = "", value = "true"] = line.split("\n");
    values.set(name.toLowerCase(), value.toLowerCase());
  }
  const isTrue = (name: string, usual: boolean): boolean => {
    const value = values.get(`core.${name}`);
    return value === undefined ? usual : !["false", "no", "off", "0", ""].includes(value);
  };
  const isInput = values.get("core.autocrlf") === "input";
  return {
    autoCrlf: isInput ? "input" : isTrue("autocrlf", false) ? "true" : "false",
    eol: values.get("core.eol") ?? "native",
    fileMode: isTrue("filemode", true),
    symlinks: isTrue("symlinks", true),
  };
}

const attributeNames = ["text", "crlf", "eol", "ident", "filter", "working-tree-encoding"] as const;
type Attributes = Partial<Record<(typeof attributeNames)[number], string>>;

async function attributesOf(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const found = new Map<string, Attributes>();
  if (paths.length === 0) return found;
  const input = `${paths.join("\0")}\0`;
  const out = await gitOutput(repository, ["check-attr", "--cached", "-z", "--stdin", ...attributeNames], input);
  const words = (out ?? "").split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [path = "", name = "", value = ""] = words.slice(at, at + 3);
    found.set(path, { ...found.get(path), [name]: value });
  }
  return found;
}

/** `null`: git failed. Latin-1 in both directions, one character per byte. */
async function gitOutput({ gitDir, top }: Repository, argv: readonly string[], input: string): Promise<string | null> {
  const path = foreignPath(process.env.PATH ?? "/usr/bin:/bin", [top]);
  const git = findProgram(["git"], path, [top]);
  if (git === null) return null;
  const child = Bun.spawn([git, ...argv], {
    cwd: top,
    env: { ...withoutHelpers, ...ofPerson(), PATH: path, GIT_DIR: gitDir, GIT_WORK_TREE: top },
    stdin: Buffer.from(input, "latin1"),
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
  });
  const out = Buffer.from(await child.stdout.bytes());
  return (await child.exited) === 0 ? out.toString("latin1") : null;
}

function ofPerson(): Record<string, string> {
  const names = ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
  return Object.fromEntries(
    [...names, "GIT_ATTR_NOSYSTEM"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const plainValues = ["unspecified", "unset", "set"];

function written(blob: Buffer, attributes: Attributes | null, habits: Habits): CheckedOut {
  if (attributes === null) return "filtered";
  const { ident = "unspecified", filter = "unspecified" } = attributes;
  const encoding = attributes["working-tree-encoding"] ?? "unspecified";
  if (ident === "set" || !plainValues.includes(filter) || !plainValues.includes(encoding)) return "filtered";
  const { isAuto, isCrlf } = lineEnds(attributes, habits);
  return isCrlf && !(isAuto && isLeftAlone(blob)) ? withReturns(blob) : blob;
}

/** Git's rules (gitattributes(5), git-config(1): core.autocrlf, core.eol); on this system lines end with LF. */
function lineEnds(
  { text = "unspecified", crlf = "unspecified", eol = "unspecified" }: Attributes,
  { autoCrlf, eol: usual }: Habits,
): { readonly isAuto: boolean; readonly isCrlf: boolean } {
  const known = ["set", "unset", "input", "auto"];
  const kind = [text, crlf].find((value) => known.includes(value)) ?? "unspecified";
  const isUsual = autoCrlf === "true" || (autoCrlf === "false" && usual === "crlf");
  if (kind === "unset") return { isAuto: false, isCrlf: false };
  const isAuto = kind === "auto";
  if (eol === "lf" || eol === "crlf") return { isAuto, isCrlf: eol === "crlf" };
  if (kind === "unspecified") return { isAuto: true, isCrlf: autoCrlf === "true" };
  return { isAuto, isCrlf: kind !== "input" && isUsual };
}

/** Where git has to guess, it leaves binary content and content with carriage returns alone. */
function isLeftAlone(blob: Buffer): boolean {
  if (blob.includes(0x0d) || blob.includes(0)) return true;
  let controls = 0;
  for (const byte of blob) if (byte === 127 || (byte < 32 && ![8, 9, 10, 12, 27].includes(byte))) controls++;
  const lines = blob.toString("latin1").split("\n").length - 1;
  const printable = blob.length - controls - lines;
  if (blob.at(-1) === 0x1a) controls--;
  return Math.floor(printable / 128) < controls;
}

function withReturns(blob: Buffer): Buffer {
  return Buffer.from(blob.toString("latin1").replace(/(?<!\r)\n/g, "\r\n"), "latin1");
}
