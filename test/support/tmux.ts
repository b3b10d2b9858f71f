// A real tmux with a socket of its own and nobody's settings: what a person has before them, as its text, and their keys.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "./binary.ts";
import { readingMs } from "./pty.ts";
import { until } from "./until.ts";

interface Pane {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

export class Tmux implements Disposable {
  private readonly env: Readonly<Record<string, string>>;
  private readonly folder = mkdtempSync(join(tmpdir(), "coder-tmux-"));

  /** A shell in a window of this size; `coder` is the built program. */
  constructor({ cwd, env, columns = 100, rows = 30 }: Pane) {
    const [binary = ""] = builtBinary();
    const size = ["-x", String(columns), "-y", String(rows)];
    // A shell that is given a command forgets this variable.
    const shell = "exec env PS1='shell$ ' bash --norc --noprofile -i";
    const path = `${binary.slice(0, binary.lastIndexOf("/"))}:${process.env.PATH ?? ""}`;
    this.env = { PATH: path, LANG: "C.UTF-8", TMUX_TMPDIR: this.folder, ...env };
    // The first one starts the server, whose environment is that of all that runs in it.
    this.run("-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, shell);
  }

  /** Names as tmux has them: Enter, Escape, BTab, C-c, Up, … */
  press(...keys: readonly string[]): void {
    this.run("send-keys", ...keys);
  }

  type(text: string): void {
    this.run("send-keys", "-l", text);
  }

  /** What is in view. */
  screen(): string {
    return this.run("capture-pane", "-p").trimEnd();
  }

  /** All since the start; what it had to break is whole. */
  scrollback(): string {
    return this.run("capture-pane", "-p", "-J", "-S", "-").trimEnd();
  }

  resize(columns: number, rows: number): void {
    this.run("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** The process that the shell has started last, as long as it runs. */
  child(): number {
    const shell = this.run("display-message", "-p", "#{pane_pid}").trim();
    const children = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", shell]).stdout.toString().trim().split(/\s+/);
    return Number(children.at(-1));
  }

  async waitFor(what: string | RegExp): Promise<void> {
    await until(`${String(what)} in tmux`, () => {
      const text = this.screen();
      return typeof what === "string" ? text.includes(what) : what.test(text);
    });
  }

  /** A question is read before it is answered: keys that come sooner do not count. */
  async answer(question: string | RegExp, key: string): Promise<void> {
    await this.waitFor(question);
    await Bun.sleep(readingMs);
    this.press(key);
  }

  [Symbol.dispose](): void {
    this.run("kill-server");
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(...args: readonly string[]): string {
    const done = Bun.spawnSync(["tmux", "-L", "test", ...args], { env: this.env, stderr: "pipe" });
    if (done.exitCode !== 0) throw new Error(`tmux ${args.join(" ")}: ${done.stderr}`);
    return done.stdout.toString();
  }
}
