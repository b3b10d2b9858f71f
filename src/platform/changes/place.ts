import { repositoryAbove } from "./above.ts";
import { asBytes, type Entry, shown, type TreeFolder, type TreePlace } from "./file-tree.ts";
import { openRepository } from "./repository.ts";
import { isIgnored, withAttributes, withRules } from "./rules.ts";

/** The rules at the root, before its own files: the repository may begin above it. */
export function outermost(root: string, old: TreePlace | null): TreePlace {
  const top = repositoryAbove(root);
  const repository = top === null ? null : openRepository(top, old?.repository ?? null);
  if (old !== null && old.repository === repository) return old;
  if (repository === null) return { ...nowhere, outer: null };
  let place = atTop(repository, "");
  if (repository.top === root) return place;
  const inside = root.slice(repository.top.length + 1).split("/");
  for (let depth = 0; depth < inside.length; depth++) {
    const folder = [repository.top, ...inside.slice(0, depth)].join("/");
    const ignore = withRules(`${folder}/.gitignore`, folder, place.ignore);
    const attributes = withAttributes(`${folder}/.gitattributes`, folder, place.attributes);
    const isInside = place.isIgnored || isIgnored(ignore, `${folder}/${inside[depth]}`, true);
    place = { ...place, ignore, attributes, isIgnored: isInside };
  }
  const prefix = `${asBytes(inside.join("/"))}/`;
  // A folder that the surrounding repository ignores does not belong to it.
  if (place.isIgnored && !repository.folders.has(prefix.slice(0, -1))) return { ...nowhere, outer: null };
  return { ...place, prefix };
}

const nowhere = { repository: null, prefix: "", cut: 0, ignore: null, attributes: null, isIgnored: false } as const;

function atTop(repository: NonNullable<TreePlace["repository"]>, path: string): TreePlace {
  const { top, commonDir, personal } = repository;
  const own = withRules(`${commonDir}/info/exclude`, top, withRules(personal.ignore, top, null));
  const system = withAttributes("/etc/gitattributes", top, withAttributes(personal.attributes, top, null));
  return {
    repository,
    prefix: "",
    cut: path === "" ? 0 : path.length + 1,
    ignore: own,
    attributes: withAttributes(`${commonDir}/info/attributes`, top, system),
    isIgnored: false,
    outer: null,
  };
}

/** Returns the old place itself if neither the outer place nor a rule file has changed. `names`: present if the folder was listed again. */
export function placeOf(
  old: TreeFolder | null,
  outer: TreePlace,
  root: string,
  now: Pick<TreeFolder, "path"> & { readonly entries: readonly Pick<Entry, "name" | "stamp">[] },
  names?: readonly string[],
): TreePlace {
  const { path } = now;
  const absolute = path === "" ? root : `${root}/${shown(path)}`;
  const isTop = path !== "" && (names === undefined ? old?.place.repository?.top === absolute : names.includes(".git"));
  const repository = isTop ? openRepository(absolute, old?.place.repository ?? null) : outer.repository;
  const isSame = old?.place.outer === outer && old.place.repository === repository;
  if (old !== null && isSame && (now === old || deciding.every((name) => stampOf(old, name) === stampOf(now, name))))
    return old.place;
  const base = isTop && repository !== null ? atTop(repository, path) : outer;
  const isIgnoredHere = base === outer && path !== "" && (outer.isIgnored || isIgnored(outer.ignore, absolute, true));
  const has = (name: string): boolean => now.entries.some((entry) => entry.name === name);
  return {
    ...base,
    ignore: has(".gitignore") ? withRules(`${absolute}/.gitignore`, absolute, base.ignore) : base.ignore,
    attributes: has(".gitattributes")
      ? withAttributes(`${absolute}/.gitattributes`, absolute, base.attributes)
      : base.attributes,
    isIgnored: isIgnoredHere,
    outer,
  };
}

const deciding = [".gitignore", ".gitattributes"];

function stampOf({ entries }: { readonly entries: readonly Pick<Entry, "name" | "stamp">[] }, name: string): unknown {
  return entries.find((entry) => entry.name === name)?.stamp;
}
