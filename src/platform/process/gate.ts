// Starts a shell that waits at a gate until its pid is on disk, and runs nothing when we die before that.
import { accessSync, constants, existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { WitnessEntrance } from "../../contract/tool.ts";
import type { Environment } from "../environment.ts";
import type { Entrance } from "../sandbox/linux/enter.ts";
import { MARKER } from "./proc.ts";

export interface GatedShell {
  readonly child: Pick<Bun.Subprocess, "pid" | "exited" | "exitCode" | "signalCode">;
  readonly streams: { readonly stdout: ReadableStream<Uint8Array>; readonly stderr: ReadableStream<Uint8Array> };
  /** Lets the command start; once. */
  readonly open: () => Promise<void>;
  /** Answers when a sandbox is built around the gate: with what was said instead, or `null` when all is well. */
  readonly built: () => Promise<string | null>;
}

export interface Spawn {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly marker: string;
  /** The way into the sandbox; `null` = none. */
  readonly entrance: Entrance | null;
  readonly cpuSeconds?: number;
  /** Comes behind it: what follows the command; `null` = nothing. */
  readonly starter: ReturnType<WitnessEntrance> | null;
}

/** Of both, in the order in which they are numbered. */
export function passedFds({ entrance, starter }: Spawn): readonly number[] {
  return [...(entrance?.fds ?? []), ...(starter?.fds ?? [])];
}

/** Says that the gate is reached, or open: no part of the command's output. */
export const SIGN = 0x1e;

// Linux takes at most 128 KiB in one argument (MAX_ARG_STRLEN).
export const MAX_ARGUMENT_BYTES = 120 * 1024;

// The gate is stdin: it is gone once the command's own bash has /dev/null there. Its end before the line means that nobody
// wrote down the pid. `exec` keeps the pid, and makes the command's bash the same as one started directly.
const GATE = "IFS= read -r line || exit 125; ";
// Too long for an argument: it follows on stdin, which is read to its end before it is replaced.
const FROM_STDIN = `eval "$(command -p cat)" </dev/null`;

export function spawnGated(spawn: Spawn): Result<GatedShell> {
  const { command, cwd, env, marker, entrance } = spawn;
  const bash = findBash(env.PATH ?? "");
  if (!bash.ok) return bash;
  const isLong = Buffer.byteLength(command) > MAX_ARGUMENT_BYTES;
  const gate = gateCall(bash.value, { wait: GATE, stdin: isLong ? "" : "</dev/null" }, spawn);
  const argv = isLong ? [...gate, "--norc", "-c", FROM_STDIN] : [...gate, "-c", command];
  try {
    const child = Bun.spawn(argv, {
      cwd,
      env: { ...env, [MARKER]: marker, TERM: "dumb", ...SAFE_ENVIRONMENT },
      stdio: ["pipe", "pipe", "pipe", ...passedFds(spawn)],
      detached: true,
    });
    const open = once(() => openGate(child.stdin, isLong ? `\n${command}` : "\n"));
    if (entrance === null) return ok({ child, streams: child, open, built: async () => null });
    const { sign, rest } = afterSign(child.stdout);
    const built = async (): Promise<string | null> => ((await sign) ? null : await new Response(child.stderr).text());
    return ok({ child, streams: { stdout: rest, stderr: child.stderr }, open, built });
  } catch (error) {
    return spawnFailure(error, cwd);
  }
}

interface Gate {
  /** Words of the shell that wait until the gate is opened. */
  readonly wait: string;
  /** What the command has as its input, as a redirection. */
  readonly stdin: string;
}

/** `$0` is the bash that becomes the command's own; what follows are its arguments. */
export function gateCall(
  bash: string,
  { wait, stdin }: Gate,
  { entrance, starter, cpuSeconds }: Spawn,
): readonly string[] {
  const limits = `${entrance?.limits ?? ""}${cpuSeconds === undefined ? "" : cpuLimit(cpuSeconds)}`;
  const before = `${limits}${entrance === null ? "" : "printf '\\036'; "}${wait}`;
  const run = `exec -a bash "$0" "$@" ${stdin}`;
  const script = cpuSeconds === undefined ? run : counted(run, cpuSeconds);
  // --norc: bash reads ~/.bashrc when stdin is a socket, as it is here. -p: nothing in the environment (BASH_ENV, functions
  // named like builtins) may act before the gate.
  const outer = [...(entrance?.argv ?? []), ...(starter?.argv ?? [])];
  return [...outer, bash, "--norc", "-p", "-c", `${before}${script}`, bash];
}

/** The signal that can be told from others comes first; who ignores it is killed two seconds later. No core is dumped. */
function cpuLimit(seconds: number): string {
  return `ulimit -c 0; ulimit -St ${seconds}; ulimit -Ht ${seconds + 2}; `;
}

/** As a shell reports the signal for the limit. */
export const OUT_OF_TIME = 152;

/**
 * A shell does not report who was ended in the middle of a pipe. The kernel counts what all of them used, in hundredths of a
 * second, and not as exactly as it keeps the limit: what comes near it is told.
 */
function counted(run: string, seconds: number): string {
  // What the waiting shell would say itself about a signal is not the command's.
  const apart = `exec 9>&2 2>/dev/null; (${run} 2>&9 9>&-); code=$?`;
  const used = `read -ra s </proc/$$/stat; used=$(((s[15] + s[16]) / 100))`;
  const told = `(this took $used s of processor time; without approval a program is ended after ${seconds} s)`;
  return `${apart}; ${used}; [ $code = ${OUT_OF_TIME} ] || [ $((used + 1)) -lt ${seconds} ] || echo "${told}" >&9; exit $code`;
}

/** The command's output may follow in the same piece, when the gate was open before it was reached. */
function afterSign(stdout: ReadableStream<Uint8Array>) {
  const reader = stdout.getReader();
  const first = reader.read();
  const sign = first.then(({ value }) => value?.[0] === SIGN);
  let next = first.then(({ value }) => value?.subarray(1));
  const rest = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      for (;;) {
        const piece = await next;
        if (piece === undefined) return controller.close();
        next = reader.read().then(({ value }) => value);
        // After an empty one nobody would ask for more.
        if (piece.length > 0) return controller.enqueue(piece);
      }
    },
    cancel: () => reader.cancel(),
  });
  return { sign, rest };
}

