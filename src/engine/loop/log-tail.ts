import type { EventOf, InputKind, Recorded } from "../../contract/event.ts";
import type { CallId, InputId, TaskId } from "../../contract/ids.ts";
import type { SessionLog } from "../../contract/store.ts";

interface TaskPlace {
  readonly taskId: TaskId;
  readonly inputId: InputId;
  /** When it started, in ms. */
  readonly began: number;
  readonly from: number;
  readonly at: number;
}

interface InputPlace {
  readonly seq: number;
  readonly kind: InputKind;
  /** Its first line, as typed. */
  readonly title: string;
}

const titleChars = 200;

/** Positions of tasks and inputs in the log, so that its tail can be read alone. */
export class LogPlaces {
  readonly tasks: TaskPlace[] = [];
  readonly inputs = new Map<InputId, InputPlace>();
  /** Where pieces begin that can be shown each by itself: no call is open there. */
  readonly pages: number[] = [1];
  private from = 1;
  private readonly subs = new Set<CallId>();

  note({ seq, accepted, event }: Recorded): void {
    if (!accepted) return;
    if (event.type === "sub.started") this.subs.add(event.callId);
    if (event.type === "tool.settled") this.subs.delete(event.callId);
    if (event.type === "model.replied" && this.subs.size === 0) this.turn(seq);
    if (event.type === "task.ended") this.turn(seq + 1);
    if (event.type === "input.admitted") this.inputs.set(event.inputId, placeOf(event, seq));
    if (event.type === "task.started") {
      const { taskId, inputId, at: began } = event;
      this.tasks.push({ taskId, inputId, began, from: this.from, at: seq });
    }
    if (event.type === "task.ended") this.from = seq + 1;
  }

  private turn(seq: number): void {
    if (seq - (this.pages.at(-1) ?? 1) >= pageEvents) this.pages.push(seq);
  }
}

/** Events of a page, or a few more. */
const pageEvents = 100;

/** The events of a page, with the inputs that it delivers, and the start of the task in whose middle it begins. */
export function pageOf(log: SessionLog, { pages, tasks, inputs }: LogPlaces, page: number): readonly Recorded[] {
  const [from = 1, to = Number.POSITIVE_INFINITY] = pages.slice(page, page + 2);
  const events: Recorded[] = [];
  for (const one of log.read(from)) {
    if (one.seq >= to) break;
    if (one.accepted) events.push(one);
  }
  const begun = tasks.findLast((task) => task.from <= from && task.at < from);
  const started = begun ? [oneAt(log, begun.at)] : [];
  const sent = deliveredIn(events).flatMap((id) => inputs.get(id)?.seq ?? []);
  return [...started, ...sent.filter((seq) => seq < from).map((seq) => oneAt(log, seq)), ...events];
}

function deliveredIn(events: readonly Recorded[]): readonly InputId[] {
  return events.flatMap(({ event }) => {
    if (event.type === "task.started") return [event.inputId];
    return event.type === "input.delivered" ? event.inputIds : [];
  });
}

/** The input as it was typed. */
function typedText({ kind, text, typed }: Pick<EventOf<"input.admitted">, "kind" | "text" | "typed">): string {
  return kind === "shell" ? `!${text}` : (typed ?? text);
}

function placeOf(event: EventOf<"input.admitted">, seq: number): InputPlace {
  const title = typedText(event).trimStart().split("\n", 1)[0] ?? "";
  // A plain slice would keep the whole text in memory.
  return { seq, kind: event.kind, title: Buffer.from(title.slice(0, titleChars)).toString() };
}

/** The message that began a task, and the number of the first event that a log without it does not have. */
export function messageOf(log: SessionLog, { tasks, inputs }: LogPlaces, taskId: TaskId): MessagePlace | null {
  const task = tasks.findLast((one) => one.taskId === taskId);
  const input = task && inputs.get(task.inputId);
  if (!task || !input) return null;
  const { event } = oneAt(log, input.seq);
  // It may have waited while an earlier task ran.
  return { text: event.type === "input.admitted" ? typedText(event) : "", before: Math.max(task.from, input.seq) };
}

export interface MessagePlace {
  readonly text: string;
  readonly before: number;
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
  const sent = deliveredIn([...begun, ...events])
    .flatMap((id) => places.inputs.get(id)?.seq ?? [])
    .filter((seq) => seq < from);
  const before = [...begun, ...sent.map((seq) => oneAt(log, seq))].sort((one, other) => one.seq - other.seq);
  return [...before, ...events];
}

function oneAt(log: SessionLog, seq: number): Recorded {
  for (const one of log.read(seq)) return one;
  throw new Error(`event ${seq} is gone`);
}
