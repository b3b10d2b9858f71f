import { comparable } from "./disk-name.ts";
import {
  homeSecrets,
  kernelSecrets,
  machineSecrets,
  sampleNames,
  secretFolders,
  secretNames,
  secretTails,
} from "./secret-places.ts";

function isPlain(path: string): boolean {
  return /^[a-z0-9._+@/-]+$/.test(path) && !/[./](?:\/|$)/.test(path);
}

/** A normalised absolute form: `/a/b`. */
export function comparablePath(path: string): string {
  if (isPlain(path)) return path.startsWith("/") ? path : `/${path}`;
  const known = compared.get(path);
  if (known !== undefined) return known;
  const segments = path.split(/[/\\]/).map(comparable);
  const made = `/${segments.filter((segment) => segment !== "" && segment !== ".").join("/")}`;
  if (compared.size === maxCompared) compared.clear();
  compared.set(path, made);
  return made;
}

/** A small cache: each path is checked several times in a row. */
const compared = new Map<string, string>();
const maxCompared = 64;

/** Backups by editors and people: `.env~`, `credentials.bak`, `key.pem.old`, `.env copy`. */
const copyEnding = /(?:~|[ ._-](?:bak|backup|copy|old|orig|save|swo|swp|tmp)| \(copy\))+$/;

/** By Emacs: `#.env#`. */
const autosaved = /^#(.+)#$/s;

/** Lazy, because compiling at start costs time. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** One combined pattern: compiling each takes longer than matching. */
function anyOf(forms: readonly RegExp[]): RegExp {
  return new RegExp(forms.map(({ source }) => `(?:${source})`).join("|"), "s");
}

function anyPlace(before: string, places: readonly string[]): RegExp {
  const forms = places.map((place) => place.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${before}(?:${forms.join("|")})(?:/|$)`);
}

const folders = new Set(secretFolders);
const secretName = once(() => anyOf(secretNames));
const sampleName = once(() => anyOf(sampleNames));
const secretTail = once(() => anyOf(secretTails));
const kernelSecret = once(() => anyOf(kernelSecrets));
const machineSecret = once(() => anyPlace("", machineSecrets));
const homeSecret = once(() => anyPlace("(?:/(?:var/)?home/[^/]+|/root|/users/[^/]+)/", homeSecrets));
const belowHome = once(() => anyPlace("/", homeSecrets));

/** A file or folder that usually holds keys, tokens or passwords, judged by name only. */
export function isSecretPath(path: string): boolean {
  const whole = comparablePath(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (whole.includes("/.") && whole.split("/").some((segment) => folders.has(segment))) return true;
  if (secretTail().test(whole)) return true;
  if (path.startsWith("/") && (machineSecret().test(whole) || kernelSecret().test(whole))) return true;
  const bare = name.replace(copyEnding, "").replace(autosaved, "$1");
  const names = bare === name ? [name] : [name, bare];
  return names.some((one) => secretName().test(one)) && !names.some((one) => sampleName().test(one));
}

/** For an absolute path outside any workspace: home directories contain more secrets. */
export function isSecretOutside(path: string): boolean {
  return isSecretPath(path) || homeSecret().test(comparablePath(path));
}

export function isSecretAtHome(below: string): boolean {
  return isSecretPath(below) || belowHome().test(comparablePath(below));
}

/** For paths relative to a folder such as `~/.aws` or `/`, where the relative path says too little. */
export function isSecretIn(folder: string): (path: string) => boolean {
  const above = folder.endsWith("/") ? folder : `${folder}/`;
  return (path) => isSecretPath(path.startsWith("/") ? path : `${above}${path}`);
}
