import type { Call } from "../../contract/message.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { Settings } from "../../contract/settings.ts";
import { lookAlikeNames } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { SessionState } from "../../machine/state.ts";
import { against } from "../../policy/constraint/constraint.ts";
import { decide } from "../../policy/decide.ts";
import { alwaysRules } from "../../policy/rule/always.ts";
import { Confiner } from "../call/confine.ts";
import { constraintsOf, rewrittenBy } from "../plan/constraints.ts";
import { isCovered, listedStep } from "../plan/listed-step.ts";
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
  readonly isRealProgram: (program: string) => boolean;
  readonly isManaged: (program: string) => boolean;
  readonly isShim: (program: string) => boolean;
  readonly gitProblem: (workspace: string) => Phrase | null;
}

/** What a call would do, judged by rules and facts of the moment. */
export class Guard {
  readonly confiner: Confiner;
  private readonly settings: Settings;
  private readonly standing: GuardDeps["standing"];
  private readonly pathVariable: string;
  private readonly judging: JudgeDeps;
  /** Loaded when the first command comes. */
  private commands: ForCommands | null = null;

  constructor({ settings, pathVariable, isInteractive, standing }: GuardDeps) {
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

  /** `null`: what commands need has to be loaded first (`ready`), or git's history looked at (`lookAtPast`). */
  judge(call: Call, tool: AnyTool, state: SessionState, more: Given = {}): Judged | null {
    const judged = this.judgeFully(call, tool, state, more);
    return judged?.unknownObjects ? null : judged;
  }

  /** `undefined`: the judgement does not depend on it. Takes a moment at most. */
  async lookAtPast(call: Call, tool: AnyTool, state: SessionState, more: Given): Promise<Given["past"]> {
    const lacking = this.judgeFully(call, tool, state, more)?.unknownObjects;
    return lacking && this.commands?.lookFor(this.settings.workspace, lacking);
  }

  /** What "always" would store for a call that is asked about; `null` = it is not offered. */
  always(call: Call, tool: AnyTool, state: SessionState, more: Given): readonly PermissionRule[] | null {
    const judged = this.judge(call, tool, state, more);
    const rules = judged?.mayAlways && judged.decision === "ask" ? alwaysRules(judged.question) : null;
    if (!judged || !rules || !judged.form?.network) return rules;
    // Beside the hosts there may be something else that is asked about.
    const after = decide({ ...judged.question, rules: [...judged.question.rules, ...rules] });
    return after.decision === "allow" ? rules : null;
  }

  async ready(): Promise<void> {
    if (this.commands) return;
    const { judgeShell: judge } = await import("./shell-call.ts");
    const { lookFor } = await import("./past-secrets.ts");
    const { foreignPath, isRealProgram, isManaged, shimsIn } = await import("../../platform/find-program.ts");
    const keepOut = [this.settings.workspace, ...this.settings.addDirs];
    const path = foreignPath(this.pathVariable, keepOut);
    const { gitProblem } = await import("../../platform/git/facts.ts");
    await this.confiner.ready(path);
    this.commands = {
      judge,
      lookFor,
      isRealProgram: (program) => isRealProgram(program, path, keepOut),
      isManaged: (program) => isManaged(program, path, keepOut),
      isShim: shimsIn(path, keepOut),
      gitProblem,
    };
  }

  private judgeFully(call: Call, tool: AnyTool, state: SessionState, more: Given): Judged | null {
    const judged = this.judgeByRules(call, tool, state, more);
    const said = constraintsOf(state);
    // What the person has allowed in another way is no wish of the model's.
    if (judged === null || judged.unknownObjects || said.length === 0 || more.authority !== undefined) return judged;
    const { question } = judged;
    const reasons = against(said, question, () => rewrittenBy(call, tool, this.settings.workspace));
    return reasons.length === 0 ? judged : { ...judged, ...decide({ ...question, against: reasons }) };
  }

  private judgeByRules(call: Call, tool: AnyTool, state: SessionState, more: Given): Judged | null {
    const judged = this.judgeBy(this.judging, call, tool, state, more);
    if (judged === null || judged.decision === "allow" || judged.unknownObjects) return judged;
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
      sandbox: this.confiner.sandboxFor(isHeld ? "auto-edit" : mode),
      authority,
      runsChanges,
      words,
      past,
      isPlanned,
      isLimited: constraintsOf(state).length > 0,
    };
    return this.commands.judge(deps, command, moment, tool.reach?.(call.input as never), call);
  }
}

/** What a person could take for something else, told wherever they are asked or told that it was refused (PO-6). */
function oddNames({ input }: Call): readonly Phrase[] {
  const { command, ...rest } = (input ?? {}) as Readonly<Record<string, unknown>>;
  // Names, not the contents of files.
  const isName = (text: unknown): text is string => typeof text === "string" && /^[^\n]{1,4096}$/u.test(text);
  const texts = [...(typeof command === "string" ? [command] : []), ...Object.values(rest).filter(isName)];
  const names = [...new Set(texts.flatMap((text) => lookAlikeNames(text)))];
  return names.length === 0 ? [] : [phrase("policy.lookalike", { names: names.slice(0, 3).join(" · ") })];
}
