import { openedResult } from "../../command/text/opened.ts";
import { type ErrorInfo, exitCodeOf } from "../../contract/error.ts";
import type { EnginePort, InputOptions, InputPort } from "../../engine/port.ts";
import { linesOf, onClientLine } from "./client.ts";
import type { Io } from "./io.ts";
import { progressLine } from "./progress.ts";
import { resultOf } from "./result.ts";
import { makeShow, type OutputForm, type Show } from "./show.ts";
import { verboseLines } from "./verbose.ts";
import { watch } from "./watch.ts";

export type ResumeHow = "itself" | "copy" | "snapshot";

export interface HeadlessOptions {
  readonly prompt: string;
  readonly output: OutputForm;
  /** Lines of a client on stdin; `null`: the prompt is the only input. */
  readonly client: AsyncIterable<Uint8Array> | null;
  readonly resume: string | null;
  readonly how: ResumeHow;
  readonly call?: NonNullable<InputOptions["call"]>;
  /** Cancels the session's open task first, instead of continuing it. */
  readonly isAlone?: true;
  /** JSON Schema that the answer of every task must match. */
  readonly schema?: unknown;
  readonly show?: (usual: Show) => Show;
  /** Called when no more answers can come, so that open questions are refused. */
  readonly onClientGone: () => void;
}

export async function runHeadless(port: EnginePort, options: HeadlessOptions, raw: Io): Promise<number> {
  const progress = progressLine(port, raw);
  const { io } = progress;
  const usual = makeShow(options.output, io, port);
  const show = options.show?.(usual) ?? usual;
  const run = new HeadlessRun(port, show);
  const offSignals = onSignals(
    port,
    () => run.leave(),
    () => void port.kill().finally(() => process.exit(130)),
  );
  io.onClosed(() => {
    port.cancel("sighup");
    run.leave();
  });
  // Before the watcher: the event that ends a task comes before the result made of it.
  const unsubscribe = port.subscribe(show.published);
  const verbose = verboseLines();
  const unverbose = port.settings.verbose ? port.subscribe((published) => io.err(verbose(published))) : () => {};
  const unwatch = watch(port, {
    onFinished: (finished) => {
      // A fork ends the original's open task in the copy: not a result of this run.
      if (finished.cancelled === "fork") return;
      run.finished(finished.result.exit_code, finished.result.command?.data?.verification !== undefined);
      show.finished(finished);
    },
    onNotice: show.notice,
    onFatal: (error) => run.fail(error),
  });
  try {
    await run.go(options);
    return run.code;
  } finally {
    // Still watching: events of the shutdown, such as the end of a background job, are reported too.
    await port.close();
    unsubscribe();
    unwatch();
    unverbose();
    progress.stop();
    // After a signal, a reader that does not read gets little time; otherwise it may take as long as it wants.
    await io.drained(run.hasLeft ? 500 : Number.POSITIVE_INFINITY);
    offSignals();
  }
}

class HeadlessRun {
  code = 0;
  private readonly port: EnginePort;
  private readonly show: Show;
  private readonly left = Promise.withResolvers<void>();
  hasLeft = false;
  private hasFinished = false;
  private wasCheck = false;
  private failure: ErrorInfo | null = null;
  private readonly refused = new Set<string>();

  constructor(port: EnginePort, show: Show) {
    this.port = port;
    this.show = show;
    const note = (error: ErrorInfo | undefined) => {
      if (error && !this.hasFinished && !this.hasLeft) this.code = exitCodeOf(error.code);
    };
    this.noting = {
      ...show,
      error: (error) => {
        note(error);
        show.error(error);
      },
      command: (result) => {
        note(result.error);
        show.command(result);
      },
    };
  }

  /** When a check runs in several projects, each is a task, and the worst exit code counts. */
  finished(code: number, isCheckToo = false): void {
    this.hasFinished = true;
    if (!this.hasLeft) this.code = isCheckToo && this.wasCheck ? worse(this.code, code) : code;
    this.wasCheck = isCheckToo;
  }

  /** Records the exit code of refused client lines: it counts until a task has ended. */
  private readonly noting: Show;

  /** After a signal: reads no further input. The running task is cancelled already. */
  leave(): void {
    this.hasLeft = true;
    this.code = 130;
    this.left.resolve();
  }

  /** Both the refused input and the engine report a failed store: shown once. */
  fail(error: ErrorInfo): void {
    if (this.failure === error) return;
    this.failure = error;
    this.code = exitCodeOf(error.code);
    this.show.error(error);
  }

