// Where build tools keep things between commands. The person's own caches are only read: what a confined command writes
// there, a later command outside would run. Each workspace has caches of its own, and tools are told where by environment.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import { withoutLogins } from "../secret/key-text.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Tools that take one folder and can start with an empty one. */
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

export function cacheEnvironment(caches: string, home: string, env: Env, network: boolean): Record<string, string> {
  const plain = Object.entries(plainCaches).map(([name, folder]) => [name, join(caches, folder)]);
  return {
    ...Object.fromEntries(plain),
    ...goCache(caches, home, env, network),
    // It reads its home without locks where it cannot write; what it must fetch goes here.
    ...(network ? { CARGO_HOME: caches } : { CARGO_NET_OFFLINE: "true" }),
    ...javaCaches(caches, home, env),
  };
}

/** What Go has downloaded has the form of a module proxy: the person's is asked first, and copied from. */
function goCache(caches: string, home: string, env: Env, network: boolean): Record<string, string> {
  const modules = env.GOMODCACHE ?? join((env.GOPATH ?? join(home, "go")).split(":")[0] ?? "", "pkg", "mod");
  const known = `file://${join(modules, "cache", "download")}`;
  const further = network ? env.GOPROXY : "off";
  return {
    GOMODCACHE: join(caches, "go-mod"),
    GOFLAGS: [env.GOFLAGS, "-modcacherw"].filter(Boolean).join(" "),
    // Without a proxy of the person's, Go's own default is used, which only Go knows.
    ...(further === undefined ? {} : { GOPROXY: `${known},${further}` }),
    // What the person has was checked when it was fetched; go.sum is checked in any case.
    ...(network ? {} : { GOSUMDB: "off" }),
  };
}

/** Both can read a second folder; Maven since 3.9, and the same versions read MAVEN_ARGS. */
function javaCaches(caches: string, home: string, env: Env): Record<string, string> {
  const local = `-Dmaven.repo.local=${join(caches, "maven")}`;
  const tail = `-Dmaven.repo.local.tail=${join(home, ".m2", "repository")}`;
  const gradle = env.GRADLE_USER_HOME ?? join(home, ".gradle");
  return {
    // Its words are parted at blanks.
    ...(/\s/.test(local + tail) ? {} : { MAVEN_ARGS: [env.MAVEN_ARGS, local, tail].filter(Boolean).join(" ") }),
    GRADLE_USER_HOME: join(caches, "gradle"),
    GRADLE_RO_DEP_CACHE: join(gradle, "caches"),
  };
}

const made = new Set<string>();

/** Once per process. What lies deeper may have been put there by a confined command, links above all: nothing is written to. */
export function makeCaches({ caches, home }: Confinement): void {
  if (caches === null || made.has(caches)) return;
  made.add(caches);
  mkdirSync(caches, { recursive: true, mode: 0o700 });
  // Names of registries and mirrors are needed; what opens them is not.
  giveFile(join(caches, "npmrc"), withoutLogins(readText(join(home, ".npmrc"))));
  giveFile(join(caches, "config.toml"), withoutLogins(readText(join(home, ".cargo", "config.toml"))));
}

/** Never through a link: what is there is removed, and the file is made anew or not at all. */
function giveFile(path: string, text: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
    if (text !== "") writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch {
    // The tool goes without the person's settings, and says so itself when it needs them.
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The person has none.
  }
}
