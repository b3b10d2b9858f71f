import { openGit } from "./plumbing.ts";

const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

/** The revision to compare with: the wanted one, else the last commit, else the empty tree. `null`: git does not know the wanted one. */
export async function revisionFor(folder: string, wanted: string | null, signal: AbortSignal): Promise<string | null> {
  const opened = openGit(folder, signal);
  // The comparison itself will report the problem.
  if (!opened.ok) return wanted ?? "HEAD";
  const git = opened.value;
  const asked = await git.run("rev-parse", ["--verify", "-q", `${wanted ?? "HEAD"}^{tree}`], { accepts: [0, 1, 128] });
  const isThere = !asked.ok || asked.value.code === 0;
  if (wanted !== null) return isThere ? wanted : null;
  return isThere ? "HEAD" : emptyTree[git.hash];
}
