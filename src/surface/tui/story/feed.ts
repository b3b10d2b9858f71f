// Turns events into lines: finished ones to commit, and those that may still change.
import type { Recorded } from "../../../contract/event.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import { type Block, type Detail, type Group, Still } from "../blocks/block.ts";
import type { AskDiff } from "../blocks/call.ts";
import { noteBlock, noteLines } from "../blocks/note.ts";
import { todoLines } from "../blocks/todos.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, withKey } from "../terminal/measure.ts";
import type { Told } from "../terminal/reflow.ts";
import { EventBlocks } from "./event-blocks.ts";

interface FeedDeps {
  readonly changesOf: (id: string) => Promise<string | null>;
  readonly changed: () => void;
  readonly structured?: (taskId: string) => string | null;
  readonly isTyped?: (inputId: string) => boolean;
  readonly title?: () => string;
  readonly key?: string;
  readonly tellsSteps?: boolean;
  readonly now?: () => number;
}

const keptDetails = 60;
const maxLive = 200;
const leastForTodos = 4;

export class Feed {
  private readonly look: Look;
  private readonly key: string;
  private readonly story: EventBlocks;
  private queue: Block[] = [];
  private finishedDetails: Detail[] = [];
  /** The group of the last committed block, and the block at the front if some of its lines are committed. */
  private lastGroup: Group | null = null;
  private begun: Block | null = null;
  private state: SessionState | null = null;
  /** The running task has made or changed a list; a list from an earlier task is not shown. */
  private hasList = false;

  constructor(look: Look, deps: FeedDeps) {
    const { changesOf, changed, structured = () => null, title = () => "", isTyped = () => false } = deps;
    const { key = "Ctrl+O", now = () => performance.now(), tellsSteps = false } = deps;
    this.look = look;
    this.key = key;
    const add = (block: Block, before?: Block): void => this.add(block, before);
    const diffs = diffQueue(changesOf, changed);
    this.story = new EventBlocks({ look, now, key, diffs, add, structured, title, isTyped, tellsSteps });
  }

  hear(published: Published): void {
    if (published.kind === "event" || published.kind === "session") this.follow(published);
    this.story.hear(published);
  }

  /** Events from before the session was opened, oldest first; says what of its `tasks` they leave out. */
  past(log: readonly Recorded[], tasks: number): void {
    const shown = log.filter(({ accepted, event }) => accepted && event.type === "task.started").length;
    const left = tasks - shown;
    if (left > 0) this.tellLeftOut(() => counted(this.look, "block.unseen.n", left));
    if (isCut(log)) this.tellLeftOut(() => words(this.look, "block.unseen_steps"));
    for (const { seq, accepted, event } of log) {
      if (!accepted) continue;
      try {
        this.story.event(event, null);
      } catch (error) {
        // A damaged event lacks expected fields: the user gets a note, and the rest.
        if (!(error instanceof TypeError)) throw error;
        this.add(noteBlock(this.look, words(this.look, "run.damaged_log", { seq }), true));
      }
    }
  }

  private tellLeftOut(text: () => string): void {
    const { look, key } = this;
    this.add(new Still(look, "below", () => noteLines(look, withKey(look, text(), key), false)));
  }

  take(): readonly string[] {
    return this.told().flatMap(({ lines }) => lines);
  }

  told(): readonly Told[] {
    const all: Told[] = [];
    let over = 0;
    for (const block of this.queue) {
      const told = block.told?.() ?? [{ lines: block.take(), again: null }];
      const more = told.filter(({ lines }) => lines.length > 0);
      if (more.length > 0 && this.isApart(block, this.lastGroup)) all.push({ lines: [""], again: null });
      for (const one of more) all.push(one);
      if (more.length > 0) [this.lastGroup, this.begun] = [block.group, block];
      if (!block.isOver) break;
      if (block.detail) this.finishedDetails.push(block.detail);
      over++;
    }
    if (over > 0) this.queue = this.queue.slice(over);
    if (this.finishedDetails.length > keptDetails) this.finishedDetails = this.finishedDetails.slice(-keptDetails);
    return all;
  }

  live(room: number): readonly string[] {
    const todos =
      this.state && this.hasList && room >= leastForTodos ? todoLines(this.state, this.look, Math.ceil(room / 2)) : [];
    const own = this.blockLines(todos.length > 0 ? room - todos.length - 1 : room);
    const gap = own.length > 0 && todos.length > 0 ? [""] : [];
    return [...own, ...gap, ...todos].slice(0, Math.max(0, room));
  }

