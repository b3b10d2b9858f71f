import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { ToolContext, ToolOutput } from "../../contract/tool.ts";
import type { PastPort } from "../../contract/undo.ts";
import { commitNoted, makeCommit, messageOf, treeWith, word } from "../../platform/git/make-commit.ts";
import { type Git, openGit } from "../../platform/git/plumbing.ts";
import { type FileStat, statBetween } from "../../platform/git/stat.ts";
import type { LeftOut } from "./chosen-files.ts";
import { commitMessage, givenMessage } from "./commit-message.ts";
import { runHooks } from "./hooks.ts";
import { flagOf, type Prepared, prepare, withFolder } from "./prepare-commit.ts";

export interface CommitInput {
  readonly message?: string;
  readonly lang?: Lang;
  readonly task?: string;
  readonly until?: string;
  readonly branch?: string;
}

interface Target {
  readonly ref: string;
  readonly shown: string;
  readonly base: string | null;
  readonly old: string | null;
  readonly isCheckedOut: boolean;
  readonly isDetached: boolean;
}

export async function commitNow(input: CommitInput, past: PastPort, ctx: ToolContext): Promise<Result<ToolOutput>> {
  const opened = openGit(ctx.root, ctx.signal);
  if (!opened.ok) return opened;
  const git = opened.value;
  const target = await targetOf(git, input.branch);
  if (!target.ok) return target;
  const note = `commit (coder ${ctx.marker})`;
  // After a kill: do not make the same commit twice.
  const known = await commitNoted(git, target.value.ref, note);
  if (!known.ok) return known;
  const made = known.value;
  return withFolder(ctx.marker, async (folder) => {
    if (made !== null) return madeBefore(git, made, target.value, input);
    const problem = await problemNow(git);
    if (problem !== null) return { ok: false, error: problem };
    return make({ git, target: target.value, note, folder }, input, past, ctx);
  });
}

interface Making {
  readonly git: Git;
  readonly target: Target;
  readonly note: string;
  readonly folder: string;
}

async function make(
  { git, target, note, folder }: Making,
  input: CommitInput,
  past: PastPort,
  ctx: ToolContext,
): Promise<Result<ToolOutput>> {
  const { base, isCheckedOut } = target;
  const { task, until, lang = "en" } = input;
  const prepared = await prepare({ git, past, ctx, folder, base, task, until, isCheckedOut, isOnlyProposed: false });
  if (!prepared.ok) return prepared;
  const { entries, staged, left, stats } = prepared.value;
  if (entries.length === 0) return nothing(left);
  const index = join(folder, "index");
  const tree = await treeWith(git, base, entries, index);
  if (!tree.ok) return tree;
  const checked = await runHooks(git, index, wordsFor(input, prepared.value, ctx), ctx);
  if (!checked.ok) return checked;
  const { message, hooks } = checked.value;
  const subject = message.split("\n", 1)[0] ?? "";
  const made = await makeCommit(git, {
    ...target,
    tree: tree.value,
    message,
    note: `${note}: ${subject}`,
    index: isCheckedOut ? { before: staged, after: entries } : null,
  });
  if (!made.ok) return made;
  return ok(report({ commit: made.value, message, stats, left, hooks, target, lang }));
}

function wordsFor({ message, lang = "en" }: CommitInput, { tasks, stats, left }: Prepared, ctx: ToolContext): string {
  const withoutSecrets = ctx.withoutSecrets ?? ((text: string) => text);
  const given = message === undefined ? "" : givenMessage(message, withoutSecrets);
  return given.trim() === ""
    ? commitMessage({ lang, tasks, stats, isWhole: left.length === 0, withoutSecrets })
    : given;
}

async function targetOf(git: Git, branch: string | undefined): Promise<Result<Target>> {
  const head = await commitAt(git, "HEAD");
  if (!head.ok) return head;
  const symbolic = word(await git.run("symbolic-ref", ["-q", "HEAD"], { accepts: [0, 1] }));
  if (!symbolic.ok) return symbolic;
  const current = symbolic.value;
  const ref = `refs/heads/${branch ?? ""}`;
  if (branch === undefined || ref === current) {
    const shown = current === "" ? "HEAD" : current.replace(/^refs\/heads\//, "");
    const where = { ref: "HEAD", shown, base: head.value, old: head.value };
    return ok({ ...where, isCheckedOut: true, isDetached: current === "" });
  }
  const named = await git.run("check-ref-format", [ref], { accepts: [0, 1] });
  if (!named.ok) return named;
  if (named.value.code !== 0) return fail("E_INVALID_ARGS", phrase("git.bad_branch", { branch: visible(branch) }));
  const tip = await commitAt(git, ref);
  if (!tip.ok) return tip;
  const where = { ref, shown: branch, base: tip.value ?? head.value, old: tip.value };
  return ok({ ...where, isCheckedOut: false, isDetached: false });
}

export async function commitAt(git: Git, ref: string): Promise<Result<string | null>> {
  const found = word(await git.run("rev-parse", ["--verify", "-q", `${ref}^{commit}`], { accepts: [0, 1] }));
  return found.ok ? ok(found.value === "" ? null : found.value) : found;
}

const unfinished: Readonly<Record<string, string>> = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
  sequencer: "cherry-pick",
  BISECT_LOG: "bisect",
};

