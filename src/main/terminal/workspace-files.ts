import type { Settings } from "../../contract/settings.ts";

const maxPaths = 50_000;
/** Larger levels stay unsorted. */
const maxSorted = 2_000;

/** Paths that may be mentioned, nearest first; directories end in a slash. Ignored files are left out. */
export function mentionable({ workspace }: Pick<Settings, "workspace">, most = maxPaths) {
  return async (signal: AbortSignal): Promise<readonly string[]> => {
    const { listFiles } = await import("../../index/update/list.ts");
    const byDepth: string[][] = [];
    const folders = new Set<string>();
    // On failure or cancel, use what was found so far.
    await listFiles(workspace, signal, (_bytes, _at, path) => {
      addFolders(path, folders, byDepth);
      put(byDepth, path.split("/").length - 1, path);
    });
    const paths: string[] = [];
    for (const level of byDepth) {
      if (level.length <= maxSorted) level.sort();
      for (const path of level.slice(0, most - paths.length)) paths.push(path);
    }
    return paths;
  };
}

function addFolders(path: string, known: Set<string>, byDepth: string[][]): void {
  let end = path.lastIndexOf("/");
  for (; end !== -1; end = path.lastIndexOf("/", end - 1)) {
    const folder = path.slice(0, end + 1);
    // Then its ancestors are known too.
    if (known.has(folder)) return;
    known.add(folder);
    put(byDepth, folder.split("/").length - 2, folder);
    if (end === 0) return;
  }
}

function put(byDepth: string[][], depth: number, path: string): void {
  while (byDepth.length <= depth) byDepth.push([]);
  byDepth[depth]?.push(path);
}
