import type { Recorded } from "../../contract/event.ts";
import type { InputId } from "../../contract/ids.ts";
import type { SessionLog } from "../../contract/store.ts";

interface TaskPlace {
  readonly from: number;
  readonly at: number;
}

/** Positions of tasks and inputs in the log, so that its tail can be read alone. */
export class LogPlaces {
  readonly tasks: TaskPlace[] = [];
  readonly inputs = new Map<InputId, number>();
  private from = 1;

  note({ seq, accepted, event }: Recorded): void {
    if (!accepted) return;
    if (event.type === "input.admitted") this.inputs.set(event.inputId, seq);
    if (event.type === "task.started") this.tasks.push({ from: this.from, at: seq });
    if (event.type === "task.ended") this.from = seq + 1;
  }
}

/** The middle of a longer task is left out. */
const mostEvents = 2_000;

export function recentEvents(log: SessionLog, places: LogPlaces, tasks: number, next: number): readonly Recorded[] {
  const wanted = places.tasks.at(-Math.max(1, tasks))?.from ?? 1;
  const from = Math.max(wanted, next - mostEvents);
  const events = [...log.read(from)].filter(({ accepted }) => accepted);
  const cut = from > wanted ? places.tasks.findLast((task) => task.from <= from && task.at < from) : undefined;
  const begun = cut ? [oneAt(log, cut.at)] : [];
  // An input may have waited through earlier tasks.
  const inputs = [...begun, ...events].flatMap(({ event }) => {
    if (event.type === "task.started") return [event.inputId];
    return event.type === "input.delivered" ? event.inputIds : [];
  });
  const sent = inputs.flatMap((id) => places.inputs.get(id) ?? []).filter((seq) => seq < from);
  const before = [...begun, ...sent.map((seq) => oneAt(log, seq))].sort((one, other) => one.seq - other.seq);
  return [...before, ...events];
}

function oneAt(log: SessionLog, seq: number): Recorded {
  for (const one of log.read(seq)) return one;
  throw new Error(`event ${seq} is gone`);
}
