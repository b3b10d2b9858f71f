// Finds the checks for the workspace as it is. Loaded when the user asks.
import { posix } from "node:path";
import type { Settings } from "../../contract/settings.ts";
import type { Mode } from "../../contract/task.ts";
import type { History } from "../../machine/history/history.ts";
import { repositoryAbove } from "../../platform/changes/above.ts";
import { decoded, joined, type TreeFolder } from "../../platform/changes/file-tree.ts";
import { lookBefore, openSight } from "../../platform/changes/look.ts";
import type { Choice } from "../../verify/detect/choose.ts";
import { filesBelow } from "../../verify/detect/workspace.ts";
import type { ChecksNow } from "../port.ts";
import { choose, type HowToChoose } from "./choose-checks.ts";
import { type CheckDeps, plainRuns } from "./standing.ts";

export async function checksNow(deps: CheckDeps, mode: Mode, history: History | null): Promise<ChecksNow> {
  const runsPlain = await plainRuns(deps, mode);
  const choice = await choiceNow(deps.settings, history, { plan: null, runsPlain });
  // The user can be asked about it; the policy decides.
  if (choice.kind === "offer" && deps.isInteractive())
    return { kind: "run", checks: [choice.check], left: choice.left };
  return asNow(choice);
}

/** Chosen as after a task: by files this session changed, else by files git reports as changed, else for the whole workspace. */
export async function choiceNow(settings: Settings, history: History | null, how: HowToChoose): Promise<Choice> {
  const changed = [...new Set((history?.tasks ?? []).flatMap(({ changes }) => changes.map(({ path }) => path)))];
  if (changed.length > 0) return choose(settings, changed, how);
  const dirty = await changedInGit(settings.workspace);
  const own = dirty.length > 0 ? choose(settings, dirty, how) : null;
  return own === null || own.kind === "none" ? wholeWorkspace(settings, how) : own;
}

function asNow(choice: Choice): ChecksNow {
  if (choice.kind === "run") return choice;
  const { why, advice } = choice;
  const command = choice.kind === "offer" ? choice.check.command : "";
  return { kind: "none", command, why, ...(advice ? { advice } : {}) };
}

/** The workspace's own project, else every project below it. */
function wholeWorkspace(settings: Settings, how: HowToChoose): Choice {
  const own = choose(settings, ["_"], how);
  if (own.kind !== "none") return own;
  const root = settings.workspace;
  const files = [...filesBelow(root, { maxEntries: 5_000, maxDepth: 4, enters: (name) => !skipped.test(name) })];
  const projects = files.filter((file) => projectFile.test(file)).map((file) => posix.relative(root, file));
  return projects.length === 0 ? own : choose(settings, projects, how);
}

const skipped = /^(?:\..*|node_modules|vendor|target|build|dist|__pycache__|fixtures?|testdata)$/;
const projectFile =
  /\/(?:go\.mod|Cargo\.toml|pyproject\.toml|pytest\.ini|requirements\.txt|package\.json|pom\.xml|gradlew|build\.gradle(?:\.kts)?)$/;

/** Files that differ from git's index and untracked files, without starting git. */
async function changedInGit(workspace: string): Promise<readonly string[]> {
  if (repositoryAbove(workspace) === null) return [];
  // Only names are needed: `maxBytes: 0` copies nothing.
  const { tree } = await lookBefore(openSight(workspace, [], { maxBytes: 0 }));
  return [...changedIn(tree)];
}

function* changedIn(folder: TreeFolder): Generator<string> {
  for (const { name, content } of folder.entries) {
    const path = content?.kind === "blob" ? null : decoded(joined(folder.path, name));
    if (path !== null) yield path;
  }
  for (const inner of folder.folders) yield* changedIn(inner);
}
