// Resolves words on git's command line that name a blob or a tree. Git stores these without file names.
import type { Git } from "./plumbing.ts";

export interface NamedObject {
  readonly word: string;
  /** `ambiguous`: several objects have this prefix. */
  readonly type: "commit" | "tree" | "blob" | "missing" | "ambiguous";
  readonly hash: string;
}

export async function resolveWords(git: Git, words: readonly string[]): Promise<readonly NamedObject[] | null> {
  // No object name contains such a character, and each would start another line.
  const askable = words.filter((word) => !/[\0-\x1f]/.test(word));
  if (askable.length === 0) return [];
  const stdin = askable.map((word) => `${word}^{}\n`).join("");
  const answer = await git.run("cat-file", ["--batch-check=%(objectname) %(objecttype)"], { stdin });
  if (!answer.ok) return null;
  const lines = answer.value.out.toString("utf8").split("\n");
  return askable.map((word, at) => objectIn(word, lines[at] ?? ""));
}

function objectIn(word: string, line: string): NamedObject {
  const [, hash = "", type = ""] = /^([0-9a-f]{40,64}) (commit|tree|blob)$/.exec(line) ?? [];
  if (hash !== "") return { word, hash, type: type as NamedObject["type"] };
  return { word, hash, type: line.endsWith(" missing") ? "missing" : "ambiguous" };
}

type Fits = (name: string) => boolean;
type ObjectNames = ReadonlyMap<string, readonly string[] | null>;

/** For each word that is no commit, the matching file names in it; `null`: it has no name now. */
export async function namesOfObjects(git: Git, named: readonly NamedObject[], fits: Fits): Promise<ObjectNames> {
  const others = named.filter(({ type }) => type !== "commit" && type !== "missing");
  const found = new Map<string, readonly string[] | null>();
  if (others.length === 0) return found;
  const places = await placesOf(git, new Set(others.map(({ hash }) => hash)));
  for (const { word, hash, type } of others) {
    const at = places.get(hash);
    if (at === undefined || type === "ambiguous") found.set(word, null);
    else if (type === "blob") found.set(word, at.filter(fits));
    else found.set(word, await namesBelow(git, hash, at, fits));
  }
  return found;
}

async function placesOf(git: Git, hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const places = new Map<string, string[]>();
  const listings = [
    ["rev-parse", ["--verify", "--quiet", "HEAD^{tree}"]],
    ["ls-tree", ["-r", "-t", "-z", "--full-tree", "HEAD"]],
    ["ls-files", ["-s", "-z"]],
  ] as const;
  for (const [command, args] of listings) {
    // Fails if there is no commit yet.
    const listed = await git.run(command, args, { accepts: [0, 1, 128] });
    if (!listed.ok || listed.value.code !== 0) continue;
    for (const [, hash = "", name = ""] of listed.value.out.toString("utf8").matchAll(entry)) {
      if (hashes.has(hash)) places.set(hash, [...(places.get(hash) ?? []), name]);
    }
  }
  return places;
}

/** The hash of a tree alone, `100644 blob HASH\tNAME` and `100644 HASH 0\tNAME`. */
const entry = /(?:^|\0|[ ])([0-9a-f]{40,64})(?:\n|(?: \d)?\t([^\0]*)\0)/g;

async function namesBelow(
  git: Git,
  hash: string,
  places: readonly string[],
  fits: Fits,
): Promise<readonly string[] | null> {
  const listed = await git.run("ls-tree", ["-r", "-z", "--name-only", "--full-tree", hash]);
  if (!listed.ok) return null;
  const names = listed.value.out.toString("utf8").split("\0").filter(Boolean);
  return places.flatMap((place) => names.map((name) => (place === "" ? name : `${place}/${name}`))).filter(fits);
}
