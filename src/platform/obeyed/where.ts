// What counts in a folder, by where it lies.
import { comparable } from "../../contract/path/disk-name.ts";
import { asideName, gitNames, protectedAt, protectedBelow, protectedIn } from "../../contract/path/protected.ts";
import { isGitFolder } from "../git/git-folder.ts";

/**
 * `plain`: names of the list, and repositories. `vendored`: repositories alone, since nobody works in there and packages bring
 * such files along. `inside`: everything. `hooks`: everything but samples. `bare`: a repository by its content, whose name says
 * nothing: it may be a folder of the person's with four names too many, so all else in it counts as before.
 * The rest is about `.git`: which of its files count depends on the folder. `store`: of other repositories.
 */
export type ObeyedPlace = "plain" | "vendored" | "inside" | "hooks" | "bare" | PlaceInGit;
type PlaceInGit = "git" | "git/info" | "git/objects" | "git/rebase" | "store";

export function isRepository(place: ObeyedPlace): boolean {
  return place === "git" || place === "bare";
}

/** Filled by package managers. */
const vendoredNames = new Set(["node_modules", "bower_components", "site-packages", "dist-packages"]);

export type EntryKind = "file" | "link" | "other" | "folder";

export interface Listed {
  /** One character for each byte. */
  readonly name: string;
  readonly kind: EntryKind;
}

export interface Sorted {
  readonly place: ObeyedPlace;
  /** What is obeyed itself, without folders. */
  readonly obeyed: readonly Listed[];
  /** Folders to look into. `isObeyed`: it is one of the list's. */
  readonly folders: readonly { readonly name: string; readonly place: ObeyedPlace; readonly isObeyed: boolean }[];
}

interface ObeyedPath {
  readonly place: ObeyedPlace;
  /** As disks compare names, with a slash in front of each; empty = the root. */
  readonly compared: string;
  /** Folders in which a repository, the workspace or a home begins. */
  readonly isTop: (compared: string) => boolean;
  /** Whether a folder in this one has anything in it. */
  readonly isFilled: (name: string) => boolean;
}

/** Names need not be UTF-8; those that are, are compared as disks do. */
export function comparedName(bytes: string): string {
  return comparable(Buffer.from(bytes, "latin1").toString());
}

export function sortEntries(entries: readonly Listed[], { place, compared, isTop, isFilled }: ObeyedPath): Sorted {
  const asked = placeByContent(entries, place);
  // A checkout inside a folder of an agent's is a project like any other. An empty folder makes none: nobody would miss it.
  const isCheckout = ({ name, kind }: Listed): boolean => name === ".git" && (kind !== "folder" || isFilled(name));
  const now = asked === "inside" && entries.some(isCheckout) ? "plain" : asked;
  const obeyed: Listed[] = [];
  const folders: Sorted["folders"][number][] = [];
  for (const one of entries) {
    const verdict = judge(one, now, compared, isTop);
    if (verdict === null) continue;
    if (one.kind === "folder") folders.push({ name: one.name, ...verdict });
    else if (verdict.isObeyed) obeyed.push(one);
  }
  return { place: now, obeyed, folders };
}

function placeByContent(entries: readonly Listed[], place: ObeyedPlace): ObeyedPlace {
  if (place !== "plain" && place !== "vendored" && place !== "store") return place;
  if (!entries.some(({ name }) => name.length === 4 && name.toUpperCase() === "HEAD")) return place;
  const names = new Set(entries.map(({ name }) => name.toUpperCase()));
  if (!isGitFolder((name) => names.has(name.toUpperCase()))) return place;
  return place === "store" ? "git" : "bare";
}

type Verdict = Omit<Sorted["folders"][number], "name">;

const yes = (place: ObeyedPlace): Verdict => ({ place, isObeyed: true });
const no = (place: ObeyedPlace): Verdict => ({ place, isObeyed: false });

/** `null`: of no account, and not looked into. */
function judge(
  { name, kind }: Listed,
  place: ObeyedPlace,
  compared: string,
  isTop: ObeyedPath["isTop"],
): Verdict | null {
  const isFolder = kind === "folder";
  switch (place) {
    case "plain":
    case "vendored":
      return judgePlain(name, kind, place, compared, isTop);
    case "bare": {
      const last = name.toLowerCase();
      if (isFolder ? last === "hooks" : gitFiles.has(last)) return isFolder ? no("hooks") : yes(place);
      return judgePlain(name, kind, "plain", compared, isTop);
    }
    case "store":
      return isFolder ? no("store") : null;
    case "inside":
      // Of a repository in there, its own rules hold.
      if (isFolder) return comparedName(name) === ".git" ? yes("git") : no("inside");
      return asideName.test(name) ? null : yes("inside");
    case "hooks":
      return name.endsWith(".sample") || asideName.test(name) ? null : yes("hooks");
    default:
      return judgeGit(name.toLowerCase(), isFolder, place);
  }
}

function judgePlain(
  name: string,
  kind: EntryKind,
  place: ObeyedPlace,
  compared: string,
  isTop: ObeyedPath["isTop"],
): Verdict | null {
  const isFolder = kind === "folder";
  const last = comparedName(name);
  if (last === ".git") return yes("git");
  if (place === "vendored") return isFolder ? no("vendored") : null;
  const path = `${compared}/${last}`;
  const found = protectedAt(path);
  const counts = found !== null && (found.where === "anywhere" || isTop(protectedIn(path, found)));
  if (kind === "link" && isOnTheWay(path, isTop)) return yes(place);
  if (!isFolder) return counts ? yes(place) : null;
  if (counts && found.kind === "folder") return yes("inside");
  return no(vendoredNames.has(last) ? "vendored" : place);
}

function isOnTheWay(path: string, isTop: ObeyedPath["isTop"]): boolean {
  return protectedBelow(path).some(
    ({ name, rest }) => name.where === "anywhere" || isTop(protectedIn(`${path}/${rest}`, name)),
  );
}

const gitFolders: Readonly<Record<string, ObeyedPlace>> = {
  hooks: "hooks",
  info: "git/info",
  objects: "git/objects",
  // Repositories of their own lie in there.
  modules: "store",
  worktrees: "store",
  "rebase-merge": "git/rebase",
  "rebase-apply": "git/rebase",
  sequencer: "git/rebase",
};
const gitFiles = new Set<string>(gitNames.files);

function judgeGit(name: string, isFolder: boolean, place: ObeyedPlace): Verdict | null {
  if (place === "git") {
    // Also where one of these is a link to a folder.
    if (!isFolder) return gitFiles.has(name) || Object.hasOwn(gitFolders, name) ? yes(place) : null;
    const inner = Object.hasOwn(gitFolders, name) ? gitFolders[name] : undefined;
    return inner === undefined ? null : no(inner);
  }
  if (place === "git/objects" && isFolder) return name === "info" ? no("git/objects") : null;
  const names = place === "git/rebase" ? ["git-rebase-todo", "strategy", "opts"] : ["attributes", "alternates", "info"];
  const isNamed = names.includes(name);
  return !isFolder && isNamed ? yes(place) : null;
}
