import type { Ask } from "../play.ts";

/** The edit that turns one text of a file into another, with the fewest whole lines that occur only once. */
export function editAsk(path: string, before: string, after: string): Ask {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  // The empty string after the last line break is not a line, and the file may lack that line break.
  const least = old.at(-1) === "" ? 1 : 0;
  for (let extra = 0; ; extra++) {
    const from = Math.max(0, head - Math.ceil(extra / 2));
    const rest = Math.max(Math.min(least, tail), tail - Math.floor(extra / 2));
    const text = old.slice(from, old.length - rest).join("\n");
    const isAll = from === 0 && rest <= least;
    // A deleted line takes its line break along, so the edit needs a neighbouring line.
    const isWhole = text.trim() !== "" && fresh.length - rest > from;
    if (isAll || (isWhole && isOnce(before, text))) {
      const input = { path, old_string: text, new_string: fresh.slice(from, fresh.length - rest).join("\n") };
      return { tool: "edit", input };
    }
  }
}

function isOnce(text: string, part: string): boolean {
  const first = text.indexOf(part);
  return first !== -1 && text.indexOf(part, first + 1) === -1;
}
