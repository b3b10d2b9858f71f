// How far a judged command may reach: its sandbox, its environment, and what it may leave behind.
import { homedir } from "node:os";
import type { EventBody } from "../../contract/event.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { Confinement, ObeyedScope, RunForm, SandboxState, SandboxUse } from "../../contract/sandbox.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Mode } from "../../contract/task.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { endLoopback } from "../../platform/sandbox/linux/loopback-kept.ts";
import { exactlyAllowed } from "../../policy/rule/path.ts";
import { isAboutShown, placesShownBy, shownByRules } from "../../policy/rule/shown-files.ts";
import type { SandboxWord } from "../port.ts";
import { learnFrom } from "./learn-secrets.ts";

interface Environments {
  /** In which what was proved to only read does just that. */
  readonly proved: Readonly<Record<string, string>>;
  /** Of what may dial the hosts that rules name: what differs. */
  readonly bound: Readonly<Record<string, string>>;
}

export class Confiner {
  /** Real path of our own folder. */
  readonly ownFolder: string;
  private readonly settings: Settings;
  /** The person's standing answers for this workspace. */
  private readonly standing: () => readonly PermissionRule[];
  /** It takes a process to know what the sandbox can: looked at when the first command comes. */
  private found: SandboxState | null = null;
  private environments: Environments | null = null;
  private isTold = false;
  private isLooking = false;
  /** Sessions whose task has a loopback for its commands, or will. */
  private readonly sharing = new Set<string>();

  constructor(settings: Settings, standing: () => readonly PermissionRule[]) {
    const { home, workspace } = settings;
    this.settings = settings;
    this.standing = standing;
    this.ownFolder = resolvePath(home, workspace, []).real ?? home;
  }

  /** `path`: where no file of the workspace can stand in for a program that was taken for itself. */
  async ready(path: string): Promise<void> {
    const { hardening } = await import("../../policy/shell/programs/hardening.ts");
    const { boundGit } = await import("../../policy/shell/programs/git-hardening.ts");
    const { sandboxState } = await import("../../platform/sandbox/state.ts");
    const proved = { ...hardening, PATH: path, CDPATH: "", OLDPWD: "", RIPGREP_CONFIG_PATH: "" };
    this.environments = { proved, bound: boundGit };
    this.found = await sandboxState();
  }

  /** PO-8: once, before the first command that nothing confines although it was meant to be. */
  notice(form: RunForm | undefined, mode: Mode): EventBody | null {
    const sandbox = this.found;
    if (this.isTold || !form || form.confined || sandbox?.kind !== "missing") return null;
    if (this.sandboxFor(mode) === "off") return null;
    this.isTold = true;
    return { type: "notice.given", text: phrase("sandbox.none_notice", { reason: sandbox.reason }) };
  }

  /** For the next command, as far as it is known: nothing is looked at for it. */
  sandboxIn(mode: Mode): SandboxWord {
    const found = this.found;
    if (isSwitchedOff(this.settings.sandbox, mode)) return "off";
    return found ? words[found.kind] : "unknown";
  }

  /** `session`: whose commands share one loopback. */
  async confine(form: RunForm | undefined, session: string): Promise<Confinement | null> {
    if (!form?.confined) return null;
    const { confinementFor } = await import("../../platform/sandbox/confine.ts");
    const { workspace, addDirs, home: coderHomeNamed, fileSizeMb } = this.settings;
    const { network, readOnly, narrow = false } = form;
    const places = { workspace, addDirs, home: homedir(), coderHome: this.ownFolder, coderHomeNamed };
    const made = confinementFor({ ...places, network, readOnly, narrow, fileSizeMb });
    const mayChange = this.allowedBy(form);
    const allowed = await this.allowedFor(made, form);
    const { canBindDescriptors } = await import("../../platform/sandbox/state.ts");
    const judged = made.narrow && canBindDescriptors() ? (form.judged ?? null) : null;
    const { names = false, deep = false } = form;
    if (form.roams && !made.narrow)
      throw new Error("a command that may read anything would see more than the workspace");
    const kept = form.isCheck || form.roams || form.isUnasked ? { hidesHistory: true as const } : {};
    const only = form.roams ? await this.onlyChosen(made) : {};
    const changed = mayChange.length > 0 ? { mayChange } : {};
    // What only reads has nobody to talk to. It may look who listens, but where a word may be any path, it may be a connection.
    if (!readOnly && !network) this.sharing.add(session);
    const loopback = this.sharing.has(session) && !narrow ? session : null;
    return { ...made, loopback, names, deep, judged, allowed, ...kept, ...only, ...changed };
  }

  /** The repository around a workspace is there for builds; git's own folder of a worktree is as good as in it. */
  private async onlyChosen({ shown }: Confinement): Promise<Partial<Confinement>> {
    const { gitApart } = await import("../../platform/git/apart.ts");
    const apart = shown.flatMap((root) => gitApart(root) ?? []);
    const around = [...new Set(apart.flatMap(({ folder, common }) => [common, folder]))];
    return { isOnlyNarrow: true, around, searched: shown };
  }

