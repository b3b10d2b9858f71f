import { type SettingsSources, type Trust, workspaceOf } from "../../config/load.ts";
import { type Project, type ProjectItem, readProject, withConfig } from "../../config/project/trust.ts";
import { homeOf } from "../../config/values.ts";
import { CoderError, type ErrorInfo, type Result } from "../../contract/error.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { sha256 } from "../../platform/files/hash.ts";
import { MARKER } from "../../platform/process/proc.ts";
import { moveTrust, recordTrust, trustedHash } from "../../store/trust.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";

export interface TrustState {
  readonly kind: Trust["state"];
  readonly project: Project;
  readonly items: readonly ProjectItem[];
  readonly trusted: string | null;
  /** Why the workspace cannot be trusted, or its trust not determined. */
  readonly problem: Phrase | null;
}

/** What the workspace configures, and whether the user has trusted exactly that. */
export function trustState(workspace: string, home: string): TrustState {
  const project = readProject(workspace, home);
  const items = project.items.filter(({ isUsed }) => isUsed);
  const about = { project, items, trusted: null };
  if (project.problem !== null) return { ...about, kind: "untrusted", problem: project.problem };
  try {
    const trusted = items.length === 0 ? null : trustedHash(home, workspace);
    const kind = trusted === null ? "untrusted" : trusted === project.hash ? "trusted" : "changed";
    return { ...about, kind, trusted, problem: null };
  } catch (error) {
    // Code that needs the database reports the failure; here it means untrusted.
    if (!(error instanceof CoderError)) throw error;
    return { ...about, kind: "untrusted", problem: phrase("trust.unknown", { problem: error.info.text }) };
  }
}

/** Flags, environment and trusted configuration. `--trust` trusts permanently. */
export function sourcesFrom(flags: Flags, withModel: boolean): SettingsSources {
  const sources = { flags, env: process.env, cwd: process.cwd(), withModel };
  const workspace = workspaceOf(sources);
  // Loading settings will report the problem.
  if (!workspace.ok) return sources;
  const home = homeOf(process.env, process.cwd());
  const state = trustState(workspace.value, home);
  return { ...sources, trust: trustOf(flags.trust === true ? trustNow(workspace.value, home, state) : state) };
}

function trustOf(state: TrustState): Trust {
  if (state.kind === "trusted") return { state: state.kind, ignored: [], config: state.project.config };
  return { state: state.kind, ignored: noticeOf(state), config: null };
}

function noticeOf({ kind, project, items, problem }: TrustState): readonly Phrase[] {
  // If the problem is in the only file, name that file.
  const named = items.length === 0 && problem !== null ? project.items : items;
  if (named.length === 0) return [];
  const names = namesOf(named);
  if (problem !== null) return [phrase("trust.notice.problem", { items: names, problem })];
  return [phrase(kind === "changed" ? "trust.notice.changed" : "trust.notice.untrusted", { items: names })];
}

/** For surfaces that cannot ask: once, on stderr. */
export function tellIgnored({ trust, lang }: Settings, io: Io): void {
  if (trust.ignored.length > 0) io.err(plain(`${trust.ignored.map((one) => say(lang, one)).join("\n")}\n`));
}

const SHOWN = 5;

function namesOf(items: readonly ProjectItem[]): string | Phrase {
  const names = items
    .slice(0, SHOWN)
    .map(({ path }) => visible(path))
    .join(", ");
  return items.length > SHOWN ? phrase("trust.more", { names, n: items.length - SHOWN }) : names;
}

/** Trusts exactly what was read. */
export function trustNow(workspace: string, home: string, state: TrustState): TrustState {
  mustBePerson("trust");
  const { hash } = state.project;
  if (state.problem !== null || state.kind === "trusted") return state;
  recordTrust(home, workspace, hash, Date.now());
  return { ...state, kind: "trusted", trusted: hash };
}

/**
 * Our own write to the workspace's config keeps its trust, also in a workspace without configuration. Computes the new hash from the
 * project read before, so that other changes made meanwhile are not trusted.
 */
export function keepTrust(
  workspace: string,
  home: string,
  change: { readonly before: Uint8Array | null; readonly after: Uint8Array },
  write: () => Result<void>,
): Result<void> {
  const { project, kind, items, trusted, problem } = trustState(workspace, home);
  const written = write();
  const { before, after } = change;
  const found = project.config?.bytes ?? null;
  const isSame = before === null || found === null ? before === found : sha256(before) === sha256(found);
  if (!written.ok || problem !== null || !isSame || isOwnCommand()) return written;
  const { hash } = withConfig(project, after);
  if (items.length === 0) recordTrust(home, workspace, hash, Date.now());
  else if (kind === "trusted") moveTrust(home, workspace, trusted, hash, Date.now());
  return written;
}

/** Whether a command of ours started this process: an agent's word is not the user's. */
function isOwnCommand(): boolean {
  return (process.env[MARKER] ?? "") !== "";
}

export function mustBePerson(what: string): void {
  const problem = notPerson(what);
  if (problem) throw new CoderError(problem);
}

export function notPerson(what: string): ErrorInfo | null {
  if (!isOwnCommand()) return null;
  const advice = phrase("trust.own_command.advice");
  return { code: "E_POLICY_DENIED", text: phrase("trust.own_command", { what }), advice };
}
