/** Folders of the machine, whatever the user keeps in them. */
export const systemFolders: ReadonlySet<string> = new Set([
  ...["/", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/media", "/mnt", "/opt", "/proc", "/run"],
  ...["/sbin", "/srv", "/sys", "/tmp", "/usr", "/usr/bin", "/usr/local", "/usr/local/bin", "/var", "/var/tmp"],
  ...["/Users", "/Applications", "/Library", "/System", "/private"],
]);
