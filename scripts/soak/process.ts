// The one process of a soak, fed through its stdin.

import type { Kind } from "./kinds.ts";
import { promptOf } from "./model.ts";

export interface Line {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Long silence of the program: something hangs. */
const patienceMs = 60_000;

export class Coder {
  readonly pid: number;
  /** Stored events that were shown. */
  events = 0;
  /** Calls of the current task that did not succeed. */
  failed = 0;
  private readonly child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private waiting: string[] = [];
  private rest = "";

  constructor(argv: readonly string[], cwd: string, env: Readonly<Record<string, string | undefined>>) {
    this.child = Bun.spawn([...argv], { cwd, env: { ...env }, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.chunks = this.child.stdout[Symbol.asyncIterator]();
    this.pid = this.child.pid;
  }

  /** Runs one task and answers its result line. */
  async task(kind: Kind, n: number): Promise<Line> {
    this.failed = 0;
    this.send({ type: "input", text: promptOf(kind.name, n) });
    if (kind.cancelAt !== undefined) {
      await this.until((line) => line.type === kind.cancelAt);
      this.send({ type: "cancel" });
    }
    if (kind.steer !== undefined) {
      await this.until((line) => line.type === "output" || isEvent(line, "tool.intended"));
      this.send({ type: "input", text: kind.steer, delivery: "steer" });
    }
    return await this.until(({ type }) => type === "result");
  }

  /** A slash or shell command; answers what it says. */
  async command(text: string): Promise<Line> {
    this.send({ type: "input", text });
    return await this.until(({ type }) => type === "command" || type === "result" || type === "error");
  }

  /** No more input; answers the exit code. */
  async end(): Promise<number> {
    await this.child.stdin.end();
    while ((await this.line()) !== null);
    return await this.child.exited;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }

  private send(line: object): void {
    this.child.stdin.write(`${JSON.stringify(line)}\n`);
    void this.child.stdin.flush();
  }

  private async until(fits: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const line = await this.line();
      if (line === null) throw new Error(`coder ended with ${await this.child.exited} in the middle of the soak`);
      if (fits(line)) return line;
    }
  }

  private async line(): Promise<Line | null> {
    while (this.waiting.length === 0) {
      const silence = Promise.withResolvers<never>();
      const timer = setTimeout(() => silence.reject(new Error(`coder said nothing for ${patienceMs} ms`)), patienceMs);
      const { value, done } = await Promise.race([this.chunks.next(), silence.promise]).finally(() =>
        clearTimeout(timer),
      );
      if (done) return null;
      const lines = (this.rest + this.decoder.decode(value, { stream: true })).split("\n");
      this.rest = lines.pop() ?? "";
      this.waiting = lines.reverse();
    }
    const line = JSON.parse(this.waiting.pop() ?? "") as Line;
    if (line.type === "event") this.events++;
    if (isEvent(line, "tool.settled") && statusOf(line) !== "done") this.failed++;
    return line;
  }
}

function isEvent(line: Line, type: string): boolean {
  return line.type === "event" && (line.event as { type: string }).type === type;
}

function statusOf(line: Line): string {
  return (line.event as { result: { status: string } }).result.status;
}
