// What the packages say about themselves: the one that people install, and one with the program per platform.

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly author: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
}

interface Platform {
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  readonly libc?: "glibc" | "musl";
}

/** No Windows: stopping a whole tree of processes rests on POSIX sessions and signals. There WSL is Linux. */
export const platforms: readonly Platform[] = [
  { name: "linux-x64", os: "linux", cpu: "x64", libc: "glibc" },
  { name: "linux-arm64", os: "linux", cpu: "arm64", libc: "glibc" },
  { name: "linux-x64-musl", os: "linux", cpu: "x64", libc: "musl" },
  { name: "linux-arm64-musl", os: "linux", cpu: "arm64", libc: "musl" },
  { name: "darwin-x64", os: "darwin", cpu: "x64" },
  { name: "darwin-arm64", os: "darwin", cpu: "arm64" },
];

/** Only a folder name: nobody owns it in a registry, so that nothing may ever ask a registry for it. */
export const scope = "@coder-cli";

/** The platform that a build on this machine is for; `undefined` when none of ours. */
export function platformOf(os: string, cpu: string, libc: "glibc" | "musl" | undefined): Platform | undefined {
  return platforms.find((one) => one.os === os && one.cpu === cpu && one.libc === libc);
}

/**
 * Names no other package, not even an optional one: a name is looked up in whatever registry the person uses, and belongs there to
 * whoever asked for it first (ADR 27).
 */
export function mainManifest(source: Manifest) {
  const { name, version, description, license, author, engines, bin, files } = source;
  return {
    ...{ name, version, description, license, author, engines, bin, files },
    os: [...new Set(platforms.map(({ os }) => os))],
    // A file inside an archive cannot be executed (Yarn Plug'n'Play).
    preferUnplugged: true,
  };
}

/**
 * What `npm pack` in the checkout gives: the same package with this machine's program inside, so that it installs from one file. The scripts stay: they put the checkout back in order.
 */
export function checkoutManifest(source: Manifest, platform: Platform) {
  const main = mainManifest(source);
  return { ...main, files: [...main.files, `dist/npm/${scope}/${platform.name}/bin/coder`], scripts: source.scripts };
}

export function platformManifest(source: Manifest, platform: Platform) {
  const { version, license, author } = source;
  return {
    name: `${scope}/${platform.name}`,
    version,
    description: `The program of coder for ${platform.name}. It is started by the package ${source.name} that was made with it.`,
    ...{ license, author },
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc ? { libc: [platform.libc] } : {}),
    preferUnplugged: true,
    files: ["bin/coder", "licences", "THIRD_PARTY_NOTICES.md"],
  };
}
