import { existsSync } from "node:fs";
import { restoredFrom } from "../../context/restore.ts";
import { systemText } from "../../context/system.ts";
import type { ModelPort } from "../../contract/delta.ts";
import { CoderError, type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { Aside, EventBody } from "../../contract/event.ts";
import type { Call } from "../../contract/message.ts";
import type { RulesNow } from "../../contract/rules.ts";
import type { Effort, ModelChoice, Settings, SystemPrompt } from "../../contract/settings.ts";
import type { SessionSpending, WindowUse } from "../../contract/show/insight.ts";
import type { SessionLog, SessionRow, Store } from "../../contract/store.ts";
import { type Mode, modes, type Preset, presets } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { pending } from "../../machine/pending.ts";
import { currentTask, type SessionState, workingCalls } from "../../machine/state.ts";
import { titleOf } from "../../store/project.ts";
import { cleanUnended } from "../call/redact.ts";
import type { Toolbox } from "../call/toolbox.ts";
import type { CheckDeps } from "../check/standing.ts";
import { noModel } from "../input/missing.ts";
import { Judge } from "../judge/judge.ts";
import { costLimit, priceProblem } from "../model/cost.ts";
import { killedReply } from "../model/partial-reply.ts";
import type { AsideOptions, Opened, Published } from "../port.ts";
import { LiveSession } from "./session.ts";
import { spendingIn } from "./spending.ts";
import { type IndexSource, WorkspaceIndex } from "./workspace-index.ts";

export interface SessionDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly loadTools: () => Promise<Toolbox>;
  readonly openModel: (choice: ModelChoice) => Promise<ModelPort>;
  readonly chooseModel: (ref: string, effort?: Effort) => Result<ModelChoice>;
  /** Someone can answer a question now: a user at a terminal, or a client on stdin. */
  readonly isInteractive: () => boolean;
  readonly newSessionId: () => string;
  readonly newTraceId: () => string;
  readonly logInternal: (traceId: string, error: unknown) => void;
  readonly os: string;
  readonly pathVariable: string;
  readonly pid: number;
  readonly hints: () => string;
  readonly head: () => string;
  /** The current rules files; read before each task. */
  readonly rules: () => RulesNow;
  readonly index: IndexSource | null;
  readonly readSnapshot: (sessionId: string) => Result<Readonly<Record<string, unknown>>>;
  readonly writeSnapshot: (sessionId: string, text: string) => Result<void>;
  /** The event that the snapshot on disk was taken at; `null` = no snapshot. */
  readonly snapshotSeq: (sessionId: string) => number | null;
  readonly spill: (sessionId: string, call: Call, text: string) => Result<string>;
}

/** The events up to a message. `code`: the files were taken back too. */
interface Beginning {
  readonly before: number;
  readonly code: boolean;
  readonly notices: readonly EventBody[];
}

interface Entering {
  readonly to?: Beginning;
  readonly isRedone?: boolean;
}

/** Keeps one session open: creates it with the first input, resumes, forks or leaves it. */
export class Sessions {
  live: LiveSession | null = null;
  model: ModelChoice | null;
  mode: Mode;
  preset: Preset | null;
  private inputs = 0;
  private leaving: Promise<void> = Promise.resolve();
  private toolbox: Toolbox | null = null;
  private readonly deps: SessionDeps;
  private readonly publish: (published: Published) => void;
  readonly judge: Judge;
  readonly index: WorkspaceIndex | null;

  constructor(deps: SessionDeps, publish: (published: Published) => void) {
    this.deps = deps;
    const { settings, pathVariable, isInteractive, store, index } = deps;
    const trace = (error: unknown): void => deps.logInternal(deps.newTraceId(), error);
    this.index = index && isIndexWanted(settings) ? new WorkspaceIndex(index, trace) : null;
    const standing = () => store.rulesOf(settings.workspace);
    this.judge = new Judge({ settings, pathVariable, isInteractive, standing });
    this.publish = publish;
    ({ model: this.model, mode: this.mode, preset: this.preset } = settings);
  }

  async tools(): Promise<Toolbox> {
    this.toolbox ??= await this.deps.loadTools();
    return this.toolbox;
  }

  nextInputId(): string {
    return `i${++this.inputs}`;
  }

  /** The open session, and the events that open a new one: they are committed with its first input. */
  async ensure(): Promise<{ readonly live: LiveSession; readonly opening: readonly EventBody[] }> {
    const toolbox = await this.tools();
    // A session that is closing takes no input, however long its jobs take to stop.
    await this.leaving;
    if (this.live) return { live: this.live, opening: [] };
    const id = this.deps.newSessionId();
    this.live = this.makeLive(this.deps.store.create(id, this.deps.settings.workspace, this.deps.head()), toolbox);
    return { live: this.live, opening: [this.started(id, null)] };
  }

