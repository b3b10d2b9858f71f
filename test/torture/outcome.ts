// What a session ended with, and what is wrong with it compared with the undisturbed run.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { EventOf, Recorded } from "../../src/contract/event.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { markerOf, readTable } from "../../src/platform/process/proc.ts";
import { tablesFrom, tablesOf } from "../store/sample.ts";
import { type Found, foldOf, lookAt, temporaryFiles, tokensIn } from "./found.ts";
import { coder, environment, type Life, type Place, shownEvents } from "./life.ts";
import { tokenFile, tokens } from "./task.ts";

interface CallOutcome {
  readonly tool: string;
  readonly status: string;
  readonly output: string;
}

export interface Outcome {
  readonly task: string;
  readonly text: string;
  readonly exitCode: number | null;
  readonly changed: readonly unknown[];
  readonly todos: readonly unknown[];
  readonly calls: Readonly<Record<string, CallOutcome>>;
  readonly tree: Readonly<Record<string, string>>;
}

export function outcomeOf(place: Place, found: Found): Outcome {
  const accepted = found.log.filter((one) => one.accepted).map((one) => one.event);
  const state = foldOf(found.log);
  const replies = accepted.filter((event): event is EventOf<"model.replied"> => event.type === "model.replied");
  const summary = accepted.findLast((event): event is EventOf<"task.summarized"> => event.type === "task.summarized");
  const toolOf = new Map(replies.flatMap((event) => event.reply.calls.map((call) => [call.id, call.tool] as const)));
  const calls: Record<string, CallOutcome> = {};
  for (const event of accepted) {
    if (event.type !== "tool.settled") continue;
    const { status, output } = event.result;
    calls[event.callId] = { tool: toolOf.get(event.callId) ?? "", status, output };
  }
  return {
    task: state.task.phase,
    text: replies.at(-1)?.reply.text ?? "",
    exitCode: summary?.summary.exit_code ?? null,
    changed: summary?.summary.changed_files ?? [],
    todos: state.todos,
    calls: Object.fromEntries(Object.entries(calls).sort(([a], [b]) => a.localeCompare(b))),
    tree: treeOf(place.workspace),
  };
}

/** Path → mode and content, without what coder keeps for itself and what the commands wrote down. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (path === tokenFile || path === ".coder" || path.startsWith(".coder/")) continue;
    const full = join(folder, path);
    const stat = lstatSync(full);
    const content = stat.isSymbolicLink() ? readlinkSync(full) : stat.isFile() ? sha256(readFileSync(full)) : "folder";
    tree[path] = `${stat.mode.toString(8)} ${content}`;
  }
  return tree;
}

/** Everything that must hold after the last resume; one sentence for each thing that does not. */
export function problemsOf(place: Place, baseline: Outcome, lives: readonly Life[]): readonly string[] {
  const found = lookAt(place);
  if (found.sessionId === null) return ["there is no session after the last resume"];
  const outcome = outcomeOf(place, found);
  return [
    ...differences(outcome, baseline),
    ...tokenProblems(place, outcome),
    ...shownProblems(found.log, lives),
    ...logProblems(place, found),
    ...lastLifeProblems(lives, baseline),
    ...leftovers(place, found.sessionId),
  ];
}

function differences(outcome: Outcome, baseline: Outcome): readonly string[] {
  const isCut = ([, call]: [string, CallOutcome]): boolean => call.tool === "bash" && call.status === "unknown";
  const cut = new Set(
    Object.entries(outcome.calls)
      .filter(isCut)
      .map(([id]) => id),
  );
  const without = (whole: Outcome): Outcome => ({
    ...whole,
    calls: Object.fromEntries(Object.entries(whole.calls).filter(([id]) => !cut.has(id))),
  });
  const unlike = [...cut].filter((id) => !outcome.calls[id]?.output.includes("outcome unknown"));
  return [
    ...unlike.map((id) => `${id} is not reported as unknown`),
    ...unequal("", without(outcome), without(baseline)),
  ];
}

/** Where two values differ, by path. */
function unequal(path: string, is: unknown, shall: unknown): readonly string[] {
  if (Bun.deepEquals(is, shall, true)) return [];
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
  if (!isObject(is) || !isObject(shall)) {
    return [`${path.slice(1)} is ${shorten(is)} and should be ${shorten(shall)}`];
  }
  const keys = new Set([...Object.keys(is), ...Object.keys(shall)]);
  return [...keys].flatMap((key) => unequal(`${path}.${key}`, is[key], shall[key]));
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 200);
}

/** No command ran twice; one with a result ran exactly once; one reported as unknown at most once. */
function tokenProblems(place: Place, outcome: Outcome): readonly string[] {
  const written = tokensIn(place);
  return Object.entries(tokens).flatMap(([id, token]) => {
    const status = outcome.calls[id]?.status ?? "open";
    return ["start", "end"].flatMap((part) => {
      const count = written.filter((line) => line === `${token}-${part}`).length;
      const fits = status === "unknown" ? count <= 1 : count === 1;
      return fits ? [] : [`${id} is ${status} and its ${part} happened ${count} times`];
    });
  });
}

/** What was shown had been stored: it is still there, at its place. */
function shownProblems(log: readonly Recorded[], lives: readonly Life[]): readonly string[] {
  const stored = new Map(log.map((one) => [one.seq, one]));
  return lives.flatMap(shownEvents).flatMap(({ seq, accepted, event }) => {
    const kept = stored.get(seq);
    const isKept = kept !== undefined && kept.accepted === accepted && Bun.deepEquals(kept.event, event);
    return isKept ? [] : [`event ${seq} (${event.type}) was shown and is not in the log`];
  });
}

function logProblems(place: Place, { sessionId, log }: Found): readonly string[] {
  const problems = log.flatMap(({ seq, event }) =>
    event.type === "internal.reported" ? [`event ${seq}: internal error, ${event.what}`] : [],
  );
  const replayed = Bun.spawnSync([...coder(), "replay", sessionId ?? "", "--json"], {
    cwd: place.workspace,
    env: environment(place),
  });
  const said = replayed.stdout.toString();
  if (replayed.exitCode !== 0) problems.push(`replay exits with ${replayed.exitCode}: ${said}${replayed.stderr}`);
  else problems.push(...unequal(".replay", JSON.parse(said), { ...JSON.parse(said), ...soundReplay }));
  const tables = tablesOf(place.home, sessionId ?? "");
  problems.push(...unequal(".tables", tables, tablesFrom(log)));
  return problems;
}

const soundReplay = { broken: [], moved: [], task: "IDLE", run: "completed", snapshot: "agrees" };

function lastLifeProblems(lives: readonly Life[], baseline: Outcome): readonly string[] {
  const last = lives.at(-1);
  if (last?.exitCode === baseline.exitCode) return [];
  return [`the last life ended with ${last?.exitCode}, not ${baseline.exitCode}: ${last?.stderr}`];
}

/** No temporary file in the workspace, a snapshot of the end, and no process of this session. */
function leftovers(place: Place, sessionId: string): readonly string[] {
  const problems = temporaryFiles(place.workspace).map((name) => `left behind: ${name}`);
  const snapshot = JSON.parse(readFileSync(join(place.workspace, ".coder", "sessions", `${sessionId}.json`), "utf8"));
  if (snapshot.phase !== "IDLE") problems.push(`the snapshot stands at ${snapshot.phase}`);
  readTable(({ pid, state }) => {
    if (state !== "Z" && markerOf(pid)?.startsWith(`${sessionId}.`)) problems.push(`process ${pid} still runs`);
  });
  return problems;
}
