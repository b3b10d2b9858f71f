import type { Call } from "../../contract/message.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { Settings } from "../../contract/settings.ts";
import { lookAlikeNames } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { SessionState } from "../../machine/state.ts";
import type { PolicyQuestion } from "../../policy/decide.ts";
import { type DeedFacts, type DeedVerdict, decideDeed, offeredAlways } from "../../policy/decide-deed.ts";
import { Confiner } from "../call/confine.ts";
import { constraintsOf, rewrittenBy } from "../plan/constraints.ts";
import { isCovered, listedStep } from "../plan/listed-step.ts";
import { callDeed, type JudgeDeps, type Judged, type JudgeMoment, outsideOf } from "./deed-facts.ts";
import type { lookFor } from "./past-secrets.ts";
import type { shellJudge } from "./shell-call.ts";

export interface JudgeOptions {
  readonly settings: Settings;
  /** The PATH variable that commands will see. */
  readonly pathVariable: string;
  readonly isInteractive: () => boolean;
  /** The person's standing answers for this workspace. */
  readonly standing: () => readonly PermissionRule[];
}

/** What the session says of a call. */
export type Standing = Pick<JudgeMoment, "authority" | "runsChanges" | "words" | "count" | "past"> & {
  /** It is allowed only in the sandbox, so it runs there in every mode. */
  readonly isHeld?: boolean;
  /** Whether the task that runs has made this file. */
  readonly isMadeHere?: (real: string) => boolean;
};

/** Loaded when the first command comes: the parser and its tables take milliseconds. */
interface ForCommands {
  readonly shell: typeof shellJudge;
  readonly lookFor: typeof lookFor;
  readonly isRealProgram: (program: string) => boolean;
  readonly isManaged: (program: string) => boolean;
  readonly isShim: (program: string) => boolean;
  readonly gitProblem: (workspace: string) => Phrase | null;
}

/** Gathers facts about calls and has the policy decide on them. */
export class Judge {
  readonly confiner: Confiner;
  private readonly settings: Settings;
  private readonly standing: JudgeOptions["standing"];
  private readonly pathVariable: string;
  private readonly judging: JudgeDeps;
  private commands: ForCommands | null = null;

  constructor({ settings, pathVariable, isInteractive, standing }: JudgeOptions) {
    const { workspace, rules } = settings;
    this.confiner = new Confiner(settings, standing);
    this.settings = settings;
    this.standing = standing;
    this.pathVariable = pathVariable;
    this.judging = {
      settings,
      rules,
      isInteractive,
      isRealProgram: (program) => this.commands?.isRealProgram(program) ?? false,
      isManaged: (program) => this.commands?.isManaged(program) ?? false,
      isShim: (program) => this.commands?.isShim(program) ?? true,
      ownFolder: this.confiner.ownFolder,
      gitProblem: () => this.commands?.gitProblem(workspace) ?? null,
    };
  }

  /** Whether a command can be confined here, in a mode that confines. */
  async canHold(): Promise<boolean> {
    await this.ready();
    return this.confiner.sandboxFor("auto-edit") === "ready";
  }

  async ready(): Promise<void> {
    if (this.commands) return;
    const { shellJudge: shell } = await import("./shell-call.ts");
    const { lookFor } = await import("./past-secrets.ts");
    const { foreignPath, isRealProgram, isManaged, shimsIn } = await import("../../platform/find-program.ts");
    const keepOut = [this.settings.workspace, ...this.settings.addDirs];
    const path = foreignPath(this.pathVariable, keepOut);
    const { gitProblem } = await import("../../platform/git/facts.ts");
    await this.confiner.ready(path);
    this.commands = {
      shell,
      lookFor,
      isRealProgram: (program) => isRealProgram(program, path, keepOut),
      isManaged: (program) => isManaged(program, path, keepOut),
      isShim: shimsIn(path, keepOut),
      gitProblem,
    };
  }

