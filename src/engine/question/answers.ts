import { fail, ok, type Result } from "../../contract/error.ts";
import type { EventBody, EventOf, EventType } from "../../contract/event.ts";
import { runOfCall } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import { type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { questionsIn } from "../../machine/history/task-record.ts";
import {
  callIn,
  callState,
  currentTask,
  openQuestions,
  type SessionState,
  subWith,
  workingCalls,
} from "../../machine/state.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { shownRules } from "../../policy/rule/shown-files.ts";
import { ruleText } from "../../policy/rule/text.ts";
import { standingAtOnce } from "../check/standing.ts";
import { standingOf } from "../judge/call-facts.ts";
import type { Standing } from "../judge/judge.ts";
import { askedToShow, offerOf } from "../judge/own-check.ts";
import { makeCall } from "../model/reply.ts";
import { heard } from "../plan/constraints.ts";
import type { Answer, OpenApproval } from "../port.ts";
import { answersTo, type OpenQuestion } from "../port.ts";
import type { LiveSession } from "../session/session.ts";
import type { SessionDeps, Sessions } from "../session/sessions.ts";
import { openApproval } from "./approval.ts";

export interface AnswersDeps {
  /** VF-2: adds a command to the user's configured checks, effective at once. Returns the file. */
  readonly allowCheck: (command: string) => Promise<Result<string>>;
  /** IN-3: stops asking about typed commands, through the user's configuration, effective at once. Returns the file. */
  readonly typeDirectly: () => Promise<Result<string>>;
}

export class Answers {
  private readonly deps: SessionDeps & AnswersDeps;
  private readonly sessions: Sessions;
  private readonly state: () => SessionState;
  /** The call whose answer is being stored: a second answer comes too late. */
  private answering: string | null = null;

  constructor(deps: SessionDeps & AnswersDeps, sessions: Sessions, state: () => SessionState) {
    this.deps = deps;
    this.sessions = sessions;
    this.state = state;
  }

  follow(type: EventType): void {
    if (type === "approval.answered") this.answering = null;
  }

  /** The same single question for every surface. */
  open(): OpenQuestion | null {
    const { task } = this.state();
    const offer = this.sessions.live?.models.fallback.open;
    if (offer) return { kind: "fallback", id: `fallback/${offer.from}/${offer.to}`, offer };
    const approval = this.approval();
    if (approval) return this.ofCall(approval);
    if (task.phase === "IDLE") return null;
    const { id, refusals, rungs } = task.task;
    if (task.phase === "AWAITING_CONFIRMATION")
      return { kind: "plan", id: `${id}/plan/${refusals}`, plan: task.plan, listed: task.listed ?? [] };
    const questions = openQuestions(task);
    return questions.length === 0 ? null : { kind: "clarification", id: `${id}/questions/${rungs.length}`, questions };
  }

  private ofCall(approval: OpenApproval): OpenQuestion {
    const call = callIn(this.state(), approval.callId)?.call;
    const { callId: id } = approval;
    if (call?.role === "asks") return { kind: "question", id, approval, questions: questionsIn(call) };
    return { kind: call && offerOf(call, this.state()) ? "check" : "approval", id, approval };
  }

  private approval(): OpenApproval | null {
    const { live } = this.sessions;
    const asking = workingCalls(this.state()).find(({ status }) => status === "asking");
    if (!live || !asking) return null;
    const offered = offerOf(asking.call, this.state());
    const added = offered && [`workflow.verify_allowed: ${JSON.stringify(offered.command)}`];
    // Answers about hidden files are stored in any case.
    const isKept = askedToShow(asking.call, this.state()).length > 0;
    const always = isKept ? null : (added ?? this.standing(asking.call)?.map(ruleText) ?? null);
    const reasons = [...this.subAgentReason(asking.call), ...asking.reasons];
    const scopes = this.scopesOf(asking.call);
    return openApproval({ ...asking, reasons }, live.tools.get(asking.call.tool), always, scopes);
  }

  /** Questions with permanent effect, and the model's own questions, cover a single call. */
  private scopesOf(call: Call): OpenApproval["scopes"] {
    const state = this.state();
    const isPlain = call.role !== "asks" && !offerOf(call, state) && askedToShow(call, state).length === 0;
    if (!isPlain) return ["call"];
    const step = this.listedStep(call) === null ? [] : (["step"] as const);
    const task = this.standing(call) === null ? [] : (["task"] as const);
    return ["call", ...step, ...task, ...(this.isTypedCommand(call) ? (["typed"] as const) : [])];
  }

  /** A command typed by the user that `shell_mode.approval` would let run, unless its sandbox fails. */
  private isTypedCommand({ role }: Call): boolean {
    const state = this.state();
    if (role !== "runs" || currentTask(state)?.input.kind !== "shell") return false;
    const { confiner } = this.sessions.judge;
    return this.deps.settings.shellApproval !== "direct" && confiner.sandboxIn(state.mode) !== "failing";
  }

  private listedStep(call: Call): string | null {
    const { live, judge } = this.sessions;
    const tool = live?.tools.get(call.tool);
    if (!live || !tool) return null;
    return judge.listedStep(call, tool, this.state(), this.given(call, live));
  }

  /** The event's fields for the scope; `null` = this scope is not offered. */
  private reachOf(
    call: Call,
    { answer, scope }: Answer,
  ): Pick<EventOf<"approval.answered">, "scope" | "step" | "rules"> | null {
    if (scope === undefined || scope === "call") return {};
    if (answer !== "yes" || scope === "plan" || !this.scopesOf(call).includes(scope)) return null;
    if (scope === "typed") return { scope };
    if (scope === "task") return { scope, rules: this.standing(call) ?? [] };
    const step = this.listedStep(call);
    return step === null ? null : { scope, step };
  }

  /** Which sub-agent asks, and how many other calls wait for an answer. */
  private subAgentReason({ id }: Call): readonly Phrase[] {
    const state = this.state();
    const sub = subWith(state, runOfCall(id));
    const title = sub && titleOf(callState(state.run, sub.callId)?.call);
    const waiting = workingCalls(state).filter(({ status }) => status === "waiting").length;
    return [
      ...(title === undefined ? [] : [phrase("approval.sub", { title })]),
      ...(waiting > 0 && state.subs.length > 0 ? [phrase("approval.waiting", { n: waiting })] : []),
    ];
  }

  private standing(call: Call): readonly PermissionRule[] | null {
    const { live, judge } = this.sessions;
    const tool = live?.tools.get(call.tool);
    if (!live || !tool) return null;
    return judge.always(call, tool, this.state(), this.given(call, live));
  }

  private given(call: Call, live: LiveSession): Standing {
    const check = call.role === "checks" ? standingAtOnce(call, this.state(), this.deps.settings) : null;
    return standingOf(call, this.state(), live.loop.history, check);
  }

  /** An answer that does not fit the open question is refused, and the question stays open. */
  answer(id: string, answer: Answer): Result<void> {
    const open = this.open();
    if (open?.id !== id || this.answering === id) return notOpen(id);
    if (!answersTo[open.kind].includes(answer.answer))
      return fail("E_INVALID_ARGS", phrase("question.no_such_answer", { answer: answer.answer }), {
        advice: phrase("question.no_such_answer.advice", { answers: answersTo[open.kind].join(", ") }),
      });
    switch (open.kind) {
      case "fallback":
        this.sessions.live?.models.fallback.answer(answer.answer === "yes");
        return ok(undefined);
      case "plan":
        return this.answerPlan(answer);
      case "clarification":
        return this.clarify(answer.words ?? "");
      default:
        return this.answerCall(open.approval.callId, answer);
    }
  }

  private answerCall(callId: string, answer: Answer): Result<void> {
    const { live } = this.sessions;
    const open = callIn(this.state(), callId as Call["id"]);
    if (!live || open?.status !== "asking") return notOpen(callId);
    const offered = offerOf(open.call, this.state());
    const hidden = askedToShow(open.call, this.state());
    const reach = this.reachOf(open.call, answer);
    if (reach === null) return noScope(answer.scope ?? "", this.scopesOf(open.call));
    if (answer.answer === "always" && hidden.length === 0 && !offered) {
      const rules = this.standing(open.call);
      if (!rules)
        return fail("E_INVALID_ARGS", phrase("approval.no_always"), { advice: phrase("approval.no_always.advice") });
      this.deps.store.addRules(this.deps.settings.workspace, rules);
    }
    const edited = answer.answer === "edit" ? this.edited(open.call, answer) : null;
    if (edited?.problem) return { ok: false, error: edited.problem };
    const { answer: given, words = "", by } = answer;
    if (hidden.length > 0 && given !== "edit" && this.deps.isInteractive()) this.keepShown(hidden, given !== "no");
    const where = { runId: runOfCall(open.call.id), callId: open.call.id };
    const shown = given === "yes" || given === "always" ? live.agreed(open.call) : undefined;
    const seen = shown === undefined ? {} : { shown };
    const fields = { answer: given, words, call: edited, by } as const;
    const body = { type: "approval.answered", ...where, ...fields, ...reach, ...seen } as const;
    // A refusal without a user present is not the user's decision.
    if (offered && hidden.length === 0 && given === "no" && this.deps.isInteractive())
      this.deps.store.keepRefused(this.deps.settings.workspace, offered.command);
    for (const one of heard(words)) live.loop.push(one);
    this.answering = callId;
    if (answer.scope === "typed") void this.storeThenAnswer(live, () => this.allowTyped(), body);
    else if (offered && hidden.length === 0 && given === "always")
      void this.storeThenAnswer(live, () => this.addCheck(offered.command), body);
    else live.loop.push(body);
    return ok(undefined);
  }

  /** For all commands in this workspace, until the user removes the rule. */
  private keepShown(files: readonly string[], isShown: boolean): void {
    const { workspace, addDirs } = this.deps.settings;
    const facts = files.map((file) => resolvePath(file, workspace, addDirs));
    this.deps.store.addRules(workspace, shownRules(isShown ? "allow" : "deny", facts, workspace));
  }

  /** A kill between storing and answering asks again and loses nothing. The call runs even if storing fails. */
  private async storeThenAnswer(live: LiveSession, keep: () => Promise<Phrase>, answered: EventBody): Promise<void> {
    const text = await keep();
    // The session may have been closed meanwhile.
    if (this.sessions.live !== live) return;
    live.loop.push({ type: "notice.given", text });
    live.loop.push(answered);
  }

  private async addCheck(command: string): Promise<Phrase> {
    const kept = await this.kept("allowCheck", () => this.deps.allowCheck(command));
    if (kept.ok) return phrase("verify.added", { command, file: kept.value });
    return phrase("verify.not_added", { command, problem: kept.error.text, line: JSON.stringify(command) });
  }

  private async allowTyped(): Promise<Phrase> {
    const kept = await this.kept("typeDirectly", () => this.deps.typeDirectly());
    if (kept.ok) return phrase("shell.direct", { file: kept.value });
    return phrase("shell.not_direct", { problem: kept.error.text });
  }

  /** The user waits for the call, so no failure here may stop it. */
  private async kept(what: string, keep: () => Promise<Result<string>>): Promise<Result<string>> {
    try {
      return await keep();
    } catch (error) {
      this.deps.logInternal(this.deps.newTraceId(), error);
      return fail("E_INTERNAL", phrase("run.crashed", { what }));
    }
  }

  private edited(call: Call, { input, file }: Answer): Call {
    const tools: ReadonlyMap<string, AnyTool> = this.sessions.live?.tools ?? new Map();
    const whole = file && tools.get(call.tool)?.inFull?.(file.path, file.text);
    const made = whole ?? { tool: call.tool, input };
    return { ...makeCall(call.id, call.providerId, made.tool, made.input, tools), edited: true };
  }

  private answerPlan({ answer, words = "", plan, scope = "plan" }: Answer): Result<void> {
    const { task } = this.state();
    if (!this.sessions.live || task.phase !== "AWAITING_CONFIRMATION" || answer === "always") return notOpen("plan");
    if (answer === "edit" && !plan)
      return fail("E_INVALID_ARGS", phrase("question.no_plan"), { advice: phrase("question.no_plan.advice") });
    if (scope !== "plan" && scope !== "step") return noScope(scope, ["plan", "step"]);
    const reach = answer === "no" ? {} : { scope };
    const body = { type: "plan.answered", taskId: task.task.id, answer, words, plan: plan ?? null, ...reach } as const;
    for (const one of [...heard(words), body]) this.sessions.live.loop.push(one);
    return ok(undefined);
  }

  private clarify(text: string): Result<void> {
    const task = currentTask(this.state());
    if (!this.sessions.live || !task || text.trim() === "")
      return fail("E_INVALID_ARGS", phrase("clarify.not_open"), { advice: phrase("clarify.not_open.advice") });
    for (const body of [...heard(text), { type: "clarification.answered", taskId: task.id, text } as const])
      this.sessions.live.loop.push(body);
    return ok(undefined);
  }

  leaveUnanswered(): void {
    const { task } = this.state();
    if (openQuestions(task).length > 0 && task.phase !== "IDLE")
      this.sessions.live?.loop.push({ type: "clarification.unanswered", taskId: task.task.id });
    if (task.phase === "AWAITING_CONFIRMATION") {
      const words = say("en", phrase("run.plan_nobody"));
      this.sessions.live?.loop.push({ type: "plan.answered", taskId: task.task.id, answer: "no", words, plan: null });
    }
    const asking = workingCalls(this.state()).find(({ status }) => status === "asking")?.call;
    if (asking?.role !== "asks") return;
    const where = { runId: runOfCall(asking.id), callId: asking.id };
    const no = { answer: "no", words: "", call: null, by: "nobody" } as const;
    this.sessions.live?.loop.push({ type: "approval.answered", ...where, ...no });
  }
}

function notOpen(id: string): Result<never> {
  return fail("E_INVALID_ARGS", phrase("approval.not_open", { call: id }), {
    advice: phrase("approval.not_open.advice"),
  });
}

function noScope(scope: string, scopes: readonly string[]): Result<never> {
  return fail("E_INVALID_ARGS", phrase("approval.no_scope", { scope }), {
    advice: phrase("approval.no_scope.advice", { scopes: scopes.join(", ") }),
  });
}

function titleOf(call: Call | undefined): string {
  const { title } = (call?.input ?? {}) as { readonly title?: unknown };
  return String(title ?? "")
    .replace(/\s+/g, " ")
    .slice(0, 100);
}
