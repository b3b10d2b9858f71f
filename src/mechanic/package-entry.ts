// What `require("..")` and a package's own name mean: the files that its package.json names.
import { ask, type Play } from "./play.ts";
import { inFolder, type Project, textOfRead } from "./project.ts";

export interface PackageEntry {
  readonly folder: string;
  readonly name: string | null;
  /** The files that are loaded by the package's name or folder, as it writes them. */
  readonly files: readonly string[];
}

/** `null` = stop. */
export function* entryOf({ command, folder }: Project): Play<PackageEntry | null> {
  const none: PackageEntry = { folder, name: null, files: [] };
  if (!/^(?:npm|pnpm|yarn) /.test(command)) return none;
  const read = yield* ask("", "read", { path: inFolder(folder, "package.json") });
  if (read === null) return null;
  const manifest = objectIn(textOfRead(read.text));
  const named = [manifest.main, manifest.module, ...namedIn(manifest.exports)];
  const files = named.flatMap((one) => (typeof one === "string" && !one.includes("*") ? [one] : []));
  const name = typeof manifest.name === "string" ? manifest.name : null;
  return { folder, name, files: [...new Set(files.length > 0 ? files : ["index.js"])].slice(0, 8) };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

const maxDepth = 4;

/** All files in a table of conditions. */
function namedIn(exported: unknown, depth = 0): readonly string[] {
  if (typeof exported === "string") return [exported];
  if (typeof exported !== "object" || exported === null || depth > maxDepth) return [];
  return Object.entries(exported).flatMap(([key, value]) => (key === "types" ? [] : namedIn(value, depth + 1)));
}

/** The paths that a module's name may mean; without their endings where it leaves them out. */
export function pathsOf(spec: string, at: string, { folder, name, files }: PackageEntry): readonly string[] {
  const isOwnName = name !== null && (spec === name || spec.startsWith(`${name}/`));
  if (!spec.startsWith(".") && !isOwnName) return [];
  const path = isOwnName ? inFolder(folder, spec.slice((name ?? "").length + 1)) : inFolder(at, spec);
  const isPackage = path === (folder === "." ? "" : folder);
  return isPackage ? files.map((one) => inFolder(folder, one)) : [path];
}
