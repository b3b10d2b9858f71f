import { isSecretIn } from "../../../contract/path/secret-path.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { trackedThatFit } from "../../git/tracked.ts";
import { homeView } from "../home/view.ts";
import type { SeenDisk } from "../linux/mounts.ts";
import { type SecretFile, secretFilesIn } from "./secret-files.ts";
import { secretHistories } from "./secret-history.ts";

export async function lookAt(confine: Confinement): Promise<SeenDisk> {
  const { home, searched, allowed, deep } = confine;
  const [view, ...found] = await Promise.all([
    homeView(confine),
    ...searched.map((root) => secretFilesIn(root, { home, isWhole: deep })),
  ]);
  const kept = confine.hidesHistory ? await secretHistories(searched, allowed) : [];
  const secrets = [
    ...found.flat().filter(({ path }) => !allowed.includes(path)),
    ...kept.map((path): SecretFile => ({ path, kind: "folder" })),
  ];
  return { view, secrets: secrets.map((one) => (isTracked(one, searched) ? { ...one, kind: "file" } : one)) };
}

/** A tracked settings file is hidden whole: shown without its logins, it would be committed without them. */
function isTracked({ path, kind }: SecretFile, roots: readonly string[]): boolean {
  if (kind !== "settings") return false;
  return roots.some((root) => {
    const files = isWithin(path, root) ? trackedThatFit(root, isSecretIn(root)) : [];
    return files === null || files.some(({ name }) => `${root}/${name}` === path);
  });
}

export async function secretsOf({ home, searched }: Pick<Confinement, "home" | "searched">): Promise<string[]> {
  const found = await Promise.all(searched.map((root) => secretFilesIn(root, { home })));
  return found.flat().map(({ path }) => path);
}