  /** PS-3: stored at once, so that it can be resumed before anything was said. */
  async renew(): Promise<Opened> {
    if (this.live?.loop.state.inputs === 0) return { ok: true };
    await this.leave();
    try {
      const { live, opening } = await this.ensure();
      await live.loop.pushStored(...opening);
      this.publish({ kind: "session", state: live.loop.state });
      return { ok: true };
    } catch (error) {
      return storeFailure(error);
    }
  }

  /** Ends with its session. */
  async aside(question: string, { signal, onText = () => {} }: AsideOptions): Promise<Result<Aside>> {
    const { askAside, orFailure } = await import("../model/ask-aside.ts");
    const { live, opening } = await this.ensure();
    if (opening.length > 0) await live.loop.pushStored(...opening);
    const all = AbortSignal.any([live.asides.signal, ...(signal ? [signal] : [])]);
    return orFailure(askAside(live.loop, live.models, question, { signal: all, onText }));
  }

  /** A session gets its name before its first message too. */
  async rename(given: string): Promise<Result<string>> {
    const title = titleOf(given);
    if (title === "") return fail("E_INVALID_ARGS", phrase("command.rename.empty"));
    try {
      const { live, opening } = await this.ensure();
      await live.loop.pushStored(...opening, { type: "session.renamed", title });
      return ok(title);
    } catch (error) {
      if (!(error instanceof CoderError)) throw error;
      return { ok: false, error: error.info };
    }
  }

  spending(): SessionSpending {
    const { live } = this;
    const accepted = live ? live.recorded().flatMap(({ event, accepted: is }) => (is ? [event] : [])) : [];
    return spendingIn(accepted);
  }

  async windowUse(): Promise<WindowUse> {
    const { windowUse } = await import("../model/window-use.ts");
    const { settings, os } = this.deps;
    if (this.live) {
      const deps = this.live.models.callDeps();
      return windowUse(deps, settings, this.live.loop, deps.calibration.ratio);
    }
    const { specs } = await this.tools();
    const { workspace, addDirs, prompt } = settings;
    const window = this.model?.contextWindow ?? 0;
    return windowUse({ system: systemText({ os, workspace, addDirs, prompt }), specs, window }, settings, null, 1);
  }

  async goOn(): Promise<Result<void>> {
    const { live, model } = this;
    if (!live) return fail("E_INVALID_ARGS", phrase("continue.nothing"), { advice: phrase("continue.nothing.advice") });
    if (!model) return { ok: false, error: noModel };
    const unpriced = priceProblem(model, this.deps.settings.maxCost);
    if (unpriced) return { ok: false, error: unpriced };
    try {
      return await live.goOn();
    } catch (error) {
      if (error instanceof CoderError && error.info.code !== "E_INTERNAL") return { ok: false, error: error.info };
      throw error;
    }
  }

  /** `isRedone`: a rewind is undone, so nobody needs to be told of it. */
  resume(id: string, isRedone = false): Promise<Opened> {
    return this.opening(
      id,
      (row) => {
        if (row.id === this.live?.loop.state.id) return null;
        const opened = this.deps.store.open(row.id);
        return opened.ok ? opened.log : opened;
      },
      { isRedone },
    );
  }

  /** A copy of the beginning takes the place of the open session. */
  rewind(to: Beginning): Promise<Opened> {
    const fork = ({ id }: SessionRow): SessionLog => this.deps.store.fork(id, this.deps.newSessionId(), to.before);
    return this.opening(this.live?.loop.state.id ?? "", fork, { to });
  }

  copy(id: string): Promise<Opened> {
    return this.opening(id, (row) => this.deps.store.fork(row.id, this.deps.newSessionId()));
  }

  /** PS-2: the log is lost and the user chose the snapshot: it becomes untrusted history with nothing pending. */
  async restore(id: string): Promise<Opened> {
    const toolbox = await this.tools();
    const read = this.deps.readSnapshot(id);
    const restored = read.ok ? restoredFrom(read.value) : read;
    if (!restored.ok) return { ok: false, refusal: { reason: "failed", error: restored.error } };
    try {
      const live = this.makeLive(this.deps.store.create(id, this.deps.settings.workspace, this.deps.head()), toolbox);
      await live.loop.pushStored(this.started(id, null), { type: "history.restored", ...restored.value });
      await this.leave();
      this.live = live;
      this.publish({ kind: "session", state: live.loop.state });
      return { ok: true };
    } catch (error) {
      return storeFailure(error);
    }
  }

