// What happens, as lines: finished ones to be committed, and those that may still change.
import type { Recorded } from "../../../contract/event.ts";
import type { Published } from "../../../engine/port.ts";
import type { SessionState } from "../../../machine/state.ts";
import { type Block, type Detail, type Group, Still } from "../blocks/block.ts";
import { noteBlock } from "../blocks/note.ts";
import { todoLines } from "../blocks/todos.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted } from "../terminal/measure.ts";
import { Diffs } from "./diffs.ts";
import { EventBlocks } from "./event-blocks.ts";

interface FeedDeps {
  /** The unified diff of what a call has changed; `null` = there is none. */
  readonly changesOf: (callId: string) => Promise<string | null>;
  /** Asks for a redraw. */
  readonly changed: () => void;
  /** An answer that was asked for as JSON, in words; `null` = there is none. */
  readonly structured?: (taskId: string) => string | null;
  /** The terminal has shown that input while it was typed. */
  readonly isTyped?: (inputId: string) => boolean;
  /** What to press for the whole of something. */
  readonly key?: string;
  /** Milliseconds since some moment; not the clock of the machine, which may be set. */
  readonly now?: () => number;
}

/** Of what is over, so many can be looked at in full. */
const keptDetails = 60;
/** More cannot be seen at a time. */
const maxLive = 200;
/** Below it there is no room for lists beside what happens. */
const leastForTodos = 4;

export class Feed {
  private readonly look: Look;
  private readonly story: EventBlocks;
  /** Not over, or not taken yet; in the order in which they will stand in the scrollback. */
  private queue: Block[] = [];
  private finishedDetails: Detail[] = [];
  /** What was committed last, and whether the block at the front has begun. */
  private lastGroup: Group | null = null;
  private begun: Block | null = null;
  private state: SessionState | null = null;
  /** The task that runs has made or moved a list: one that an earlier task has left says nothing about it. */
  private hasList = false;

  constructor(look: Look, deps: FeedDeps) {
    const { changesOf, changed, structured = () => null, isTyped = () => false } = deps;
    const { key = "Ctrl+O", now = () => performance.now() } = deps;
    this.look = look;
    const add = (block: Block, before?: Block): void => this.add(block, before);
    this.story = new EventBlocks({ look, now, key, diffs: new Diffs(changesOf, changed), add, structured, isTyped });
  }

  hear(published: Published): void {
    if (published.kind === "event" || published.kind === "session") this.follow(published);
    this.story.hear(published);
  }

  /** What happened before the session was opened, oldest first. */
  past(log: readonly Recorded[]): void {
    for (const { seq, accepted, event } of log) {
      if (!accepted) continue;
      try {
        this.story.event(event, null);
      } catch (error) {
        // A damaged event has not the parts it should have: the person is told, and sees the rest.
        if (!(error instanceof TypeError)) throw error;
        this.add(noteBlock(this.look, words(this.look, "run.damaged_log", { seq }), true));
      }
    }
  }

  take(): readonly string[] {
    const lines: string[] = [];
    let over = 0;
    for (const block of this.queue) {
      const more = block.take();
      if (more.length > 0 && this.isApart(block, this.lastGroup)) lines.push("");
      for (const line of more) lines.push(line);
      if (more.length > 0) [this.lastGroup, this.begun] = [block.group, block];
      if (!block.isOver) break;
      if (block.detail) this.finishedDetails.push(block.detail);
      over++;
    }
    if (over > 0) this.queue = this.queue.slice(over);
    if (this.finishedDetails.length > keptDetails) this.finishedDetails = this.finishedDetails.slice(-keptDetails);
    return lines;
  }

  /** What may still change, or waits for what does; below it the list that is worked on. At most `room` lines. */
  live(room: number): readonly string[] {
    const todos =
      this.state && this.hasList && room >= leastForTodos ? todoLines(this.state, this.look, Math.ceil(room / 2)) : [];
    const own = this.blockLines(todos.length > 0 ? room - todos.length - 1 : room);
    const gap = own.length > 0 && todos.length > 0 ? [""] : [];
    return [...own, ...gap, ...todos].slice(0, Math.max(0, room));
  }

  /** Something else is told, in its turn. `isMode`: a change of the mode is a part of it. */
  tell(lines: readonly string[], isMode: boolean): void {
    this.story.interrupt(isMode);
    this.add(new Still(null, "card", () => lines));
  }

  /** Something else is written at once: finished lines, and the blank one that stands before it. */
  interrupt(isMode: boolean): readonly string[] {
    this.story.interrupt(isMode);
    const lines = this.take();
    const gap = this.lastGroup === null ? [] : [""];
    [this.lastGroup, this.begun] = ["card", null];
    return [...lines, ...gap];
  }

  /** Of what has more to it than was shown, newest first. */
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

  /** Each block gets a line at least, as long as there are any; the newest have what is left. */
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

  /** As they will stand once they are committed: nothing moves then. */
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

/** What goes on first, then what is over and waits for it, then what has not begun; in their order. */
function mostTelling(blocks: readonly Block[], most: number): readonly Block[] {
  const rank = ({ isOver, isIdle }: Block): number => (isIdle ? 2 : isOver ? 1 : 0);
  const chosen = new Set([...blocks].sort((one, other) => rank(one) - rank(other)).slice(0, most));
  return blocks.filter((block) => chosen.has(block));
}
