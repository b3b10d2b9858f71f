import type { Recorded } from "../../contract/event.ts";
import { HistoryFold } from "../../machine/history/history.ts";
import { reduce } from "../../machine/session.ts";
import { emptySession, openCalls, runsOf, type SessionState } from "../../machine/state.ts";
import { renderSnapshot } from "../session/snapshot.ts";

export interface Replay {
  readonly events: number;
  readonly state: SessionState;
  readonly calls: number;
  readonly open: number;
  readonly broken: readonly string[];
  /** Events accepted live but refused in the replay, or the reverse. */
  readonly moved: readonly number[];
  readonly snapshotAt: (seq: number) => string | null;
}

/** Folds a log from scratch and checks that every call has exactly one result. */
export function replay(recorded: Iterable<Recorded>, snapshotSeq: number | null): Replay {
  let state = emptySession;
  let events = 0;
  let snapshot: string | null = null;
  const history = new HistoryFold();
  const results = new Map<string, number>();
  const moved: number[] = [];
  for (const one of recorded) {
    events++;
    const step = tried(state, one);
    if (step?.accepted !== one.accepted) moved.push(one.seq);
    if (one.accepted && step?.accepted) {
      state = step.state;
      history.apply(one.event);
      count(results, one.event);
    }
    if (one.seq + 1 === snapshotSeq) snapshot = renderSnapshot(state, history, snapshotSeq);
  }
  const open = new Set<string>(
    runsOf(state)
      .flatMap(openCalls)
      .filter((call) => call.status !== "settled")
      .map((call) => call.call.id),
  );
  const broken = [...results].filter(([id, n]) => n !== 1 && !(n === 0 && open.has(id))).map(([id]) => id);
  return {
    events,
    state,
    calls: results.size,
    open: open.size,
    broken,
    moved,
    snapshotAt: (seq) => (seq === snapshotSeq ? snapshot : null),
  };
}

/** `null`: the event is malformed or of another version. */
export function tried(state: SessionState, { event }: Recorded): ReturnType<typeof reduce> | null {
  try {
    return reduce(state, event);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}

function count(results: Map<string, number>, event: Recorded["event"]): void {
  if (event.type === "run.started") for (const call of event.calls) results.set(call.id, 0);
  if (event.type === "model.replied") for (const call of event.reply.calls) results.set(call.id, 0);
  if (event.type === "tool.settled") results.set(event.callId, (results.get(event.callId) ?? 0) + 1);
}
