import { join } from "node:path";
import { ok, type Result } from "../../contract/error.ts";
import type { PathEntry } from "./entries.ts";
import { treeWith } from "./make-commit.ts";
import type { Git } from "./plumbing.ts";

export interface FileStat {
  readonly change: "create" | "modify" | "delete" | "rename";
  readonly path: string;
  readonly from?: string;
  readonly added: number | null;
  readonly removed: number | null;
}

export async function statBetween(git: Git, one: string, other: string): Promise<Result<readonly FileStat[]>> {
  const how = ["-r", "-z", "-M", "--raw", "--numstat", "--no-ext-diff", "--no-textconv"];
  const ran = await git.run("diff-tree", [...how, one, other]);
  return ran.ok ? ok(parseStat(ran.value.out.toString("utf8"))) : ran;
}

/** The same for single files. `git`: one with a scratch object store. */
export async function statOf(
  git: Git,
  before: readonly PathEntry[],
  after: readonly PathEntry[],
  folder: string,
): Promise<Result<readonly FileStat[]>> {
  const there = (entries: readonly PathEntry[]) => entries.filter(({ entry }) => entry !== null);
  const one = await treeWith(git, null, there(before), join(folder, "before"));
  if (!one.ok) return one;
  const other = await treeWith(git, null, there(after), join(folder, "after"));
  return other.ok ? statBetween(git, one.value, other.value) : other;
}

const kinds: Readonly<Record<string, FileStat["change"]>> = { A: "create", D: "delete", R: "rename" };

function parseStat(out: string): readonly FileStat[] {
  const words = out.split("\0");
  const found = new Map<string, Omit<FileStat, "added" | "removed">>();
  const stats: FileStat[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word.startsWith(":")) {
      const change = kinds[word.split(" ").at(-1)?.[0] ?? ""] ?? "modify";
      const from = words[++at] ?? "";
      const path = change === "rename" ? (words[++at] ?? "") : from;
      found.set(path, { change, path, ...(change === "rename" ? { from } : {}) });
      continue;
    }
    const [, added = "", removed = "", name = ""] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(word) ?? [];
    if (added === "") continue;
    const path = name === "" ? (words[at + 2] ?? "") : name;
    if (name === "") at += 2;
    const what = found.get(path) ?? { change: "modify", path };
    stats.push({ ...what, added: countOf(added), removed: countOf(removed) });
  }
  return stats;
}

function countOf(text: string): number | null {
  return text === "-" ? null : Number(text);
}
