import { fail, ok, type Result } from "../../contract/error.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import {
  type Baseline,
  type CheckKey,
  defineTool,
  type ToolContext,
  type ToolOutput,
  type VerifyPort,
} from "../../contract/tool.ts";
import { type Fold, foldDetails, namesIn, placeOf, type VerificationResult } from "../../contract/verification.ts";
import { locate } from "../../platform/files/path.ts";
import { args, hidden, listOf, object, optional, text, whole } from "../args.ts";
import { runCommand } from "./run-command.ts";

export const diagnostics = defineTool({
  name: "diagnostics",
  description:
    "Run the project's tests and get the failures as file, line and message. Without a command: what checks your changes at the end. files, tests, filter (the runner's own, such as -k x): only those. Only known test commands.",
  input: args({
    command: optional(text("", { min: 1 })),
    path: optional(text("Folder to run it in", { min: 1 })),
    files: optional(listOf(text("", { min: 1 }), 50)),
    tests: optional(listOf(text("", { min: 1 }), 50)),
    filter: optional(text("")),
    timeout_s: optional(whole("", { min: 1, max: 3600 })),
    show: optional(listOf(text("", { min: 1 }), 20)),
    also: hidden(listOf(object({ command: text("", { min: 1 }), path: text("", { min: 1 }) }), 20)),
  }),
  access: "exec",
  afterCrash: "unknown",
  role: "checks",
  command: ({ command = "", also = [] }) => [command, ...also.map((one) => one.command)].join(" && "),
  reach: ({ show }) => ({ network: false, free: false, ...(show ? { shows: show } : {}) }),
  async run({ command, path = ".", also = [], timeout_s: seconds }, ctx) {
    if (command === undefined || !ctx.verify) return fail("E_INVALID_ARGS", phrase("check.no_command"));
    const { timeoutMs: most } = ctx.verify;
    const port = { ...ctx.verify, timeoutMs: seconds === undefined ? most : Math.min(most, seconds * 1000) };
    const outputs: CheckOutput[] = [];
    for (const one of [{ command, path }, ...also]) {
      const ran = await runOne(one, ctx, port);
      if (!ran.ok) return ran;
      outputs.push(ran.value);
      if (ctx.signal.aborted) break;
    }
    return ok(together(outputs));
  },
});

type CheckOutput = ToolOutput & { readonly data: ResultData & { readonly command: string } };

async function runOne(
  { command, path }: { readonly command: string; readonly path: string },
  ctx: ToolContext,
  port: VerifyPort,
): Promise<Result<CheckOutput>> {
  const folder = locate(path, ctx);
  if (!folder.ok) return folder;
  const cwd = folder.value.real;
  const key = { command, cwd, isConfined: ctx.commands.confine !== null };
  const last = port.last(key);
  if (last) return ok(last as CheckOutput);
  const ran = await check(command, cwd, ctx, port);
  if (!ran.ok) return ran;
  const { output, found } = ran.value;
  if (found === null) return ok(output);
  const verification = await withoutOld(found, key, ctx, port);
  const result: CheckOutput = {
    text: shown(verification, output.text),
    data: { ...output.data, path, verification },
    ...(verification.ok ? {} : { failed: true }),
  };
  port.keep(key, result);
  return ok(result);
}

/** Reports every check; the overall result is the worst one. */
function together(outputs: readonly CheckOutput[]): ToolOutput {
  const worst = outputs.find(({ failed }) => failed) ?? outputs.at(-1);
  if (worst === undefined || outputs.length === 1) return worst ?? { text: "" };
  const named = outputs.map(({ text, data }) => `[${data.command}]\n${text}`);
  const verifications = outputs.flatMap(({ data }) => data.verification ?? []);
  return { ...worst, text: named.join("\n\n"), data: { ...worst.data, verifications } };
}

/** `found` is `null` if the check was cancelled. */
async function check(
  command: string,
  cwd: string,
  ctx: ToolContext,
  { timeoutMs, read, programs }: VerifyPort,
  place = cwd,
) {
  const began = Date.now();
  const { set, program } = await programs(command, cwd);
  const own = { ...ctx, commands: { ...ctx.commands, set: { ...set, ...ctx.commands.set } } };
  const ran = await runCommand({ command, cwd, timeoutMs, isTerminal: false }, own);
  if (!ran.ok) return ran;
  const { output, outcome } = ran.value;
  const { stdout, stderr, timedOut, cancelled } = outcome;
  if (cancelled) return ok({ output, found: null });
  const exitCode = output.data.exit_code;
  const text = `${stdout}\n${stderr}`;
  const result = await read({ command, cwd, place, exitCode, output: text, timedOut, began });
  const found = program === null ? result : { ...result, program };
  // Files it planted were reverted only after it ended, so they do not explain a failed test.
  const isStopped = output.data.planted === undefined || (exitCode ?? 0) > 128;
  return ok({ output, found: output.data.sandbox && isStopped && !found.ok ? blamed(found) : found });
}

/** VF-5: ignores failures that existed before the task. */
async function withoutOld(
  found: VerificationResult,
  key: CheckKey,
  ctx: ToolContext,
  port: VerifyPort,
): Promise<VerificationResult> {
  const { baseline } = port;
  if (!baseline || !(await baseline.isWanted(found, key.cwd))) return found;
  const old = await baseline.known(key, () => runBefore(key, ctx, port, baseline));
  return old ? baseline.without(found, old, key.cwd) : found;
}

async function runBefore(
  { command, cwd }: CheckKey,
  ctx: ToolContext,
  port: VerifyPort,
  { before }: Baseline,
): Promise<VerificationResult | null> {
  const copy = await before(ctx.commands.confine, ctx.signal);
  if (copy === null) return null;
  try {
    const { witness: _, ...commands } = ctx.commands;
    const silent = { ...ctx, commands: { ...commands, confine: copy.confine }, onOutput: () => {} };
    const ran = await check(command, cwd, silent, port, copy.place(cwd));
    return ran.ok ? ran.value.found : null;
  } finally {
    copy.end();
  }
}

/** A failure caused by the sandbox says nothing about the code, unless a test ran and failed. */
function blamed(found: VerificationResult): VerificationResult {
  const isTest = found.details.some(({ test, file }) => test !== null || file !== null);
  return isTest ? found : { ...found, type: "environment" };
}

const TAIL = 4_000;

function shown({ ok: isOk, type, summary, details, old = [], suggestion }: VerificationResult, output: string): string {
  const before = old.length > 0 ? ["failed before the task too:", ...foldDetails(old).map(shownFold)] : [];
  const lines = [...foldDetails(details).map(shownFold), ...before];
  const head = [`${isOk ? "passed" : type}: ${summary}`, ...lines, ...(isOk || !suggestion ? [] : [suggestion])];
  if (isOk) return head.join("\n");
  return `${head.join("\n")}\n\n${output.length > TAIL ? `[…]${output.slice(-TAIL)}` : output}`;
}

/** The message is indented because programs parse this too, and a message may contain any line. */
function shownFold(fold: Fold): string {
  const { first, others } = fold;
  const place = placeOf(first).replace(/: $/, "");
  const more = others.length === 0 ? [] : [`(${others.length} more like this: ${namesIn(fold)})`];
  return `- ${[...(place ? [place] : []), ...first.error.split("\n"), ...more].join("\n  ")}`;
}
