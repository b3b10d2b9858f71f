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
import { decide, type PolicyQuestion, type PolicyVerdict } from "../../policy/decide.ts";

export interface JudgeDeps {
  readonly settings: Settings;
  /** See `ShellFacts`; asked only when a command asks for a version. */
  readonly isRealProgram: (program: string) => boolean;
  readonly isShim: (program: string) => boolean;
  /** A version manager stands in for it; absent: for none. */
  readonly isManaged?: (program: string) => boolean;
  /** Why git may not be trusted here; asked only when a command is about git. */
  readonly gitProblem: () => Phrase | null;
  readonly rules: readonly PermissionRule[];
  /** Real path of our own folder. */
  readonly ownFolder: string;
  readonly isInteractive: () => boolean;
}

/** Mode and preset of the moment, and what there is to confine a command. */
export interface JudgeMoment {
  readonly mode: Mode;
  readonly preset: Preset | null;
  readonly sandbox: SandboxState["kind"] | "off";
  /** See `PolicyQuestion`. */
  readonly authority?: string | undefined;
  readonly runsChanges?: boolean | undefined;
  /** The person's, which may ask for the tests: a command that runs them, and nothing else, is then their word. */
  readonly words?: string | undefined;
  readonly isPlanned?: boolean | undefined;
  /** The person has said what may not be changed: what a command names is looked up. */
  readonly isLimited?: boolean | undefined;
  /** What the tool's `survey` has counted. */
  readonly count?: number | undefined;
  /** What was just found in git's history. */
  readonly past?: Past | undefined;
}

export interface Judged extends PolicyVerdict {
  readonly question: PolicyQuestion;
  /** Real paths that were judged along with the call and that its words alone do not lead to: outside, and behind links. */
  readonly outside: readonly string[];
  readonly form: RunForm | null;
  /** Decided without git's history, which would have to be looked at (`lookAtPast`), also for these words. */
  readonly unknownObjects?: readonly string[];
}

/** Agent switch aside, all that is decided about a call that runs no command, on facts of this moment. */
export function judgeCall(deps: JudgeDeps, call: Call, tool: AnyTool, moment: JudgeMoment): Judged {
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
  return { ...decide(question), question, outside: outsideOf(paths, workspace), form: null };
}

/** Where git keeps what was ever added, packed or plain. */
export function isGitStore(path: string): boolean {
  return /\/\.git\/(?:.*\/)?(?:objects|lost-found)(?:\/|$)/is.test(path);
}

export function questionOf(deps: JudgeDeps, { mode, preset, sandbox, authority, runsChanges, isPlanned }: JudgeMoment) {
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
    ...(isPlanned ? { isPlanned } : {}),
  } satisfies Partial<PolicyQuestion>;
}

/** As a shell takes it. */
export function factOf({ settings }: JudgeDeps, given: string): PathFact {
  const path = given === "~" || given.startsWith("~/") ? `${homedir()}${given.slice(1)}` : given;
  return { ...resolvePath(path, settings.workspace, settings.addDirs), given };
}

/** Which of the names that may mean a secret are looked into; nearly no path has one. */
const toldByContent = /(?:^|\/)(?:\.npmrc|\.yarnrc\.yml|\.env[^/]*|[^/]*\.pem)$/i;

/** Of a file that is read as it lies on the disk now. Of what git keeps under the same name this says nothing. */
export function withContent(fact: PathFact): PathFact {
  const { given, real, inside, kind } = fact;
  const isAsked = real !== null && inside && kind === "file" && toldByContent.test(given) && toldByContent.test(real);
  // A link may lead to one of another kind.
  if (!isAsked || basename(given) !== basename(real) || holdsSecret(real)) return fact;
  return { ...fact, isHarmless: true };
}

function outsideOf(paths: readonly PathFact[], workspace: string): readonly string[] {
  return paths.flatMap(({ given, inside, real }) =>
    real === null || (inside && isPlainWay(given, real, workspace)) ? [] : [real],
  );
}
