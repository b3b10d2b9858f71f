// Finds the hidden files that a command missed, from its output.
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { isWithin } from "../../files/path.ts";
import { smallText } from "../secret/key-text.ts";

const refused =
  /Permission denied|\bEACCES\b|Read-only file system|\bEROFS\b|Device or resource busy|\bEBUSY\b|os error (?:13|16|30)\b/i;
const missing =
  /No such file or directory|\bENOENT\b|os error 2\b|FileNotFoundError|not found|cannot find|does not exist/i;

const noServer = /cannot connect|connection refused|could not connect|failed to connect/i;
const noBus = /Failed to connect to (?:\w+ )*bus\b|not been booted with systemd/;

/** Git's errors when an object is missing or the object store is read-only. */
const noObjects = new RegExp(
  `^.*(?:fatal|error|BUG): .*(?:${[
    ...["bad (?:object|revision)", "invalid object name", "unable to read (?:tree|[0-9a-f]{40})", "no such commit"],
    ...["not a valid (?:object name|branch point)", "path .* exists on disk, but not in", "HEAD is neither"],
    ...["ambiguous argument .*unknown revision", "reference is not a tree", "could not parse (?:HEAD|object)"],
    ...["unable to parse object", "not a tree object", "invalid revision range", "invalid upstream"],
    ...["permission for adding an object", "branch yet to be born", "run_diff_index must be passed"],
  ].join("|")})`,
  "im",
);

/** Set on most machines, so a mention in the output proves nothing. */
const common = new Set([
  ...["PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "HOST", "PORT", "DEBUG", "NODE_ENV", "RAILS_ENV", "APP_ENV"],
  ...["LOG_LEVEL", "TIMEZONE", "HOSTNAME", "PYTHONPATH", "NODE_OPTIONS", "ENVIRONMENT", "VERSION", "NAME"],
]);

/** Real paths of files named in a refusal or, failing that, of files whose variables the output mentions. */
export function missedSecrets(output: string, hidden: readonly string[]): readonly string[] {
  if (hidden.length === 0) return [];
  const lines = output.split("\n").filter((line) => refused.test(line));
  const isMissed = (path: string): boolean => path.endsWith("/objects") && noObjects.test(output);
  const named = hidden.filter((path) => isMissed(path) || lines.some((line) => namesFile(line, path)));
  const isNamed = (name: string): boolean => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(output);
  return named.length > 0 ? named : hidden.filter((path) => variablesIn(path).some(isNamed));
}

/** `.env` matches neither `.env.test` nor the end of `web.env`. */
function namesFile(line: string, path: string): boolean {
  const name = basename(path);
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line.charAt(at - 1), line.charAt(at + name.length)];
    const isWhole = !/[\w.-]/.test(before) && !/[\w-]/.test(after) && !/^\.\w/.test(line.slice(at + name.length));
    // A folder prefix must match the path too.
    const folders = /[^\s'"`(=:]*$/.exec(line.slice(0, at))?.[0] ?? "";
    const isThere = folders === "" || `${path}`.endsWith(`${folders.replace(/^(?:\.\/)+/, "")}${name}`);
    if (isWhole && isThere) return true;
  }
  return false;
}

/** Names only, never values. */
function variablesIn(path: string): readonly string[] {
  if (!/(?:^\.env|\.env$)/.test(basename(path))) return [];
  const names = (smallText(path, 256 * 1024) ?? "").matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w{3,})\s*=/gm);
  return [...names].map(([, name = ""]) => name).filter((name) => !common.has(name.toUpperCase()));
}

/** A path below a veiled folder that exists on the disk but was hidden from the command. */
export function missedPlace(output: string, veils: readonly string[], shown: readonly string[]): string | null {
  const lines = output.split("\n").filter((line) => missing.test(line) || refused.test(line));
  const paths = lines.flatMap((line) =>
    [...line.matchAll(/\/[^\s'"`:;,()<>|]+/g)].map(([path]) => path.replace(/\.$/, "")),
  );
  const isHidden = (path: string): boolean =>
    veils.some((veil) => path !== veil && isWithin(path, veil)) && !shown.some((one) => isWithin(path, one));
  return paths.find((path) => isHidden(path) && existsSync(path)) ?? null;
}

/** A line about the socket of a service that runs outside the sandbox. */
export function missedService(output: string): string | null {
  const lines = output.split("\n").filter((line) => missing.test(line) || refused.test(line) || noServer.test(line));
  const isThere = (line: string): boolean => {
    const [path] = /\/(?:var\/)?run\/[^\s'"`:;,()<>|]+/.exec(line) ?? [noBus.test(line) ? "/run/systemd/system" : ""];
    return path !== "" && existsSync(path.replace(/\.$/, ""));
  };
  return lines.find(isThere) ?? null;
}
