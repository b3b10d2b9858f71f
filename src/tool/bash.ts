import { constants } from "node:os";
import { fail, ok } from "../contract/error.ts";
import type { Confinement } from "../contract/sandbox.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { defineTool } from "../contract/tool.ts";
import { plainScreen } from "../platform/process/screen.ts";
import type { ShellOutcome } from "../platform/process/shell.ts";
import { args, flag, optional, text, whole } from "./args.ts";
import { refuseFullScreen, wantedTerminal } from "./interactive.ts";

export const bash = defineTool({
  name: "bash",
  description:
    "Run a command with bash in the workspace root. Every call is a new shell. Stdin is empty: use non-interactive flags. At timeout_s it is ended with exit code 124. Whatever it starts ends with it; background answers at once with an id for the job tool. Long output loses its middle.",
  input: args({
    command: text("", { min: 1 }),
    timeout_s: optional(whole("Default 120; none in the background", { min: 1, max: 3600 })),
    background: optional(flag("For servers and watchers")),
    terminal: optional(flag("Give it a terminal")),
    network: optional(flag("Asks first")),
    no_sandbox: optional(flag("If the sandbox stopped it")),
  }),
  access: "exec",
  afterCrash: "unknown",
  command: ({ command }) => command,
  reach: ({ network = false, no_sandbox: free = false }) => ({ network, free }),
  async run({ command, timeout_s, background = false, terminal: isTerminal = false }, ctx) {
    const refused = isTerminal ? null : refuseFullScreen(command);
    if (refused) return refused;
    if (background) {
      const timeoutMs = timeout_s === undefined ? null : timeout_s * 1000;
      const job = await ctx.jobs.start({ command, timeoutMs, isTerminal, ...ctx.commands, signal: ctx.signal });
      if (!job.ok) return job;
      const text = `started as background job ${job.value}; see its output with the job tool`;
      return ok({ text, data: { command, job: job.value, exit_code: null } });
    }
    const { runShell } = await import("../platform/process/shell.ts");
    const { root: cwd, maxStreamBytes, signal, marker, onOutput, onSpawn } = ctx;
    const timeoutMs = timeout_s === undefined ? ctx.defaultTimeoutMs : timeout_s * 1000;
    const watched = { signal, marker, onOutput, onSpawn, ...ctx.commands };
    const result = await runShell({ command, cwd, timeoutMs, maxStreamBytes, isTerminal, ...watched });
    if (!result.ok) return result;
    const outcome = isTerminal ? { ...result.value, stdout: plainScreen(result.value.stdout) } : result.value;
    if (!outcome.started) return fail("E_CANCELLED", phrase("run.never_started"), { sideEffect: "none" });
    const exitCode = exitCodeOf(outcome);
    const blamed = ctx.commands.confine && (await blameOf(outcome, ctx.commands.confine));
    return ok({
      text: shown(outcome, headline(outcome, exitCode, timeoutMs)),
      data: { ...dataOf(command, outcome, exitCode), ...(blamed ? { sandbox: blamed } : {}) },
      ...(exitCode === 0 && outcome.planted.length === 0 ? {} : { failed: true }),
    });
  },
});

/** PO-8: whether it was the sandbox that made it fail. */
async function blameOf(outcome: ShellOutcome, confine: Confinement): Promise<Phrase | null> {
  if (outcome.exitCode === 0 && outcome.planted.length === 0) return null;
  const { sandboxBlamed } = await import("../platform/sandbox/blame.ts");
  return sandboxBlamed(outcome, confine);
}

/** As a shell would report it; a cancelled command has none, because it was not the command that decided. */
function exitCodeOf({ cancelled, exitCode, signal }: ShellOutcome): number | null {
  if (cancelled) return null;
  return exitCode ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

function dataOf(command: string, outcome: ShellOutcome, exitCode: number | null) {
  const { stdout, stderr, durationMs, truncated, timedOut, cancelled, leftOver, unstopped } = outcome;
  return {
    command,
    exit_code: exitCode,
    stdout,
    stderr,
    duration_ms: durationMs,
    truncated: truncated.stdout || truncated.stderr,
    ...(timedOut ? { timed_out: true } : {}),
    ...(cancelled ? { cancelled: true } : {}),
    ...(leftOver.length === 0 ? {} : { left_over: leftOver }),
    ...(unstopped.length === 0 ? {} : { unstopped }),
    ...(exitCode !== 0 && wantedTerminal([stdout, stderr], timedOut) ? { wants_terminal: true } : {}),
  };
}

// No times and no pids of our own in what the model reads: equal outcomes must look equal.
function headline({ cancelled, timedOut, signal }: ShellOutcome, exitCode: number | null, timeoutMs: number): string {
  if (cancelled) return "cancelled while it ran; it may already have taken effect";
  if (timedOut)
    return `exit code 124: not finished after ${timeoutMs / 1000} s, ended; it may already have taken effect`;
  return signal === null ? `exit code ${exitCode}` : `exit code ${exitCode} (ended by ${signal})`;
}

function shown({ stdout, stderr, leftOver, unstopped }: ShellOutcome, head: string): string {
  const blocks = [stdout === "" && stderr === "" ? `${head}, no output` : head];
  if (stdout !== "") blocks.push(stderr === "" ? stdout : `[stdout]\n${stdout}`);
  if (stderr !== "") blocks.push(`[stderr]\n${stderr}`);
  if (leftOver.length > 0) blocks.push(`(still running at the end, ended: ${leftOver.join(", ")})`);
  if (unstopped.length > 0) blocks.push(`(could not be ended: ${unstopped.join(", ")})`);
  return blocks.map((block) => block.replace(/\n$/, "")).join("\n");
}
