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

/** Nothing in it to compare in another way: nearly every path there is. */
function isPlain(path: string): boolean {
  return /^[a-z0-9._+@/-]+$/.test(path) && !/[./](?:\/|$)/.test(path);
}

/** Between slashes, as disks compare them: `/a/b`. */
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

/** A path is asked about in several ways, one after the other. */
const compared = new Map<string, string>();
const maxCompared = 64;

/** What editors and people leave behind: `.env~`, `credentials.bak`, `key.pem.old`, `.env copy`. */
const copyEnding = /(?:~|[ ._-](?:bak|backup|copy|old|orig|save|swo|swp|tmp)| \(copy\))+$/;

/** Compiled when it is first needed: starting up must not pay for it. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** One form for all of them: each by itself takes longer to make ready than to use. */
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
/** Of anybody, where homes mostly are. */
const homeSecret = once(() => anyPlace("(?:/(?:var/)?home/[^/]+|/root|/users/[^/]+)/", homeSecrets));
const belowHome = once(() => anyPlace("/", homeSecrets));

/** A file that usually holds keys, tokens or passwords, or a folder of them, judged by its name alone. */
export function isSecretPath(path: string): boolean {
  const whole = comparablePath(path);
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  if (whole.includes("/.") && whole.split("/").some((segment) => folders.has(segment))) return true;
  if (secretTail().test(whole)) return true;
  if (path.startsWith("/") && (machineSecret().test(whole) || kernelSecret().test(whole))) return true;
  const bare = name.replace(copyEnding, "");
  const names = bare === name ? [name] : [name, bare];
  return names.some((one) => secretName().test(one)) && !names.some((one) => sampleName().test(one));
}

/** The same for a whole path that lies in no workspace: in somebody's home folder more of them are. */
export function isSecretOutside(path: string): boolean {
  return isSecretPath(path) || homeSecret().test(comparablePath(path));
}

/** The same for a path below a folder that is known to be a home. */
export function isSecretAtHome(below: string): boolean {
  return isSecretPath(below) || belowHome().test(comparablePath(below));
}

/** The same for paths below a folder: in `~/.aws`, or in `/`, what stands behind it says too little. */
export function isSecretIn(folder: string): (path: string) => boolean {
  const above = folder.endsWith("/") ? folder : `${folder}/`;
  return (path) => isSecretPath(path.startsWith("/") ? path : `${above}${path}`);
}
