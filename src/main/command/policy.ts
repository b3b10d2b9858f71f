import { fieldsOf, parsedJson } from "../../contract/json.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { JudgeDeps } from "../../engine/judge/deed-facts.ts";
import { lookFor } from "../../engine/judge/past-secrets.ts";
import { judgeShell } from "../../engine/judge/shell-call.ts";
import { resolvePath } from "../../platform/files/path.ts";
import { findProgram, foreignPath, isManaged, isRealProgram, shimsIn } from "../../platform/find-program.ts";
import { gitProblem } from "../../platform/git/facts.ts";
import type { SimpleCommand } from "../../policy/shell/verdict/judgement.ts";
import { partsOf, type ShellPart } from "../../policy/shell/verdict/parts.ts";
import { lookAtRules } from "../../store/allow.ts";
import { linesOf } from "../../surface/headless/client.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { soundSettings } from "../setup/setup.ts";
import { tellIgnored } from "../trust/trust-state.ts";

interface LineVerdict {
  readonly command: string;
  readonly decision: "allow" | "ask" | "deny";
  readonly reasons: readonly string[];
  readonly commands: readonly string[];
  readonly parts?: readonly ExplainedPart[];
}

interface ExplainedPart extends Omit<LineVerdict, "commands" | "parts"> {
  readonly kind: string;
  readonly parts: readonly ExplainedPart[];
}

/** Limits: nested parts multiply the length of a line. */
const mostParts = 200;
const mostChars = 100_000;

/** `coder policy check`: judges without executing. The only process it starts is git, to list names in its history. */
export async function policyCheck(command: string | undefined, flags: Flags, io: Io, lang: Lang): Promise<number> {
  if (flags.jsonl === true ? command !== undefined : command === undefined)
    throw usage(phrase("permission.check_usage"));
  const settings = await soundSettings(flags, false);
  tellIgnored(settings, io);
  const judge = flags.explain ? explaining(judgeFor(settings, lang)) : judgeFor(settings, lang);
  if (command === undefined) return checkLines(judge, io, lang);
  const verdict = await judge(command);
  io.out(flags.json ? jsonLine(verdict) : `${plain(shown(verdict, lang))}\n`);
  return 0;
}

type Judge = (command: string) => Promise<LineVerdict>;

function judgeFor(settings: Settings, lang: Lang): Judge {
  const { workspace, addDirs, home, mode, preset } = settings;
  const rules = [...settings.rules, ...lookAtRules(home, workspace)];
  const keepOut = [workspace, ...addDirs];
  const path = foreignPath(process.env.PATH ?? "", keepOut);
  let git: ReturnType<typeof gitProblem> | undefined;
  const deps: JudgeDeps = {
    settings,
    rules,
    ownFolder: resolvePath(home, workspace, []).real ?? home,
    isRealProgram: (program) => isRealProgram(program, path, keepOut),
    isManaged: (program) => isManaged(program, path, keepOut),
    isShim: shimsIn(path, keepOut),
    gitProblem: () => {
      git ??= gitProblem(workspace);
      return git;
    },
    isInteractive: () => true,
  };
  const moment = { mode, preset, sandbox: sandboxHere(settings) };
  return async (command) => {
    const first = judgeShell(deps, command, moment);
    const { decision, reasons, question } = first.unknownObjects
      ? judgeShell(deps, command, { ...moment, past: await lookFor(workspace, first.unknownObjects) })
      : first;
    const commands = question.judgement?.commands.map(shownCommand) ?? [];
    return { command, decision, reasons: reasons.map((reason) => say(lang, reason)), commands };
  };
}

