import { cut, cutFront, oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, runningTime, shownTime } from "../terminal/measure.ts";
import { visibleWidth } from "../terminal/width.ts";
import { type Detail, WholeBlock } from "./block.ts";
import { readable } from "./long-text.ts";

/** Older text is dropped; the end shows how the model got to its actions. */
const maxChars = 200_000;
const lastWords = 400;
/** Some scripts have no blanks between words. */
const word = /[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+/g;

export class ThinkingBlock extends WholeBlock {
  readonly group = "step";
  private readonly look: Look;
  private readonly now: () => number;
  private readonly began: number;
  private text = "";
  private state: "open" | "ended" | "gone" = "open";
  /** `null`: the thinking was not watched live. */
  private ms: number | null = null;

  constructor(look: Look, now: () => number) {
    super();
    this.look = look;
    this.now = now;
    this.began = now();
  }

  push(text: string): void {
    const all = this.text + text;
    this.text = all.length > maxChars ? all.slice(-maxChars / 2) : all;
  }

  /** `isSeen`: it was watched live, so the elapsed time is its duration. */
  end(isSeen: boolean): void {
    if (this.state !== "open") return;
    this.state = "ended";
    this.ms = isSeen ? this.now() - this.began : null;
  }

  drop(): void {
    this.state = "gone";
  }

  get isOver(): boolean {
    return this.state !== "open";
  }

  get detail(): Detail | null {
    if (this.state === "gone" || this.text.trim() === "") return null;
    const { text } = this;
    return { title: this.title(), lines: (width) => readable(text, width) };
  }

  protected lines(): readonly string[] {
    if (this.state === "gone" || (this.state === "ended" && this.text.trim() === "")) return [];
    const { theme } = this.look;
    const width = this.look.width();
    if (this.state === "ended") return [theme.dim(cut(`∴ ${this.title()}`, width))];
    const time = runningTime(this.look, this.now() - this.began);
    const head = cut(`∴ ${words(this.look, "block.thinking", { time })}  `, width);
    const room = width - visibleWidth(head);
    return [theme.dim(`${head}${room > 8 ? cutFront(oneLine(this.text.slice(-lastWords)), room) : ""}`)];
  }

  private title(): string {
    if (this.ms === null) {
      const n = counted(this.look, "block.words.n", this.text.match(word)?.length ?? 0);
      return words(this.look, "block.thought_words", { n });
    }
    if (this.ms < 1000) return words(this.look, "block.thought_briefly");
    return words(this.look, "block.thought", { time: shownTime(this.look, this.ms) });
  }
}
