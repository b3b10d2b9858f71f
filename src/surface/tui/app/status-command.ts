// The lines of the user's own status command, under the prompt. It runs when something has changed, one at a time, and never at rest.
import { plain } from "../../../contract/show/visible.ts";
import { cut } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";

/** The end of a run of the command; `problem`: why there is no output. */
export type StatusOutput = { readonly text: string } | { readonly problem: string };

interface StatusCommandDeps {
  readonly look: Look;
  /** "": none. */
  readonly command: () => string;
  /** What the command is told; a run is due when it differs. */
  readonly input: () => object;
  readonly run: (command: string, input: string, signal: AbortSignal) => Promise<StatusOutput>;
  readonly redraw: () => void;
  readonly fault: (error: unknown) => void;
}

/** Events come in bursts. */
const SETTLE_MS = 300;
const MOST_LINES = 3;
const RESET = "\x1b[0m";
const styles = /(\x1b\[[\d;:]*m)/;
/** Links, titles, and orders that move the cursor or erase. */
const orders = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;?]*[A-Za-ln-z]/g;

export class StatusCommand {
  private readonly deps: StatusCommandDeps;
  private readonly over = new AbortController();
  private told = "";
  private wanted = "";
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isRunning = false;
  private output: StatusOutput = { text: "" };

  constructor(deps: StatusCommandDeps) {
    this.deps = deps;
  }

  follow(): void {
    const command = this.deps.command();
    this.wanted = command === "" ? "" : JSON.stringify([command, this.deps.input()]);
    if (this.wanted === "") this.output = { text: "" };
    this.schedule();
  }

  lines(most: number): readonly string[] {
    const { look } = this.deps;
    const width = look.width() - 1;
    if ("problem" in this.output)
      return [look.theme.warn(cut(words(look, "tui.status.command_failed", { why: this.output.problem }), width))];
    const all = this.output.text.trimEnd().split("\n").slice(0, Math.min(most, MOST_LINES));
    // NO_COLOR is for the command's colours too.
    const hasColours = look.theme.good("x") !== "x";
    return all.join("") === ""
      ? []
      : all.map((line) => `${cut(shown(line, hasColours), width)}${hasColours ? RESET : ""}`);
  }

  end(): void {
    this.over.abort();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.wanted === this.told || this.wanted === "" || this.isRunning || this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.run().catch(this.deps.fault);
    }, SETTLE_MS);
  }

  private async run(): Promise<void> {
    const { command, input, run, redraw } = this.deps;
    const line = command();
    if (line === "" || this.over.signal.aborted) return;
    this.isRunning = true;
    this.told = this.wanted;
    try {
      this.output = await run(line, JSON.stringify(input()), this.over.signal);
    } finally {
      this.isRunning = false;
    }
    if (this.over.signal.aborted) return;
    redraw();
    this.follow();
  }
}

/** With its colours; nothing else that a terminal obeys gets through. */
function shown(line: string, hasColours: boolean): string {
  const parts = line.replace(orders, "").replaceAll("\t", "  ").split(styles);
  return parts.map((part, at) => (at % 2 === 0 ? plain(part) : hasColours ? part : "")).join("");
}
