import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../../src/contract/error.ts";
import type { Event, EventOf, EventType } from "../../src/contract/event.ts";
import type { Settings } from "../../src/contract/settings.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import type { Engine, EngineDeps } from "../../src/engine/engine.ts";
import type { Admission, Answer, OpenApproval, OpenQuestion, Published } from "../../src/engine/port.ts";
import type { Flags } from "../../src/main/cli/flags.ts";
import { settingsFrom, setUp } from "../../src/main/setup/setup.ts";
import { toolSpecs } from "../../src/tool/registry.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.ts";
import { settled } from "./until.ts";

/** The usual one, or another. */
type IndexChoice = true | ((settings: Settings) => NonNullable<EngineDeps["index"]>);

/** A workspace, a home and a scripted model, gone at the end of the test. */
export class Bench implements AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly server: ScriptedServer;
  private readonly seats: Seat[] = [];

  constructor(script: Script) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "coder-engine-")));
    this.workspace = mkdtempSync(join(this.root, "ws-"));
    this.home = join(this.root, "home");
    this.server = startScriptedServer(script);
  }

  file(name: string, content: string): string {
    const path = join(this.workspace, name);
    writeFileSync(path, content);
    return path;
  }

  /** An engine as `coder run` builds it. */
  open(
    flags: Flags = {},
    options: { interactive?: boolean; config?: unknown; tools?: readonly AnyTool[]; index?: IndexChoice } = {},
  ): Seat {
    const before = process.env.CODER_HOME;
    process.env.CODER_HOME = this.home;
    try {
      const all: Flags = { cwd: this.workspace, baseUrl: this.server.url, model: "openai-chat/mock", ...flags };
      const config = options.config === undefined ? {} : { config: this.configFile(options.config) };
      const merged = { ...all, ...config };
      const settings = settingsFrom(merged, true);
      const { engine } = setUp(settings, merged, () => options.interactive === true, {
        ...toolsOnly(options.tools),
        // On a slow machine a test may live long enough for one, and see more in its requests than on a fast one.
        ...(options.index === true ? {} : { index: options.index?.(settings) ?? null }),
      });
      const seat = new Seat(engine);
      this.seats.push(seat);
      return seat;
    } finally {
      if (before === undefined) delete process.env.CODER_HOME;
      else process.env.CODER_HOME = before;
    }
  }

  private configFile(config: unknown): string {
    const path = join(this.root, `config-${this.seats.length}.json`);
    writeFileSync(path, JSON.stringify(config));
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const seat of this.seats) await seat.close();
    this.server.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The engine with other tools than its own, for what no real tool does on demand. */
function toolsOnly(tools: readonly AnyTool[] | undefined): Partial<EngineDeps> {
  if (!tools) return {};
  const map = new Map(tools.map((tool) => [tool.name, tool]));
  return { loadTools: async () => ({ tools: map, specs: toolSpecs(map) }) };
}

/** An engine with everything it published. */
export class Seat {
  readonly engine: Engine;
  readonly published: Published[] = [];
  private isClosed = false;

  constructor(engine: Engine) {
    this.engine = engine;
    engine.subscribe((one) => this.published.push(one));
  }

  get events(): readonly Event[] {
    return this.published.flatMap((one) => (one.kind === "event" && one.recorded.accepted ? [one.recorded.event] : []));
  }

  all<T extends EventType>(type: T): readonly EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  last<T extends EventType>(type: T): EventOf<T> {
    const found = this.all(type).at(-1);
    if (!found) throw new Error(`no ${type}; there are ${this.events.map((event) => event.type).join(", ")}`);
    return found;
  }

  /** The call that the person is asked about. */
  approval(): OpenApproval | null {
    const open = this.engine.question();
    return open && "approval" in open ? open.approval : null;
  }

  answerPlan(answer: Omit<Answer, "by">): Result<void> {
    return this.engine.answer(this.idOf("plan"), { ...answer, by: "person" });
  }

  clarify(words: string): Result<void> {
    return this.engine.answer(this.idOf("clarification"), { answer: "yes", words, by: "person" });
  }

  answerFallback(isYes: boolean): Result<void> {
    return this.engine.answer(this.idOf("fallback"), { answer: isYes ? "yes" : "no", by: "person" });
  }

  private idOf(kind: OpenQuestion["kind"]): string {
    const open = this.engine.question();
    return open !== null && open.kind === kind ? open.id : `no ${kind}`;
  }

  /** Gives an input and waits until the engine is idle again. */
  async run(text: string): Promise<Admission> {
    const admission = await this.engine.runInput(text);
    await this.engine.idle();
    return admission;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.engine.close();
  }

  /** Resolves with the first published thing that fits, also an earlier one. */
  until<T extends Published>(fits: (one: Published) => one is T): Promise<T>;
  until(fits: (one: Published) => boolean): Promise<Published>;
  until(fits: (one: Published) => boolean): Promise<Published> {
    const known = this.published.find(fits);
    if (known) return Promise.resolve(known);
    const { promise, resolve } = Promise.withResolvers<Published>();
    const off = this.engine.subscribe((one) => {
      if (!fits(one)) return;
      off();
      resolve(one);
    });
    return settled(
      promise,
      () => `what was never published; last: ${JSON.stringify(this.published.at(-1))?.slice(0, 400)}`,
    );
  }

  event(type: EventType): Promise<Published> {
    return this.until((one) => one.kind === "event" && one.recorded.accepted && one.recorded.event.type === type);
  }
}