function explaining(judge: Judge): Judge {
  return async (command) => {
    const verdict = await judge(command);
    let left = mostParts;
    let chars = mostChars;
    const isLeft = (text: string): boolean => {
      left -= 1;
      chars -= text.length;
      return left >= 0 && chars > 0;
    };
    const explain = async (parts: readonly ShellPart[]): Promise<readonly ExplainedPart[]> => {
      const explained: ExplainedPart[] = [];
      for (const { kind, text, parts: inner } of parts) {
        if (!isLeft(text)) break;
        explained.push(await one(kind, text, inner));
      }
      return explained;
    };
    const one = async (kind: string, text: string, inner: readonly ShellPart[]): Promise<ExplainedPart> => {
      // A substitution is judged as the argument of `:`, a redirection as one of `echo`.
      const alone = kind === "redirection" ? `echo ${text}` : kind === "substitution" ? `: ${text}` : text;
      const { decision, reasons, commands } = await judge(alone);
      const about = { kind, command: text, decision, reasons };
      if (kind !== "command" || inner.length > 0) return { ...about, parts: await explain(inner) };
      // Commands behind a wrapper are no part of the text; skip those nested inside each of them.
      const wrapped: ExplainedPart[] = [];
      for (let at = commands[0] === text ? 1 : commands.length; at < commands.length; ) {
        const [next = ""] = commands.slice(at);
        if (!isLeft(next)) break;
        wrapped.push(await one(kind, next, []));
        at += Math.max(1, (await judge(next)).commands.length);
      }
      return { ...about, parts: wrapped };
    };
    return { ...verdict, parts: await explain(partsOf(command)) };
  };
}

/** With its input, as rules are written. */
function shownCommand({ text, input }: SimpleCommand): string {
  return typeof input === "string" ? `${text} <${input}` : text;
}

/** Whether a sandbox program exists; whether it works would need a process. */
function sandboxHere({ sandbox }: Settings): "ready" | "missing" | "off" {
  if (sandbox === "off") return "off";
  const keepOut = [process.cwd()];
  const names = process.platform === "darwin" ? ["sandbox-exec"] : ["bwrap"];
  return findProgram(names, foreignPath(process.env.PATH ?? "", keepOut), keepOut) === null ? "missing" : "ready";
}

/** One JSON object per line in and out, streamed. */
async function checkLines(judge: Judge, io: Io, lang: Lang): Promise<number> {
  let isGone = false;
  let hasBad = false;
  let line = 0;
  io.onClosed(() => {
    isGone = true;
  });
  for await (const text of linesOf(Bun.stdin.stream())) {
    if (isGone) break;
    line += 1;
    if (text.trim() === "") continue;
    const command = commandIn(text);
    hasBad ||= command === null;
    const answer =
      command === null ? { line, error: say(lang, phrase("permission.bad_line", { line })) } : await judge(command);
    io.out(jsonLine(answer));
    if (line % 1_000 === 0) await io.drained(Number.POSITIVE_INFINITY);
  }
  if (!hasBad) return 0;
  throw usage(phrase("permission.bad_lines"), phrase("permission.bad_lines.advice"));
}

function commandIn(text: string): string | null {
  const { command } = fieldsOf(parsedJson(text));
  return typeof command === "string" ? command : null;
}

/** Indented by depth. Only the innermost parts show reasons, since outer ones repeat them. */
function tree(parts: readonly ExplainedPart[], depth = 1): readonly string[] {
  return parts.flatMap(({ kind, command, decision, reasons, parts: inner }) => {
    const indent = "  ".repeat(depth);
    const line = `${indent}${decision.padEnd(5)} ${kind}  ${command.replace(/\s*\n\s*/g, " ⏎ ")}`;
    const open = inner.every((one) => one.decision === "allow") && decision !== "allow";
    return [line, ...(open ? reasons.map((reason) => `${indent}      · ${reason}`) : []), ...tree(inner, depth + 1)];
  });
}

function shown({ decision, reasons, commands, parts }: LineVerdict, lang: Lang): string {
  const list = (texts: readonly string[]): readonly string[] =>
    texts.map((text) => `  ${text.replaceAll("\n", "\n    ")}`);
  return [
    decision,
    ...list(reasons),
    ...(commands.length === 0 ? [] : [say(lang, phrase("permission.commands")), ...list(commands)]),
    ...(parts === undefined ? [] : [say(lang, phrase("permission.parts")), ...tree(parts)]),
  ].join("\n");
}
