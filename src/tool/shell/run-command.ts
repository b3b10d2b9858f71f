import { constants } from "node:os";
import { fail, ok, type Result } from "../../contract/error.ts";
import type { ResultData } from "../../contract/result-data.ts";
import type { Confinement } from "../../contract/sandbox.ts";
import { type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { ToolContext, ToolOutput } from "../../contract/tool.ts";
import { plainScreen } from "../../platform/process/screen.ts";
import type { ShellOutcome } from "../../platform/process/shell.ts";
import type { Blame } from "../../platform/sandbox/blame/blame.ts";
import { wantedTerminal } from "./interactive.ts";

interface Command {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly isTerminal: boolean;
  /** Resolves when the user moves it to the background. */
  readonly leave?: Promise<void>;
}

type CommandData = ResultData & {
  readonly command: string;
  readonly exit_code: number | null;
  readonly truncated: boolean;
};

interface Ran {
  readonly output: ToolOutput & { readonly data: CommandData };
  readonly outcome: ShellOutcome;
}

export async function runCommand(
  { command, cwd, timeoutMs, isTerminal, leave }: Command,
  ctx: ToolContext,
): Promise<Result<Ran>> {
  const { runShell } = await import("../../platform/process/shell.ts");
  const { maxStreamBytes, signal, marker, onOutput, onSpawn } = ctx;
  const watched = { signal, marker, onOutput, onSpawn, ...ctx.commands, ...(leave && { leave }) };
  const result = await runShell({ command, cwd, timeoutMs, maxStreamBytes, isTerminal, ...watched });
  if (!result.ok) return result;
  const outcome = isTerminal ? { ...result.value, stdout: plainScreen(result.value.stdout) } : result.value;
  if (!outcome.started) return fail("E_CANCELLED", phrase("run.never_started"), { sideEffect: "none" });
  if (outcome.moved) {
    const id = await ctx.jobs.adopt({ command, isTerminal, running: outcome.moved });
    const head = `the user moved it to the background: it continues as job ${id}; see its output with the job tool`;
    const data = { ...dataOf(command, outcome, null), job: id };
    return ok({ output: { text: shown(outcome, head), data }, outcome });
  }
  const exitCode = exitCodeOf(outcome);
  const blamed = await blameOf(outcome, ctx.commands.confine);
  const hint = blamed ? null : await hintOf(outcome, ctx.commands.confine);
  const report = shown(outcome, headline(outcome, exitCode, timeoutMs, ctx.commands.cpuSeconds ?? 0));
  const output = {
    text: hint === null ? report : `${report}\n(${say("en", hint)})`,
    data: {
      ...dataOf(command, outcome, exitCode),
      ...(outcome.isOutOfTime ? { cpu_seconds: ctx.commands.cpuSeconds ?? 0 } : {}),
      ...(blamed ? { sandbox: blamed.text } : {}),
      ...(blamed && blamed.missed.length > 0 ? { missed: blamed.missed } : {}),
    },
    ...(exitCode === 0 && !hasPlanted(outcome) && !outcome.isOutOfTime ? {} : { failed: true }),
  };
  return ok({ output, outcome });
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** PO-8: what the command planted, or whether the sandbox made it fail. */
async function blameOf(outcome: ShellOutcome, confine: Confinement | null): Promise<Blame | null> {
  const isFine = (outcome.exitCode === 0 || confine === null) && !hasPlanted(outcome);
  if (isFine) return null;
  const { plantedPhrase, sandboxBlamed } = await import("../../platform/sandbox/blame/blame.ts");
  const planted = plantedPhrase(outcome);
  if (planted !== null) return { text: planted, missed: [] };
  return confine && sandboxBlamed(outcome, confine);
}

async function hintOf(outcome: ShellOutcome, confine: Confinement | null): Promise<Phrase | null> {
  if (outcome.exitCode === 0 || confine === null) return null;
  return (await import("../../platform/sandbox/blame/hint.ts")).sandboxHint(outcome, confine);
}

const maxPlanted = 100;

function plantedIn({ planted, restored, unkept }: ShellOutcome): readonly string[] {
  return [...planted, ...restored, ...unkept].slice(0, maxPlanted);
}

function hasPlanted(outcome: ShellOutcome): boolean {
  return plantedIn(outcome).length > 0;
}

/** As a shell reports it; `null` if cancelled, because then the command did not decide it. */
function exitCodeOf({ cancelled, exitCode, signal }: ShellOutcome): number | null {
  if (cancelled) return null;
  return exitCode ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

function dataOf(command: string, outcome: ShellOutcome, exitCode: number | null) {
  const { stdout, stderr, durationMs, truncated, timedOut, cancelled, leftOver, unstopped, unlooked } = outcome;
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
    ...(hasPlanted(outcome) ? { planted: plantedIn(outcome) } : {}),
    ...(unlooked === 0 ? {} : { unlooked }),
    ...(exitCode !== 0 && wantedTerminal([stdout, stderr], timedOut) ? { wants_terminal: true } : {}),
  };
}

// The model's text contains no times or pids: equal outcomes must be equal texts.
function headline(outcome: ShellOutcome, exitCode: number | null, timeoutMs: number, cpuSeconds: number): string {
  const { cancelled, timedOut, isOutOfTime, signal } = outcome;
  if (cancelled) return "cancelled while it ran; it may already have taken effect";
  if (isOutOfTime)
    return `exit code ${exitCode}: a program used ${cpuSeconds} s of processor time and was ended; what runs without approval gets no more`;
  if (timedOut)
    return `exit code 124: not finished after ${timeoutMs / 1000} s, ended; it may already have taken effect`;
  if (signal === "SIGSTOP") return "stopped by SIGSTOP and not continued, ended; it may already have taken effect";
  return signal === null ? `exit code ${exitCode}` : `exit code ${exitCode} (ended by ${signal})`;
}

function shown({ stdout, stderr, leftOver, unstopped, moved }: ShellOutcome, head: string): string {
  const isOver = moved === undefined;
  const blocks = [stdout === "" && stderr === "" ? `${head}, no output${isOver ? "" : " yet"}` : head];
  if (stdout !== "") blocks.push(stderr === "" ? stdout : `[stdout]\n${stdout}`);
  if (stderr !== "") blocks.push(`[stderr]\n${stderr}`);
  if (leftOver.length > 0) blocks.push(`(still running at the end, ended: ${leftOver.join(", ")})`);
  if (unstopped.length > 0) blocks.push(`(could not be ended: ${unstopped.join(", ")})`);
  return blocks.map((block) => block.replace(/\n$/, "")).join("\n");
}