  /** `null`: what commands need has to be loaded first (`ready`). */
  factsOf(call: Call, tool: AnyTool, state: SessionState, standing: Standing = {}): DeedFacts | null {
    const { authority } = standing;
    const deed = this.deedOf(call, tool, state, standing);
    return (
      deed && {
        ...deed,
        granted: () => [...this.standing(), ...(state.grant?.rules ?? [])],
        isAgreed: (question) => isCovered(this.stepOf(call, tool, question, state, standing), state),
        // A call that the person has allowed in another way is not the model's own wish.
        constraints: authority === undefined ? constraintsOf(state) : [],
        rewritten: () => rewrittenBy(call, tool, this.settings.workspace),
        lookAlikes: () => lookAlikesIn(call),
      }
    );
  }

  /** `null`: more has to be loaded (`ready`) or looked up (`lookAtPast`) first. */
  judge(call: Call, tool: AnyTool, state: SessionState, standing: Standing = {}): Judged | null {
    const verdict = this.verdictOn(call, tool, state, standing);
    return verdict === null || verdict.unknownObjects ? null : this.withForm(verdict);
  }

  withForm(verdict: DeedVerdict): Judged {
    const { question } = verdict;
    if (question.judgement && this.commands) return this.commands.shell.withForm(verdict);
    return { ...verdict, outside: outsideOf(question), form: null };
  }

  /** `undefined`: the verdict does not depend on git's history. */
  async lookAtPast(call: Call, tool: AnyTool, state: SessionState, standing: Standing): Promise<Standing["past"]> {
    const lacking = this.verdictOn(call, tool, state, standing)?.unknownObjects;
    return lacking && this.commands?.lookFor(this.settings.workspace, lacking);
  }

  /** What "always" would store; `null` = it is not offered. */
  always(call: Call, tool: AnyTool, state: SessionState, standing: Standing): readonly PermissionRule[] | null {
    const judged = this.judge(call, tool, state, standing);
    return judged && offeredAlways(judged);
  }

  /** PL-6: the plan step that lists this call, where a yes to that step would cover it; `null` = none. */
  listedStep(call: Call, tool: AnyTool, state: SessionState, standing: Standing): string | null {
    const verdict = this.verdictOn(call, tool, state, standing);
    const step = verdict && this.stepOf(call, tool, verdict.question, state, standing);
    if (!step || !state.grant) return null;
    const agreed = { ...state, grant: { ...state.grant, steps: [...state.grant.steps, step] } };
    return this.judge(call, tool, agreed, standing)?.source === "plan" ? step : null;
  }

  private verdictOn(call: Call, tool: AnyTool, state: SessionState, standing: Standing): DeedVerdict | null {
    const facts = this.factsOf(call, tool, state, standing);
    return facts && decideDeed(facts);
  }

  private stepOf(call: Call, tool: AnyTool, question: PolicyQuestion, state: SessionState, standing: Standing) {
    const { isMadeHere = () => false } = standing;
    return listedStep(call, tool, question, state, { workspace: this.settings.workspace, isMadeHere });
  }

  private deedOf(
    call: Call,
    tool: AnyTool,
    state: SessionState,
    { isHeld = false, isMadeHere: _, ...standing }: Standing,
  ): DeedFacts | null {
    const { mode, preset } = state;
    const command = tool.command?.(call.input as never);
    if (command === undefined) {
      const { runsChanges: _changes, ...moment } = standing;
      return callDeed(this.judging, call, tool, { ...moment, mode, preset, sandbox: "off" });
    }
    if (this.commands === null) return null;
    const sandbox = this.confiner.sandboxFor(isHeld ? "auto-edit" : mode);
    const moment = { ...standing, mode, preset, sandbox, isLimited: constraintsOf(state).length > 0 };
    return this.commands.shell.deed(this.judging, command, moment, tool.reach?.(call.input as never), call);
  }
}

/** Names that a person could mistake for others (PO-6). */
function lookAlikesIn({ input }: Call): readonly Phrase[] {
  const { command, ...rest } = (input ?? {}) as Readonly<Record<string, unknown>>;
  // Names, not the contents of files.
  const isName = (text: unknown): text is string => typeof text === "string" && /^[^\n]{1,4096}$/u.test(text);
  const texts = [...(typeof command === "string" ? [command] : []), ...Object.values(rest).filter(isName)];
  const names = [...new Set(texts.flatMap((text) => lookAlikeNames(text)))];
  return names.length === 0 ? [] : [phrase("policy.lookalike", { names: names.slice(0, 3).join(" · ") })];
}
