import { CoderError, fail, ok, type Result } from "../contract/error.ts";
import type { Aside, CancelSource, CutReply, Delivery, EventBody, InputKind, Recorded } from "../contract/event.ts";
import type { Exported, ExportForm } from "../contract/export.ts";
import { type CallId, callId, type InputId, type TaskId } from "../contract/ids.ts";
import type { Job } from "../contract/job.ts";
import { subjectOf, type ToolSpec } from "../contract/message.ts";
import type { Plan } from "../contract/plan.ts";
import type { Effort, Settings } from "../contract/settings.ts";
import type { SessionSpending, WindowUse } from "../contract/show/insight.ts";
import type { Skills } from "../contract/skill.ts";
import type { SessionRow } from "../contract/store.ts";
import type { Mode, Preset } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { UiChoice } from "../contract/ui.ts";
import type { TaskRecord } from "../machine/history/task-record.ts";
import { emptySession, type SessionState } from "../machine/state.ts";
import { knowSecrets } from "./call/redact.ts";
import { dispatch } from "./input/dispatch.ts";
import { asked, Intake, inEvent, nothingAttached, recall, storeTogether } from "./input/intake.ts";
import { noModel, noPlan, refused } from "./input/missing.ts";
import { changeModel } from "./model/change-model.ts";
import { compactionText } from "./model/compaction-text.ts";
import { costLimit, priceProblem } from "./model/cost.ts";
import { makeCall } from "./model/reply.ts";
import type {
  About,
  Admission,
  Answer,
  AsideOptions,
  Background,
  ChecksNow,
  EnginePort,
  InputOptions,
  KnownModel,
  LogPages,
  Opened,
  OpenQuestion,
  PreviewForm,
  ProposedFile,
  Published,
  Rewindable,
  Rewound,
  SandboxWord,
  SlashCommand,
  TaskInput,
  Undoable,
} from "./port.ts";
import { Answers, type AnswersDeps } from "./question/answers.ts";
import { type RewindDeps, rewind, rewindable, unrewind } from "./session/rewind.ts";
import type { LiveSession } from "./session/session.ts";
import { type SessionDeps, Sessions } from "./session/sessions.ts";
import { structuredAnswer } from "./structured-output/answer.ts";
import { undoable } from "./undo/undoable.ts";

export interface EngineDeps extends SessionDeps, AnswersDeps {
  readonly commands: () => Promise<readonly SlashCommand[]>;
  readonly secrets: () => readonly string[];
  readonly skills: () => Promise<Skills>;
  readonly persistModel: (ref: string) => Promise<Result<void>>;
  readonly setUi: (choice: UiChoice) => Promise<Result<void>>;
  readonly knownModels: () => Promise<readonly KnownModel[]>;
  /** `sessionId`: for the file name when none is given. */
  readonly exportPlan: (plan: Plan, file: string | null, sessionId: string) => Promise<Result<Exported>>;
  readonly exportSession: (id: string, form: ExportForm, file: string | null) => Promise<Result<Exported>>;
  readonly about: About;
}

