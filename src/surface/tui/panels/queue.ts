import type { InputId } from "../../../contract/ids.ts";
import { visible } from "../../../contract/show/visible.ts";
import type { SessionState } from "../../../machine/state.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth, visibleWidth } from "../terminal/width.ts";
import { cardFrame, type Hint, innerRoom, innerWidth } from "./card.ts";
import type { Panel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

type Queue = SessionState["queue"];

function lineOf({ delivery, text }: Queue[number], look: Look, width: number): string {
  const { theme } = look;
  const what = words(look, delivery === "queue" ? "tui.queue.later" : "tui.queue.soon");
  // A full-width colon includes its own space.
  const head = `↳ ${what}${what.endsWith("：") ? "" : " "}`;
  const first = text.trim().split("\n");
  const title = `${visible(first[0] ?? "")}${first.length > 1 ? " …" : ""}`;
  return truncateToWidth(`${theme.accent(head)}${title}`, width, "…");
}

export function queueLines(queue: Queue, look: Look, room: number, key: string): readonly string[] {
  if (queue.length === 0 || room < 1) return [];
  const shown = queue.length <= room ? queue : queue.slice(0, Math.max(0, room - 1));
  const left = queue.length - shown.length;
  const more = look.theme.dim(truncateToWidth(words(look, "tui.queue.more", { n: left }), look.width(), "…"));
  const lines = [...shown.map((one) => lineOf(one, look, look.width())), ...(left === 0 ? [] : [more])];
  if (key === "") return lines;
  const last = `${lines.at(-1) ?? ""}${look.theme.dim(` · ${words(look, "tui.queue.edit", { key })}`)}`;
  return visibleWidth(last) > look.width() ? lines : [...lines.slice(0, -1), last];
}

interface QueueDeps {
  readonly queue: () => Queue;
  readonly recall: (id: InputId) => void;
  readonly drop: (id: InputId) => void;
  readonly close: () => void;
}

const hints: readonly Hint[] = [
  ["↑↓", "tui.key.move"],
  ["Enter", "tui.key.recall"],
  ["d", "tui.key.drop"],
  ["Esc", "tui.key.close"],
];

export class QueuePanel implements Panel {
  private readonly look: Look;
  private readonly deps: QueueDeps;
  private chosen: InputId | null = null;
  private dropping: InputId | null = null;

  constructor(look: Look, deps: QueueDeps) {
    this.look = look;
    this.deps = deps;
  }

  frame(width: number, room: number): Frame {
    const { theme } = this.look;
    const queue = this.deps.queue();
    const at = this.at(queue);
    const page = innerRoom(this.look, hints, width, room);
    const from = Math.max(0, Math.min(at - Math.floor(page / 2), queue.length - page));
    const rows = queue.slice(from, from + page).map((one, n) => {
      const isAt = from + n === at;
      if (isAt && this.dropping === one.inputId) {
        const sure = truncateToWidth(words(this.look, "tui.queue.sure"), innerWidth(width) - 2, "…");
        return `${theme.bad("✗")} ${theme.bad(sure)}`;
      }
      return `${isAt ? theme.accent("❯") : " "} ${lineOf(one, this.look, innerWidth(width) - 2)}`;
    });
    const body = rows.length > 0 ? rows : [theme.dim(words(this.look, "tui.queue.empty"))];
    const card = { title: words(this.look, "tui.queue.title"), side: String(queue.length), body, hints };
    return cardFrame(this.look, card, width, room);
  }

  handle(key: string): boolean {
    const queue = this.deps.queue();
    const at = this.at(queue);
    const now = queue[at];
    const { dropping } = this;
    this.dropping = null;
    const sign = letter(key);
    if (isKey(key, "escape")) this.deps.close();
    else if (!now) return false;
    else if (isKey(key, "up", "down")) this.move(queue, at + (isKey(key, "up") ? -1 : 1));
    else if (sign === "e" || isKey(key, "enter")) this.deps.recall(now.inputId);
    else if (sign !== "d") return false;
    else if (dropping === now.inputId) this.deps.drop(now.inputId);
    else this.dropping = now.inputId;
    return true;
  }

  /** The chosen input may have been delivered meanwhile. */
  private at(queue: Queue): number {
    return Math.max(
      0,
      queue.findIndex(({ inputId }) => inputId === this.chosen),
    );
  }

  private move(queue: Queue, to: number): void {
    this.chosen = queue[(to + queue.length) % queue.length]?.inputId ?? null;
  }
}
