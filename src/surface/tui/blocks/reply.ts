import type { Plan } from "../../../contract/plan.ts";
import { plain } from "../../../contract/show/visible.ts";
import { opensPlan } from "../../../machine/plan/text.ts";
import { clean, wrap } from "../terminal/fit.ts";
import type { Look } from "../terminal/look.ts";
import { MarkdownStream } from "../terminal/markdown-stream.ts";
import type { Told } from "../terminal/reflow.ts";
import { type Block, type Detail, Still } from "./block.ts";
import { WrittenPlan } from "./plan.ts";

/** The end of a chunk that needs the next one: half a line break or half a surrogate pair. */
const halves = /(?:\r|[\ud800-\udbff])$/;

/** Parsing more at once would delay a key. */
const maxUnread = 32_768;

/** The beginning of a line that may open a plan. */
const mayOpenPlan = /^[\s>#*_`-]{0,12}(?:[[［【〔]\s*\p{L}{0,4}\s*)?$/u;

export class ReplyBlock implements Block {
  readonly group = "words";
  private readonly look: Look;
  private readonly stream: MarkdownStream;
  /** Text since the last frame: chunks come more often than frames. */
  private unread = "";
  private state: "open" | "ended" | "gone" = "open";
  private plan: WrittenPlan | null = null;
  private isPlanOpen = false;
  /** The beginning of the current line, while it may still open a plan; `isInLine`: it cannot. */
  private held = "";
  private isInLine = false;
  private isPlanTaken = false;
  /** A part of it is in the scrollback. */
  isSeen = false;

  constructor(look: Look) {
    this.look = look;
    this.stream = new MarkdownStream(look.theme, look.width);
  }

  push(text: string): void {
    this.unread += text;
    if (this.unread.length > maxUnread) this.read();
  }

  end(): void {
    if (this.state !== "open") return;
    this.state = "ended";
    this.tell(plain(this.unread));
    this.unread = "";
    this.stream.push(this.held);
    this.held = "";
    this.stream.finish();
  }

  get detail(): Detail | null {
    return this.plan?.detail ?? null;
  }

  get hasOpenPlan(): boolean {
    return this.isPlanOpen;
  }

  /** A question shows the plan until it is answered. */
  planAsked(): void {
    if (this.plan) this.plan.isAsked = true;
  }

  /** Nothing more will become of the plan; `null`: it stays as it was written. */
  planned(plan: Plan | null, heading = ""): void {
    if (!this.plan || !this.isPlanOpen) return;
    this.isPlanOpen = false;
    this.plan.isAsked = false;
    if (plan) this.plan.settle(plan, heading);
  }

  /** Lines that were not taken yet will not be shown. */
  drop(): void {
    if (this.state === "open") this.stream.finish();
    this.state = "gone";
    this.isPlanOpen = false;
  }

  get isOver(): boolean {
    return this.state !== "open" && !this.isPlanOpen;
  }

  private read(): void {
    if (this.unread === "" || this.state !== "open") return;
    const half = halves.exec(this.unread)?.[0] ?? "";
    this.tell(plain(half === "" ? this.unread : this.unread.slice(0, -1)));
    this.unread = half;
  }

  private tell(text: string): void {
    if (this.plan) {
      this.plan.push(text);
      return;
    }
    const all = this.held + text;
    this.held = "";
    let from = this.isInLine ? all.indexOf("\n") + 1 || all.length : 0;
    while (from < all.length) {
      const end = all.indexOf("\n", from);
      const line = all.slice(from, end === -1 ? all.length : end);
      if (opensPlan(line)) {
        [this.plan, this.isPlanOpen] = [new WrittenPlan(this.look), true];
        this.plan.push(all.slice(from));
        break;
      }
      if (end === -1 && mayOpenPlan.test(line)) {
        this.held = line;
        break;
      }
      from = end === -1 ? all.length : end + 1;
    }
    const told = all.slice(0, from);
    if (told !== "") this.isInLine = !told.endsWith("\n");
    this.stream.push(told);
  }

  private planLines(): readonly string[] {
    return this.plan?.isAsked || this.isPlanTaken ? [] : this.planSet();
  }

  private planSet(): readonly string[] {
    if (this.plan === null) return [];
    const lines = this.plan.lines();
    return this.stream.hasAny ? ["", ...lines] : lines;
  }

  take(): readonly string[] {
    return this.told().flatMap(({ lines }) => lines);
  }

  told(): readonly Told[] {
    this.read();
    if (this.state === "gone") return [];
    const told = this.stream.told();
    const plan = this.isOver ? this.planLines() : [];
    this.isPlanTaken ||= this.isOver;
    this.isSeen ||= told.length + plan.length > 0;
    return plan.length === 0 ? told : [...told, { lines: plan, again: () => this.planSet() }];
  }

  live(room: number): readonly string[] {
    if (this.state === "gone" || room < 1) return [];
    this.read();
    const now = [...this.stream.live(), ...this.planLines()];
    return [...this.stream.untaken(Math.max(0, room - now.length)), ...now].slice(-room);
  }
}

/** A structured answer: its content line by line; without one, the JSON text itself, which was not streamed. */
export function formBlock(look: Look, shown: string | null, reply: string): Block {
  const text = shown ?? (/^\s*[{[`]/.test(reply) ? reply : "");
  const lines = (): readonly string[] =>
    clean(text)
      .trimEnd()
      .split("\n")
      .flatMap((line) => wrap(line, look.width()));
  return new Still(look, "words", () => (text.trim() === "" ? [] : lines()));
}
