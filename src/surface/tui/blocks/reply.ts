import { plain } from "../../../contract/show/visible.ts";
import { clean, wrap } from "../terminal/fit.ts";
import type { Look } from "../terminal/look.ts";
import { MarkdownStream } from "../terminal/markdown-stream.ts";
import { type Block, Still } from "./block.ts";

/** The end of a chunk that needs the next one: half a line break or half a surrogate pair. */
const halves = /(?:\r|[\ud800-\udbff])$/;

/** Parsing more at once would delay a key. */
const maxUnread = 32_768;

export class ReplyBlock implements Block {
  readonly group = "words";
  readonly detail = null;
  private readonly stream: MarkdownStream;
  /** Text since the last frame: chunks come more often than frames. */
  private unread = "";
  private state: "open" | "ended" | "gone" = "open";
  /** A part of it is in the scrollback. */
  isSeen = false;

  constructor(look: Look) {
    this.stream = new MarkdownStream(look.theme, look.width);
  }

  push(text: string): void {
    this.unread += text;
    if (this.unread.length > maxUnread) this.read();
  }

  end(): void {
    if (this.state !== "open") return;
    this.state = "ended";
    this.stream.push(plain(this.unread));
    this.stream.finish();
  }

  /** Lines that were not taken yet will not be shown. */
  drop(): void {
    if (this.state === "open") this.stream.finish();
    this.state = "gone";
  }

  get isOver(): boolean {
    return this.state !== "open";
  }

  private read(): void {
    if (this.unread === "" || this.state !== "open") return;
    const half = halves.exec(this.unread)?.[0] ?? "";
    this.stream.push(plain(half === "" ? this.unread : this.unread.slice(0, -1)));
    this.unread = half;
  }

  take(): readonly string[] {
    this.read();
    const lines = this.state === "gone" ? [] : this.stream.take();
    this.isSeen ||= lines.length > 0;
    return lines;
  }

  live(room: number): readonly string[] {
    if (this.state === "gone" || room < 1) return [];
    this.read();
    const now = this.stream.live();
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
