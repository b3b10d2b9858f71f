// Starts a shell that waits at a gate until its pid is on disk, and runs nothing if we die before that.
import { constants, existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { WitnessEntrance } from "../../contract/tool.ts";
import type { Environment } from "../environment.ts";
import { isAccessible } from "../files/probe.ts";
import type { Entrance } from "../sandbox/linux/enter.ts";
import { MARKER } from "./proc.ts";

export interface GatedShell {
  readonly child: Pick<Bun.Subprocess, "pid" | "exited" | "exitCode" | "signalCode">;
  readonly streams: { readonly stdout: ReadableStream<Uint8Array>; readonly stderr: ReadableStream<Uint8Array> };
  readonly open: () => Promise<void>;
  /** Resolves when the sandbox around the gate is set up: `null`, or the error output. */
  readonly built: () => Promise<string | null>;
}

export interface Spawn {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly marker: string;
  readonly entrance: Entrance | null;
  readonly cpuSeconds?: number;
  /** Runs inside the entrance and reports what the command does; `null`: nothing does. */
  readonly starter: ReturnType<WitnessEntrance> | null;
}

export function passedFds({ entrance, starter }: Spawn): readonly number[] {
  return [...(entrance?.fds ?? []), ...(starter?.fds ?? [])];
}

/** Printed when the gate is reached or opened; not part of the command's output. */
export const SIGN = 0x1e;

// Linux limits one argument to 128 KiB (MAX_ARG_STRLEN).
export const MAX_ARGUMENT_BYTES = 120 * 1024;

// The gate is stdin: it is gone once the command's own bash has /dev/null there. EOF before the line means that nobody recorded the pid.
// `exec` keeps the pid and makes the command's bash the same as one started directly.
const GATE = "IFS= read -r line || exit 125; ";
// For a command too long for an argument: it follows on stdin, which is read to its end before it is replaced.
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
  readonly wait: string;
  readonly stdin: string;
}

/** `$0` is the bash that becomes the command's own; its arguments follow. */
export function gateCall(
  bash: string,
  { wait, stdin }: Gate,
  { entrance, starter, cpuSeconds }: Spawn,
): readonly string[] {
  const limits = `${entrance?.limits ?? ""}${cpuSeconds === undefined ? "" : cpuLimit(cpuSeconds)}`;
  const before = `${limits}${entrance === null ? "" : "printf '\\036'; "}${wait}`;
  const run = `exec -a bash "$0" "$@" ${stdin}`;
  const script = cpuSeconds === undefined ? run : counted(run, cpuSeconds);
  // --norc: bash reads ~/.bashrc when stdin is a socket, as it is here. -p: nothing in the environment (BASH_ENV, functions named like
  // builtins) may take effect before the gate.
  const outer = [...(entrance?.argv ?? []), ...(starter?.argv ?? [])];
  return [...outer, bash, "--norc", "-p", "-c", `${before}${script}`, bash];
}

/** The soft limit's SIGXCPU comes first because it is unambiguous; a process that ignores it is killed two seconds later. No core dumps. */
function cpuLimit(seconds: number): string {
  return `ulimit -c 0; ulimit -St ${seconds}; ulimit -Ht ${seconds + 2}; `;
}

export const OUT_OF_TIME = 152;

/** A shell does not report a signal that ended a process inside a pipeline, so a sum of processor time near the limit is reported. */
function counted(run: string, seconds: number): string {
  // Hides the waiting shell's own message about a signal.
  const apart = `exec 9>&2 2>/dev/null; (${run} 2>&9 9>&-); code=$?`;
  const used = `read -ra s </proc/$$/stat; used=$(((s[15] + s[16]) / 100))`;
  const message = `(this took $used s of processor time; without approval a program is ended after ${seconds} s)`;
  return `${apart}; ${used}; [ $code = ${OUT_OF_TIME} ] || [ $((used + 1)) -lt ${seconds} ] || echo "${message}" >&9; exit $code`;
}

/** The first chunk may contain output of the command, when the gate was opened before it was reached. */
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
        // An empty chunk would end the pulling.
        if (piece.length > 0) return controller.enqueue(piece);
      }
    },
    cancel: () => reader.cancel(),
  });
  return { sign, rest };
}

/** Whoever starts the command may open the gate early, and whoever waits for it opens it again. */
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
    // The shell was ended at the gate, or has read all it wanted: its exit tells what happened.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

/** Skips relative folders in PATH: with them the workspace could provide its own bash. */
export function findBash(path: string): Result<string> {
  for (const folder of path.split(":").filter(isAbsolute)) {
    const file = join(folder, "bash");
    if (isAccessible(file, constants.X_OK)) return ok(file);
  }
  return fail("E_IO", phrase("bash.missing"), { advice: phrase("bash.missing_advice") });
}

const NO_EDITOR = "echo 'there is no editor here: give the text as an argument (-m, --no-edit)' >&2; false";

export const SAFE_ENVIRONMENT: Environment = {
  // Nobody can answer a pager or a prompt.
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // An editor would wait for input until the timeout.
  GIT_EDITOR: NO_EDITOR,
  EDITOR: NO_EDITOR,
  VISUAL: NO_EDITOR,
  // Python considers a compiled module current if its source has the same size and modification time in seconds. Edit, run and second edit
  // fit into one second: Python would run the code of the first edit.
  PYTHONDONTWRITEBYTECODE: "1",
  CODER_API_KEY: undefined,
  // Options of an outer shell; bash would also mark itself as privileged, because the gate is.
  SHELLOPTS: undefined,
  BASHOPTS: undefined,
};
