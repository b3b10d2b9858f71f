// Connects the user and the engine: shows events, opens panels for questions, sends input.
import type { CancelSource } from "../../../contract/event.ts";
import type { InputId } from "../../../contract/ids.ts";
import { spelledOut, visible } from "../../../contract/show/visible.ts";
import type { TaskSummary } from "../../../contract/task.ts";
import type { UiChoice } from "../../../contract/ui.ts";
import type { CommandResult, EnginePort, Published } from "../../../engine/port.ts";
import { Attention } from "../app/attention.ts";
import type { Started } from "../app/deps.ts";
import type { Keys } from "../app/keys.ts";
import type { Layout } from "../app/layout.ts";
import { Notices } from "../app/notices.ts";
import { goOnAtStart, openSession } from "../app/opening.ts";
import { QuestionPanels } from "../app/question-panels.ts";
import { Sending } from "../app/sending.ts";
import { Shortcuts } from "../app/shortcuts.ts";
import { statusLine } from "../app/status.ts";
import { StatusCommand } from "../app/status-command.ts";
import { statusInput } from "../app/status-input.ts";
import { isWaiting, Progress } from "../app/terminal-progress.ts";
import { Undelivered } from "../app/undelivered.ts";
import { Views } from "../app/views.ts";
import { queueLines } from "../panels/queue.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { type Look, words } from "../terminal/look.ts";
import { Feed } from "./feed.ts";

interface SessionStoryDeps {
  readonly look: Look;
  readonly stage: Layout;
  readonly keys: Keys;
  readonly prompt: Prompt;
  readonly hint: (text: string) => void;
  /** A retry delay starts, which a key can skip from now on. */
  readonly waits: () => void;
  readonly leave: () => void;
  readonly restyle: (choice: UiChoice) => void;
  readonly fault: (error: unknown) => string;
}

const SHOWN_AGAIN = 5;

export class Story {
  readonly started: Started;
  readonly port: EnginePort;
  private readonly deps: SessionStoryDeps;
  private readonly notices: Notices;
  private readonly questions: QuestionPanels;
  readonly attention: Attention;
  private readonly views: Views;
  readonly sending: Sending;
  private readonly undelivered: Undelivered;
  private readonly progress: Progress;
  private readonly statusCommand: StatusCommand;
  private readonly ready = Promise.withResolvers<void>();
  readonly shortcuts: Shortcuts;
  feed: Feed;
  /** The store has failed, and the session cannot continue. */
  private isLost = false;
  private branch: string | null = null;
  private opening = "";
  private off: () => void = () => {};

  constructor(started: Started, deps: SessionStoryDeps) {
    this.started = started;
    this.port = started.port;
    this.deps = deps;
    this.feed = this.newFeed();
    this.notices = new Notices({ ...deps, commit: (lines, isMode) => this.print(lines, isMode) });
    const { look, stage, prompt } = deps;
    const { port } = this;
    const { fault, tell } = this.notices;
    const { workspace, ui } = port.settings;
    const folder = visible(workspace.split("/").at(-1) ?? "");
    const now = (): number => performance.now();
    const { write, takesStatus } = stage.terminal;
    this.attention = new Attention({ look, way: ui.notify, write, takesStatus, folder, now });
    this.progress = new Progress(() => stage.redrawSoon(), now);
    this.statusCommand = new StatusCommand({
      ...{ look, fault, redraw: stage.redraw, run: started.statusOutput },
      command: () => port.settings.ui.statusline.command ?? "",
      input: () => statusInput(port, { version: started.version, branch: this.branch }),
    });
    this.undelivered = new Undelivered((text) => this.sending.putBack(text));
    this.sending = new Sending(
      {
        ...{ port, prompt, fault, refused: tell, changed: () => this.follow() },
        asksOutside: (names) => this.askOutside(names),
        ...{ isOpened: (text) => this.views.openFor(text), answered: (text, result) => this.answered(text, result) },
      },
      this.ready.promise,
    );
    this.views = new Views({
      ...{
        ...deps,
        port,
        fault,
        refused: tell,
        send: (text) => this.sending.send(text, "steer"),
        details: () => this.feed.details(),
      },
      ...{ subs: () => this.feed.runningSubs, cancel: () => this.cancel("esc") },
      resume: (id, how, typed) => this.open({ id, how }, typed),
      recall: (id, isDropped) => void this.recall(id, isDropped).catch(fault),
      editPlan: () => this.shortcuts.editPlan(),
      setUp: (ref) => this.setUp(ref),
    });
    const edited = (result: CommandResult): void => this.answered("/plan edit", result);
    this.shortcuts = new Shortcuts(started, { ...deps, views: this.views, fault, edited });
    this.questions = new QuestionPanels({
      ...{ look, stage, port, fault, refused: tell, editText: this.shortcuts.editText, homes: started.homes },
      cancel: () => this.cancel("esc"),
      onAsked: () => this.attention.asks(),
      ...{ send: (text) => this.sending.send(text, "steer"), hint: deps.hint },
      editPlan: () => {
        this.shortcuts
          .editPlan()
          .then(() => this.follow())
          .catch(fault);
      },
    });
  }

