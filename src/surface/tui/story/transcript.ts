// The whole session, from its log, each event in full. Laid out from the end, page by page, so that its length does not matter.
import type { Recorded } from "../../../contract/event.ts";
import type { EnginePort, LogPages } from "../../../engine/port.ts";
import type { Block, Detail, Group } from "../blocks/block.ts";
import { joined, type Lines, ready } from "../blocks/lines.ts";
import { noteBlock } from "../blocks/note.ts";
import { type Look, words } from "../terminal/look.ts";
import { EventBlocks } from "./event-blocks.ts";

type SessionFacts = Pick<EnginePort, "title" | "structured">;

const MOST_LIVE = 1_000;

export function transcript(look: Look, port: SessionFacts, log: LogPages): Detail {
  let parts: Lines[] = [];
  /** The first page that is laid out, and the width. */
  let [first, width] = [log.pageCount, 0];
  const lay = (page: number): Lines => pageLines({ ...look, width: () => width }, port, log.page(page));
  const earlier = (): number => {
    if (first === 0) return 0;
    const added = lay(--first);
    parts = [added, ...parts];
    return added.count;
  };
  return {
    title: [words(look, "tui.transcript.title"), port.title()].filter((part) => part !== "").join(" · "),
    startsAtEnd: true,
    hasEarlier: () => first > 0,
    earlier,
    lines: (wanted) => {
      if (wanted !== width) {
        // As far as it was laid out before.
        width = wanted;
        parts = Array.from({ length: log.pageCount - first }, (_, n) => lay(first + n));
      }
      if (parts.length === 0) earlier();
      return joined(parts);
    },
  };
}

function pageLines(look: Look, port: SessionFacts, events: readonly Recorded[]): Lines {
  const blocks: Block[] = [];
  const add = (block: Block, before?: Block): void => {
    const at = before ? blocks.indexOf(before) : -1;
    if (at === -1) blocks.push(block);
    else blocks.splice(at, 0, block);
  };
  const structured = (taskId: string): string | null => {
    const found = port.structured(taskId);
    return found === null || found === "unfit" ? null : found.text;
  };
  // A diff needs the files of its time; what a call was told to write stands in its arguments.
  const story = new EventBlocks({
    ...{ look, now: () => 0, key: "", diffs: null, add, structured, title: () => "", isTyped: () => false },
    tellsSteps: false,
  });
  for (const { seq, event } of events) {
    try {
      story.event(event, null);
    } catch (error) {
      // A damaged event lacks expected fields.
      if (!(error instanceof TypeError)) throw error;
      add(noteBlock(look, words(look, "run.damaged_log", { seq }), true));
    }
  }
  let last: Group | null = null;
  return joined(
    blocks.flatMap((block) => {
      const lines = linesOf(block, look);
      if (lines.length === 0) return [];
      const isApart = block.group !== "below" && (block.group !== "step" || last !== "step" || block.detail !== null);
      last = block.group;
      return isApart ? [ready([""], look.width()), ...lines] : lines;
    }),
  );
}

/** In full where there is more than was shown. */
function linesOf(block: Block, look: Look): readonly Lines[] {
  const width = look.width();
  const shown = [...block.take(), ...(block.isOver ? [] : block.live(MOST_LIVE))];
  const { detail } = block;
  if (detail === null) return shown.length === 0 ? [] : [ready(shown, width)];
  const head = block.group === "said" ? look.theme.bold(detail.title) : (shown[0] ?? detail.title);
  return [ready([head], width), detail.lines(width)];
}
