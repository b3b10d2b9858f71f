// Caches of build tools. The user's own caches are read-only: a later command outside would run whatever a confined one wrote there. Each
// workspace has its own caches, which environment variables point the tools to.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import type { Environment } from "../../environment.ts";
import { orNull, readText } from "../../files/probe.ts";
import { withoutLogins } from "../secret/key-text.ts";

/** Tools that take a single folder and can start with an empty one. */
const plainCaches: Readonly<Record<string, string>> = {
  npm_config_cache: "npm",
  YARN_CACHE_FOLDER: "yarn",
  YARN_GLOBAL_FOLDER: "yarn-global",
  BUN_INSTALL_CACHE_DIR: "bun",
  DENO_DIR: "deno",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  POETRY_CACHE_DIR: "poetry",
  GOCACHE: "go-build",
  GOLANGCI_LINT_CACHE: "golangci-lint",
  CCACHE_DIR: "ccache",
  SCCACHE_DIR: "sccache",
  COMPOSER_CACHE_DIR: "composer",
  DOTNET_CLI_HOME: "dotnet",
  ZIG_GLOBAL_CACHE_DIR: "zig",
  TURBO_CACHE_DIR: "turbo",
  npm_config_userconfig: "npmrc",
};

export function cacheEnvironment(
  caches: string,
  home: string,
  env: Environment,
  network: boolean,
): Record<string, string> {
  const plain = Object.entries(plainCaches).map(([name, folder]) => [name, join(caches, folder)]);
  return {
    ...Object.fromEntries(plain),
    ...goCache(caches, home, env, network),
    // Cargo reads its home without locks when it cannot write there; downloads go to our folder.
    ...(network ? { CARGO_HOME: caches } : { CARGO_NET_OFFLINE: "true" }),
    ...javaCaches(caches, home, env),
  };
}

/** Go's download cache has the layout of a module proxy, so the user's cache is used as the first proxy. */
function goCache(caches: string, home: string, env: Environment, network: boolean): Record<string, string> {
  const modules = env.GOMODCACHE ?? join((env.GOPATH ?? join(home, "go")).split(":")[0] ?? "", "pkg", "mod");
  const known = `file://${join(modules, "cache", "download")}`;
  const further = network ? env.GOPROXY : "off";
  return {
    GOMODCACHE: join(caches, "go-mod"),
    GOFLAGS: [env.GOFLAGS, "-modcacherw"].filter(Boolean).join(" "),
    // Unset, so that Go uses its built-in default proxy.
    ...(further === undefined ? {} : { GOPROXY: `${known},${further}` }),
    // The user's modules were verified when they were downloaded, and go.sum is checked in any case.
    ...(network ? {} : { GOSUMDB: "off" }),
  };
}

/** Both can read a second repository; Maven since 3.9, which also introduced MAVEN_ARGS. */
function javaCaches(caches: string, home: string, env: Environment): Record<string, string> {
  const local = `-Dmaven.repo.local=${join(caches, "maven")}`;
  const tail = `-Dmaven.repo.local.tail=${join(home, ".m2", "repository")}`;
  const gradle = env.GRADLE_USER_HOME ?? join(home, ".gradle");
  return {
    // MAVEN_ARGS is split at white space and has no quoting.
    ...(/\s/.test(local + tail) ? {} : { MAVEN_ARGS: [env.MAVEN_ARGS, local, tail].filter(Boolean).join(" ") }),
    GRADLE_USER_HOME: join(caches, "gradle"),
    GRADLE_RO_DEP_CACHE: join(gradle, "caches"),
  };
}

const made = new Set<string>();

/** Once per process. Never touches anything below these files: a confined command may have planted symlinks there. */
export function makeCaches({ caches, home }: Confinement): void {
  if (caches === null || made.has(caches)) return;
  made.add(caches);
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  // The tools need the names of registries and mirrors, but not the logins.
  giveFile(join(caches, "npmrc"), withoutLogins(readText(join(home, ".npmrc"))));
  giveFile(join(caches, "config.toml"), withoutLogins(readText(join(home, ".cargo", "config.toml"))));
}

/** Never writes through a symlink: creates the file exclusively or not at all. Then the tool reports missing settings itself. */
function giveFile(path: string, text: string): void {
  orNull(() => {
    rmSync(path, { force: true, recursive: true });
    if (text !== "") writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  });
}
