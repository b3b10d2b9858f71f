// What a killed program left behind, looked at without touching it, and in which phase of its work it was hit.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Recorded } from "../../src/contract/event.ts";
import { reduce } from "../../src/machine/session.ts";
import {
  type CallState,
  emptySession,
  isAsking,
  openCalls,
  openQuestions,
  type SessionState,
} from "../../src/machine/state.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { openStore } from "../../src/store/open.ts";
import type { Life, Place } from "./life.ts";
import { lookedCall, lookedToken } from "./looked-task.ts";
import { tokenFile, tokens } from "./task.ts";

export interface Found {
  readonly sessionId: string | null;
  readonly log: readonly Recorded[];
}

/** From a copy: opening the database would already repair it, which is the resume's own task. */
export function lookAt(place: Place): Found {
  const copy = join(place.root, "copy");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const name of readdirSync(place.home)) {
    if (/^coder\.db(-wal|-journal)?$/.test(name)) cpSync(join(place.home, name), join(copy, name));
  }
  if (!existsSync(join(copy, "coder.db"))) return { sessionId: null, log: [] };
  const store = openStore(copy);
  try {
    // The oldest of this workspace: a fork is newer than what it was made from.
    const oldest = store
      .sessions({ workspace: place.workspace, limit: 100 })
      .toSorted((a, b) => a.createdAt - b.createdAt)[0];
    return oldest ? { sessionId: oldest.id, log: [...(store.peek(oldest.id) ?? [])] } : { sessionId: null, log: [] };
  } finally {
    store.close();
  }
}

export function foldOf(log: readonly Recorded[]): SessionState {
  return log.reduce((state, one) => (one.accepted ? reduce(state, one.event).state : state), emptySession);
}

export const phases = [
  "before the input is stored",
  "streaming",
  "reply → stored",
  "before the intent",
  "intent → effect",
  "effect → result",
  "inside a patch",
  "reading",
  "looking for changes",
  "inside an undo",
  "inside a sub-agent",
  "verifying",
  "waiting for an answer",
  "snapshot",
  "after the end",
] as const;

export type Phase = (typeof phases)[number];

/** Those that every full run must hit at least this often. */
export const wantedHits = 20;
export const wantedPhases: readonly Phase[] = [
  "streaming",
  "intent → effect",
  "effect → result",
  "inside a patch",
  "looking for changes",
  "inside an undo",
  "inside a sub-agent",
  "verifying",
  "waiting for an answer",
  "snapshot",
];

export function phaseOf(place: Place, found: Found, life: Life): Phase {
  if (found.sessionId === null) return "before the input is stored";
  if (temporaryFiles(join(place.workspace, ".coder")).length > 0) return "snapshot";
  const state = foldOf(found.log);
  if (state.task.phase === "IDLE") return "after the end";
  if (isWaiting(state)) return "waiting for an answer";
  if (state.subs.length > 0) return "inside a sub-agent";
  if (state.task.phase === "RECOVERING" || (state.task.phase === "VERIFYING" && state.task.todo.length > 0))
    return "verifying";
  const executing = openCalls(state.run).find((one) => one.status === "executing" && one.call.access !== "read");
  if (executing && isInside(place, executing))
    return executing.call.tool === "undo" ? "inside an undo" : "inside a patch";
  if (executing && isLooking(place, executing)) return "looking for changes";
  if (executing) return hasEffect(place, executing) ? "effect → result" : "intent → effect";
  if (openCalls(state.run).some((one) => one.status === "executing")) return "reading";
  if (state.run.phase === "model_running")
    return hasWholeReply(state.run.run.index, life) ? "reply → stored" : "streaming";
  return "before the intent";
}

function isWaiting(state: SessionState): boolean {
  const { task } = state;
  return task.phase === "AWAITING_CONFIRMATION" || openQuestions(task).length > 0 || isAsking(state);
}

/** Before the command has been started, and after it has ended. */
function isLooking(place: Place, { call, spawned }: CallState): boolean {
  return call.tool === "bash" && call.id === lookedCall && (!spawned || tokensIn(place).includes(`${lookedToken}-end`));
}

/** Temporary files are there from before the first change until after the last. */
function isInside({ workspace }: Place, { intent }: CallState): boolean {
  return (intent?.changes.length ?? 0) > 1 && temporaryFiles(workspace).some((name) => !name.startsWith(".coder/"));
}

function hasWholeReply(index: number, life: Life): boolean {
  const lastRun = life.lines.findLastIndex(
    ({ event }) => (event as { type?: string } | undefined)?.type === "run.started",
  );
  return life.lines.slice(lastRun + 1).some((line) => {
    const delta = line.delta as { kind?: string; modelCallIndex?: number } | undefined;
    return delta?.kind === "done" && delta.modelCallIndex === index;
  });
}

function hasEffect(place: Place, { call, intent }: CallState): boolean {
  const token = tokens[call.id];
  if (token !== undefined) return tokensIn(place).includes(`${token}-start`);
  return (intent?.changes ?? []).some(({ real, after }) => isFile(real) && sha256(readFileSync(real)) === after?.hash);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export function tokensIn(place: Place): readonly string[] {
  const file = join(place.workspace, tokenFile);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

export function temporaryFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tmp"));
}
