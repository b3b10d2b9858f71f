// Public parts of the machine: programs, libraries, headers, manuals and system information. Nobody keeps secrets there, but a
// secret-looking name is still asked about.

export const systemFiles: readonly string[] = [
  ...["os-release", "lsb-release", "debian_version", "issue", "alpine-release", "arch-release", "fedora-release"],
  ...["redhat-release", "centos-release", "system-release", "timezone", "shells"],
];

const files = new Set([
  ...systemFiles.map((name) => `/etc/${name}`),
  ...["cpuinfo", "meminfo", "version", "loadavg", "uptime"].map((name) => `/proc/${name}`),
]);

// Not /usr/local/share, /usr/local/etc or /usr/src, which hold the owner's own data.
const folder =
  /^\/usr\/(?:(?:bin|sbin|lib|lib32|lib64|libexec|include|share)|local\/(?:bin|sbin|lib|libexec|include))(?:\/|$)/;

/** `real`: with symlinks resolved. */
export function isSystemPlace(real: string): boolean {
  return files.has(real) || folder.test(real);
}