  /** Jobs end with their session: their ends belong in its log, and nobody else would stop them. */
  leave(): Promise<void> {
    this.leaving = this.leaveLive();
    return this.leaving;
  }

  private async leaveLive(): Promise<void> {
    const { live } = this;
    live?.asides.abort();
    await live?.jobs.endAll();
    live?.close();
    if (this.live === live) this.live = null;
    this.inputs = 0;
  }

  /** Refuses a damaged or unreadable log with its reason; the previous session stays open. */
  private async opening(
    id: string,
    open: (row: SessionRow) => SessionLog | Exclude<ReturnType<Store["open"]>, { ok: true }> | null,
    how: Entering = {},
  ): Promise<Opened> {
    const toolbox = await this.tools();
    try {
      const rows = id === "" ? [] : this.deps.store.find(id);
      // A full id or a unique prefix.
      const row = rows.find((one) => one.id === id) ?? (rows.length === 1 ? rows[0] : undefined);
      if (!row) return { ok: false, refusal: this.missing(id, rows) };
      const { workspace } = row;
      if (workspace !== this.deps.settings.workspace) {
        const text = phrase("command.resume.elsewhere", { id: row.id, workspace });
        const isThere = existsSync(workspace);
        const advice = phrase(isThere ? "command.resume.elsewhere.advice" : "command.resume.gone.advice", {
          workspace,
        });
        return { ok: false, refusal: { reason: "failed", error: { code: "E_INVALID_ARGS", text, advice } } };
      }
      const opened = open(row);
      if (opened === null) return { ok: true };
      if ("reason" in opened) {
        return { ok: false, refusal: opened.reason === "held" ? opened : { reason: "missing", nearest: [] } };
      }
      const problem = await this.enter(opened, toolbox, how);
      return problem ? { ok: false, refusal: { reason: "failed", error: problem } } : { ok: true };
    } catch (error) {
      return storeFailure(error);
    }
  }

  /** A snapshot with exactly this id is offered, never opened on its own. */
  private missing(id: string, rows: readonly SessionRow[]): Extract<Opened, { ok: false }>["refusal"] {
    if (rows.length === 0 && this.deps.readSnapshot(id).ok) return { reason: "snapshot" };
    return { reason: "missing", nearest: rows.length > 0 ? rows : this.newest(5) };
  }

  newest(limit: number): readonly SessionRow[] {
    const rows = this.deps.store.sessions({ workspace: this.deps.settings.workspace, limit });
    return rows.map((row) => ({ ...row, title: cleanUnended(row.title) }));
  }

  get title(): string {
    const id = this.live?.loop.state.id ?? "";
    const row = id === "" ? undefined : this.deps.store.find(id).find((one) => one.id === id);
    return cleanUnended(row?.title ?? "");
  }

  private async enter(log: SessionLog, toolbox: Toolbox, { to, isRedone }: Entering): Promise<ErrorInfo | null> {
    const live = this.makeLive(log, toolbox);
    try {
      live.loop.fold(log.read());
    } catch (error) {
      live.close();
      throw error;
    }
    const { state } = live.loop;
    const isCopy = state.id !== log.id;
    const model = this.model ?? this.sameModel(state);
    const unpriced = isCopy || !isLeftOpen(state) ? null : priceProblem(model, costLimit(this.deps.settings, state));
    if (unpriced) {
      live.close();
      return unpriced;
    }
    // A repeated question must offer the same "always".
    if (workingCalls(live.loop.state).some(({ call }) => call.access === "exec")) await this.judge.ready();
    await this.leave();
    this.live = live;
    this.inputs = state.inputs;
    this.model ??= model;
    // A rewind changes neither how the user works nor with which model.
    const left = to ? { mode: this.mode, preset: this.preset } : { mode: state.mode, preset: state.preset };
    if (!to) this.adoptMode(left);
    const { mode, preset } = this;
    const now = { mode, preset, model: this.model?.ref ?? state.model, ...this.prompt(state.prompt) };
    const foundSeq = live.loop.nextSeq;
    const forked: readonly EventBody[] = isCopy ? [this.started(log.id, state.id, to)] : [];
    // From the folded state, before anything new arrives: an input given right away starts its own task.
    const { bodies, orders } = isCopy
      ? live.leaveOpenTask(to ? "closed" : "left")
      : { bodies: killedReply(state, log.partial(), live.loop.history.task?.cut ?? null), orders: pending(state) };
    this.publish({ kind: "session", state });
    // Restart only after that, so that repeated judgements use the current mode. A store failure is published as fatal.
    void live.loop
      .pushStored(
        ...forked,
        { type: "session.resumed", pid: this.deps.pid, ...now },
        ...(to ? [] : this.modeNotice(left)),
        ...bodies,
        ...(to ? rewoundEvents(state, to) : []),
      )
      .then(() => live.restart(orders, foundSeq))
      .then(() => (isCopy || isRedone ? null : live.tellRewound()))
      .catch((error: unknown) => {
        if (!(error instanceof CoderError)) this.deps.logInternal(this.deps.newTraceId(), error);
      });
    return null;
  }

