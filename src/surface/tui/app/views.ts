import type { ErrorInfo } from "../../../contract/error.ts";
import type { InputId } from "../../../contract/ids.ts";
import { say } from "../../../contract/text/catalogue.ts";
import type { EnginePort } from "../../../engine/port.ts";
import type { Detail } from "../blocks/block.ts";
import { todosDetail } from "../blocks/todos.ts";
import type { Panel } from "../panels/panel.ts";
import type { PickersHost } from "../panels/pickers.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Keys } from "./keys.ts";
import type { Layout } from "./layout.ts";

interface ViewsDeps {
  readonly port: EnginePort;
  readonly look: Look;
  readonly keys: Keys;
  readonly stage: Layout;
  readonly send: (text: string) => void;
  readonly refused: (error: ErrorInfo) => void;
  readonly hint: (text: string) => void;
  readonly fault: (error: unknown) => void;
  readonly resume: (id: string, how: "itself" | "snapshot", typed: string) => Promise<void>;
  readonly details: () => readonly Detail[];
  readonly subs: () => readonly Detail[];
  readonly cancel: () => void;
  /** Removes an input from the queue: back to the prompt, or for good. */
  readonly recall: (id: InputId, isDropped: boolean) => void;
  readonly editPlan: () => Promise<void>;
  readonly setUp: (ref: string | null) => Promise<void>;
}

const LOOK_MS = 250;
const fromSnapshot = "--from-snapshot";

export class Views {
  private readonly deps: ViewsDeps;
  /** The transcript is being loaded. */
  private isOpening = false;

  constructor(deps: ViewsDeps) {
    this.deps = deps;
  }

  /** `true`: a picker answers the command, or it has opened a session. */
  openFor(text: string): boolean | Promise<boolean> {
    const { port, look, resume } = this.deps;
    const isIdle = port.state().task.phase === "IDLE";
    const [command, id, ...more] = text.trim().split(/\s+/);
    if (command === "/resume" && id !== undefined && !id.startsWith("-") && more.every((one) => one === fromSnapshot)) {
      return isIdle && resume(id, more.length === 0 ? "itself" : "snapshot", text).then(() => true);
    }
    const question = /^\s*\/btw\s+(\S[\s\S]*)$/.exec(text)?.[1];
    if (question !== undefined) return this.aside(question.trim()).then(() => true);
    if (command === "/setup" && isIdle && more.length === 0) return this.deps.setUp(id ?? null).then(() => true);
    switch (text.trim()) {
      case "/help":
        this.help("commands");
        return true;
      case "/memory":
        this.pick(({ memoryPicker }, host) => memoryPicker(look, port, host));
        return true;
      case "/theme":
        this.pick(({ themePicker }, host) => themePicker(look, port, host));
        return true;
      case "/lang":
        this.pick(({ langPicker }, host) => langPicker(look, port, host));
        return true;
      case "/mode":
        this.pick(({ modePicker }, host) => modePicker(look, port, host));
        return true;
      case "/permissions":
        // The command prints the table; the picker below it offers alternatives.
        this.pick(({ permissionsPicker }, host) => permissionsPicker(look, port, host));
        return false;
      case "/model":
        if (isIdle) this.pick(({ modelPicker }, host) => modelPicker(look, port, host));
        return isIdle;
      case "/resume":
        if (isIdle) this.pick(({ resumePicker }, host) => resumePicker(look, port, host));
        return isIdle;
      case "/plan edit":
        return port.plan() !== null && this.deps.editPlan().then(() => true);
      case "/undo":
        return isIdle && this.undo();
      case "/jobs":
        return this.jobs();
      case "/rewind":
        return isIdle && this.rewind();
      default:
        return false;
    }
  }

  private async aside(question: string): Promise<void> {
    const { port, look, stage, refused } = this.deps;
    const { AsidePanel } = await import("../panels/aside-panel.ts");
    const stop = new AbortController();
    const panel = new AsidePanel(look, question, () => stop.abort());
    const close = stage.open(panel);
    const onText = (text: string): void => {
      panel.push(text);
      stage.redrawSoon();
    };
    try {
      const answered = await port.aside(question, { signal: stop.signal, onText });
      if (!answered.ok) refused(answered.error);
    } finally {
      close();
    }
  }

