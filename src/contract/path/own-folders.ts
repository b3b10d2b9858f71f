/** Folders in a workspace's `.coder` that coder writes; everything else there is the user's. */
export const ownFolders = ["sessions", "output", "exports", "pasted"] as const;

export function isOwnFolder(name: string): boolean {
  return ownFolders.some((one) => one === name);
}
