// Finds object stores of git that may contain hidden or removed secret files.
import { existsSync } from "node:fs";
import { isSecretIn } from "../../../contract/path/secret-path.ts";
import { lookAtPast, secretsStaged } from "../../git/past.ts";
import { gitFoldersOf } from "../repository-around.ts";

/** `allowed`: files that may be shown; real paths. */
export async function secretHistories(
  roots: readonly string[],
  allowed: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => historyOf(root, allowed)));
  return [...new Set(found.flat())].filter((path) => !allowed.includes(path));
}

async function historyOf(root: string, allowed: readonly string[]): Promise<readonly string[]> {
  if (!existsSync(`${root}/.git`)) return [];
  const isSecret = isSecretIn(root);
  const { ever, isWhole } = await lookAtPast(root, [], isSecret);
  const staged = await secretsStaged(root, isSecret);
  const names = [...ever, ...(staged ?? [])];
  if (isWhole && staged !== null && names.every((name) => allowed.includes(`${root}/${name}`))) return [];
  return objectFoldersOf([root]);
}

export function objectFoldersOf(roots: readonly string[]): readonly string[] {
  const folders = roots.flatMap((root) => [`${root}/.git`, ...gitFoldersOf(root)]);
  return folders.map((path) => (path.endsWith("/objects") ? path : `${path}/objects`)).filter(existsSync);
}
