// A terminal that can only print lines: everything is printed once, in order, and answers are lines too.

import { describe, failedWith } from "../../../command/text/answer.ts";
import { OutageNotices } from "../../../command/text/outage-notices.ts";
import type { CancelSource } from "../../../contract/event.ts";
import { plain } from "../../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, Published } from "../../../engine/port.ts";
import type { Questions, Started, TerminalDeps } from "../app/deps.ts";
import { goOnAtStart, openSession } from "../app/opening.ts";
import { Undelivered } from "../app/undelivered.ts";
import { isFarewell } from "../prompt/input-text.ts";
import { Feed } from "../story/feed.ts";
import { type Look, words } from "../terminal/look.ts";
import { themeOf } from "../terminal/theme.ts";
import { stripTerminalSequences } from "../terminal/width.ts";
import { answerIn, openIn } from "./open-here.ts";
import { Lines } from "./typed-lines.ts";

/** A line that arrives sooner after a question was typed before it. */
const EARLY_MS = 250;
const TWICE_MS = 1_500;
const PATIENCE_MS = 500;
const SHOWN_AGAIN = 5;

export async function runPlainly(deps: TerminalDeps): Promise<number> {
  return await new PlainTalk(deps).run();
}

class PlainTalk {
  private readonly deps: TerminalDeps;
  private readonly look: Look;
  private lang: Lang;
  private readonly lines = new Lines();
  private readonly left = Promise.withResolvers<number>();
  private port: EnginePort | null = null;
  private feed: Feed | null = null;
  private asked = { key: "", at: 0 };
  private interruptedAt = Number.NEGATIVE_INFINITY;
  private isLeaving = false;
  /** Inputs that the terminal has echoed already, and whether the input being sent is one of them. */
  private readonly typed = new Set<string>();
  private isTyped = false;
  private isPrompted = false;

  constructor(deps: TerminalDeps) {
    this.deps = deps;
    this.lang = deps.lang;
    const talk = this;
    this.look = {
      theme: themeOf("terminal", true),
      get lang() {
        return talk.lang;
      },
      width: () => process.stdout.columns || 80,
    };
  }

  async run(): Promise<number> {
    const { output } = this.deps;
    output.follow({ drained: () => {}, lost: () => this.leave("sighup") });
    const off = this.followSignals();
    let kept = "";
    try {
      const started = await Promise.race([this.deps.start(this.questions()), this.left.promise]);
      if (typeof started === "number") return started;
      if (started === null) return 0;
      this.begin(started).catch((error: unknown) => this.fault(error));
      return await this.left.promise;
    } finally {
      const id = this.port?.state().id ?? "";
      if (id !== "") kept = words(this.look, "tui.session_kept", { id });
      await this.port?.close();
      this.print([...(this.feed?.take() ?? []), ...(kept === "" ? [] : [kept])]);
      off();
      this.lines.stop();
      await output.drained(PATIENCE_MS);
    }
  }

  private async begin(started: Started): Promise<void> {
    const { port, resume, notices, first } = started;
    this.port = port;
    this.follow(port);
    this.print([...notices, words(this.look, "tui.dumb.hello", { model: port.state().model || "–" })]);
    if (resume) {
      const result = await openSession(port, resume, this.look, () => Promise.resolve(this.questions()));
      if (result) this.answered(result);
    }
    const problem = resume && first === "" ? await goOnAtStart(port) : null;
    if (problem) this.answered(failedWith(this.look.lang, problem));
    if (first !== "") await this.send(started, first);
    this.prompt();
    await this.read(started);
    this.leave(null);
  }

  private follow(port: EnginePort): void {
    const newFeed = (): Feed =>
      new Feed(this.look, {
        changesOf: (id) => port.changesOf(id),
        changed: () => this.tellNew(),
        isTyped: (id) => this.typed.delete(id),
        title: () => port.title(),
        // No keys work here.
        key: "",
        tellsSteps: true,
      });
    let feed = newFeed();
    this.feed = feed;
    const outage = new OutageNotices();
    const waiting = new Undelivered((text) =>
      this.print([words(this.look, "tui.dumb.returned"), ...plain(text).split("\n")]),
    );
    port.subscribe((published) => {
      // An event of a session that is still being opened; its history is shown once it is open.
      if (published.kind === "event" && published.state.id !== port.state().id) return;
      this.note(published);
      try {
        if (published.kind === "session") feed = newFeed();
        this.feed = feed;
        feed.hear(published);
        if (published.kind === "session") {
          const past = port.past(SHOWN_AGAIN);
          feed.past(past, published.state.tasks);
          waiting.begin(published.state.queue, past);
        }
        if (published.kind === "event" && published.recorded.accepted) waiting.hear(published.recorded.event);
        const notice = outage.hear(published);
        if (notice) this.print(plain(say(this.lang, notice)).split("\n"));
        this.tellNew();
      } catch (error) {
        // A display fault must not hide a question.
        this.fault(error);
      }
      this.ask(port);
      if (published.kind === "event" && published.recorded.event.type === "task.ended") this.prompt();
    });
  }

  private note(published: Published): void {
    if (published.kind !== "event") return;
    const { event } = published.recorded;
    if (event.type === "input.admitted" && this.isTyped) this.typed.add(event.inputId);
    if (event.type === "input.returned") for (const id of event.inputIds) this.typed.delete(id);
  }

