// What must hold for every session, however it was disturbed and however it ended.
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Recorded } from "../../src/contract/event.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { markerOf, readTable } from "../../src/platform/process/proc.ts";
import { tablesFrom, tablesOf } from "../store/sample.ts";
import { type Found, temporaryFiles, tokensIn } from "./found.ts";
import { coder, environment, type Life, type Place, shownEvents } from "./life.ts";
import { type Outcome, unequal } from "./outcome.ts";
import { tokens } from "./task.ts";

export function soundProblems(place: Place, found: Found, outcome: Outcome, lives: readonly Life[]): readonly string[] {
  const last = lives.at(-1);
  const isHonest = last?.exitCode === outcome.exitCode;
  return [
    ...(isHonest ? [] : [`the last life ended with ${last?.exitCode}, not ${outcome.exitCode}: ${last?.stderr}`]),
    ...tokenProblems(place, outcome),
    ...fileProblems(found.log),
    ...commonProblems(place, found, lives),
  ];
}

/** Of every session, whatever its task was. */
export function commonProblems(place: Place, found: Found, lives: readonly Life[]): readonly string[] {
  return [...shownProblems(found.log, lives), ...logProblems(place, found), ...leftovers(place, found.sessionId ?? "")];
}

/** No command ran twice; one with a result ran exactly once; one that was cut at most once; one without a call never. */
function tokenProblems(place: Place, outcome: Outcome): readonly string[] {
  const written = tokensIn(place);
  return Object.entries(tokens).flatMap(([id, token]) => {
    const status = outcome.calls[id]?.status ?? "never called";
    const isCut = status === "unknown" || status === "cancelled";
    const expected = status === "done" || status === "failed" ? 1 : 0;
    return ["start", "end"].flatMap((part) => {
      const count = written.filter((line) => line === `${token}-${part}`).length;
      const fits = isCut ? count <= 1 : count === expected;
      return fits ? [] : [`${id} is ${status} and its ${part} happened ${count} times`];
    });
  });
}

/** Every file is as the last result about it says. */
function fileProblems(log: readonly Recorded[]): readonly string[] {
  const last = new Map<string, string | null>();
  for (const { accepted, event } of log) {
    if (!accepted) continue;
    // Before any result about it a file must be as it was when it was first to be changed.
    const intents = event.type === "tool.intended" ? event.intent.changes : [];
    for (const { real, before } of intents) if (!last.has(real)) last.set(real, before?.hash ?? null);
    const changes = event.type === "tool.settled" && event.result.status === "done" ? (event.result.changes ?? []) : [];
    for (const { real, after } of changes) last.set(real, after?.hash ?? null);
  }
  return [...last].flatMap(([path, hash]) => {
    const is = existsSync(path) ? sha256(readFileSync(path)) : null;
    return is === hash ? [] : [`${path} is not as its last result says`];
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
  problems.push(...replayProblems(place, sessionId ?? ""));
  problems.push(...unequal(".tables", tablesOf(place.home, sessionId ?? ""), tablesFrom(log)));
  return problems;
}

const soundReplay = { broken: [], moved: [], task: "IDLE", snapshot: "agrees" };

export function replayProblems(place: Place, id: string): readonly string[] {
  const replayed = Bun.spawnSync([...coder(), "replay", id, "--json"], {
    cwd: place.workspace,
    env: environment(place),
  });
  const said = replayed.stdout.toString();
  if (replayed.exitCode !== 0) return [`replay exits with ${replayed.exitCode}: ${said}${replayed.stderr}`];
  const { broken, moved, task, snapshot } = JSON.parse(said) as Record<string, unknown>;
  return unequal(".replay", { broken, moved, task, snapshot }, soundReplay);
}

/** No temporary file in the workspace, a snapshot of the end, and no process of this session. */
function leftovers(place: Place, sessionId: string): readonly string[] {
  const problems = temporaryFiles(place.workspace).map((name) => `left behind: ${name}`);
  const file = join(place.workspace, ".coder", "sessions", `${sessionId}.json`);
  const phase = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { phase: string }).phase : "nothing";
  if (phase !== "IDLE") problems.push(`the snapshot stands at ${phase}`);
  readTable(({ pid, state }) => {
    if (state === "Z") return;
    if (markerOf(pid)?.startsWith(`${sessionId}.`) || isAt(pid, place.workspace))
      problems.push(`process ${pid} still runs`);
  });
  return problems;
}

/** Whoever started it, and whatever it has done to its environment. */
function isAt(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    // It has ended, or is not ours.
    return false;
  }
}