async function problemNow(git: Git): Promise<ErrorInfo | null> {
  const open = Object.keys(unfinished).find((name) => lstatSync(join(git.gitDir, name), { throwIfNoEntry: false }));
  if (open !== undefined) return refused("git.unfinished", { what: `git ${unfinished[open]}` });
  const unmerged = await git.run("ls-files", ["-u", "-z"]);
  if (!unmerged.ok) return unmerged.error;
  const lines = unmerged.value.out.toString("utf8").split("\0").filter(Boolean);
  const files = [...new Set(lines.map((line) => visible(line.slice(line.indexOf("\t") + 1))))];
  if (files.length > 0) return refused("git.unmerged", { files: files.slice(0, 20).join(", ") });
  const signed = await flagOf(git, "commit.gpgSign", "false");
  if (!signed.ok) return signed.error;
  if (signed.value === "true") return refused("git.signed", {});
  for (const who of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
    const named = await git.run("var", [who]);
    if (!named.ok) return refused("git.no_identity", { problem: String(named.error.text.args?.problem ?? "") });
    const ident = named.value.out.toString("utf8");
    if (ident.includes("<>")) return refused("git.no_identity", { problem: ident.split(">", 1)[0] ?? "" });
  }
  return null;
}

type CommitRefusal = "git.unfinished" | "git.unmerged" | "git.signed" | "git.no_identity";

function refused(key: CommitRefusal, args: Readonly<Record<string, string>>): ErrorInfo {
  return { code: "E_CONFLICT", text: phrase(key, args), advice: phrase(`${key}.advice`), sideEffect: "none" };
}

export function nothing(left: readonly LeftOut[]): Extract<Result<never>, { ok: false }> {
  const key = left.length === 0 ? "git.nothing" : "git.all_left";
  const more = { advice: phrase(`${key}.advice`), sideEffect: "none" } as const;
  return fail("E_INVALID_ARGS", phrase(key, { files: leftPhrases(left) }), more);
}

const maxLeft = 50;

function leftPhrases(left: readonly LeftOut[]) {
  const named = left.slice(0, maxLeft).map(({ path, why }) => {
    return phrase("git.left.file", { path: visible(path), why: phrase(`git.left.${why}`) });
  });
  const more = left.length - maxLeft;
  return more > 0 ? [...named, phrase("git.more", { n: more })] : named;
}

export function leftText(lang: Lang, left: readonly LeftOut[]): readonly string[] {
  return left.length === 0 ? [] : [say(lang, phrase("git.left", { files: leftPhrases(left) }))];
}

interface Made {
  readonly commit: string;
  readonly message: string;
  readonly stats: readonly FileStat[];
  readonly left: readonly LeftOut[];
  readonly hooks: readonly string[];
  readonly target: Target;
  readonly lang: Lang;
}

function report({ commit, message, stats, left, hooks, target, lang }: Made): ToolOutput {
  const subject = visible(message.split("\n", 1)[0] ?? "");
  const branch = target.shown;
  const text = [
    say(lang, phrase("git.committed", { commit: commit.slice(0, 10), branch: visible(branch), subject })),
    ...(target.isDetached ? [say(lang, phrase("git.detached"))] : []),
    ...leftText(lang, left),
  ];
  return { text: text.join("\n"), data: { commit, branch, subject, message, files: stats, left, hooks } };
}

async function madeBefore(
  git: Git,
  commit: string,
  target: Target,
  { lang = "en" }: CommitInput,
): Promise<Result<ToolOutput>> {
  const message = await messageOf(git, commit);
  if (!message.ok) return message;
  const parent = await commitAt(git, `${commit}^`);
  if (!parent.ok) return parent;
  const stats = parent.value === null ? ok([]) : await statBetween(git, parent.value, commit);
  if (!stats.ok) return stats;
  return ok(report({ commit, message: message.value, stats: stats.value, left: [], hooks: [], target, lang }));
}
