// Facts about a call that runs no command, and what all facts have in common.
import { homedir } from "node:os";
import { basename } from "node:path";
import type { Call } from "../../contract/message.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { RunForm, SandboxState } from "../../contract/sandbox.ts";
import type { Settings } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import type { Mode, Preset } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool, PathFact } from "../../contract/tool.ts";
import { isPlainWay, resolvePath } from "../../platform/files/path.ts";
import { markObeyed } from "../../platform/git/git-folder.ts";
import type { Past } from "../../platform/git/past.ts";
import { holdsSecret } from "../../platform/sandbox/secret/secret-files.ts";
import type { PolicyQuestion } from "../../policy/decide.ts";
import type { DeedFacts, DeedVerdict } from "../../policy/decide-deed.ts";

export interface JudgeDeps {
  readonly settings: Settings;
  /** See `ShellFacts`. */
  readonly isRealProgram: (program: string) => boolean;
  readonly isShim: (program: string) => boolean;
  /** A version manager provides it. */
  readonly isManaged?: (program: string) => boolean;
  /** Why git cannot be trusted here. */
  readonly gitProblem: () => Phrase | null;
  readonly rules: readonly PermissionRule[];
  /** Real path of `CODER_HOME`. */
  readonly ownFolder: string;
  readonly isInteractive: () => boolean;
}

/** The session as it is when the call is judged. */
export interface JudgeMoment {
  readonly mode: Mode;
  readonly preset: Preset | null;
  readonly sandbox: SandboxState["kind"] | "off";
  /** See `PolicyQuestion`. */
  readonly authority?: string | undefined;
  readonly runsChanges?: boolean | undefined;
  /** The person's words for the task, where they may ask for the tests. */
  readonly words?: string | undefined;
  /** The person has said what may not be changed, so every path that a command names is looked up. */
  readonly isLimited?: boolean | undefined;
  /** The number that the tool's `survey` found. */
  readonly count?: number | undefined;
  /** Git's history, as it was just looked up. */
  readonly past?: Past | undefined;
}

/** A decided call, with what it takes to carry it out. */
export interface Judged extends DeedVerdict {
  /** Real paths that a tool may open although its arguments do not lead there plainly: outside, and behind links. */
  readonly outside: readonly string[];
  /** How a command runs; `null` = the call runs none. */
  readonly form: RunForm | null;
}

export function callDeed(deps: JudgeDeps, call: Call, tool: AnyTool, moment: JudgeMoment): DeedFacts {
  const input = call.input as never;
  const { workspace, addDirs } = deps.settings;
  // As the tools take them: `~` is a plain name to them.
  const touched = (tool.touches?.(input) ?? []).map((path) => resolvePath(path, workspace, addDirs));
  const paths = call.access === "write" ? markObeyed(touched, [workspace, ...addDirs]) : touched.map(withContent);
  const { count } = moment;
  const risks = tool.assess?.(input, { paths, ...(count === undefined ? {} : { count }) }) ?? [];
  const stores = paths.filter(({ given, real, kind }) => kind === "file" && isGitStore(real ?? given));
  const riskReasons = [...risks, ...stores.map(({ given }) => phrase("policy.git.store", { path: visible(given) }))];
  const hosts = tool.hosts?.(input) ?? [];
  const question = { ...questionOf(deps, moment), tool: call.tool, access: call.access, paths, hosts, riskReasons };
  return { question };
}

export function outsideOf({ paths, workspace }: PolicyQuestion): readonly string[] {
  return paths.flatMap(({ given, inside, real }) =>
    real === null || (inside && isPlainWay(given, real, workspace)) ? [] : [real],
  );
}

/** A file in which git keeps objects, packed or loose. */
export function isGitStore(path: string): boolean {
  return /\/\.git\/(?:.*\/)?(?:objects|lost-found)(?:\/|$)/is.test(path);
}

export function questionOf(deps: JudgeDeps, { mode, preset, sandbox, authority, runsChanges }: JudgeMoment) {
  const { workspace, sandbox: use } = deps.settings;
  return {
    mode,
    preset,
    sandbox,
    isAlwaysConfined: use === "on",
    rules: deps.rules,
    workspace,
    ownFolder: deps.ownFolder,
    interactive: deps.isInteractive(),
    ...(authority === undefined ? {} : { authority }),
    ...(runsChanges === undefined ? {} : { runsChanges }),
  } satisfies Partial<PolicyQuestion>;
}

/** Resolves a word as a shell would. */
export function factOf({ settings }: JudgeDeps, given: string): PathFact {
  const path = given === "~" || given.startsWith("~/") ? `${homedir()}${given.slice(1)}` : given;
  return { ...resolvePath(path, settings.workspace, settings.addDirs), given };
}

/** Names that may mean a secret and whose content tells. Hardly any path has one. */
const toldByContent = /(?:^|\/)(?:\.npmrc|\.yarnrc\.yml|\.env[^/]*|[^/]*\.pem)$/i;

/** Marks a file whose content holds no secret. This says nothing of what git keeps under the same name. */
export function withContent(fact: PathFact): PathFact {
  const { given, real, inside, kind } = fact;
  const isAsked = real !== null && inside && kind === "file" && toldByContent.test(given) && toldByContent.test(real);
  // A link may lead to a file of another kind.
  if (!isAsked || basename(given) !== basename(real) || holdsSecret(real)) return fact;
  return { ...fact, isHarmless: true };
}
