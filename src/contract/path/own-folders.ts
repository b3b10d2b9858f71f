/** What coder writes into `.coder` of a workspace; all else there is the person's. */
export const ownFolders = ["sessions", "output", "exports", "pasted"] as const;

export function isOwnFolder(name: string): boolean {
  return ownFolders.some((one) => one === name);
}
