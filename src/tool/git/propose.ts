import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result } from "../../contract/error.ts";
import type { FileStamp } from "../../contract/message.ts";
import type { Lang } from "../../contract/text/catalogue.ts";
import type { ToolContext, ToolOutput } from "../../contract/tool.ts";
import type { PastPort, PastTask } from "../../contract/undo.ts";
import { keyOf } from "../../platform/files/stamp.ts";
import { modeOf, objectOf, type PathEntry } from "../../platform/git/entries.ts";
import { type Git, openGit, scratch } from "../../platform/git/plumbing.ts";
import { type FileStat, statOf } from "../../platform/git/stat.ts";
import { type ChosenFile, isOwn, pathOf, stepsByPath, withoutUnwanted } from "./chosen-files.ts";
import { commitMessage, pullRequest, type Story } from "./commit-message.ts";
import { commitAt, leftText, nothing } from "./make-commit.ts";
import { prepare, withFolder } from "./prepare-commit.ts";

interface ProposalInput {
  readonly for?: "commit" | "pr";
  readonly lang?: Lang;
}

export async function propose(input: ProposalInput, past: PastPort, ctx: ToolContext): Promise<Result<ToolOutput>> {
  const opened = openGit(ctx.root, ctx.signal);
  if (!opened.ok) return opened;
  const about = { git: opened.value, past, ctx, lang: input.lang ?? "en" };
  const work = input.for === "pr" ? proposePr : proposeCommit;
  return withFolder(ctx.marker, (folder) => work({ ...about, folder }));
}

interface About {
  readonly git: Git;
  readonly past: PastPort;
  readonly ctx: ToolContext;
  readonly lang: Lang;
  readonly folder: string;
}

async function proposeCommit({ git, past, ctx, lang, folder }: About): Promise<Result<ToolOutput>> {
  const head = await commitAt(git, "HEAD");
  if (!head.ok) return head;
  const wanted = { git, past, ctx, folder, base: head.value };
  const prepared = await prepare({ ...wanted, isCheckedOut: true, isOnlyProposed: true });
  if (!prepared.ok) return prepared;
  const { stats, left, tasks } = prepared.value;
  if (stats.length === 0) return nothing(left);
  const message = commitMessage({ lang, tasks, stats, isWhole: left.length === 0, ...cleaning(ctx) });
  return ok({ text: [message, ...leftText(lang, left)].join("\n").trimEnd(), data: { message, files: stats, left } });
}

/** All changes of the session, committed or not. */
async function proposePr({ git, past, ctx, lang, folder }: About): Promise<Result<ToolOutput>> {
  const all = past.tasks();
  const own = scratch(git, join(folder, "objects"));
  mkdirSync(join(folder, "objects"));
  const kept = await withoutUnwanted(git, netFiles(git, all), ctx);
  if (!kept.ok) return kept;
  const files = kept.value.files as readonly Net[];
  if (files.length === 0) return nothing([]);
  const stats = await netStats(own, files, past, folder);
  if (!stats.ok) return stats;
  const owners = new Set(files.flatMap((file) => file.owners));
  const tasks = all.filter((task) => task.kind === "task" && !task.undone && owners.has(task));
  const text = pullRequest({ lang, tasks, stats: stats.value, isWhole: true, ...cleaning(ctx) });
  return ok({ text: text.trimEnd(), data: { text, files: stats.value } });
}

function cleaning(ctx: ToolContext): Pick<Story, "withoutSecrets"> {
  return { withoutSecrets: ctx.withoutSecrets ?? ((text) => text) };
}

interface Net extends ChosenFile {
  readonly before: FileStamp | null;
  readonly after: FileStamp | null;
}

function netFiles(git: Git, tasks: readonly PastTask[]): readonly Net[] {
  return [...stepsByPath(tasks)].flatMap(([real, steps]) => {
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last || !isOwn(real, git.top)) return [];
    const { before } = first;
    const { after } = last;
    if (keyOf(before) === keyOf(after) && before?.mode === after?.mode) return [];
    const owners = [...new Set(steps.map(({ by }) => by))];
    const old = before && { mode: modeOf(before, true, null), oid: "" };
    const now = after && { stamp: after, bytes: new Uint8Array(0) };
    return [{ path: pathOf(real, git), shown: last.path, now, old, owners, before, after }];
  });
}

/** Content that is no longer kept cannot be counted. */
async function netStats(
  git: Git,
  files: readonly Net[],
  past: PastPort,
  folder: string,
): Promise<Result<readonly FileStat[]>> {
  const sides: Record<"before" | "after", PathEntry[]> = { before: [], after: [] };
  const uncounted: FileStat[] = [];
  for (const { path, before, after } of files) {
    const [old, now] = [contentOf(before, past), contentOf(after, past)];
    if (old === undefined || now === undefined) {
      const change = before === null ? "create" : after === null ? "delete" : "modify";
      uncounted.push({ change, path, added: null, removed: null });
      continue;
    }
    for (const [side, content] of [["before", old] as const, ["after", now] as const]) {
      const object = content && (await objectOf(git, path, content, true));
      if (object && !object.ok) return object;
      const entry = content && object ? { mode: modeOf(content.stamp, true, null), oid: object.value } : null;
      sides[side].push({ path, entry });
    }
  }
  const stats = await statOf(git, sides.before, sides.after, folder);
  return stats.ok ? ok([...stats.value, ...uncounted]) : stats;
}

function contentOf(stamp: FileStamp | null, past: PastPort) {
  if (stamp === null) return null;
  const bytes = past.bytes(stamp.hash);
  return bytes === null ? undefined : { stamp, bytes };
}