  /** PS-6: mode and preset belong to the session. A flag overrides the mode until it is changed; a project only makes both stricter. */
  private adoptMode(left: Pick<SessionState, "mode" | "preset">): void {
    const { chosenBy, mode, preset } = this.deps.settings;
    const isFlag = chosenBy.mode === "flag" && this.mode === mode;
    if (!isFlag) this.mode = chosenBy.mode === "project" ? stricterMode(left.mode, mode) : left.mode;
    this.preset = chosenBy.preset === "project" ? stricterPreset(left.preset, preset) : left.preset;
  }

  /** Tells the mode if a new session would begin with another one, or this one was left in another. */
  private modeNotice(left: Pick<SessionState, "mode" | "preset">): readonly EventBody[] {
    const { settings } = this.deps;
    const { mode, preset } = this;
    const isSame = mode === left.mode && preset === left.preset;
    if (isSame && mode === settings.mode && preset === settings.preset) return [];
    const text = isSame
      ? phrase("session.mode_back", { mode: modeText(this) })
      : phrase("session.mode_other", { mode: modeText(this), left: modeText(left) });
    return [{ type: "notice.given", text }];
  }

  private sameModel({ model }: SessionState): ModelChoice | null {
    const same = this.deps.chooseModel(model);
    return same.ok ? same.value : null;
  }

  private started(sessionId: string, forkedFrom: string | null, to?: Beginning): EventBody {
    const { workspace, addDirs } = this.deps.settings;
    const { mode, preset, model } = this;
    const opened = { sessionId, workspace, addDirs, model: model?.ref ?? "", mode, preset, forkedFrom };
    const rewound = to ? { rewound: { code: to.code } } : {};
    return { type: "session.started", ...opened, ...rewound, ...this.prompt() };
  }

  /** Each flag overrides its own part of the stored prompt. */
  private prompt(before: SystemPrompt | null = null): { readonly prompt?: SystemPrompt } {
    const { prompt } = this.deps.settings;
    return prompt === null ? {} : { prompt: { ...before, ...prompt } };
  }

  get checks(): CheckDeps {
    const { settings, store, isInteractive } = this.deps;
    const isRefusedCheck = (command: string): boolean => store.isRefused(settings.workspace, command);
    return { settings, judge: this.judge, isInteractive, isRefusedCheck };
  }

  private makeLive(log: SessionLog, toolbox: Toolbox): LiveSession {
    return new LiveSession({
      ...this.deps,
      ...toolbox,
      log,
      judge: this.judge,
      index: this.index,
      model: () => this.model,
      takeModel: (choice) => {
        this.model = choice;
      },
      publish: this.publish,
      isRefusedCheck: this.checks.isRefusedCheck,
      mayShow: (files) => this.deps.isInteractive() && this.judge.confiner.mayAskToShow(files),
    });
  }
}

/** What a message that waited there is, nobody has asked for yet. */
function rewoundEvents({ queue }: SessionState, { notices }: Beginning): readonly EventBody[] {
  const inputIds = queue.map((one) => one.inputId);
  return [...(inputIds.length > 0 ? [{ type: "input.returned", inputIds } as const] : []), ...notices];
}

/** Without `read`, the model must not learn file contents through the index either. */
function isIndexWanted({ mapTokens, toolsOff }: Settings): boolean {
  return mapTokens > 0 && !toolsOff.includes("read");
}

function stricterMode(one: Mode, other: Mode): Mode {
  return modes.indexOf(one) < modes.indexOf(other) ? one : other;
}

/** `null` is the loosest. */
function stricterPreset(one: Preset | null, other: Preset | null): Preset | null {
  if (one === null || other === null) return one ?? other;
  return presets.indexOf(one) < presets.indexOf(other) ? one : other;
}

function modeText({ mode, preset }: Pick<SessionState, "mode" | "preset">): string | Phrase {
  return preset === null ? mode : phrase("command.status.preset", { mode, preset });
}

function isLeftOpen(state: SessionState): boolean {
  return [currentTask(state)?.input, ...state.queue].some((input) => input?.kind === "task");
}

function storeFailure(error: unknown): Opened {
  if (!(error instanceof CoderError && error.info.code === "E_STORE")) throw error;
  return { ok: false, refusal: { reason: "failed", error: error.info } };
}