  async go(options: HeadlessOptions): Promise<void> {
    if (options.resume !== null && !(await this.resume(options.resume, options.how))) return;
    if (options.isAlone && this.port.state().task.phase !== "IDLE") {
      this.port.cancel("client");
      await this.port.idle();
    }
    if (options.prompt.trim() !== "" || options.call) await this.give(options);
    else if (options.resume !== null && !options.client) await this.goOn(options.how);
    if (options.client) await Promise.race([this.serve(options.client, options.schema), this.left.promise]);
    options.onClientGone();
    await this.finishOpenQuestions(options.client !== null);
  }

  private async resume(id: string, how: ResumeHow): Promise<boolean> {
    const open = { itself: this.port.resume, copy: this.port.resumeCopy, snapshot: this.port.restore }[how];
    const opened = await open.call(this.port, id);
    if (opened.ok) return true;
    const result = openedResult(this.port, opened, id);
    this.show.command(result);
    this.code = exitCodeOf(result.error?.code ?? "E_INVALID_ARGS");
    return false;
  }

  /** PS-6: without a prompt, interrupted work continues; if there is none, the last result is shown again. */
  private async goOn(how: ResumeHow): Promise<void> {
    const { task, queue, stopped } = this.port.state();
    // Work that the resume itself continues or has finished is the answer already.
    if (task.phase !== "IDLE" || queue.length > 0 || this.hasFinished) return;
    if (stopped !== null) {
      const continued = await this.port.goOn();
      if (continued.ok) return;
      this.show.notice(continued.error.text);
      if (continued.error.advice) this.show.notice(continued.error.advice);
    }
    if (how === "itself") this.showAgain();
  }

  /** A kill may have come after the end of the task but before its result was shown. */
  private showAgain(): void {
    const state = this.port.state();
    const ended = this.port.lastTask();
    if (!ended) return;
    const result = resultOf(this.port, state, ended, { error: null, returned: [], ms: 0, command: null });
    this.finished(result.exit_code);
    const structured = this.port.structured(ended.taskId);
    this.show.finished({ result, structured, error: null, note: null, cancelled: null, isShell: false });
  }

  private async give({ prompt, call, schema }: HeadlessOptions): Promise<void> {
    const admission = await this.port.runInput(prompt, call ? { call } : { delivery: "queue", schema });
    if (admission.kind === "refused") this.fail(admission.error);
    if (admission.kind !== "command") return;
    this.show.command(admission.result);
    const { ok, error, exitCode = 0 } = admission.result;
    if (!ok) this.code = exitCodeOf(error?.code ?? "E_INVALID_ARGS");
    else if (exitCode > 0) this.code = exitCode;
  }

  private async serve(client: AsyncIterable<Uint8Array>, schema: unknown): Promise<void> {
    let number = 0;
    for await (const line of linesOf(client)) {
      if (this.hasLeft) return;
      if (!(await onClientLine(this.port, this.noting, { text: line, number: ++number, schema }))) continue;
      this.port.cancel("client");
      return;
    }
  }

  /** Nobody is left to answer: open questions are refused, so that the task can end. */
  private async finishOpenQuestions(hadClient: boolean): Promise<void> {
    // The engine itself refuses whatever is asked from here on.
    if (hadClient) this.port.leaveUnanswered();
    const off = this.port.subscribe(() => this.refuseOpen());
    this.refuseOpen();
    await this.port.idle();
    off();
  }

  private refuseOpen(): void {
    const open = this.port.question();
    if ((open?.kind !== "approval" && open?.kind !== "check") || this.refused.has(open.id)) return;
    this.refused.add(open.id);
    this.port.answer(open.id, { answer: "no", by: "client", words: "nobody is there to approve this" });
  }
}

/** A failure outweighs an inconclusive check, which outweighs a pass. */
function worse(one: number, other: number): number {
  const weightOf = (code: number): number => (code === 0 ? 0 : code === 3 ? 1 : 1 + code);
  return weightOf(one) > weightOf(other) ? one : other;
}

/** A terminal and a launcher may both pass on the same Ctrl+C: two within this time count as one. */
const ONE_KEY_MS = 300;

/** Ctrl+C cancels, a second one kills, as Ctrl+\ does at once; SIGTERM and a closed terminal cancel and leave. */
function onSignals(port: InputPort, leave: () => void, kill: () => void): () => void {
  let first: number | null = null;
  const cancel = (source: "sigint" | "sigterm" | "sighup") => () => {
    const now = performance.now();
    if (first !== null && now - first > ONE_KEY_MS) return kill();
    first ??= now;
    port.cancel(source);
    leave();
  };
  const handlers = {
    SIGINT: cancel("sigint"),
    SIGTERM: cancel("sigterm"),
    SIGHUP: cancel("sighup"),
    SIGQUIT: kill,
  } as const;
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
  };
}
