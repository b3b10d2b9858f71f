// One life of the program: from its start to its end, by itself or by kill -9 from outside.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Recorded } from "../../src/contract/event.ts";
import { builtBinary } from "../support/binary.ts";
import { fillWorkspace } from "./task.ts";

/** How a life is disturbed. `null` = not at all. */
export type Disturbance =
  /** kill -9 on entering the n-th such system call. */
  | { readonly kind: "call"; readonly name: string; readonly nth: number }
  /** kill -9 while a process below it stands at the entry of the n-th execve. */
  | { readonly kind: "exec"; readonly nth: number }
  /** kill -9 after the n-th line of output that contains all these texts, and a pause. */
  | { readonly kind: "line"; readonly holds: readonly string[]; readonly nth: number; readonly afterMs: number }
  | { readonly kind: "time"; readonly afterMs: number }
  /** Ctrl+C, and a kill -9 while that is being carried out. */
  | { readonly kind: "cancel"; readonly afterMs: number; readonly killAfterMs: number }
  /** Not a kill: the disk refuses the n-th such system call on the log, or all from then on. */
  | {
      readonly kind: "refuse";
      readonly name: string;
      readonly error: "ENOSPC" | "EIO";
      readonly nth: number;
      readonly isLasting: boolean;
    };

export function nameOf(one: Disturbance): string {
  switch (one.kind) {
    case "call":
      return `${one.name}@${one.nth}`;
    case "exec":
      return `execve@${one.nth}`;
    case "line":
      return `line(${one.holds.join(" ")})@${one.nth}+${one.afterMs}ms`;
    case "time":
      return `${one.afterMs}ms`;
    case "cancel":
      return `cancel@${one.afterMs}ms+${one.killAfterMs}ms`;
    case "refuse":
      return `${one.error}(${one.name})@${one.nth}${one.isLasting ? "+" : ""}`;
  }
}

/** The folders of one case. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly workspace: string;
}

export function makePlace(root: string): Place {
  const place = { root, home: join(root, "home"), workspace: join(root, "work") };
  for (const folder of [root, place.home, place.workspace]) mkdirSync(folder, { recursive: true });
  fillWorkspace(place.workspace);
  return place;
}

/** One line of `--output stream-json`. */
export interface Line {
  readonly type: string;
  readonly [more: string]: unknown;
}

export interface Life {
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  readonly wasKilled: boolean;
  readonly lines: readonly Line[];
  readonly stderr: string;
}

let binary: readonly string[] | undefined;

/** Arguments in front of those of `coder`. Built once per process. */
export function coder(): readonly string[] {
  binary ??= builtBinary();
  return binary;
}

export function environment(place: Place): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: place.root, LANG: "C", CODER_HOME: place.home };
}

/** `task`: what comes after `coder run` and its fixed flags, such as the prompt or `--resume ID`. */
export function runFlags(url: string, task: readonly string[], mode = "yolo"): readonly string[] {
  const model = ["--base-url", url, "--model", "openai-chat/mock"];
  return ["run", "--mode", mode, ...model, "--output", "stream-json", ...task];
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Life>;
  readonly kill: () => void;
}

/** Somebody at the other end of stdin: what is said to a line of output, or that they leave. */
export type Client = (line: Line) => readonly unknown[] | "leaves";

interface Around {
  /** Arguments in front, such as those of a tracer. */
  readonly around?: readonly string[];
  readonly onLine?: (line: Line, text: string) => void;
  readonly client?: Client | null;
}

export function start(place: Place, args: readonly string[], how: Around = {}): Started {
  const { around = [], onLine, client = null } = how;
  const child = Bun.spawn([...around, ...coder(), ...args], {
    cwd: place.workspace,
    env: environment(place),
    stdin: client ? "pipe" : "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const talk = (line: Line, text: string): void => {
    onLine?.(line, text);
    const said = client?.(line) ?? [];
    if (typeof child.stdin !== "object") return;
    if (said === "leaves") return void child.stdin.end();
    try {
      for (const message of said) child.stdin.write(`${JSON.stringify(message)}\n`);
      void Promise.resolve(child.stdin.flush()).catch(() => {});
    } catch (error) {
      // It has just been killed.
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    }
  };
  const ended = (async (): Promise<Life> => {
    const [lines, stderr] = await Promise.all([linesOf(child.stdout, talk), new Response(child.stderr).text()]);
    await child.exited;
    return { exitCode: child.exitCode, wasKilled: child.signalCode === "SIGKILL", lines, stderr };
  })();
  return { pid: child.pid, ended, kill: () => child.kill("SIGKILL") };
}

/** Complete lines only: the one in which the program was killed says nothing. */
async function linesOf(
  stream: ReadableStream<Uint8Array>,
  onLine: (line: Line, text: string) => void,
): Promise<readonly Line[]> {
  const decoder = new TextDecoder();
  const lines: Line[] = [];
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) {
      const line = JSON.parse(text) as Line;
      lines.push(line);
      onLine(line, text);
    }
  }
  return lines;
}

