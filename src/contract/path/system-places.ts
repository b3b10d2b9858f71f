// What belongs to the machine and is everybody's to read: programs, libraries, headers, manuals, and what the machine says of
// itself. Nobody keeps secrets there; a name that says otherwise is still asked about.

/** Files of /etc that tell which system this is. */
export const systemFiles: readonly string[] = [
  ...["os-release", "lsb-release", "debian_version", "issue", "alpine-release", "arch-release", "fedora-release"],
  ...["redhat-release", "centos-release", "system-release", "timezone", "shells"],
];

const files = new Set([
  ...systemFiles.map((name) => `/etc/${name}`),
  ...["cpuinfo", "meminfo", "version", "loadavg", "uptime"].map((name) => `/proc/${name}`),
]);

// Not what the machine's owner keeps beside programs: /usr/local/share, /usr/local/etc, /usr/src.
const folder =
  /^\/usr\/(?:(?:bin|sbin|lib|lib32|lib64|libexec|include|share)|local\/(?:bin|sbin|lib|libexec|include))(?:\/|$)/;

/** `real`: through every link. */
export function isSystemPlace(real: string): boolean {
  return files.has(real) || folder.test(real);
}
