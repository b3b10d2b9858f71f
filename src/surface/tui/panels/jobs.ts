// Background jobs and working sub-agents: a list, and the live output of each.
import { type Job, jobState } from "../../../contract/job.ts";
import { visible } from "../../../contract/show/visible.ts";
import { say } from "../../../contract/text/catalogue.ts";
import type { EnginePort } from "../../../engine/port.ts";
import type { Detail } from "../blocks/block.ts";
import { joined, ready } from "../blocks/lines.ts";
import { drawnText } from "../blocks/output.ts";
import { oneLine } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { truncateToWidth } from "../terminal/width.ts";
import { cardFrame, type Hint, innerRoom, innerWidth } from "./card.ts";
import type { Panel } from "./panel.ts";
import { isKey, letter } from "./press.ts";

interface JobsDeps {
  readonly port: Pick<EnginePort, "state" | "background">;
  readonly subs: () => readonly Detail[];
  readonly show: (detail: Detail) => void;
  readonly kill: (id: string) => void;
  readonly cancel: () => void;
  readonly close: () => void;
}

const hints: readonly Hint[] = [
  ["↑↓", "tui.key.move"],
  ["Enter", "tui.key.open"],
  ["d", "tui.key.end"],
  ["Esc", "tui.key.close"],
];

interface Row {
  readonly id: string;
  readonly text: string;
  readonly isRunning: boolean;
  readonly job: Job | null;
  readonly detail: Detail;
}

export class JobsPanel implements Panel {
  private readonly look: Look;
  private readonly deps: JobsDeps;
  private chosen: string | null = null;
  private ending: string | null = null;

  constructor(look: Look, deps: JobsDeps) {
    this.look = look;
    this.deps = deps;
  }

  frame(width: number, room: number): Frame {
    const { theme } = this.look;
    const items = this.items();
    const at = this.at(items);
    const page = innerRoom(this.look, hints, width, room);
    const from = Math.max(0, Math.min(at - Math.floor(page / 2), items.length - page));
    const inner = innerWidth(width) - 2;
    const rows = items.slice(from, from + page).map((item, n) => {
      const isAt = from + n === at;
      if (isAt && this.ending === item.id) {
        const sure = words(this.look, item.job ? "tui.jobs.sure" : "tui.jobs.sure_task");
        return `${theme.bad("✗")} ${theme.bad(truncateToWidth(sure, inner, "…"))}`;
      }
      const text = truncateToWidth(item.text, inner, "…");
      return `${isAt ? theme.accent("❯") : " "} ${item.isRunning ? text : theme.dim(text)}`;
    });
    const body = rows.length > 0 ? rows : [theme.dim(words(this.look, "tui.jobs.none"))];
    const side = String(items.filter(({ isRunning }) => isRunning).length);
    return cardFrame(this.look, { title: words(this.look, "tui.jobs.title"), side, body, hints }, width, room);
  }

  handle(key: string): boolean {
    const items = this.items();
    const at = this.at(items);
    const now = items[at];
    const { ending } = this;
    this.ending = null;
    const sign = letter(key);
    if (isKey(key, "escape")) this.deps.close();
    else if (!now) return false;
    else if (isKey(key, "up", "down")) {
      const to = at + (isKey(key, "up") ? -1 : 1);
      this.chosen = items[(to + items.length) % items.length]?.id ?? null;
    } else if (isKey(key, "enter")) this.deps.show(now.detail);
    else if (sign !== "d" || !now.isRunning) return false;
    else if (ending !== now.id) this.ending = now.id;
    else if (now.job) this.deps.kill(now.id);
    else this.deps.cancel();
    return true;
  }

  /** What runs comes first. */
  private items(): readonly Row[] {
    const { port, subs } = this.deps;
    const working = subs().map((detail, n): Row => {
      const text = visible(oneLine(detail.title));
      return { id: `sub ${n}`, text, isRunning: true, job: null, detail: { ...detail, ...everySoOften } };
    });
    const jobs = port.state().jobs.map((job): Row => {
      const text = visible(oneLine(say(this.look.lang, jobState(job))));
      return { id: job.id, text, isRunning: job.end === null, job, detail: jobDetail(this.look, job.id, port) };
    });
    return [...jobs.filter(({ isRunning }) => isRunning), ...working, ...jobs.filter(({ isRunning }) => !isRunning)];
  }

  private at(items: readonly Row[]): number {
    return Math.max(
      0,
      items.findIndex(({ id }) => id === this.chosen),
    );
  }
}

const RENEWED_MS = 500;

const everySoOften = { version: () => Math.floor(performance.now() / RENEWED_MS), startsAtEnd: true } as const;

/** As it is now, whenever it is looked at. */
function jobDetail(look: Look, id: string, port: JobsDeps["port"]): Detail {
  const job = (): Job | undefined => port.state().jobs.find((one) => one.id === id);
  return {
    title: oneLine(`${id}  ${job()?.command ?? ""}`),
    startsAtEnd: true,
    // The end of a job is told behind its output.
    version: () => 2 * (port.background()?.total(id) ?? 0) + (job()?.end ? 1 : 0),
    lines: (width) => {
      const now = job();
      const { text, missing } = port.background()?.shown(id) ?? { text: now?.end?.tail ?? "", missing: 0 };
      const left = missing > 0 ? [look.theme.dim(words(look, "tui.jobs.missing", { n: missing }))] : [];
      const none = text === "" && !now?.end ? [look.theme.dim(words(look, "tui.jobs.silent"))] : [];
      const end = now?.end ? ["", look.theme.dim(oneLine(say(look.lang, jobState(now))))] : [];
      const output = text === "" ? [] : [drawnText(text.replace(/\n+$/, ""), width)];
      return joined([ready([...left, ...none], width), ...output, ready(end, width)]);
    },
  };
}