  async begin(): Promise<void> {
    const { resume, first } = this.started;
    this.branch = this.started.branch();
    this.off = this.port.subscribe((published) => this.hear(published));
    const { stage, keys } = this.deps;
    // Questions of the start may stand above it.
    stage.commit([...(stage.isWrittenTo ? [""] : []), ...this.notices.hello(this.started, keys)]);
    if (first !== "") {
      this.deps.prompt.rememberSent(first);
      this.sending.send(first, "queue");
    }
    if (resume) await this.open(resume);
    const problem = resume && first === "" ? await goOnAtStart(this.port) : null;
    if (problem) this.notices.tell(problem);
    this.ready.resolve();
    this.follow();
  }

  get isBusy(): boolean {
    return this.isRunning || this.sending.isBusy;
  }

  private get isRunning(): boolean {
    return this.port.state().task.phase !== "IDLE" && !this.isLost;
  }

  above(room: number): readonly string[] {
    const { look, stage, keys, prompt } = this.deps;
    // A panel needs the room, and shows what coder waits for.
    if (stage.top !== null) return [];
    if (this.isLost) return this.notices.lost(keys).slice(0, Math.max(1, room));
    const state = this.port.state();
    // While something is typed, the send key cannot mean "retry now".
    const move = this.port.background()?.canMove ? keys.shown("background") : "";
    const shown = { stop: keys.shown("cancel"), now: prompt.isEmpty ? keys.shown("send") : "", move };
    const activity = this.progress.line(state, this.sending.slow, shown, look);
    const queue = queueLines(state.queue, look, Math.max(0, Math.min(4, room - 2)), keys.shown("unqueue"));
    return [...(activity === null ? [] : [activity]), ...queue];
  }

  status(rows: number): readonly string[] {
    const line = statusLine(this.port, this.deps.look, this.branch);
    return [...this.statusCommand.lines(rows < 16 ? 1 : rows), ...(line === "" ? [] : [line])];
  }

  cancel(source: CancelSource): void {
    if (this.isRunning) this.progress.cancelled();
    this.port.cancel(source);
    this.deps.stage.redraw();
  }

  /** `false`: no retry delay to skip. */
  retryNow(): boolean {
    return isWaiting(this.port.state()) && this.port.retryNow().ok;
  }

  /** Esc twice on an empty prompt. */
  rewind(): void {
    if (!this.views.rewind()) this.editLast();
  }

  editLast(): void {
    const { prompt, hint, look } = this.deps;
    const { last } = this.undelivered;
    if (last !== "") prompt.setText(last);
    hint(words(look, last === "" ? "tui.nothing_sent" : "tui.edit_last"));
  }