  private async read(started: Started): Promise<void> {
    for (let line = await this.lines.next(); line !== null; line = await this.lines.next()) {
      // The typed line break has ended the prompt line.
      this.isPrompted = false;
      const text = line.text.trim();
      // As in the full terminal, an empty line skips a retry delay.
      if (text === "" && this.asked.key === "" && started.port.retryNow().ok) continue;
      if (this.asked.key === "") await this.sendTyped(started, line.text);
      else if (line.at - this.asked.at < EARLY_MS) this.print([words(this.look, "tui.dumb.early")]);
      else this.answer(started.port, text);
      this.prompt();
    }
  }

  private async sendTyped(started: Started, text: string): Promise<void> {
    this.isTyped = true;
    await this.send(started, text);
    this.isTyped = false;
  }

  private async send({ port, history }: Started, text: string): Promise<void> {
    try {
      const admission = await port.runInput(isFarewell(text) ? "/quit" : text);
      if (admission.kind !== "nothing" && admission.kind !== "refused") history.add(text.trim());
      if (admission.kind === "refused") this.print(plain(describe(this.lang, admission.error)).split("\n"));
      if (admission.kind === "command") this.answered(admission.result);
    } catch (error) {
      this.fault(error);
    }
  }

  private answered({ text, ui, quit }: CommandResult): void {
    if (ui?.lang) this.lang = ui.lang;
    if (text !== "") this.print(plain(text).split("\n"));
    if (quit) this.leave(null);
  }

  private ask(port: EnginePort): void {
    const open = openIn(port);
    if ((open?.key ?? "") === this.asked.key) return;
    this.asked = { key: open?.key ?? "", at: performance.now() };
    if (open) this.print([...open.lines(this.look), words(this.look, open.how)]);
    if (open) this.prompt();
  }

  /** An empty line prints the question again. */
  private answer(port: EnginePort, text: string): void {
    if (text === "") this.asked = { key: "", at: 0 };
    else {
      const problem = answerIn(port, text);
      if (problem === "unclear") this.print([words(this.look, "tui.dumb.unclear")]);
      else if (problem) this.print(plain(describe(this.lang, problem)).split("\n"));
    }
    this.ask(port);
  }

  private leave(source: CancelSource | null): void {
    if (source !== null) this.port?.cancel(source);
    this.isLeaving = true;
    this.left.resolve(source === null ? 0 : 130);
  }

  private interrupt(): void {
    const now = performance.now();
    const isTwice = now - this.interruptedAt < TWICE_MS;
    this.interruptedAt = now;
    const { port } = this;
    if (this.isLeaving) void (port?.kill() ?? Promise.resolve()).finally(() => process.exit(130));
    else if (isTwice || port === null) this.leave(null);
    else {
      const isIdle = port.state().task.phase === "IDLE";
      port.cancel("sigint");
      this.print([words(this.look, isIdle ? "tui.leave_again" : "tui.leave_running", { key: "Ctrl+C" })]);
      if (isIdle) this.prompt();
    }
  }

  private followSignals(): () => void {
    const handlers = {
      SIGINT: () => this.interrupt(),
      SIGTERM: () => this.leave("sigterm"),
      SIGHUP: () => this.leave("sighup"),
    } as const;
    for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    };
  }

  private questions(): Questions {
    const asks = (question: string): void => this.deps.output.write(`${plain(question)} `);
    const line = async (question: string): Promise<string | null> => {
      asks(question);
      return (await this.lines.next())?.text.trim() ?? null;
    };
    return {
      tell: (text) => this.print(plain(text).split("\n")),
      line,
      secret: async (question) => {
        // Echo must be off before the user sees the question.
        const secret = this.lines.secret();
        asks(question);
        const typed = await secret;
        this.deps.output.write("\n");
        return typed;
      },
      choose: async (question, options) => {
        this.print([...plain(question).split("\n"), ...options.map((one, at) => `  ${at + 1}. ${plain(one)}`)]);
        for (;;) {
          const answer = await line(">");
          if (answer === null) return null;
          const n = /^\d{1,3}$/.test(answer) ? Number(answer) : 0;
          if (n >= 1 && n <= options.length) return n - 1;
        }
      },
    };
  }

  private fault(error: unknown): void {
    const what = error instanceof Error ? error.message : String(error);
    const info = {
      code: "E_INTERNAL",
      text: phrase("cli.internal", { what }),
      traceId: this.deps.fault(error),
    } as const;
    this.print(plain(describe(this.lang, info)).split("\n"));
  }

  private tellNew(): void {
    this.print(this.feed?.take() ?? []);
  }

  private prompt(): void {
    const isBusy = this.port?.state().task.phase !== "IDLE" && this.asked.key === "";
    if (this.isPrompted || this.isLeaving || isBusy) return;
    this.isPrompted = true;
    this.deps.output.write("> ");
  }

  /** Strips styles, because such a terminal would print the escape sequences. */
  private print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${stripTerminalSequences(line)}\n`).join("");
    this.deps.output.write(`${this.isPrompted ? "\n" : ""}${text}`);
    this.isPrompted = false;
  }
}
