// Runs one read-only system program, streams its output, and ends it with everything it started.
import { ok, type Result } from "../../contract/error.ts";
import type { Environment } from "../environment.ts";
import { startLimit } from "../limit.ts";
import { keepBounded } from "./capture.ts";
import { conclude, pump } from "./conclude.ts";
import { quoted, type StartedShell, startShell } from "./start.ts";
import { endTree } from "./tree.ts";

export interface ProgramRequest {
  /** Absolute path of the program, then its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly marker: string;
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
  /** Receives the output; returns false to end the program. */
  readonly eat: (chunk: Uint8Array) => boolean;
}

type Ending = "exit" | "enough" | "timeout" | "cancel";

export interface ProgramEnd {
  readonly ending: Ending;
  readonly exitCode: number | null;
  readonly complaint: string;
  readonly unstopped: readonly string[];
}

const maxComplaint = 8 * 1024;
/** In KiB. Protects the machine's memory from a hostile file. */
const maxMemory = 2 * 2 ** 20;

export async function runProgram(request: ProgramRequest): Promise<Result<ProgramEnd>> {
  const { argv, timeoutMs, signal } = request;
  // Kernel limits hold even when we are killed. Unknown limits, and lower ones that are already set, stay as they are.
  const limits = `ulimit -t ${Math.ceil(timeoutMs / 1000)} 2>/dev/null; ulimit -v ${maxMemory} 2>/dev/null`;
  const started = await startShell({ ...request, command: `${limits}; exec ${argv.map(quoted).join(" ")}` });
  if (!started.ok) return started;
  const { tree, release } = started.value;
  try {
    if (!signal.aborted) return ok(await follow(started.value, request));
    const { left } = await endTree(tree);
    return ok({ ending: "cancel", exitCode: null, complaint: "", unstopped: left });
  } catch (error) {
    await endTree(tree);
    throw error;
  } finally {
    release();
  }
}

async function follow(started: StartedShell, request: ProgramRequest): Promise<ProgramEnd> {
  const { child, streams } = started.shell;
  const stop = Promise.withResolvers<Exclude<Ending, "exit">>();
  const cancel = (): void => stop.resolve("cancel");
  const limit = startLimit(request.timeoutMs, () => stop.resolve("timeout"));
  request.signal.addEventListener("abort", cancel, { once: true });
  const words = keepBounded(maxComplaint);
  const stdout = streams.stdout.getReader();
  const stderr = streams.stderr.getReader();
  try {
    const reading = Promise.all([
      pump(stdout, (chunk) => request.eat(chunk) || stop.resolve("enough")),
      pump(stderr, words.add),
    ]);
    const { stopped, left } = await conclude(started, stop.promise, reading);
    return {
      ending: stopped ?? "exit",
      exitCode: child.exitCode,
      complaint: words.text().text,
      unstopped: left,
    };
  } finally {
    limit.stop();
    request.signal.removeEventListener("abort", cancel);
    await Promise.all([stdout.cancel(), stderr.cancel()]);
  }
}
