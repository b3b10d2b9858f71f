// Starts a shell that waits at a gate until its pid is on disk, and runs nothing when we die before that.
import { accessSync, constants, existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { MARKER } from "./proc.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GatedShell {
  readonly child: Pick<Bun.Subprocess, "pid" | "exited" | "exitCode" | "signalCode">;
  readonly streams: { readonly stdout: ReadableStream<Uint8Array>; readonly stderr: ReadableStream<Uint8Array> };
  /** Lets the command start. */
  readonly open: () => Promise<void>;
}

// Linux takes at most 128 KiB in one argument (MAX_ARG_STRLEN).
export const MAX_ARGUMENT_BYTES = 120 * 1024;

// The gate is stdin: it is gone once the command's own bash has /dev/null there. Its end before the line means that nobody
// wrote down the pid. `exec` keeps the pid, and makes the command's bash the same as one started directly.
const GATE = `IFS= read -r line || exit 125; exec -a bash "$0" "$@"`;
const AS_ARGUMENT = `${GATE} </dev/null`;
// Too long for an argument: it follows on stdin, which is read to its end before it is replaced.
const FROM_STDIN = `eval "$(command -p cat)" </dev/null`;

export function spawnGated(command: string, cwd: string, env: Environment, marker: string): Result<GatedShell> {
  const found = findBash(env.PATH ?? "");
  if (!found.ok) return found;
  const bash = found.value;
  const isLong = Buffer.byteLength(command) > MAX_ARGUMENT_BYTES;
  // --norc: bash reads ~/.bashrc when stdin is a socket, as it is here. -p: nothing in the environment (BASH_ENV, functions
  // named like builtins) may act before the gate.
  const gate = [bash, "--norc", "-p", "-c", isLong ? GATE : AS_ARGUMENT, bash];
  const argv = isLong ? [...gate, "--norc", "-c", FROM_STDIN] : [...gate, "-c", command];
  try {
    const child = Bun.spawn(argv, {
      cwd,
      env: commandEnvironment(env, marker),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    return ok({ child, streams: child, open: () => openGate(child.stdin, isLong ? `\n${command}` : "\n") });
  } catch (error) {
    return spawnFailure(error, cwd);
  }
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
  CODER_API_KEY: undefined,
  // Options of some outer shell; bash would also mark itself as privileged here, because the gate is.
  SHELLOPTS: undefined,
  BASHOPTS: undefined,
};

function commandEnvironment(env: Environment, marker: string): Record<string, string | undefined> {
  return {
    ...env,
    [MARKER]: marker,
    TERM: "dumb",
    ...SAFE_ENVIRONMENT,
  };
}
