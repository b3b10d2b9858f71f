// Whether any version of a file in old commits contained a secret, where its name alone does not tell.
import { toldByContent } from "../sandbox/secret/key-text.ts";
import type { Git } from "./plumbing.ts";

/** No real repository has more versions of such files; beyond this their names decide. */
const maxBlobs = 300;
const maxBytes = 4 * 2 ** 20;

const versions = [
  ...["--stdin", "--root", "-m", "--raw", "-z", "--no-abbrev", "--format=", "--full-history", "--no-renames"],
  ...["--no-relative", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-decorate", "--no-mailmap"],
];

/** Where to look for versions: in HEAD, in the index, or in these revisions. */
type VersionPlace = "head" | "index" | { readonly revisions: string };

/** The names whose content is, or may be, a secret. */
export async function secretNames(git: Git, names: readonly string[], where: VersionPlace): Promise<readonly string[]> {
  const unclear = names.filter((name) => toldByContent(name) !== null);
  if (unclear.length === 0) return names;
  const blobs = await versionsOf(git, unclear, where);
  if (blobs === null) return names;
  const texts = await textsOf(git, [...new Set(unclear.flatMap((name) => [...(blobs.get(name) ?? [])]))]);
  if (texts === null) return names;
  const isHarmless = (name: string): boolean => {
    const own = [...(blobs.get(name) ?? [])].map((hash) => texts.get(hash));
    return own.length > 0 && own.every((text) => text !== undefined && toldByContent(name)?.(text) === false);
  };
  return names.filter((name) => !unclear.includes(name) || !isHarmless(name));
}

type Blobs = Map<string, Set<string>>;

async function versionsOf(git: Git, unclear: readonly string[], where: VersionPlace): Promise<Blobs | null> {
  const ran =
    where === "head"
      ? await git.run("ls-tree", ["-r", "-z", "--full-tree", "HEAD"])
      : where === "index"
        ? await git.run("ls-files", ["-s", "-z", "--full-name"])
        : await git.run("log", [...versions, "--", ...unclear], { stdin: where.revisions });
  if (!ran.ok) return null;
  const out = ran.value.out.toString();
  if (typeof where === "object") return inLog(out);
  return inList(out);
}

function note(found: Blobs, name: string, hashes: readonly string[]): void {
  const known = found.get(name) ?? new Set();
  for (const hash of hashes) if (!/^0+$/.test(hash)) known.add(hash);
  found.set(name, known);
}

/** `100644 blob HASH\tNAME`; in the index `100644 HASH STAGE\tNAME`. */
function inList(out: string): Blobs {
  const found: Blobs = new Map();
  const rows = out.matchAll(/[0-7]{6} (?:blob )?([0-9a-f]{40,64})(?: [0-3])?\t([^\0]+)\0/g);
  for (const [, hash = "", name = ""] of rows) note(found, name, [hash]);
  return found;
}

/** `:100644 100644 HASH HASH M\0NAME\0` */
function inLog(out: string): Blobs {
  const found: Blobs = new Map();
  const rows = out.matchAll(/:[0-7]{6} [0-7]{6} ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*\0([^\0]+)\0/g);
  for (const [, one = "", other = "", name = ""] of rows) note(found, name, [one, other]);
  return found;
}

async function textsOf(git: Git, hashes: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
  if (hashes.length === 0 || hashes.length > maxBlobs) return null;
  const stdin = `${hashes.join("\n")}\n`;
  const sizes = await git.run("cat-file", ["--batch-check"], { stdin });
  const all = sizes.ok
    ? [...sizes.value.out.toString().matchAll(/^[0-9a-f]+ blob (\d+)$/gm)].map(([, n]) => Number(n))
    : [];
  if (all.length !== hashes.length || all.reduce((sum, n) => sum + n, 0) > maxBytes) return null;
  const ran = await git.run("cat-file", ["--batch"], { stdin });
  if (!ran.ok) return null;
  const { out } = ran.value;
  const texts = new Map<string, string>();
  for (let at = 0; at < out.length; ) {
    const line = out.indexOf(10, at);
    const [hash = "", , size = "0"] = out.toString("latin1", at, line).split(" ");
    texts.set(hash, out.toString("utf8", line + 1, line + 1 + Number(size)));
    at = line + 2 + Number(size);
  }
  return texts;
}
