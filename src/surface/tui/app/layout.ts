// What stands where: finished lines above, then what still changes, then the prompt or a panel in its place, then the status.

import { orderless, unlikeCard } from "../panels/card.ts";
import type { Panel } from "../panels/panel.ts";
import { type Frame, Screen } from "../terminal/screen.ts";
import type { OwnTerminal } from "../terminal/terminal.ts";
import { sliceByColumn, visibleWidth } from "../terminal/width.ts";

/** What fills the stage. */
export interface Scene {
  /** Finished lines that were not taken yet. */
  take(): readonly string[];
  /** What still changes, the streaming reply and running calls. */
  live(room: number): readonly string[];
  /** Between that and the prompt: todos, what is queued, what goes on. Less of it where there is little room. */
  above(room: number): readonly string[];
  /** Where the person types; `most`: lines that something to choose from may take. */
  prompt(width: number, room: number, most: number): Frame;
  status(): string;
  /** A panel is on the screen for the first time, asks something new, or is there again after somebody else had it. */
  shown(panel: Panel): void;
  /** The terminal is ours again. */
  back(): void;
}

/** Events come in bursts: no more frames than a person can see. A key is answered at once. */
const FRAME_MS = 60;
const PATIENCE_MS = 1_000;
/** No terminal that is wide enough breaks lines of so many columns. */
const NARROW = 39;
/** With fewer rows where one types is all there is room for. */
const LEAST_ROWS = 5;

export class Layout {
  readonly terminal: OwnTerminal;
  private readonly screen: Screen;
  private readonly scene: Scene;
  private panels: readonly Panel[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isDue = false;
  private drawnAt = 0;
  private columns = 0;
  private rows = 0;
  private movedAt = 0;
  private movesSince: number | null = null;
  /** Columns that the terminal had since the last frame. */
  private passed: readonly number[] = [];
  private seen: Panel | null = null;
  private seenAsking: string | undefined;
  /** Somebody else has the terminal: an editor, the shell. */
  isAway = false;
  /** Of what was committed; a terminal begins with nothing. */
  private last = "";

  constructor(terminal: OwnTerminal, scene: Scene) {
    this.terminal = terminal;
    this.scene = scene;
    this.screen = new Screen(terminal);
  }

  /** The one that gets the keys. */
  get top(): Panel | null {
    return this.panels.at(-1) ?? null;
  }

  /** It was drawn since it is there: before that nobody can have meant it. */
  get isTopShown(): boolean {
    return this.top === this.seen && this.top?.asking === this.seenAsking;
  }

  /** On top of what is there; what closes it again. */
  readonly open = (panel: Panel): (() => void) => {
    this.panels = [...this.panels.filter((one) => one !== panel), panel];
    this.redraw();
    return () => this.close(panel);
  };

  private close(panel: Panel): void {
    this.panels = this.panels.filter((one) => one !== panel);
    this.redraw();
  }

  readonly commit = (lines: readonly string[]): void => {
    this.last = lines.at(-1) ?? this.last;
    this.screen.commit(lines.map(unlikeCard));
    this.redraw();
  };

  /** A line was written, and no blank one behind it. */
  get isWrittenTo(): boolean {
    return this.last !== "";
  }

  /** At once, but once for all that happens in this turn. */
  readonly redraw = (): void => {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => this.draw());
  };

  /** With the next frame. */
  redrawSoon(): void {
    if (this.isDue || this.timer !== null) return;
    const wait = FRAME_MS - (performance.now() - this.drawnAt);
    if (wait <= 0) this.redraw();
    else this.timer = setTimeout(() => this.draw(), wait);
  }

  /** Ctrl+L: whatever else has written there, all that is ours is drawn anew. */
  redrawAll(): void {
    this.screen.distrust();
    this.redraw();
  }

