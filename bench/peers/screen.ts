// An agent on a terminal that answers what terminals are asked.

const sequences =
  /\u001b\[[0-9;?<>=!]*[ -/]*[@-~]|\u001b[\]P_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][0-9A-Za-z]|\u001b[=>78cDEHM]/g;

/** Question → answer; the first group of the question stands where the answer has `$1`. */
const answers: readonly (readonly [question: RegExp, answer: string])[] = [
  [/\u001b\[(\??)6n/g, "\u001b[$11;1R"],
  [/\u001b\[\?(\d+)\$p/g, "\u001b[?$1;2$y"],
  [/\u001b\](1[0-2]);\?/g, "\u001b]$1;rgb:1e1e/1e1e/1e1e\u001b\\"],
  [/\u001b\[>0?q/g, "\u001bP>|bench(1)\u001b\\"],
  [/\u001b\[\?u/g, "\u001b[?0u"],
  [/\u001b\[>0?c/g, "\u001b[>41;370;0c"],
  [/\u001b\[0?c/g, "\u001b[?62;22c"],
  [/\u001b\[14t/g, "\u001b[4;800;1200t"],
  [/\u001b\[16t/g, "\u001b[6;20;10t"],
];

export class Screen {
  readonly started = performance.now();
  readonly child: Bun.Subprocess;
  private raw = "";
  private paintedAt = this.started;
  private readonly decoder = new TextDecoder();

  constructor(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const data = (terminal: { write(text: string): unknown }, bytes: Uint8Array): void => {
      const text = this.decoder.decode(bytes, { stream: true });
      this.paintedAt = performance.now();
      this.raw += text;
      for (const [question, answer] of answers) {
        for (const [, group = ""] of text.matchAll(question)) terminal.write(answer.replace("$1", group));
      }
    };
    this.child = Bun.spawn([...command], { cwd, env: { ...env }, terminal: { cols: 120, rows: 40, data } });
  }

  /** Milliseconds from the start until this text was painted; `null` = it was not. */
  async until(text: RegExp, limit: number): Promise<number | null> {
    while (performance.now() - this.started < limit) {
      if (text.test(this.raw.replace(sequences, ""))) return this.paintedAt - this.started;
      await Bun.sleep(1);
    }
    return null;
  }

  /** Until nothing was painted for a while. */
  async rest(): Promise<void> {
    const end = performance.now() + 6000;
    while (performance.now() < end && performance.now() - this.paintedAt < 600) await Bun.sleep(20);
  }

  type(text: string): void {
    this.child.terminal?.write(text);
  }
}