/** Opened early by who starts it, and again by who waits for it. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let doing: Promise<T> | undefined;
  return () => {
    doing ??= work();
    return doing;
  };
}

export function spawnFailure(error: unknown, cwd: string): Result<never> {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (!existsSync(cwd)) return fail("E_IO", phrase("bash.no_cwd", { cwd }), { advice: phrase("bash.no_cwd_advice") });
  return fail("E_IO", phrase("bash.no_start", { cwd, code }), { advice: phrase("bash.no_start_advice") });
}

async function openGate(stdin: Bun.FileSink, text: string): Promise<void> {
  try {
    await stdin.write(text);
    await stdin.end();
  } catch (error) {
    // The shell was ended at the gate, or has read all it wanted: its exit says what happened.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

/** Relative folders in PATH are passed over: they would let the workspace bring its own bash. */
export function findBash(path: string): Result<string> {
  for (const folder of path.split(":").filter(isAbsolute)) {
    const file = join(folder, "bash");
    try {
      accessSync(file, constants.X_OK);
      return ok(file);
    } catch {
      // Not in this folder.
    }
  }
  return fail("E_IO", phrase("bash.missing"), { advice: phrase("bash.missing_advice") });
}

const NO_EDITOR = "echo 'there is no editor here: give the text as an argument (-m, --no-edit)' >&2; false";

/** Set for every command, whatever the environment says. */
export const SAFE_ENVIRONMENT: Environment = {
  // No pager and no prompt can be answered here.
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // An editor would wait for a person until the time-out.
  GIT_EDITOR: NO_EDITOR,
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
  // Python takes a compiled module for current when its source has the same size and the same second of change. An edit, a run
  // and a second edit fit into one second: the first edit would run, and what was repaired would fail.
  PYTHONDONTWRITEBYTECODE: "1",
  CODER_API_KEY: undefined,
  // Options of some outer shell; bash would also mark itself as privileged here, because the gate is.
  SHELLOPTS: undefined,
  BASHOPTS: undefined,
};
