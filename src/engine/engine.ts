import type { ModelPort } from "../contract/delta.ts";
import { CoderError, type ErrorInfo, fail, ok, type Result } from "../contract/error.ts";
import type { CancelSource, Delivery, EventBody, InputKind } from "../contract/event.ts";
import type { Call, ToolSpec } from "../contract/message.ts";
import type { ModelChoice, Settings } from "../contract/settings.ts";
import type { SessionLog, SessionRow, Store } from "../contract/store.ts";
import type { Mode, Preset } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { callState, emptySession, type SessionState } from "../machine/state.ts";
import { dispatch } from "./dispatch.ts";
import { LiveSession } from "./live.ts";
import type { Admission, Answer, CommandResult, EnginePort, InputOptions, Opened, Published, SlashCommand } from "./port.ts";
import { makeCall } from "./reply.ts";
import type { Toolbox } from "./toolbox.ts";

export interface EngineDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly commands: () => Promise<readonly SlashCommand[]>;
  readonly loadTools: () => Promise<Toolbox>;
  readonly openModel: (choice: ModelChoice) => Promise<ModelPort>;
  readonly chooseModel: (ref: string) => Result<ModelChoice>;
  /** Someone can answer a question now: a person at a terminal, or a client on stdin. */
  readonly isInteractive: () => boolean;
  readonly newSessionId: () => string;
  readonly newTraceId: () => string;
  readonly logInternal: (traceId: string, error: unknown) => void;
  readonly os: string;
  readonly pathVariable: string;
  readonly pid: number;
  readonly hints: () => string;
  readonly persistModel: (ref: string) => Result<void>;
  readonly writeSnapshot: (sessionId: string, text: string) => Result<void>;
  readonly spill: (sessionId: string, call: Call, text: string) => Result<string>;
}

/** The engine behind `EnginePort`: one open session at a time, made when the first input arrives. */
export class Engine implements EnginePort {
  readonly settings: Settings;
  private readonly deps: EngineDeps;
  private readonly listeners = new Set<(published: Published) => void>();
  private live: LiveSession | null = null;
  private toolbox: Toolbox | null = null;
  private chosen: ModelChoice | null;
  private mode: Mode;
  private preset: Preset | null;
  private inputs = 0;
  /** A call whose answer is on its way into the log: a second one for it comes too late. */
  private answering: string | null = null;

  constructor(deps: EngineDeps) {
    this.deps = deps;
    this.settings = deps.settings;
    this.chosen = deps.settings.model;
    this.mode = deps.settings.mode;
    this.preset = deps.settings.preset;
  }

  state(): SessionState {
    if (this.live) return this.live.loop.state;
    const { workspace, addDirs } = this.settings;
    return { ...emptySession, workspace, addDirs, model: this.chosen?.ref ?? "", mode: this.mode, preset: this.preset };
  }

  async runInput(text: string, options: InputOptions = {}): Promise<Admission> {
    if (options.call) return this.runCall(options.call);
    const trimmed = text.trim();
    const commands = trimmed.startsWith("/") ? await this.deps.commands() : [];
    const what = dispatch(trimmed, commands.map((one) => one.name));
    switch (what.kind) {
      case "nothing":
        return { kind: "nothing" };
      case "error":
        return { kind: "refused", error: what.error };
      case "command":
        return this.runCommand(commands, what.name, what.args);
      case "shell":
        return this.admit("shell", what.command, options);
      case "task":
        return this.admit("task", what.text, options, what.notice);
    }
  }

  /** One call asked for by name: what cannot run at all is refused before anything is recorded. */
  private async runCall(asked: { readonly tool: string; readonly input: unknown }): Promise<Admission> {
    const { tools } = await this.loadToolbox();
    const { problem } = makeCall("r0/0/0", null, asked.tool, asked.input, tools);
    if (problem) return { kind: "refused", error: problem };
    return this.admit("tool", `${asked.tool} ${JSON.stringify(asked.input)}`, { call: asked });
  }