export class Engine implements EnginePort {
  readonly settings: Settings;
  readonly about: About;
  private readonly deps: EngineDeps;
  private readonly open: Sessions;
  private readonly answers: Answers;
  private readonly intake: Intake;
  private compacting: AbortController | null = null;
  private readonly listeners = new Set<(published: Published) => void>();

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.settings = deps.settings;
    this.about = deps.about;
    knowSecrets(deps.secrets);
    this.open = new Sessions(deps, (published) => this.publish(published));
    this.answers = new Answers(deps, this.open, () => this.state());
    this.intake = new Intake(async () => {
      const { judge, model } = this.open;
      const { tools } = await this.open.tools();
      const about = { window: model?.contextWindow ?? 0, blind: model && !model.takesImages ? model.ref : null };
      return { settings: deps.settings, judge, tools, state: this.state(), ...about };
    });
  }

  state(): SessionState {
    if (this.open.live) return this.open.live.loop.state;
    const { workspace, addDirs } = this.settings;
    const { mode, preset, model } = this.open;
    return { ...emptySession, workspace, addDirs, model: model?.ref ?? "", mode, preset };
  }

  async runInput(text: string, options: InputOptions = {}): Promise<Admission> {
    if (options.call) return this.runCall(options.call);
    const trimmed = text.trim();
    const commands = trimmed.startsWith("/") ? await this.deps.commands() : [];
    const names = commands.map((one) => one.name);
    const what = dispatch(trimmed, names);
    switch (what.kind) {
      case "nothing":
        return { kind: "nothing" };
      case "error":
        return { kind: "refused", error: what.error };
      case "command":
        return this.runCommand(commands, what.name, what.args, trimmed);
      case "shell":
        return this.admit("shell", what.command, options);
      case "task":
        return this.admit("task", what.text, options, what.notice);
    }
  }

  /** Runs one call by name. An impossible call is refused before anything is recorded. `typed`: the slash command behind it. */
  private async runCall(
    asked: NonNullable<InputOptions["call"]>,
    typed: string | null = null,
    notice: Phrase | null = null,
  ): Promise<Admission> {
    const { tools } = await this.open.tools();
    const { problem } = makeCall("r0/0/0", null, asked.tool, asked.input, tools);
    if (problem) return { kind: "refused", error: problem };
    // Queued: a call is not steering input for a running task.
    const text = typed ?? `${asked.tool} ${subjectOf(asked.input)}`.trim();
    return this.admit("tool", text, { call: asked, delivery: "queue" }, notice);
  }

  private async runCommand(
    commands: readonly SlashCommand[],
    name: string,
    args: readonly string[],
    typed: string,
  ): Promise<Admission> {
    const command = commands.find((one) => one.name === name);
    if (!command) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: name }) });
    if (!command.whileRunning && this.state().task.phase !== "IDLE") {
      const text = phrase("input.busy", { command: `/${name}` });
      return refused({ code: "E_INVALID_ARGS", text, advice: phrase("input.busy.advice") });
    }
    const result = await command.run(this, args);
    if (result.task) return this.admit("task", result.task.text, result.task.options, null, typed);
    let admission: Admission = { kind: "command", result };
    for (const [at, call] of (result.calls ?? []).entries()) {
      const isFirst = at === 0;
      admission = await this.runCall(call, isFirst ? typed : null, isFirst ? (result.notice ?? null) : null);
      if (admission.kind === "refused") break;
    }
    return admission;
  }

  /** When this resolves, the input is either refused or durable and can no longer be lost (IN-5). */
  private async admit(
    kind: InputKind,
    text: string,
    options: InputOptions,
    notice: Phrase | null = null,
    typed: string | null = null,
  ): Promise<Admission> {
    const isTask = kind === "task";
    if (isTask && !this.open.model) return refused(noModel);
    const unpriced = isTask ? priceProblem(this.open.model, this.settings.maxCost) : null;
    if (unpriced) return refused(unpriced);
    const resolved = this.intake.isNeeded(isTask, text)
      ? await this.intake.resolve(isTask, text, options.outside)
      : ok(nothingAttached);
    if (!resolved.ok) return refused(resolved.error);
    try {
      const { live, opening } = await this.open.ensure();
      const delivery: Delivery = live.loop.state.task.phase === "IDLE" ? "now" : (options.delivery ?? "steer");
      const inputId = this.open.nextInputId();
      const extra = inEvent(resolved.value, (whole) => this.spill(opening, live, inputId, whole));
      const event = {
        type: "input.admitted",
        inputId,
        kind,
        delivery,
        text,
        ...asked(options, isTask, typed),
      } as const;
      const admitted: EventBody = { ...event, ...extra.fields };
      const texts = notice ? [notice, ...extra.notices] : extra.notices;
      const notices = texts.map((one): EventBody => ({ type: "notice.given", text: one }));
      await storeTogether(live.loop, [...opening, ...notices, admitted], resolved.value.blobs);
      return { kind: "admitted", inputId, delivery, notice };
    } catch (error) {
      if (error instanceof CoderError && error.info.code !== "E_INTERNAL") return refused(error.info);
      throw error;
    }
  }

  /** Long inputs are spilled like long results, under the name of a pseudo call. */
  private spill(opening: readonly EventBody[], live: LiveSession, inputId: string, whole: string): Result<string> {
    const [first] = opening;
    const id = first?.type === "session.started" ? first.sessionId : live.loop.state.id;
    return this.deps.spill(id, makeCall(callId(inputId, 0, 0), null, "read", { path: "." }, live.tools), whole);
  }

  outsideMentions(text: string): ReturnType<EnginePort["outsideMentions"]> {
    return this.intake.outside(text);
  }

  recall(inputId: InputId): Promise<Result<string>> {
    return recall(this.open.live?.loop, inputId);
  }

  question(): OpenQuestion | null {
    return this.answers.open();
  }

  async preview(callId: CallId, form: PreviewForm): Promise<string | null> {
    return (await this.open.live?.preview(callId, form)) ?? null;
  }

  async proposed(callId: CallId): Promise<ProposedFile | null> {
    return (await this.open.live?.proposed(callId)) ?? null;
  }

  async changesOf(id: CallId | TaskId): Promise<string | null> {
    return (await this.open.live?.changesOf(id)) ?? null;
  }

  past(tasks: number): readonly Recorded[] {
    return this.open.live?.loop.recent(tasks) ?? [];
  }

  wholeLog(): LogPages | null {
    return this.open.live?.loop ?? null;
  }

  undoable(): readonly Undoable[] {
    return this.open.live ? undoable(this.open.live.loop) : [];
  }

  rewindable(): readonly Rewindable[] {
    return this.open.live ? rewindable(this.open.live.loop) : [];
  }

  rewind(taskId: TaskId, code: boolean, typed: string): Promise<Result<Rewound>> {
    return rewind(this.rewinding, { taskId, code, typed });
  }

  unrewind(): ReturnType<EnginePort["unrewind"]> {
    return unrewind(this.rewinding);
  }

  private get rewinding(): RewindDeps {
    return { open: this.open, run: (call, typed) => this.runCall(call, typed) };
  }

  answer(id: string, answer: Answer): Result<void> {
    return this.answers.answer(id, answer);
  }

  leaveUnanswered(): void {
    this.open.live?.models.fallback.answer(false);
    this.answers.leaveUnanswered();
  }

  changePlan(plan: Plan): Result<void> {
    if (!this.open.live || this.state().plan === null) return noPlan;
    this.open.live.loop.push({ type: "plan.changed", plan, by: "person" });
    return ok(undefined);
  }

  plan(): Plan | null {
    const { task, plan } = this.state();
    return task.phase === "AWAITING_CONFIRMATION" ? task.plan : plan;
  }

  exportPlan(plan: Plan, file: string | null): Promise<Result<Exported>> {
    return this.deps.exportPlan(plan, file, this.state().id);
  }

  async planInFile(file: string): Promise<Result<Plan>> {
    const { planInFile } = await import("./plan/plan-file.ts");
    return planInFile(file, this.settings, new Date().toISOString());
  }

  async editedPlan(edited: Plan | string): Promise<Result<Plan>> {
    const current = this.plan();
    if (current === null) return noPlan;
    return (await import("./plan/plan-file.ts")).editedPlan(current, edited);
  }

  async checksNow(command: string | null): Promise<ChecksNow> {
    if (command !== null) return (await import("./check/choose-checks.ts")).typedCheck(command, "");
    const { checksNow } = await import("./check/check-now.ts");
    return checksNow(this.open.checks, this.state().mode, this.open.live?.loop.history ?? null);
  }

  async diffProblem(): Promise<Phrase | null> {
    const { diffProblem } = await import("./task/diff-problem.ts");
    return diffProblem(this.settings.workspace, this.deps.pathVariable);
  }

  async reviewTask(base: string | null, focus: string): Promise<TaskInput | Phrase> {
    return (await import("./task/review-task.ts")).reviewNow(this.settings.workspace, base, focus);
  }

  async compact(focus: string): ReturnType<EnginePort["compact"]> {
    const { live } = this.open;
    if (!live) return ok({ text: phrase("compact.no_session"), compaction: null });
    // A second `/compact` replaces the first.
    this.compacting?.abort();
    this.compacting = new AbortController();
    const made = await live.compact(focus, this.compacting.signal);
    if (!made.ok) return made;
    const nothing = phrase("compact.nothing", { before: this.context().tokens });
    return ok({ text: (made.value && compactionText(made.value)) ?? nothing, compaction: made.value });
  }

  async firstRules(): ReturnType<EnginePort["firstRules"]> {
    return (await import("./task/first-rules.ts")).firstRules(this.settings);
  }

  goOn(): Promise<Result<void>> {
    return this.open.goOn();
  }

  cancel(source: CancelSource): void {
    this.intake.cancel();
    this.compacting?.abort();
    if (this.state().task.phase !== "IDLE") this.open.live?.loop.push({ type: "cancel.requested", source });
  }

  setMode(mode: Mode): void {
    this.open.mode = mode;
    this.open.live?.loop.push({ type: "mode.changed", mode, told: true });
  }

  setPreset(preset: Preset): void {
    this.open.preset = preset;
    this.open.live?.loop.push({ type: "preset.changed", preset });
  }

  rules(): ReturnType<EnginePort["rules"]> {
    return [...this.settings.rules, ...this.deps.store.rulesOf(this.settings.workspace)];
  }

  forgetRule(id: number): boolean {
    return this.deps.store.removeRule(this.settings.workspace, id);
  }

  async setUi(choice: UiChoice): Promise<Phrase | null> {
    const kept = await this.deps.setUi(choice);
    return kept.ok ? null : kept.error.text;
  }

  knownModels(): Promise<readonly KnownModel[]> {
    return this.deps.knownModels();
  }

  retryNow(): Result<void> {
    if (this.open.live?.models.patience.endWait()) return ok(undefined);
    return fail("E_INVALID_ARGS", phrase("run.nothing_waits"));
  }

  setModel(ref: string, effort?: Effort): Promise<Result<Phrase | null>> {
    const limit = costLimit(this.settings, this.state());
    return changeModel(this.deps, this.open, limit, { ref, effort });
  }

  async toolSpecs(): Promise<readonly ToolSpec[]> {
    return (await this.open.tools()).specs;
  }

  aside(question: string, options: AsideOptions = {}): Promise<Result<Aside>> {
    return this.open.model ? this.open.aside(question, options) : Promise.resolve({ ok: false, error: noModel });
  }

  rename(title: string): Promise<Result<string>> {
    return this.open.rename(title);
  }

  lastReply(): string {
    return this.open.live?.loop.history.tasks.findLast(({ lastText }) => lastText !== "")?.lastText ?? "";
  }

  spending(): SessionSpending {
    return this.open.spending();
  }

  windowUse(): Promise<WindowUse> {
    return this.open.windowUse();
  }

  skills(): Promise<Skills> {
    return this.deps.skills();
  }

  newSession(): Promise<Opened> {
    return this.open.renew();
  }

  async killJob(id: string): Promise<Result<Job>> {
    const { live } = this.open;
    if (!live) return fail("E_INVALID_ARGS", phrase("job.unknown", { id, known: "–" }));
    const killed = await live.jobs.kill(id);
    return killed.ok ? ok(killed.value.job) : killed;
  }

  background(): Background | null {
    return this.open.live?.jobs ?? null;
  }

  resume(id: string): Promise<Opened> {
    return this.open.resume(id);
  }

  restore(id: string): Promise<Opened> {
    return this.open.restore(id);
  }

  resumeCopy(id: string): Promise<Opened> {
    return this.open.copy(id);
  }

  exportSession(form: ExportForm, file: string | null): Promise<Result<Exported>> {
    return this.deps.exportSession(this.state().id, form, file);
  }

  sessions(limit: number): readonly SessionRow[] {
    return this.open.newest(limit);
  }

  title(): string {
    return this.open.title;
  }

  sandboxState(): SandboxWord {
    return this.open.judge.confiner.sandboxIn(this.state().mode);
  }

  context(): { readonly tokens: number; readonly window: number } {
    return this.open.live?.models.context ?? { tokens: 0, window: this.open.model?.contextWindow ?? 0 };
  }

  lastText(taskId: string): string {
    return this.taskRecord(taskId)?.lastText ?? "";
  }

  structured(taskId: string): ReturnType<EnginePort["structured"]> {
    return structuredAnswer(this.open.live?.loop.history, taskId, this.settings);
  }

  cutReply(taskId: string): CutReply | null {
    return this.taskRecord(taskId)?.cut ?? null;
  }

  private taskRecord(taskId: string): TaskRecord | undefined {
    return this.open.live?.loop.history.tasks.findLast((task) => task.taskId === taskId);
  }

  lastTask(): ReturnType<EnginePort["lastTask"]> {
    const task = this.open.live?.loop.history.tasks.findLast(({ summary }) => summary !== null);
    return task?.summary ? { taskId: task.taskId, summary: task.summary } : null;
  }

  subscribe(listener: (published: Published) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private publish(published: Published): void {
    if (published.kind === "event") this.answers.follow(published.recorded.event.type);
    for (const listener of this.listeners) {
      try {
        listener(published);
      } catch (error) {
        // A failing surface must not stop the loop that it only observes.
        this.deps.logInternal(this.deps.newTraceId(), error);
      }
    }
  }

  idle(): Promise<void> {
    return this.open.live?.loop.idle() ?? Promise.resolve();
  }

  async kill(): Promise<void> {
    (await import("../platform/process/tree.ts")).killEverything();
  }

  async close(): Promise<void> {
    this.compacting?.abort();
    this.intake.cancel();
    const indexClosed = this.open.index?.close();
    await this.open.live?.stop();
    await this.open.leave();
    await indexClosed;
    this.deps.store.close();
  }
}
