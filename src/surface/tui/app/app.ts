// The terminal application: shows published events and sends the user's input. It makes no decisions.
import type { Lang } from "../../../contract/text/catalogue.ts";
import type { ThemeName } from "../../../contract/ui.ts";
import { Gate } from "../panels/gate.ts";
import { Prompt } from "../prompt/prompt.ts";
import { Story } from "../story/story.ts";
import { oneLine, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { OwnTerminal } from "../terminal/terminal.ts";
import { depthOf, type Ground, groundIn, type Theme, themeFor } from "../terminal/theme.ts";
import type { Started, TerminalDeps } from "./deps.ts";
import { Keyboard } from "./keyboard.ts";
import { Keys } from "./keys.ts";
import { Layout, type Scene } from "./layout.ts";
import type { Sent } from "./sending.ts";

export async function runTerminal(deps: TerminalDeps): Promise<number> {
  if (isPlain(process.env.TERM ?? "")) return await (await import("../plain/plain.ts")).runPlainly(deps);
  return await new App(deps).run();
}

/** Terminals that can be trusted to show lines and nothing else. */
function isPlain(term: string): boolean {
  return term === "" || term === "dumb" || term === "unknown";
}

const HINT_MS = 2_000;

class App {
  private readonly deps: TerminalDeps;
  private readonly terminal: OwnTerminal;
  private readonly keys: Keys;
  private readonly stage: Layout;
  private readonly prompt: Prompt;
  private readonly gate: Gate;
  private readonly keyboard: Keyboard;
  private readonly left = Promise.withResolvers<number>();
  private readonly ready = Promise.withResolvers<Started>();
  private readonly look: Look;
  private theme: Theme;
  private themeName: ThemeName;
  private ground: Ground | null = groundIn(process.env.COLORFGBG ?? "");
  private lang: Lang;
  private story: Story | null = null;
  private early: (readonly [text: string, delivery: Sent])[] = [];
  private hint = "";
  private hintTimer: ReturnType<typeof setTimeout> | null = null;
  private isLeaving = false;

  constructor(deps: TerminalDeps) {
    this.deps = deps;
    this.lang = deps.lang;
    this.themeName = deps.theme;
    this.theme = this.themeNow();
    this.terminal = new OwnTerminal(deps.output);
    this.keys = new Keys(deps.keys);
    this.look = this.makeLook();
    this.gate = new Gate({
      ask: this.terminal.askStatus,
      hasAnswered: this.terminal.hasAnswered,
      now: () => performance.now(),
    });
    this.stage = new Layout(this.terminal, this.scene());
    this.prompt = this.makePrompt();
    this.keyboard = this.makeKeyboard();
  }

  async run(): Promise<number> {
    const { stage, terminal } = this;
    terminal.start({
      key: (sequence) => this.keyboard.handle(sequence),
      resized: () => stage.redraw(),
      focused: (isFocused) => this.story?.attention.focus(isFocused),
      drained: () => stage.redraw(),
      ground: (answer) => {
        this.ground = groundIn(answer) ?? this.ground;
        this.theme = this.themeNow();
        stage.redraw();
      },
      closed: () => this.leave("sighup"),
    });
    const off = this.followProcess();
    try {
      stage.draw();
      return await this.stay();
    } finally {
      await this.close();
      off();
    }
  }

  private async stay(): Promise<number> {
    // Leaving does not wait for the start: the process ends anyway.
    const started = await Promise.race([this.start(), this.left.promise]);
    if (typeof started === "number") return started;
    if (started === null) return 0;
    await Promise.race([this.begin(started), this.left.promise]);
    return await this.left.promise;
  }

  private async start(): Promise<Started | null> {
    const { askOn } = await import("../panels/ask.ts");
    return await this.deps.start(askOn(this.look, this.stage));
  }

  private async begin(started: Started): Promise<void> {
    const story = new Story(started, {
      ...{ look: this.look, stage: this.stage, keys: this.keys, prompt: this.prompt, fault: this.deps.fault },
      hint: (text) => this.showHint(text),
      waits: () => this.gate.close(),
      leave: () => this.leave(null),
      restyle: ({ theme, lang }) => {
        if (theme !== undefined) this.themeName = theme;
        this.theme = this.themeNow();
        if (lang !== undefined) this.lang = lang;
      },
    });
    this.story = story;
    this.ready.resolve(started);
    const begun = story.begin();
    for (const [text, delivery] of this.early.splice(0)) story.sending.send(text, delivery);
    await begun;
  }

  /** `null`: the user chose to leave. */
  private leave(source: "sigterm" | "sighup" | null): void {
    if (source !== null) this.story?.cancel(source);
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.left.resolve(source === null ? 0 : 130);
  }

  /** Cancels and flushes the running task before it gives the terminal back. */
  private async close(): Promise<void> {
    this.isLeaving = true;
    let last = "";
    try {
      last = (await this.story?.close()) ?? "";
    } finally {
      this.showHint("");
      this.attempt(() => this.stage.leave());
      await this.terminal.stop(last === "" ? "" : `${last}\n`);
    }
  }

  /** After a fault, or a kill: gives the terminal back first, so that later output is readable. */
  private readonly abandon = (): void => {
    this.attempt(() => this.stage.leave());
    const kept = this.story?.end() ?? "";
    this.terminal.giveNow(kept === "" ? "" : `${kept}\n`);
    this.attempt(() => this.story?.keepDraft());
  };

  /** Drawing may be the very thing that failed; the terminal is given back anyway. */
  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.deps.fault(error);
    }
  }

  private kill(): void {
    void (this.story?.port.kill() ?? Promise.resolve()).finally(() => {
      this.abandon();
      process.exit(130);
    });
  }

  private followProcess(): () => void {
    // While an editor or the shell has the terminal, these keys are not for coder.
    const unlessAway = (act: () => void) => (): void => {
      if (!this.stage.isAway || this.isLeaving) act();
    };
    const handlers = {
      SIGTERM: () => this.leave("sigterm"),
      SIGHUP: () => this.leave("sighup"),
      SIGINT: unlessAway(() => this.keyboard.interrupt()),
      SIGQUIT: unlessAway(() => this.kill()),
      SIGCONT: () => {
        if (this.terminal.retake()) this.stage.comeBack();
      },
    } as const;
    for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
    const faults = ["uncaughtException", "unhandledRejection"] as const;
    // Prepended, so that the terminal is given back before other listeners report the fault.
    for (const fault of faults) process.prependListener(fault, this.abandon);
    return () => {
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
      for (const fault of faults) process.off(fault, this.abandon);
    };
  }

  private showHint(text: string): void {
    if (this.hint === text) return;
    this.hint = text;
    this.stage.redraw();
    if (this.hintTimer !== null) clearTimeout(this.hintTimer);
    this.hintTimer = text === "" ? null : setTimeout(() => this.showHint(""), HINT_MS);
  }

  private hintLines(): readonly string[] {
    return this.hint === "" ? [] : wrap(this.theme.warn(oneLine(this.hint)), this.terminal.width());
  }

  private themeNow(): Theme {
    return themeFor(this.themeName, depthOf(process.env), this.ground);
  }

  private makeLook(): Look {
    const app = this;
    return {
      get theme() {
        return app.theme;
      },
      get lang() {
        return app.lang;
      },
      width: () => this.terminal.width(),
    };
  }

  private scene(): Scene {
    return {
      told: () => this.story?.feed.told() ?? [],
      live: (room) => this.story?.feed.live(room) ?? [],
      above: (room) => [...(this.story?.above(room) ?? []), ...this.hintLines()],
      prompt: (width, room, most) => this.prompt.frame(width, this.prompt.isMenuOpen ? most : room),
      status: (rows) =>
        this.story?.status(rows) ?? [this.theme.dim(this.stage.top ? "" : words(this.look, "tui.starting"))],
      shown: ({ isQuestion }) => {
        if (isQuestion) this.gate.close();
      },
      back: () => this.story?.attention.retitle(),
    };
  }

  private makePrompt(): Prompt {
    return new Prompt({
      ...{ look: this.look, keys: this.keys, rows: this.terminal.rows, redraw: () => this.stage.redraw() },
      send: (text, delivery) => {
        if (this.story) this.story.sending.send(text, delivery);
        else this.early.push([text, delivery]);
      },
      commands: async () => (this.story ? (await import("../../../command/all.ts")).allCommands : []),
      isBusy: () => this.story?.isBusy ?? false,
      hasVim: () => this.story?.port.settings.ui.vim ?? false,
      arguments: async (command) =>
        this.story ? (await import("../story/arguments.ts")).argumentsOf(this.story.port, command) : [],
      files: async (signal) => (await this.story?.started.files(signal)) ?? [],
      history: {
        load: async () => (await this.ready.promise).history.load(),
        add: (text) => void this.ready.promise.then(({ history }) => history.add(text)),
      },
    });
  }

  private makeKeyboard(): Keyboard {
    return new Keyboard({
      ...{ look: this.look, keys: this.keys, stage: this.stage, prompt: this.prompt, gate: this.gate },
      story: () => this.story,
      hint: (text) => this.showHint(text),
      leave: () => this.leave(null),
      kill: () => this.kill(),
      isLeaving: () => this.isLeaving,
    });
  }
}
