// Commits given files. Leaves the user's files alone, and changes only the committed files' entries in the index.
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { indexInfo, type PathEntry, zeros } from "./entries.ts";
import type { Git, GitAnswer } from "./plumbing.ts";

/** The tree of a commit with some files replaced, built in a separate index file, which remains at `index`. */
export async function treeWith(
  git: Git,
  commit: string | null,
  entries: readonly PathEntry[],
  index: string,
): Promise<Result<string>> {
  const env = { GIT_INDEX_FILE: index };
  const read = await git.run("read-tree", commit === null ? ["--empty"] : [commit], { env });
  if (!read.ok) return read;
  const set = await git.run("update-index", ["-z", "--index-info"], { env, stdin: indexInfo(git, entries) });
  if (!set.ok) return set;
  return word(await git.run("write-tree", [], { env }));
}

export interface NewCommit {
  readonly ref: string;
  readonly base: string | null;
  /** The expected value of the ref; `null`: it must not exist. */
  readonly old: string | null;
  readonly tree: string;
  readonly message: string;
  /** Reflog message, on this machine only: it identifies the commit later. */
  readonly note: string;
  /** Index entries before and after; `null`: the ref is not checked out. */
  readonly index: { readonly before: readonly PathEntry[]; readonly after: readonly PathEntry[] } | null;
}

/** Updates the index first: if killed in between, the files are merely staged. Otherwise the commit would look reverted. */
export async function makeCommit(git: Git, wanted: NewCommit): Promise<Result<string>> {
  const { ref, base, old, tree, message, note, index } = wanted;
  const parent = base === null ? [] : ["-p", base];
  const made = word(await git.run("commit-tree", [tree, ...parent, "-F", "-"], { stdin: message }));
  if (!made.ok) return made;
  if (index !== null) {
    const staged = await setIndex(git, index.after);
    if (!staged.ok) return staged;
  }
  const move = ["-m", note, ref, made.value, old ?? zeros(git)];
  const moved = await git.run("update-ref", move, { isFinal: true });
  if (moved.ok) {
    if (index !== null) await refresh(git);
    return made;
  }
  if (index !== null) await setIndex(git, index.before);
  return fail("E_CONFLICT", phrase("git.moved", { problem: problemOf(moved.error) }), {
    advice: phrase("git.moved.advice"),
    sideEffect: "none",
  });
}

const attempts = 5;
const waitMs = 200;

async function setIndex(git: Git, entries: readonly PathEntry[]): Promise<Result<GitAnswer>> {
  for (let attempt = 1; ; attempt++) {
    const set = await git.run("update-index", ["-z", "--index-info"], {
      stdin: indexInfo(git, entries),
      isFinal: true,
    });
    if (set.ok) return set;
    const problem = problemOf(set.error);
    if (!problem.includes("index.lock") && !problem.includes("File exists")) return set;
    if (attempt === attempts) {
      const more = { advice: phrase("git.busy.advice"), sideEffect: "none" } as const;
      return fail("E_CONFLICT", phrase("git.busy", { problem }), more);
    }
    await Bun.sleep(waitMs);
  }
}

async function refresh(git: Git): Promise<void> {
  await git.run("update-index", ["-q", "--refresh"], { accepts: [0, 1], isFinal: true });
}

function problemOf({ text }: ErrorInfo): string {
  return String(text.args?.problem ?? text.key);
}

/** The commit whose reflog message starts with the note. */
export async function commitNoted(git: Git, ref: string, note: string): Promise<Result<string | null>> {
  const args = ["-g", "--no-show-signature", "--no-patch", "--format=%H %gs", "-n", "200", ref, "--"];
  const ran = await git.run("log", args, { accepts: [0, 128] });
  if (!ran.ok) return ran;
  const lines = ran.value.code === 0 ? ran.value.out.toString("utf8").split("\n") : [];
  const line = lines.find((one) => one.slice(one.indexOf(" ") + 1).startsWith(note));
  return ok(line?.slice(0, line.indexOf(" ")) ?? null);
}

export async function messageOf(git: Git, commit: string): Promise<Result<string>> {
  const ran = await git.run("log", ["-1", "--no-show-signature", "--no-patch", "--format=%B", commit, "--"]);
  return ran.ok ? ok(ran.value.out.toString("utf8").trimEnd()) : ran;
}

export function word(ran: Result<GitAnswer>): Result<string> {
  return ran.ok ? ok(ran.value.out.toString("utf8").trim()) : ran;
}