  private async runCommand(commands: readonly SlashCommand[], name: string, args: readonly string[]): Promise<Admission> {
    const command = commands.find((one) => one.name === name);
    if (!command) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: name }) });
    if (!command.whileRunning && this.state().task.phase !== "IDLE") {
      return { kind: "refused", error: { code: "E_INVALID_ARGS", text: phrase("input.busy", { command: `/${name}` }) } };
    }
    const result: CommandResult = await command.run(this, args);
    return { kind: "command", result };
  }

  /** Refused here, or durable: when this resolves the input can no longer be lost (IN-5). */
  private async admit(kind: InputKind, text: string, options: InputOptions, notice: Phrase | null = null): Promise<Admission> {
    if (kind === "task" && !this.chosen) return { kind: "refused", error: { code: "E_CONFIG", text: phrase("session.no_model"), advice: phrase("session.no_model.advice") } };
    const failure = this.live?.loop.failure;
    if (failure) return { kind: "refused", error: failure };
    try {
      const opening = await this.ensureLive();
      const live = this.live as LiveSession | null;
      if (!live) throw new CoderError({ code: "E_INTERNAL", text: phrase("run.crashed", { what: "session" }) });
      const delivery: Delivery = live.loop.state.task.phase === "IDLE" ? "now" : (options.delivery ?? "steer");
      const inputId = `i${++this.inputs}`;
      const admitted: EventBody = { type: "input.admitted", inputId, kind, delivery, text, ...(options.call ? { call: options.call } : {}) };
      await live.loop.pushStored(...opening, ...(notice ? [{ type: "notice.given", text: notice } as const] : []), admitted);
      return { kind: "admitted", inputId, delivery, notice };
    } catch (error) {
      if (error instanceof CoderError && error.info.code !== "E_INTERNAL") return { kind: "refused", error: error.info };
      throw error;
    }
  }

  /** A session exists from its first input on; the events that open it ride in the same commit. */
  private async ensureLive(): Promise<readonly EventBody[]> {
    const toolbox = await this.loadToolbox();
    if (this.live) return [];
    const id = this.deps.newSessionId();
    this.adopt(this.deps.store.create(id, this.settings.workspace), toolbox);
    return [this.started(id, null)];
  }

  private adopt(log: SessionLog, toolbox: Toolbox): LiveSession {
    const { settings, openModel, isInteractive, hints, newTraceId, logInternal, os, pathVariable, writeSnapshot, spill } = this.deps;
    this.live = new LiveSession({
      settings,
      log,
      tools: toolbox.tools,
      specs: toolbox.specs,
      os,
      pathVariable,
      model: () => this.chosen,
      openModel,
      publish: (published) => this.publish(published),
      isInteractive,
      hints,
      newTraceId,
      logInternal,
      writeSnapshot: (text) => writeSnapshot(log.id, text),
      spill: (call, text) => spill(log.id, call, text),
    });
    return this.live;
  }

  answer(callId: string, answer: Answer): Result<void> {
    const { run } = this.state();
    const open = callState(run, callId as Call["id"]);
    if (!this.live || !open || open.status !== "asking" || !("run" in run) || this.answering === callId) {
      return fail("E_INVALID_ARGS", phrase("approval.not_open", { call: callId }), { advice: phrase("approval.not_open.advice") });
    }
    const { id, providerId, tool } = open.call;
    const base = { type: "approval.answered", runId: run.run.id, callId: id, answer: answer.answer, words: answer.words ?? "", by: answer.by } as const;
    if (answer.answer !== "edit") {
      this.answering = callId;
      this.live.loop.push({ ...base, call: null });
      return ok(undefined);
    }
    const edited = makeCall(id, providerId, tool, answer.input, this.toolbox?.tools ?? new Map());
    if (edited.problem) return { ok: false, error: edited.problem };
    this.answering = callId;
    this.live.loop.push({ ...base, call: { ...edited, edited: true } });
    return ok(undefined);
  }

  clarify(text: string): Result<void> {
    const { task } = this.state();
    if (!this.live || task.phase !== "CLARIFYING" || text.trim() === "") {
      return fail("E_INVALID_ARGS", phrase("clarify.not_open"), { advice: phrase("clarify.not_open.advice") });
    }
    this.live.loop.push({ type: "clarification.answered", taskId: task.task.id, text });
    return ok(undefined);
  }

  cancel(source: CancelSource): void {
    if (this.state().task.phase !== "IDLE") this.live?.loop.push({ type: "cancel.requested", source });
  }

  setMode(mode: Mode): void {
    this.mode = mode;
    this.live?.loop.push({ type: "mode.changed", mode });
  }

  setPreset(preset: Preset): void {
    this.preset = preset;
    this.live?.loop.push({ type: "preset.changed", preset });
  }

  async setModel(ref: string): Promise<Result<Phrase | null>> {
    const choice = this.deps.chooseModel(ref);
    if (!choice.ok) return choice;
    this.chosen = choice.value;
    this.live?.loop.push({ type: "model.changed", model: ref });
    const kept = this.deps.persistModel(ref);
    return ok(kept.ok ? null : kept.error.text);
  }

  async toolSpecs(): Promise<readonly ToolSpec[]> {
    return (await this.loadToolbox()).specs;
  }

  newSession(): Opened {
    this.leave();
    this.publish({ kind: "session", state: this.state() });
    return { ok: true };
  }

  async resume(id: string): Promise<Opened> {
    const toolbox = await this.loadToolbox();
    return this.opening(() => {
      const found = this.find(id);
      if ("refusal" in found) return { ok: false, refusal: found.refusal };
      if (found.id === this.live?.loop.state.id) return { ok: true };
      const opened = this.deps.store.open(found.id);
      if (!opened.ok) return { ok: false, refusal: opened.reason === "held" ? opened : { reason: "missing", nearest: [] } };
      this.enter(opened.log, toolbox);
      return { ok: true };
    });
  }

  async resumeCopy(id: string): Promise<Opened> {
    const toolbox = await this.loadToolbox();
    return this.opening(() => {
      const found = this.find(id);
      if ("refusal" in found) return { ok: false, refusal: found.refusal };
      this.enter(this.deps.store.fork(found.id, this.deps.newSessionId()), toolbox);
      return { ok: true };
    });
  }

  fork(): Opened {
    const from = this.live?.loop.state.id;
    const toolbox = this.toolbox;
    if (!from || !toolbox) return { ok: false, refusal: { reason: "missing", nearest: [] } };
    return this.opening(() => {
      this.enter(this.deps.store.fork(from, this.deps.newSessionId()), toolbox);
      return { ok: true };
    });
  }

  /** A full id, or a beginning that only one session has. */
  private find(id: string): SessionRow | { readonly refusal: Extract<Opened, { ok: false }>["refusal"] } {
    const rows = id === "" ? [] : this.deps.store.find(id);
    const row = rows.find((one) => one.id === id) ?? (rows.length === 1 ? rows[0] : undefined);
    return row ?? { refusal: { reason: "missing", nearest: rows.length > 0 ? rows : this.sessions(5) } };
  }

  /** A damaged or unreadable log is refused with its reason; the session that was open before stays. */
  private opening(open: () => Opened): Opened {
    try {
      return open();
    } catch (error) {
      if (error instanceof CoderError && error.info.code === "E_STORE") return { ok: false, refusal: { reason: "failed", error: error.info } };
      throw error;
    }
  }

  private enter(log: SessionLog, toolbox: Toolbox): void {
    const before = this.live;
    const live = this.adopt(log, toolbox);
    try {
      live.loop.fold(log.read());
    } catch (error) {
      this.live = before;
      log.close();
      throw error;
    }
    before?.close();
    const { state } = live.loop;
    this.inputs = state.inputs;
    if (!this.chosen) {
      const same = this.deps.chooseModel(state.model);
      if (same.ok) this.chosen = same.value;
    }
    const forked: readonly EventBody[] = state.id === log.id ? [] : [this.started(log.id, state.id)];
    const resumed: EventBody = { type: "session.resumed", pid: this.deps.pid, mode: this.mode, preset: this.preset, model: this.chosen?.ref ?? state.model };
    this.publish({ kind: "session", state });
    // Only then: what is judged again is judged by the mode of now. A store that fails here has been published as fatal.
    void live.loop.pushStored(...forked, resumed).then(
      () => live.restart(),
      () => {},
    );
  }

  private started(sessionId: string, forkedFrom: string | null): EventBody {
    const { workspace, addDirs } = this.settings;
    return { type: "session.started", sessionId, workspace, addDirs, model: this.chosen?.ref ?? "", mode: this.mode, preset: this.preset, forkedFrom };
  }

  private async loadToolbox(): Promise<Toolbox> {
    this.toolbox ??= await this.deps.loadTools();
    return this.toolbox;
  }

  private leave(): void {
    this.live?.close();
    this.live = null;
    this.inputs = 0;
  }

  sessions(limit: number): readonly SessionRow[] {
    return this.deps.store.sessions({ workspace: this.settings.workspace, limit });
  }

  context(): { readonly tokens: number; readonly window: number } {
    return this.live?.context ?? { tokens: 0, window: this.chosen?.contextWindow ?? 0 };
  }

  lastText(taskId: string): string {
    return this.live?.loop.history.tasks.findLast((task) => task.taskId === taskId)?.lastText ?? "";
  }

  subscribe(listener: (published: Published) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private publish(published: Published): void {
    if (published.kind === "event" && published.recorded.event.type === "approval.answered") this.answering = null;
    for (const listener of this.listeners) {
      try {
        listener(published);
      } catch (error) {
        // A surface that fails to show something must not stop the loop that it only watches.
        this.deps.logInternal(this.deps.newTraceId(), error);
      }
    }
  }

  idle(): Promise<void> {
    return this.live?.loop.idle() ?? Promise.resolve();
  }

  failure(): ErrorInfo | null {
    return this.live?.loop.failure ?? null;
  }

  async kill(): Promise<void> {
    (await import("../platform/process/tree.ts")).killEverything();
  }

  async close(): Promise<void> {
    await this.live?.stop();
    this.leave();
    this.deps.store.close();
  }
}
