// A recording of a terminal as asciicast v2: a head, then one line for each thing that was written.
import type { Recorded } from "../../test/support/pty.ts";

/** Nobody wants to watch longer than this while nothing happens. */
const longestPause = 1;

interface CastHead {
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  readonly command: string;
}

export function castOf(recording: readonly Recorded[], { columns, rows, title, command }: CastHead): string {
  const decoder = new TextDecoder();
  let [last, shown] = [0, 0];
  const events = recording.flatMap(({ ms, data }) => {
    shown += Math.min(longestPause, (ms - last) / 1000);
    last = ms;
    const at = Math.round(shown * 1000) / 1000;
    if (!(data instanceof Uint8Array)) return [[at, "r", `${data.columns}x${data.rows}`]];
    const text = decoder.decode(data, { stream: true });
    return text === "" ? [] : [[at, "o", text]];
  });
  const head = { version: 2, width: columns, height: rows, title, command, env: { TERM: "xterm-256color" } };
  return `${[head, ...events].map((line) => JSON.stringify(line)).join("\n")}\n`;
}
