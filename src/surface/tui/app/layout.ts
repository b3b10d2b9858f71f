// The screen, from top to bottom: finished lines, changing blocks, the prompt or a panel in its place, the status line.

import { orderless, unlikeCard } from "../panels/card.ts";
import type { Panel } from "../panels/panel.ts";
import type { Told } from "../terminal/reflow.ts";
import { type Frame, Screen } from "../terminal/screen.ts";
import type { OwnTerminal } from "../terminal/terminal.ts";
import { sliceByColumn, visibleWidth } from "../terminal/width.ts";
import { ToldLines } from "./told.ts";

export interface Scene {
  told(): readonly Told[];
  live(room: number): readonly string[];
  /** Between the live blocks and the prompt: activity and queue; fewer lines when there is little room. */
  above(room: number): readonly string[];
  /** The prompt; `most`: the number of lines that an open menu may take. */
  prompt(width: number, room: number, most: number): Frame;
  /** The last lines of the screen: the user's own, and the status line. */
  status(rows: number): readonly string[];
  /** A panel is visible for the first time, asks something new, or is back after another program had the terminal. */
  shown(panel: Panel): void;
  back(): void;
}

/** Events come in bursts: limits frames to what a person can see. A key is answered at once. */
const FRAME_MS = 60;
const PATIENCE_MS = 1_000;
/** Terminals at least this wide cannot break a line of so many columns. */
const NARROW = 39;
/** With fewer rows there is room for the prompt only. */
const LEAST_ROWS = 5;

export class Layout {
  readonly terminal: OwnTerminal;
  private readonly screen: Screen;
  private readonly scene: Scene;
  private readonly told = new ToldLines();
  private panels: readonly Panel[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isDue = false;
  private drawnAt = 0;
  private columns = 0;
  private rows = 0;
  private movedAt = 0;
  private movesSince: number | null = null;
  private passed: readonly number[] = [];
  private seen: Panel | null = null;
  private seenAsking: string | undefined;
  /** Another program has the terminal: an editor or the shell. */
  isAway = false;
  /** The last committed line; a terminal starts blank. */
  private last = "";

  constructor(terminal: OwnTerminal, scene: Scene) {
    this.terminal = terminal;
    this.scene = scene;
    this.screen = new Screen(terminal, (old, after) => this.told.again(old, after, terminal.width()));
  }

  get top(): Panel | null {
    return this.panels.at(-1) ?? null;
  }

  /** The top panel is on the screen; a key pressed before that cannot be meant for it. */
  get isTopShown(): boolean {
    return this.top === this.seen && this.top?.asking === this.seenAsking;
  }

  /** Opens a panel on top; returns the function that closes it. */
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
    this.screen.commit(this.told.add([{ lines, again: null }]));
    this.redraw();
  };

  /** Something was written, and no blank line follows it. */
  get isWrittenTo(): boolean {
    return this.last !== "";
  }

  /** Immediately, but once for all changes of this tick. */
  readonly redraw = (): void => {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => this.draw());
  };

  redrawSoon(): void {
    if (this.isDue || this.timer !== null) return;
    const wait = FRAME_MS - (performance.now() - this.drawnAt);
    if (wait <= 0) this.redraw();
    else this.timer = setTimeout(() => this.draw(), wait);
  }

  /** Ctrl+L: redraws everything of ours, even if another program has written over it. */
  redrawAll(): void {
    this.screen.distrust();
    this.redraw();
  }

  draw(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.isDue = false;
    // A terminal that lags behind gets the newest frame later, and skips those in between.
    if (this.isAway || this.terminal.isBehind) return;
    const size = this.size();
    if (size === "moves") return;
    this.drawnAt = performance.now();
    this.screen.commit(this.told.add(this.scene.told()));
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

  /** A frame drawn during a resize may land in the wrong place, so frames wait for the size to settle; a long drag gets narrow ones. */
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

  async lend(work: (terminal: OwnTerminal) => Promise<void>): Promise<void> {
    this.leave();
    try {
      await work(this.terminal);
    } finally {
      // Otherwise the application was left for good meanwhile.
      if (this.terminal.isOurs) this.comeBack();
    }
  }

  /** Commits finished lines, removes the rest, and stops drawing. */
  leave(): void {
    if (this.isAway) return;
    this.isAway = true;
    this.seen = null;
    try {
      this.screen.commit(this.told.add(this.scene.told()));
    } finally {
      this.screen.clear();
    }
  }

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
    const status = this.scene.status(rows).map(unlikeCard);
    const inner = rows - 1 - status.length;
    // A panel may fill the screen; the prompt leaves room for the reply above it.
    const half = Math.max(3, Math.floor(inner / 2));
    const body = top ? framed(top, width, inner) : this.scene.prompt(width, half, Math.max(half, inner - 1));
    const left = Math.max(0, inner - body.lines.length);
    const above = this.scene.above(left).slice(0, left);
    const live = this.scene.live(left - above.length);
    const before = [...live, ...above].map(unlikeCard);
    const cursor = body.cursor && { row: before.length + body.cursor.row, column: body.cursor.column };
    return { lines: [...before, ...body.lines, ...status], cursor };
  }
}

function framed(panel: Panel, width: number, room: number): Frame {
  const { lines, cursor } = panel.frame(width, room);
  return { lines: lines.map(orderless), cursor };
}

/** Narrow lines take a known number of rows at any terminal size. */
function narrowed({ lines, cursor }: Frame): Frame {
  return {
    lines: lines.map((line) => (visibleWidth(line) > NARROW ? sliceByColumn(line, 0, NARROW, true) : line)),
    cursor: cursor && { row: cursor.row, column: Math.min(cursor.column, NARROW - 1) },
  };
}
