// Secrets that lie outside of the home folder, on this machine and by this environment.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { machineSecrets, secretVariables } from "../../../contract/path/secret-places.ts";

/** An empty folder, or a list of users without any password, needs no mount, and each costs time. */
function holdsSomething(path: string): boolean {
  try {
    if (/^\/etc\/(?:shadow-|gshadow-?)$/.test(path)) return readFileSync(path, "utf8").includes(":$");
    return !statSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    // Not there, or not for us; then for a confined command neither.
    return false;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

export function secretPlaces(env: Env): readonly string[] {
  const named = secretVariables.flatMap((name) => (env[name] ?? "").split(":"));
  const docker = /^unix:\/\/(\/.*)$/.exec(env.DOCKER_HOST ?? "")?.[1] ?? "";
  // A value like `/` would hide everything.
  const absolute = [...named, docker].filter((path) => /^\/[^/]+\/./.test(path));
  const machine = process.getuid?.() === 0 ? machineSecrets.filter(holdsSomething) : [];
  return [...machine, ...absolute];
}
