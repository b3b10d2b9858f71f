// What would verify right now, for a person who asks for it. Loaded then.
import { posix } from "node:path";
import type { History } from "../context/history.ts";
import type { Settings } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { repositoryAbove } from "../platform/changes/above.ts";
import { lookBefore, openSight } from "../platform/changes/look.ts";
import { decoded, type Folder, joined } from "../platform/changes/tree.ts";
import { type Choice, chooseChecks } from "../verify/choose.ts";
import { isListed, listedCommands, runnerOf } from "../verify/whitelist.ts";
import { filesBelow } from "../verify/workspace.ts";
import type { ChecksNow } from "./port.ts";

/** Chosen as after a task: by what this session changed, else by what git calls changed, else by the whole workspace. */
export async function checksNow(
  settings: Settings,
  history: History | null,
  command: string | null,
): Promise<ChecksNow> {
  if (command !== null) return named(settings, command);
  const changed = [...new Set((history?.tasks ?? []).flatMap(({ changes }) => changes.map(({ path }) => path)))];
  if (changed.length > 0) return asNow(choose(settings, changed));
  const dirty = await changedInGit(settings.workspace);
  return asNow(dirty.length > 0 ? choose(settings, dirty) : wholeWorkspace(settings));
}

function choose({ workspace, workflow }: Settings, changed: readonly string[]): Choice {
  const { verifyCommands: configured, verifyAllowed: added } = workflow;
  return chooseChecks({ workspace, changed, configured, added, plan: null });
}

function asNow(choice: Choice): ChecksNow {
  if (choice.kind === "run") return choice;
  const { why, advice } = choice;
  return {
    kind: "none",
    command: choice.kind === "offer" ? choice.check.command : "",
    why,
    ...(advice ? { advice } : {}),
  };
}

function named({ workflow: { verifyAllowed: added } }: Settings, command: string): ChecksNow {
  if (isListed(command, added)) {
    const check = { command, cwd: "", runner: runnerOf(command), required: true, stopOnFail: false };
    return { kind: "run", checks: [check], left: [] };
  }
  const list = [...listedCommands, ...added].join(", ");
  const advice = phrase("verify.allow", { command: JSON.stringify(command) });
  return { kind: "none", command, why: phrase("check.not_listed", { command, list }), advice };
}

/** Its own project where it has one; else every project below it. */
function wholeWorkspace(settings: Settings): Choice {
  const own = choose(settings, ["_"]);
  if (own.kind !== "none") return own;
  const root = settings.workspace;
  const files = [...filesBelow(root, { maxEntries: 5_000, maxDepth: 4, enters: (name) => !skipped.test(name) })];
  const projects = files.filter((file) => projectFile.test(file)).map((file) => posix.relative(root, file));
  return projects.length === 0 ? own : choose(settings, projects);
}

const skipped = /^(?:\..*|node_modules|vendor|target|build|dist|__pycache__|fixtures?|testdata)$/;
const projectFile =
  /\/(?:go\.mod|Cargo\.toml|pyproject\.toml|pytest\.ini|requirements\.txt|package\.json|pom\.xml|gradlew|build\.gradle(?:\.kts)?)$/;

/** What differs from git's index, and what git does not know, without starting git. */
async function changedInGit(workspace: string): Promise<readonly string[]> {
  if (repositoryAbove(workspace) === null) return [];
  // Only names are wanted: nothing is copied.
  const { tree } = await lookBefore(openSight(workspace, [], { maxBytes: 0 }));
  return [...changedIn(tree)];
}

function* changedIn(folder: Folder): Generator<string> {
  for (const { name, content } of folder.entries) {
    const path = content?.kind === "blob" ? null : decoded(joined(folder.path, name));
    if (path !== null) yield path;
  }
  for (const inner of folder.folders) yield* changedIn(inner);
}