  /** The application ends. Returns how to resume later; "": there is no session yet. */
  end(): string {
    const { id } = this.port.state();
    this.shortcuts.end();
    this.statusCommand.end();
    this.attention.leave();
    return id === "" ? "" : words(this.deps.look, "tui.session_kept", { id });
  }

  async close(): Promise<string> {
    const kept = this.end();
    try {
      await this.port.close();
    } finally {
      this.off();
      this.progress.spin("not");
      // Includes input that was returned just now.
      this.keepDraft();
    }
    return kept;
  }

  keepDraft(): void {
    const { prompt } = this.deps;
    if (!prompt.isEmpty) this.started.history.add(prompt.text);
  }

  private hear(published: Published): void {
    // An event of a session that is still being opened; its history is shown once it is open.
    if (published.kind === "event" && published.state.id !== this.port.state().id) return;
    try {
      this.note(published);
      if (published.kind === "session") this.sessionChanged(published);
      else this.feed.hear(published);
    } catch (error) {
      // A display fault must not hide a question.
      this.notices.fault(error);
    }
    // Streamed output cannot ask, begin or end anything.
    if (published.kind === "delta" || published.kind === "output") this.deps.stage.redrawSoon();
    else this.follow();
  }

  private note(published: Published): void {
    this.progress.hear(published);
    if (published.kind === "fatal") this.isLost = true;
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { event } = published.recorded;
    this.undelivered.hear(event);
    if (event.type === "model.failed" && event.retryInMs !== null) this.deps.waits();
    if (event.type === "task.started" || event.type === "task.continued") this.attention.begun();
    if (event.type !== "task.ended") return;
    this.branch = this.started.branch();
    this.attention.ended(endingOf(this.port.lastTask()?.summary));
  }

  private newFeed(): Feed {
    const { look, keys, stage } = this.deps;
    return new Feed(look, {
      changesOf: (id) => this.port.changesOf(id),
      changed: () => stage.redrawSoon(),
      structured: (taskId) => {
        const found = this.port.structured(taskId);
        return found === null || found === "unfit" ? null : found.text;
      },
      title: () => this.port.title(),
      key: keys.shown("details"),
    });
  }

  private follow(): void {
    this.questions.follow(!this.isLost);
    this.attention.follow(this.port.state(), this.questions.asks);
    this.statusCommand.follow();
    // While the user is asked, nothing moves.
    if (!this.isBusy || this.questions.isOpen) this.progress.spin("not");
    else this.progress.spin(isWaiting(this.port.state()) ? "slowly" : "fast");
    this.deps.stage.redrawSoon();
  }

  private async recall(id: InputId, isDropped: boolean): Promise<void> {
    if (isDropped) this.undelivered.drop(id);
    const recalled = await this.port.recall(id);
    if (!recalled.ok) this.notices.tell(recalled.error);
  }

  private sessionChanged(published: Extract<Published, { kind: "session" }>): void {
    this.tellOpening();
    this.deps.stage.commit(this.feed.interrupt(false));
    this.feed = this.newFeed();
    this.feed.hear(published);
    const past = this.port.past(SHOWN_AGAIN);
    this.feed.past(past, published.state.tasks);
    // After a rewind, the message is given back by itself.
    const { rewound, tasks, queue } = published.state;
    this.undelivered.begin(rewound?.tasks === tasks ? [] : queue, past);
    this.questions.begin();
    this.isLost = false;
  }

  private async open(wanted: NonNullable<Started["resume"]>, typed = ""): Promise<void> {
    const { look, stage } = this.deps;
    const ask = async () => (await import("../panels/ask.ts")).askOn(look, stage, words(look, "tui.resume.title"));
    this.opening = typed;
    const result = await openSession(this.port, wanted, look, ask);
    if (result) this.answered(this.opening, result);
    else this.tellOpening();
    this.opening = "";
  }

  private async setUp(wanted: string | null): Promise<void> {
    const { look, stage } = this.deps;
    const { askOn } = await import("../panels/ask.ts");
    const ref = await this.started.setUp(askOn(look, stage, words(look, "tui.setup.title")), wanted);
    if (ref !== null) this.sending.send(`/model ${ref}`, "steer");
  }

