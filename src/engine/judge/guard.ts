import { homedir } from "node:os";
import type { EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { Confinement, ObeyedScope, RunForm, SandboxState, SandboxUse } from "../../contract/sandbox.ts";
import type { Settings } from "../../contract/settings.ts";
import { lookAlikeNames } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { SessionState } from "../../machine/state.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { endLoopback } from "../../platform/sandbox/linux/loopback-kept.ts";
import { against } from "../../policy/constraint/constraint.ts";
import { decide } from "../../policy/decide.ts";
import { alwaysRules } from "../../policy/rule/always.ts";
import { exactlyAllowed } from "../../policy/rule/path.ts";
import { isAboutShown, placesShownBy, shownByRules } from "../../policy/rule/shown-files.ts";
import { learnFrom } from "../call/learn-secrets.ts";
import { constraintsOf, rewrittenBy } from "../plan/constraints.ts";
import { isCovered, listedStep } from "../plan/listed-step.ts";
import type { SandboxWord } from "../port.ts";
import { type JudgeDeps, type Judged, type JudgeMoment, judgeCall } from "./judge.ts";
import type { lookFor } from "./past-secrets.ts";
import type { judgeShell } from "./shell-call.ts";

export interface GuardDeps {
  readonly settings: Settings;
  /** The PATH variable that commands will see. */
  readonly pathVariable: string;
  readonly isInteractive: () => boolean;
  /** The person's standing answers for this workspace. */
  readonly standing: () => readonly PermissionRule[];
}

/** What is known of a call beside the call itself. */
export type Given = Pick<JudgeMoment, "authority" | "runsChanges" | "words" | "count" | "past"> & {
  /** It runs in the sandbox in every mode: else it would not be allowed. */
  readonly isHeld?: boolean;
  /** Whether the task that runs has made this file. */
  readonly isMadeHere?: (real: string) => boolean;
};

/** What is needed for commands alone. */
interface ForCommands {
  readonly judge: typeof judgeShell;
  readonly lookFor: typeof lookFor;
  readonly isItself: (program: string) => boolean;
  readonly isManaged: (program: string) => boolean;
  readonly isStandIn: (program: string) => boolean;
  readonly sandbox: SandboxState;
  readonly gitProblem: (workspace: string) => Phrase | null;
  /** The environment in which what was proved to only read does just that. */
  readonly proved: Readonly<Record<string, string>>;
  /** Of what may dial the hosts that rules name: what differs. */
  readonly bound: Readonly<Record<string, string>>;
}

/** What stands between a call and its execution: rules, facts, and the sandbox. */
export class Guard {
  private readonly settings: Settings;
  private readonly standing: GuardDeps["standing"];
  private readonly pathVariable: string;
  private readonly judging: JudgeDeps;
  /** Loaded and looked at when the first command comes: it takes a process to know what the sandbox can. */
  private commands: ForCommands | null = null;
  private isTold = false;
  private isLooking = false;
  /** Sessions whose task has a loopback for its commands, or will. */
  private readonly sharing = new Set<string>();

  constructor({ settings, pathVariable, isInteractive, standing }: GuardDeps) {
    const { workspace, home, rules } = settings;
    this.settings = settings;
    this.standing = standing;
    this.pathVariable = pathVariable;
    this.judging = {
      settings,
      rules,
      isInteractive,
      isItself: (program) => this.commands?.isItself(program) ?? false,
      isManaged: (program) => this.commands?.isManaged(program) ?? false,
      isStandIn: (program) => this.commands?.isStandIn(program) ?? true,
      ownFolder: resolvePath(home, workspace, []).real ?? home,
      gitProblem: () => this.commands?.gitProblem(workspace) ?? null,
    };
  }

  /** Real path of our own folder. */
  get ownFolder(): string {
    return this.judging.ownFolder;
  }

  /** `null`: what commands need has to be loaded first (`ready`), or git's history looked at (`lookAtPast`). */
  judge(call: Call, tool: AnyTool, state: SessionState, more: Given = {}): Judged | null {
    const judged = this.judgeFully(call, tool, state, more);
    return judged?.lacksPast ? null : judged;
  }

  /** `undefined`: the judgement does not depend on it. Takes a moment at most. */
  async lookAtPast(call: Call, tool: AnyTool, state: SessionState, more: Given): Promise<Given["past"]> {
    const lacking = this.judgeFully(call, tool, state, more)?.lacksPast;
    return lacking && this.commands?.lookFor(this.settings.workspace, lacking);
  }

  /** What "always" would store for a call that is asked about; `null` = it is not offered. */
  always(call: Call, tool: AnyTool, state: SessionState, more: Given): readonly PermissionRule[] | null {
    const judged = this.judge(call, tool, state, more);
    const rules = judged?.mayStand && judged.decision === "ask" ? alwaysRules(judged.question) : null;
    if (!judged || !rules || !judged.form?.network) return rules;
    // Beside the hosts there may be something else that is asked about.
    const after = decide({ ...judged.question, rules: [...judged.question.rules, ...rules] });
    return after.decision === "allow" ? rules : null;
  }

  async ready(): Promise<void> {
    if (this.commands) return;
    const { judgeShell: judge } = await import("./shell-call.ts");
    const { lookFor } = await import("./past-secrets.ts");
    const { foreignPath, isItself, isManaged, standIns } = await import("../../platform/find-program.ts");
    const keepOut = [this.settings.workspace, ...this.settings.addDirs];
    const path = foreignPath(this.pathVariable, keepOut);
    const { hardening } = await import("../../policy/shell/programs/hardening.ts");
    const { boundGit } = await import("../../policy/shell/programs/git-hardening.ts");
    const { gitProblem } = await import("../../platform/git/facts.ts");
    const { sandboxState } = await import("../../platform/sandbox/state.ts");
    this.commands = {
      judge,
      lookFor,
      isItself: (program) => isItself(program, path, keepOut),
      isManaged: (program) => isManaged(program, path, keepOut),
      isStandIn: standIns(path, keepOut),
      gitProblem,
      // No file of the workspace can stand in for a program that was taken for itself.
      proved: { ...hardening, PATH: path, CDPATH: "", OLDPWD: "", RIPGREP_CONFIG_PATH: "" },
      bound: boundGit,
      sandbox: await sandboxState(),
    };
  }

  /** PO-8: once, before the first command that nothing confines although it was meant to be. */
  notice(form: RunForm | undefined, mode: SessionState["mode"]): EventBody | null {
    const sandbox = this.commands?.sandbox;
    if (this.isTold || !form || form.confined || sandbox?.kind !== "missing") return null;
    if (this.sandboxFor(mode, sandbox) === "off") return null;
    this.isTold = true;
    return { type: "notice.given", text: phrase("sandbox.none_notice", { reason: sandbox.reason }) };
  }

  /** For the next command, as far as it is known: nothing is looked at for it. */
  sandboxIn(mode: SessionState["mode"]): SandboxWord {
    const found = this.commands?.sandbox;
    if (isSwitchedOff(this.settings.sandbox, mode)) return "off";
    return found ? words[found.kind] : "unknown";
  }

  /** Whether a command can be confined here, in a mode that confines. */
  async canHold(): Promise<boolean> {
    await this.ready();
    return this.sandboxFor("auto-edit", this.commands?.sandbox ?? noSandbox) === "ready";
  }

  /** `session`: whose commands share one loopback. */
  async confine(form: RunForm | undefined, session: string): Promise<Confinement | null> {
    if (!form?.confined) return null;
    const { confinementFor } = await import("../../platform/sandbox/confine.ts");
    const { workspace, addDirs, home: coderHomeNamed, fileSizeMb } = this.settings;
    const { network, readOnly, narrow = false } = form;
    const places = { workspace, addDirs, home: homedir(), coderHome: this.judging.ownFolder, coderHomeNamed };
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
    return { roots: [workspace, ...addDirs], never: [this.judging.ownFolder], allowed: this.allowedBy(form) };
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
  lookAhead({ mode, id }: Pick<SessionState, "mode" | "id">): void {
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
    const proved = form?.readOnly || form?.isBound ? (this.commands?.proved ?? {}) : {};
    if (form?.isBound) return { ...proved, ...this.commands?.bound };
    if (!form?.ownConfig) return proved;
    const { GIT_CONFIG_GLOBAL: _global, GIT_CONFIG_NOSYSTEM: _system, ...own } = proved;
    return own;
  }

  private judgeFully(call: Call, tool: AnyTool, state: SessionState, more: Given): Judged | null {
    const judged = this.judgeByRules(call, tool, state, more);
    const said = constraintsOf(state);
    // What the person has allowed in another way is no wish of the model's.
    if (judged === null || judged.lacksPast || said.length === 0 || more.authority !== undefined) return judged;
    const { question } = judged;
    const reasons = against(said, question, () => rewrittenBy(call, tool, this.settings.workspace));
    return reasons.length === 0 ? judged : { ...judged, ...decide({ ...question, against: reasons }) };
  }

  private judgeByRules(call: Call, tool: AnyTool, state: SessionState, more: Given): Judged | null {
    const judged = this.judgeBy(this.judging, call, tool, state, more);
    if (judged === null || judged.decision === "allow" || judged.lacksPast) return judged;
    // Standing answers only ever allow: the store is asked for them where they could matter.
    const rules = [...this.settings.rules, ...this.standing(), ...(state.grant?.rules ?? [])];
    const deps = { ...this.judging, rules };
    const final = this.judgeBy(deps, call, tool, state, more);
    if (final === null || final.decision === "allow") return final;
    if (isCovered(this.stepOf(call, tool, final, state, more), state)) {
      const planned = this.judgeBy(deps, call, tool, state, more, true);
      if (planned?.decision === "allow") return planned;
    }
    return { ...final, reasons: [...final.reasons, ...oddNames(call)] };
  }

  /** PL-6: the step that lists this call, where a yes to that step would cover it; `null` = none. */
  listedStep(call: Call, tool: AnyTool, state: SessionState, more: Given): string | null {
    const judged = this.judgeFully(call, tool, state, more);
    const step = judged && this.stepOf(call, tool, judged, state, more);
    if (!step || !state.grant) return null;
    const agreed = { ...state, grant: { ...state.grant, steps: [...state.grant.steps, step] } };
    return this.judge(call, tool, agreed, more)?.source === "plan" ? step : null;
  }

  private stepOf(call: Call, tool: AnyTool, judged: Judged, state: SessionState, more: Given): string | null {
    const { isMadeHere = () => false } = more;
    return listedStep(call, tool, judged, state, { workspace: this.settings.workspace, isMadeHere });
  }

  private judgeBy(
    deps: JudgeDeps,
    call: Call,
    tool: AnyTool,
    state: SessionState,
    { authority, runsChanges, words, count, past, isHeld = false }: Given,
    isPlanned = false,
  ): Judged | null {
    const { mode, preset } = state;
    const command = tool.command?.(call.input as never);
    if (command === undefined)
      return judgeCall(deps, call, tool, { mode, preset, sandbox: "off", authority, count, isPlanned });
    if (this.commands === null) return null;
    const moment = {
      mode,
      preset,
      sandbox: this.sandboxFor(isHeld ? "auto-edit" : mode, this.commands.sandbox),
      authority,
      runsChanges,
      words,
      past,
      isPlanned,
      isLimited: constraintsOf(state).length > 0,
    };
    return this.commands.judge(deps, command, moment, tool.reach?.(call.input as never), call);
  }

  private sandboxFor(mode: SessionState["mode"], found: SandboxState): JudgeMoment["sandbox"] {
    return isSwitchedOff(this.settings.sandbox, mode) ? "off" : found.kind;
  }
}

/** What a person could take for something else, told wherever they are asked or told that it was refused (PO-6). */
function oddNames({ input }: Call): readonly Phrase[] {
  const { command, ...rest } = (input ?? {}) as Readonly<Record<string, unknown>>;
  // Names, not the contents of files.
  const isName = (text: unknown): text is string => typeof text === "string" && /^.{1,4096}$/u.test(text);
  const texts = [...(typeof command === "string" ? [command] : []), ...Object.values(rest).filter(isName)];
  const names = [...new Set(texts.flatMap((text) => lookAlikeNames(text)))];
  return names.length === 0 ? [] : [phrase("policy.lookalike", { names: names.slice(0, 3).join(" · ") })];
}

const aheadMs = 100;
const noSandbox: SandboxState = { kind: "missing", reason: phrase("policy.sandbox.missing") };

const words = { ready: "on", missing: "missing", broken: "failing" } as const;

function isSwitchedOff(use: SandboxUse, mode: SessionState["mode"]): boolean {
  return use === "off" || (use === "auto" && mode === "yolo");
}