  /** What a command may not make or change, wherever it runs; `null` = it only reads, or the person has allowed everything. */
  obeyed(form: RunForm | undefined): ObeyedScope | null {
    if (!form || form.readOnly || form.mayPlant === true) return null;
    const { workspace, addDirs } = this.settings;
    return { roots: [workspace, ...addDirs], never: [this.ownFolder], allowed: this.allowedBy(form) };
  }

  /** Named in the command, which the person has seen, or by a rule of theirs to the last letter. */
  private allowedBy({ mayPlant }: RunForm): readonly string[] {
    const { workspace, addDirs, rules } = this.settings;
    const named = exactlyAllowed([...rules, ...this.standing()], "write");
    const reals = named.flatMap((path) => resolvePath(path, workspace, addDirs).real ?? []);
    return [...(mayPlant === true ? [] : (mayPlant ?? [])), ...reals];
  }

  /** No rule says yet whether commands see them. */
  mayAskToShow(files: readonly string[]): boolean {
    const { workspace, addDirs } = this.settings;
    const rules = [...this.settings.rules, ...this.standing()];
    return files.every((file) => shownByRules(rules, resolvePath(file, workspace, addDirs), workspace) === null);
  }

  /**
   * A model thinks for longer than the first look for secret files takes, and the making of a network. A reply that comes at
   * once costs nothing.
   */
  lookAhead({ mode, id }: { readonly mode: Mode; readonly id: string }): void {
    const { toolsOff, sandbox } = this.settings;
    if (this.sharing.has(id) || isSwitchedOff(sandbox, mode) || toolsOff.includes("bash")) return;
    this.sharing.add(id);
    const timer = setTimeout(() => {
      // Whatever stops it, the first command will meet again.
      void this.look(id).catch(() => {});
    }, aheadMs);
    timer.unref();
  }

  private async look(session: string): Promise<void> {
    const { secretsOf } = await import("../../platform/sandbox/secret/hidden-files.ts");
    const { sandboxState } = await import("../../platform/sandbox/state.ts");
    const isFirst = !this.isLooking;
    this.isLooking = true;
    const confine = isFirst && (await this.confine({ confined: true, readOnly: true, network: false }, session));
    if (confine) await secretsOf(confine);
    if ((await sandboxState()).kind !== "ready") return;
    const { keepLoopback } = await import("../../platform/sandbox/linux/loopback.ts");
    if (this.sharing.has(session)) keepLoopback(session);
  }

  /** The task is over: its loopback goes with it, or with the last job that lives there. */
  endTask(session: string): void {
    if (this.sharing.delete(session)) endLoopback(session);
  }

  /** Hidden files that this command sees: by what was judged along with it, and by rules. */
  private async allowedFor(
    confine: Confinement,
    { shows = [], isCheck, isUnasked }: RunForm,
  ): Promise<readonly string[]> {
    const rules = [...this.settings.rules, ...this.standing()];
    if (shows.length === 0 && !rules.some(isAboutShown)) return [];
    const { secretsOf } = await import("../../platform/sandbox/secret/hidden-files.ts");
    const { objectFoldersOf } = await import("../../platform/sandbox/secret/secret-history.ts");
    const { workspace } = this.settings;
    const kept = isCheck || isUnasked ? objectFoldersOf(confine.searched) : [];
    const facts = [...(await secretsOf(confine)), ...kept].map(
      (real) => ({ given: real, real, inside: true, exists: true, kind: "file" }) as const,
    );
    const secrets = facts.filter(
      (fact) => shows.includes(fact.real) || shownByRules(rules, fact, workspace) === "allow",
    );
    learnFrom(secrets, false);
    return [...new Set([...shows, ...secrets.map(({ real }) => real), ...placesShownBy(rules)])];
  }

  environment(form: RunForm | undefined): Readonly<Record<string, string>> {
    const proved = form?.readOnly || form?.isBound ? (this.environments?.proved ?? {}) : {};
    if (form?.isBound) return { ...proved, ...this.environments?.bound };
    if (!form?.ownConfig) return proved;
    const { GIT_CONFIG_GLOBAL: _global, GIT_CONFIG_NOSYSTEM: _system, ...own } = proved;
    return own;
  }

  /** What would confine a command in this mode. */
  sandboxFor(mode: Mode): SandboxState["kind"] | "off" {
    return isSwitchedOff(this.settings.sandbox, mode) ? "off" : (this.found ?? noSandbox).kind;
  }
}

const aheadMs = 100;
const noSandbox: SandboxState = { kind: "missing", reason: phrase("policy.sandbox.missing") };

const words = { ready: "on", missing: "missing", broken: "failing" } as const;

function isSwitchedOff(use: SandboxUse, mode: Mode): boolean {
  return use === "off" || (use === "auto" && mode === "yolo");
}
