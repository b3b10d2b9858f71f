import { comparable } from "../../contract/path/disk-name.ts";
import { asideName, gitNames, protectedAt, protectedBelow, protectedIn } from "../../contract/path/protected.ts";
import { isGitFolder } from "../git/git-folder.ts";

/**
 * `plain`: protected names, and repositories. `vendored`: only repositories, since nobody works there and packages contain such files.
 * `inside`: everything. `hooks`: everything but samples. `bare`: a repository by its content: it may be a folder of the user's that
 * happens to contain four such names, so everything else in it counts as before. The others are parts of `.git`, where the folder decides
 * which files count. `store`: contains other repositories.
 */
export type ObeyedPlace = "plain" | "vendored" | "inside" | "hooks" | "bare" | PlaceInGit;
type PlaceInGit = "git" | "git/info" | "git/objects" | "git/rebase" | "git/written" | "store";

export function isRepository(place: ObeyedPlace): boolean {
  return place === "git" || place === "bare";
}

const vendoredNames = new Set(["node_modules", "bower_components", "site-packages", "dist-packages"]);

export type EntryKind = "file" | "link" | "other" | "folder";

export interface Listed {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface Sorted {
  readonly place: ObeyedPlace;
  readonly obeyed: readonly Listed[];
  /** Folders to visit. `isObeyed`: a protected folder itself. */
  readonly folders: readonly { readonly name: string; readonly place: ObeyedPlace; readonly isObeyed: boolean }[];
}

interface ObeyedPath {
  readonly place: ObeyedPlace;
  /** Normalised as file systems compare names, with a slash before each; empty: the root. */
  readonly compared: string;
  /** Whether a repository, the workspace or a home begins in a folder. */
  readonly isTop: (compared: string) => boolean;
  readonly isFilled: (name: string) => boolean;
}

/** Only names in valid UTF-8 can be normalised. */
export function comparedName(bytes: string): string {
  return comparable(Buffer.from(bytes, "latin1").toString());
}

export function sortEntries(entries: readonly Listed[], { place, compared, isTop, isFilled }: ObeyedPath): Sorted {
  const placeByNames = placeByContent(entries, place);
  // A checkout inside an agent's folder is a project like any other. An empty `.git` folder does not make one: nobody would notice it.
  const isCheckout = ({ name, kind }: Listed): boolean => name === ".git" && (kind !== "folder" || isFilled(name));
  const now = placeByNames === "inside" && entries.some(isCheckout) ? "plain" : placeByNames;
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
      // A repository in there follows its own rules.
      if (isFolder) return comparedName(name) === ".git" ? yes("git") : no("inside");
      return asideName.test(name) ? null : yes("inside");
    case "hooks":
      return name.endsWith(".sample") || asideName.test(name) ? null : yes("hooks");
    default:
      return judgeGit(name.toLowerCase(), kind, place);
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
  modules: "store",
  worktrees: "store",
  "rebase-merge": "git/rebase",
  "rebase-apply": "git/rebase",
  sequencer: "git/rebase",
  logs: "git/written",
  "rr-cache": "git/written",
  // Remotes, as git kept them before its config had any.
  remotes: "inside",
  branches: "inside",
};
const gitFiles = new Set<string>(gitNames.files);

function judgeGit(name: string, kind: EntryKind, place: ObeyedPlace): Verdict | null {
  const isFolder = kind === "folder";
  // Git writes commit messages and logs through a symlink, also outside the repository. It ignores one in place of `HEAD` that leads out.
  const isHead = place === "git" && name === "head";
  if (kind === "link" && !isHead && !asideName.test(name)) return yes(place);
  if (place === "git/written") return isFolder ? no(place) : null;
  if (place === "git") {
    // Also a symlink in the place of one of these folders.
    if (!isFolder) return gitFiles.has(name) || Object.hasOwn(gitFolders, name) ? yes(place) : null;
    const inner = Object.hasOwn(gitFolders, name) ? gitFolders[name] : undefined;
    return inner === undefined ? null : no(inner);
  }
  if (place === "git/objects" && isFolder) return name === "info" ? no("git/objects") : null;
  const names = place === "git/rebase" ? rebaseFiles : infoFiles;
  return !isFolder && names.includes(name) ? yes(place) : null;
}

const rebaseFiles: readonly string[] = ["git-rebase-todo", "strategy", "opts"];
const infoFiles: readonly string[] = ["attributes", "alternates", "info"];

/** Whether git reads what a symlink of this name leads to; through any other in its folders it only writes. */
export function isReadByGit(name: string): boolean {
  const last = name.toLowerCase();
  if (Object.hasOwn(gitFolders, last)) return gitFolders[last] !== "git/written";
  return gitFiles.has(last) || rebaseFiles.includes(last) || infoFiles.includes(last);
}
