import { plain } from "../../contract/show/visible.ts";
import type { Published, StatePort } from "../../engine/port.ts";
import type { Io } from "./io.ts";

const WIDTH = 78;

/** Shows the current activity on one line of stderr, if stderr is a terminal that can erase a line. */
export function progressLine(port: StatePort, io: Io): { readonly io: Io; readonly stop: () => void } {
  if (!io.isErrTerminal || process.env.TERM === "dumb") return { io, stop: () => {} };
  let shown = "";
  const draw = (text: string) => {
    if (text === shown) return;
    shown = text;
    io.err(text ? `\r\u001b[K${text}` : "\r\u001b[K");
  };
  // Other output starts on a cleared line.
  const clean = (write: (text: string) => void) => (text: string) => {
    if (text !== "") draw("");
    write(text);
  };
  const unsubscribe = port.subscribe((published) => draw(lineOf(published, shown)));
  return {
    io: { ...io, out: clean(io.out), err: clean(io.err) },
    stop: () => {
      unsubscribe();
      draw("");
    },
  };
}

function lineOf(published: Published, before: string): string {
  if (published.kind === "output") {
    const last = published.text.trimEnd().split("\n").at(-1) ?? "";
    return cut(`… ${last}`);
  }
  if (published.kind !== "event") return before;
  const { run, task } = published.state;
  if (task.phase === "IDLE" || task.phase === "DONE") return "";
  if (run.phase === "model_running")
    return cut(
      run.doing === "waiting"
        ? `step ${run.run.index}: waiting to try again (${run.failures})`
        : `step ${run.run.index}: model`,
    );
  if (!("calls" in run)) return before;
  const now = run.calls.find((one) => one.status !== "settled");
  return now ? cut(`step ${run.run.index}: ${now.call.tool} ${JSON.stringify(now.call.input)}`) : before;
}

function cut(text: string): string {
  return plain(text.replaceAll("\n", " ")).slice(0, WIDTH);
}