  private tellOpening(): void {
    if (this.opening !== "") this.notices.answer(this.opening, { ok: true, text: "" });
    this.opening = "";
  }

  private answered(text: string, result: CommandResult): void {
    if (result.ui) this.deps.restyle(result.ui);
    if (result.draft !== undefined) this.takeDraft(result.draft);
    else if (result.ask) void this.ask(result.ask).catch(this.notices.fault);
    else if (result.copy !== undefined) void this.copy(text, result.copy).catch(this.notices.fault);
    else this.notices.answer(text, result);
    if (result.edit !== undefined) void this.shortcuts.editFile(result.edit).catch(this.notices.fault);
    if (result.quit) this.deps.leave();
  }

  private async askOutside(names: readonly string[]): Promise<"yes" | "no" | "back"> {
    const { ChoicePanel } = await import("../panels/ask.ts");
    const { look, stage } = this.deps;
    const { promise, resolve } = Promise.withResolvers<"yes" | "no" | "back">();
    const question = words(look, "tui.outside.ask", { files: names.map((name) => `  ${spelledOut(name)}`).join("\n") });
    const asked = { title: words(look, "tui.outside.title"), question, esc: "tui.key.back", at: null } as const;
    const options = [words(look, "tui.outside.yes"), words(look, "tui.outside.no")];
    const close = stage.open(
      new ChoicePanel(look, asked, options, (at) => {
        close();
        resolve(at === null ? "back" : at === 0 ? "yes" : "no");
      }),
    );
    return await promise;
  }

  /** To both clipboards: over ssh there is only that of the terminal, which says nothing about it. */
  private async copy(command: string, text: string): Promise<void> {
    const { look, stage } = this.deps;
    const isTaken = await this.started.copyText(text);
    const sequence = osc52(text);
    stage.terminal.write(sequence);
    const key = isTaken ? "tui.copy.done" : sequence === "" ? "tui.copy.too_long" : "tui.copy.sent";
    const told = words(look, key, { n: [...text].length });
    this.notices.answer(command, { ok: isTaken || sequence !== "", text: told });
  }

  /** The session that was opened says the rest. */
  private takeDraft(draft: string): void {
    const { hint, look, stage } = this.deps;
    this.sending.putBack(draft);
    hint(words(look, "tui.rewound"));
    stage.redraw();
  }

  /** A command asks for confirmation. Enter alone means no. */
  private async ask({ question, yes }: NonNullable<CommandResult["ask"]>): Promise<void> {
    const { ChoicePanel } = await import("../panels/ask.ts");
    const { look, stage, hint } = this.deps;
    const asked = { title: words(look, "tui.sure.title"), question, esc: "tui.key.back" } as const;
    const close = stage.open(
      new ChoicePanel(look, asked, [words(look, "tui.sure.no"), words(look, "tui.sure.yes")], (at) => {
        close();
        if (at === 1) this.sending.send(yes, "steer");
        else hint(words(look, "tui.sure.left"));
      }),
    );
    stage.redraw();
  }

  private print(lines: readonly string[], isMode: boolean): void {
    const { stage } = this.deps;
    if (this.isRunning) stage.commit([...this.feed.interrupt(isMode), ...lines]);
    else {
      this.feed.tell(lines, isMode);
      stage.redraw();
    }
  }
}

/** Terminals drop longer ones. */
const maxOsc52 = 100_000;

function osc52(text: string): string {
  const coded = Buffer.from(text).toString("base64");
  return coded.length > maxOsc52 ? "" : `\x1b]52;c;${coded}\x07`;
}

function endingOf(summary: TaskSummary | undefined): "done" | "error" | "idle" {
  if (summary === undefined || summary.stop_reason === "CANCELLED") return "idle";
  return summary.outcome === "FAILED" ? "error" : "done";
}
