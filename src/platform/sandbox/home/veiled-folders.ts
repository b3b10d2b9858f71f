// Folders in which people keep their own: of them a confined command sees only what is meant for it.
import { readdirSync, realpathSync } from "node:fs";
import { isWithin } from "../../files/path.ts";
import { systemFolders } from "../system-folders.ts";

/** Homes, and where projects and disks of people lie. */
const peoplesFolders: readonly string[] = [
  "/home",
  "/root",
  "/var/home",
  "/srv",
  "/mnt",
  "/media",
  "/var/www",
  "/Users",
];

/**
 * Those of this machine, and the person's own home wherever it is. Not one that the person works in, or works above: there
 * everything is shown that is no secret.
 */
export function veiledFolders(home: string, chosen: readonly string[]): readonly string[] {
  const isChosen = (folder: string): boolean => chosen.includes(folder);
  const others = peoplesFolders.filter((folder) => !isChosen(folder) && !isEmpty(folder));
  const isOpen = systemFolders.has(home) || isChosenHome(home, chosen) || others.some((one) => isWithin(home, one));
  return isOpen ? others : [...others, home];
}

/** The person works in the whole of it. A folder of the machine above it is only read, and shows nothing of it. */
function isChosenHome(home: string, chosen: readonly string[]): boolean {
  return chosen.some((root) => isWithin(home, root) && !systemFolders.has(root));
}

/** Also one that is not for us: a confined command cannot enter it either. */
function isEmpty(folder: string): boolean {
  try {
    // As a link it stands for another of them.
    return realpathSync.native(folder) !== folder || readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}