export async function live(
  place: Place,
  args: readonly string[],
  disturbance: Disturbance | null,
  client: Client | null = null,
): Promise<Life> {
  if (disturbance === null) return await start(place, args, { client }).ended;
  switch (disturbance.kind) {
    case "call":
      return await underStrace(place, args, disturbance.name, `signal=KILL:when=${disturbance.nth}`, { client });
    case "refuse": {
      const { name, error, nth, isLasting } = disturbance;
      const more = ["-P", join(place.home, "coder.db-wal")];
      return await underStrace(place, args, name, `error=${error}:when=${nth}${isLasting ? "+" : ""}`, { more });
    }
    case "cancel": {
      const started = start(place, args, { client });
      const timers = [
        setTimeout(() => process.kill(started.pid, "SIGINT"), disturbance.afterMs),
        setTimeout(started.kill, disturbance.afterMs + disturbance.killAfterMs),
      ];
      return await started.ended.finally(() => timers.forEach(clearTimeout));
    }
    case "exec":
      return await killedAtExec(place, args, disturbance.nth);
    case "time": {
      const started = start(place, args, { client });
      const timer = setTimeout(started.kill, disturbance.afterMs);
      return await started.ended.finally(() => clearTimeout(timer));
    }
    case "line":
      return await killedAtLine(place, args, disturbance, client);
  }
}

async function killedAtLine(
  place: Place,
  args: readonly string[],
  { holds, nth, afterMs }: Extract<Disturbance, { kind: "line" }>,
  client: Client | null,
): Promise<Life> {
  let seen = 0;
  const onLine = (_: Line, text: string): void => {
    if (!holds.every((part) => text.includes(part))) return;
    seen++;
    if (seen !== nth) return;
    if (afterMs === 0) started.kill();
    else setTimeout(started.kill, afterMs);
  };
  const started = start(place, args, { onLine, client });
  return await started.ended;
}

/** Not --seccomp-bpf: with it strace 6.1 does not deliver the signal. Children are let go when they become another program. */
async function underStrace(
  place: Place,
  args: readonly string[],
  call: string,
  inject: string,
  { more = [], client = null }: { readonly more?: readonly string[]; readonly client?: Client | null },
): Promise<Life> {
  const flags = ["-f", "--detach-on=execve", "-o", join(place.root, "trace"), ...more];
  const what = ["-e", `trace=${call}`, "-e", `inject=${call}:${inject}`];
  return await start(place, args, { around: ["strace", ...flags, ...what, "--"], client }).ended;
}

/** Long enough for us to see it in the trace and kill meanwhile. */
const HOLD_MICROSECONDS = 25_000;

/** A signal injected at execve would hit the child; here the child is held at the door and the program itself killed. */
async function killedAtExec(place: Place, args: readonly string[], nth: number): Promise<Life> {
  const trace = join(place.root, "trace");
  rmSync(trace, { force: true });
  const hold = ["-e", "trace=execve", "-e", `inject=execve:delay_enter=${HOLD_MICROSECONDS}`];
  const strace = start(place, args, { around: ["strace", "-f", "-o", trace, ...hold, "--"] });
  let hasEnded = false;
  const ended = strace.ended.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) {
    const entries = existsSync(trace) ? [...readFileSync(trace, "latin1").matchAll(/^(\d+) +execve\(/gm)] : [];
    // The first is the program's own start.
    if (entries.length > nth) {
      process.kill(Number(entries[0]?.[1]), "SIGKILL");
      // What it started goes on by itself, as it would without a tracer.
      strace.kill();
      break;
    }
    await Bun.sleep(1);
  }
  return await ended;
}

/** The events a life has shown: whoever reads its output relies on them from then on. */
export function shownEvents(life: Life): readonly Recorded[] {
  return life.lines.flatMap((line) => (line.type === "event" ? [line as unknown as Recorded] : []));
}