  /** Adds other output in order. `isMode`: it names a change of the mode already. */
  tell(lines: readonly string[], isMode: boolean): void {
    this.story.interrupt(isMode);
    this.add(new Still(null, "card", () => lines));
  }

  /** Makes room for output that is written right now: returns the finished lines and the blank line before it. */
  interrupt(isMode: boolean): readonly string[] {
    this.story.interrupt(isMode);
    const lines = this.take();
    const gap = this.lastGroup === null ? [] : [""];
    [this.lastGroup, this.begun] = ["card", null];
    return [...lines, ...gap];
  }

  get runningSubs(): readonly Detail[] {
    return this.story.runningSubs.map(({ detail }) => detail);
  }

  details(): readonly Detail[] {
    const open = this.queue.flatMap(({ detail }) => (detail ? [detail] : []));
    return [...this.finishedDetails, ...open].slice(-keptDetails).reverse();
  }

  private add(block: Block, before?: Block): void {
    const at = before ? this.queue.indexOf(before) : -1;
    if (at === -1) this.queue.push(block);
    else this.queue.splice(at, 0, block);
  }

  private follow(published: Extract<Published, { kind: "event" | "session" }>): void {
    this.state = published.state;
    if (published.kind === "session") {
      this.hasList = true;
      return;
    }
    const { event } = published.recorded;
    if (event.type === "task.started") this.hasList = false;
    if (event.type === "task.continued") this.hasList = true;
    if (event.type === "plan.settled" || event.type === "plan.changed") this.hasList ||= event.plan !== null;
    if (event.type === "tool.settled")
      this.hasList ||= event.result.todos !== undefined || event.result.plan !== undefined;
  }

  private isApart(block: Block, last: Group | null): boolean {
    if (last === null || this.begun === block) return false;
    if (block.group === "below") return false;
    return block.group !== "step" || last !== "step";
  }

  /** Each block gets at least one line while there are any; the newest get the rest. */
  private blockLines(room: number): readonly string[] {
    if (room < 1) return [];
    const all = this.queue.slice(0, maxLive).filter((block) => block.live(1).length > 0);
    const shown = all.length > room ? mostTelling(all, room - 1) : all;
    const hidden = all.length - shown.length;
    const more = hidden > 0 ? [this.look.theme.dim(`· ${counted(this.look, "block.waiting.n", hidden)}`)] : [];
    let left = room - more.length;
    const parts: (readonly string[])[] = [];
    for (const [at, block] of [...shown.entries()].reverse()) {
      const lines = block.live(left - at);
      left -= lines.length;
      parts.unshift(lines);
    }
    const spaced = [...this.spaced(shown, parts), ...more];
    return spaced.length <= room ? spaced : [...parts.flat(), ...more];
  }

  /** With the same blank lines as in the scrollback, so that nothing moves on commit. */
  private spaced(blocks: readonly Block[], parts: readonly (readonly string[])[]): readonly string[] {
    let last = this.lastGroup;
    return blocks.flatMap((block, at) => {
      const lines = parts[at] ?? [];
      const isApart = lines.length > 0 && this.isApart(block, last);
      if (lines.length > 0) last = block.group;
      return isApart ? ["", ...lines] : lines;
    });
  }
}

/** The steps behind the start of a long task are missing: otherwise its assessment follows at once. */
function isCut(log: readonly Recorded[]): boolean {
  const events = log.filter(({ event }) => event.type !== "input.admitted");
  return events.some(
    ({ event }, at) =>
      event.type === "task.started" && (events[at + 1]?.event.type ?? "task.assessed") !== "task.assessed",
  );
}

/** Running blocks first, then finished ones, then those that have not begun; the order stays. */
function mostTelling(blocks: readonly Block[], most: number): readonly Block[] {
  const rank = ({ isOver, isIdle }: Block): number => (isIdle ? 2 : isOver ? 1 : 0);
  const chosen = new Set([...blocks].sort((one, other) => rank(one) - rank(other)).slice(0, most));
  return blocks.filter((block) => chosen.has(block));
}

const diffsAtOnce = 4;

/** Diffs are computed from disk after their calls. A resumed session has many, so only a few run at a time. */
function diffQueue(changesOf: FeedDeps["changesOf"], changed: () => void): AskDiff {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  const next = async (): Promise<void> => {
    const compute = running < diffsAtOnce ? waiting.shift() : undefined;
    if (!compute) return;
    running++;
    await compute();
    running--;
    changed();
    void next();
  };
  return (id, done) => {
    waiting.push(async () => {
      try {
        done(await changesOf(id), "");
      } catch (error) {
        done(null, error instanceof Error ? error.message : String(error));
      }
    });
    void next();
  };
}