  private undo(): boolean {
    const { port, look } = this.deps;
    const items = port.undoable();
    // The command itself says that there is nothing to undo.
    if (items.length === 0) return false;
    this.pick(({ undoPicker }, host) => undoPicker(look, port, items, host));
    return true;
  }

  /** `false`: no message to go back to. */
  rewind(): boolean {
    const { port, look, stage, send } = this.deps;
    if (port.state().task.phase !== "IDLE" || port.rewindable().length === 0) return false;
    const { open, redraw } = stage;
    this.open(import("../panels/rewind.ts"), ({ rewindPicker }, close) =>
      rewindPicker(look, port, { send, close, redraw, open }),
    );
    return true;
  }

  /** The whole session; the same key again leads to a list of what was shown shortened. */
  transcript(): void {
    const { look, port, keys } = this.deps;
    const log = port.wholeLog();
    if (this.isOpening) return;
    if (log === null || port.state().tasks === 0) {
      this.details();
      return;
    }
    this.isOpening = true;
    this.open(
      Promise.all([import("../story/transcript.ts"), import("../panels/pager.ts")]),
      ([{ transcript }, { Pager }], close) => {
        const also = (key: string): boolean => {
          if (!keys.is(key, "details")) return false;
          close();
          this.details();
          return true;
        };
        this.isOpening = false;
        return new Pager(look, transcript(look, port, log), close, also);
      },
    );
  }

  details(): void {
    const { look, stage, hint } = this.deps;
    const details = this.deps.details();
    const { open, redraw } = stage;
    if (details.length === 0) hint(words(look, "tui.no_details"));
    else this.pick(({ detailsPicker }, { close }) => detailsPicker(look, { details, open, close, redraw }));
  }

  help(what: "commands" | "keys"): void {
    const { look, keys } = this.deps;
    this.open(
      Promise.all([import("../panels/help.ts"), import("../panels/pager.ts")]),
      ([{ helpDetail, keysDetail }, { Pager }], close) =>
        new Pager(look, what === "keys" ? keysDetail(look, keys) : helpDetail(look, keys), close),
    );
  }

  todos(): void {
    const { look, port, hint } = this.deps;
    const detail = todosDetail(look, port.state());
    if (detail === null) hint(words(look, "tui.todos.none"));
    else this.open(import("../panels/pager.ts"), ({ Pager }, close) => new Pager(look, detail, close));
  }

  /** `false`: there are none. */
  jobs(): boolean {
    const { look, port, subs, stage, cancel, hint, fault } = this.deps;
    if (port.state().jobs.length === 0 && subs().length === 0) return false;
    const kill = (id: string): void => {
      port
        .killJob(id)
        .then((killed) => killed.ok || hint(say(look.lang, killed.error.text)))
        .catch(fault);
    };
    this.open(
      Promise.all([import("../panels/jobs.ts"), import("../panels/pager.ts")]),
      ([{ JobsPanel }, { Pager }], close) => {
        const show = (detail: Detail): void => {
          // What a job writes is published nowhere.
          const looking = setInterval(stage.redraw, LOOK_MS).unref();
          const shut = stage.open(
            new Pager(look, detail, () => {
              clearInterval(looking);
              shut();
            }),
          );
        };
        return new JobsPanel(look, { port, subs, show, kill, cancel, close });
      },
    );
    return true;
  }

  queue(): void {
    const { look, port, recall } = this.deps;
    this.open(
      import("../panels/queue.ts"),
      ({ QueuePanel }, close) =>
        new QueuePanel(look, {
          queue: () => port.state().queue,
          // It is edited in the prompt, which the panel hides.
          recall: (id) => {
            close();
            recall(id, false);
          },
          drop: (id) => recall(id, true),
          close,
        }),
    );
  }

  private pick(make: (pickers: typeof import("../panels/pickers.ts"), host: PickersHost) => Panel): void {
    const { stage, send } = this.deps;
    this.open(import("../panels/pickers.ts"), (pickers, close) => make(pickers, { send, close, redraw: stage.redraw }));
  }

  /** Opens the panel once it is loaded; the user may keep typing until then. */
  private open<T>(loaded: Promise<T>, make: (loaded: T, close: () => void) => Panel): void {
    const { stage, fault } = this.deps;
    loaded
      .then((value) => {
        const close = stage.open(make(value, () => close()));
      })
      .catch(fault);
  }
}