  draw(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.isDue = false;
    // A terminal that does not keep up gets the newest frame once it has, and none of those in between.
    if (this.isAway || this.terminal.isBehind) return;
    const size = this.size();
    if (size === "moves") return;
    this.drawnAt = performance.now();
    this.screen.commit(this.scene.take().map(unlikeCard));
    const { top } = this;
    if (top?.isWhole) this.screen.drawWhole(framed(top, this.terminal.width(), this.terminal.rows()));
    else {
      const frame = size === "still" ? this.compose() : narrowed(this.compose());
      this.screen.draw(frame, this.passed.length <= 1 ? null : Math.min(...this.passed));
      this.passed = [];
    }
    if (top?.isUnfinished) this.redraw();
    if (this.isTopShown) return;
    this.seen = top;
    this.seenAsking = top?.asking;
    if (top) this.scene.shown(top);
  }

  /**
   * Whether the terminal holds still. A frame that arrives when it has another size already may miss its place: none is made until the
   * size stays, but for one now and then while a window is dragged for long, of lines that no terminal breaks.
   */
  private size(): "still" | "moves" | "drawn meanwhile" {
    this.terminal.measure();
    const [columns, rows, now] = [this.terminal.columns(), this.terminal.rows(), performance.now()];
    const isFirst = this.columns === 0;
    if (columns !== this.columns || rows !== this.rows) {
      if (columns !== this.columns) this.passed = [...this.passed.slice(-100), columns];
      [this.columns, this.rows, this.movedAt] = [columns, rows, now];
      this.movesSince ??= isFirst ? null : now;
    }
    if (this.movesSince === null || now - this.movedAt >= this.terminal.stillMs) {
      this.movesSince = null;
      return "still";
    }
    this.timer = setTimeout(() => this.draw(), this.terminal.stillMs);
    if (now - this.movesSince < PATIENCE_MS) return "moves";
    this.movesSince = now;
    return "drawn meanwhile";
  }

  /** The person's editor has the terminal, or the shell, until `work` is done. */
  async lend(work: (terminal: OwnTerminal) => Promise<void>): Promise<void> {
    this.leave();
    try {
      await work(this.terminal);
    } finally {
      // Else it was left for good meanwhile.
      if (this.terminal.isOurs) this.comeBack();
    }
  }

  /** What is finished stays, what is not goes, and nothing is drawn any more. */
  leave(): void {
    if (this.isAway) return;
    this.isAway = true;
    this.seen = null;
    try {
      this.screen.commit(this.scene.take().map(unlikeCard));
    } finally {
      this.screen.clear();
    }
  }

  /** Below whatever was written meanwhile. */
  comeBack(): void {
    this.isAway = false;
    this.screen.forget();
    this.scene.back();
    this.redraw();
  }

  private compose(): Frame {
    const width = this.terminal.width();
    const rows = this.terminal.rows();
    const { top } = this;
    if (rows < LEAST_ROWS) {
      const room = Math.max(1, rows - 1);
      return top ? framed(top, width, room) : this.scene.prompt(width, room, room);
    }
    const status = this.scene.status();
    const inner = rows - 2;
    // A panel may need all there is; the prompt leaves room for what it is about.
    const half = Math.max(3, Math.floor(inner / 2));
    const body = top ? framed(top, width, inner) : this.scene.prompt(width, half, Math.max(half, inner - 1));
    const left = Math.max(0, inner - body.lines.length);
    const above = this.scene.above(left).slice(0, left);
    const live = this.scene.live(left - above.length);
    const before = [...live, ...above].map(unlikeCard);
    const cursor = body.cursor && { row: before.length + body.cursor.row, column: body.cursor.column };
    return { lines: [...before, ...body.lines, status], cursor };
  }
}

function framed(panel: Panel, width: number, room: number): Frame {
  const { lines, cursor } = panel.frame(width, room);
  return { lines: lines.map(orderless), cursor };
}

/** So that it is known how many rows they take, whatever size the terminal has by now. */
function narrowed({ lines, cursor }: Frame): Frame {
  return {
    lines: lines.map((line) => (visibleWidth(line) > NARROW ? sliceByColumn(line, 0, NARROW, true) : line)),
    cursor: cursor && { row: cursor.row, column: Math.min(cursor.column, NARROW - 1) },
  };
}
