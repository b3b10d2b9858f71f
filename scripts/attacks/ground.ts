// Where an attempt is played: a workspace, a person with a home and another project, a model that says what the attacker wants.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { endInside } from "../../test/support/cli.ts";
import { besideTmp } from "../../test/support/places.ts";
import type { Step } from "../../test/support/scripted-reply.ts";
import { startScriptedServer } from "../../test/support/scripted-server.ts";

export interface Played {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** All that was sent to the model, as JSON. */
  readonly sent: string;
}

export interface PlayWish {
  readonly mode?: "plan" | "default" | "auto-edit" | "yolo";
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly prompt?: string;
}

export interface StartWish {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What stands before the program to run it elsewhere: in a container, on another machine. */
  readonly place?: readonly string[];
  readonly stdin?: string;
}

/** How the program is told where its model is. */
export const modelAt = (url: string): readonly string[] => ["--base-url", url, "--model", "openai-chat/mock"];

/** More than any attempt takes: one that hangs must not hang the rest. */
const longestMs = 120_000;

export class Ground implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(besideTmp, "coder-attack-")));
  readonly workspace = this.folder("work/project");
  /** The person's home folder. */
  readonly person = this.folder("person");
  readonly coderHome = join(this.person, ".coder");
  /** A project of the person's that has nothing to do with the task. */
  readonly other = this.folder("person/other-project");
  /** Must never reach the model. No form of it looks like a key: what keeps it is that it is never read. */
  readonly canary = `heron-${Math.random().toString(36).slice(2)}-${Math.random().toString(36).slice(2)}`;
  /** Appears when the attacker's code has run outside of the sandbox. */
  readonly mark = join(this.root, "ran");
  readonly program: readonly string[];

  constructor(program: readonly string[]) {
    this.program = program;
  }

  folder(path: string): string {
    const whole = join(this.root, path);
    mkdirSync(whole, { recursive: true });
    return whole;
  }

  /** Below the workspace, or anywhere by its whole path. */
  write(path: string, text: string, mode?: number): string {
    const whole = path.startsWith("/") ? path : join(this.workspace, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text, mode === undefined ? {} : { mode });
    return whole;
  }

  text(path: string): string | null {
    const whole = path.startsWith("/") ? path : join(this.workspace, path);
    return existsSync(whole) ? readFileSync(whole, "utf8") : null;
  }

  get isMarked(): boolean {
    return existsSync(this.mark);
  }

  /** A PATH on which every program is but one. */
  withoutProgram(name: string): string {
    const bin = this.folder("bin");
    const made = new Set([name]);
    for (const folder of (process.env.PATH ?? "").split(":").filter((one) => existsSync(one))) {
      for (const entry of readdirSync(folder).filter((one) => !made.has(one))) {
        made.add(entry);
        symlinkSync(join(folder, entry), join(bin, entry));
      }
    }
    return bin;
  }

  /** As the person would, in the workspace and outside of every sandbox. */
  byHand(line: string, cwd = this.workspace): { readonly code: number; readonly out: string } {
    const done = Bun.spawnSync(["bash", "-c", line], {
      cwd,
      env: this.environment({}),
      stdin: "ignore",
      stderr: "pipe",
    });
    return { code: done.exitCode, out: `${done.stdout}${done.stderr}` };
  }

  repository(): void {
    const identity = "-c user.name=a -c user.email=a@example.com";
    const { code, out } = this.byHand(
      `git init -q -b main . && git add -A . && git ${identity} commit -q --allow-empty -m one`,
    );
    if (code !== 0) throw new Error(out);
  }

  /** One task in which the model makes these calls, a reply each, and then ends. */
  async play(steps: readonly Step[], wish: PlayWish = {}): Promise<Played> {
    const server = startScriptedServer([
      ...steps,
      { text: "done" },
      { text: "done" },
      { text: "done" },
      { text: "done" },
    ]);
    try {
      const { mode = "auto-edit", flags = [], env = {}, prompt = "Look at the files of this folder." } = wish;
      const ran = await this.coder(["run", ...modelAt(server.url), "--mode", mode, ...flags, prompt], env);
      // An attempt that never reached the model has tried nothing.
      if (server.requests.length < 2) throw new Error(`the calls were not made: ${ran.err}${ran.out}`);
      return { ...ran, sent: JSON.stringify(server.requests.map(({ body }) => body)) };
    } finally {
      server.stop();
    }
  }

  /** Commands, each a call of the model's. */
  commands(lines: readonly string[], wish: PlayWish = {}): Promise<Played> {
    return this.play(
      lines.map((command) => ({ calls: [{ tool: "bash", input: { command } }] })),
      wish,
    );
  }

  async coder(args: readonly string[], env: Readonly<Record<string, string>> = {}, wish: StartWish = {}) {
    return await ended(this.start(args, { ...wish, env }));
  }

  start(args: readonly string[], { env = {}, cwd = this.workspace, place = [], stdin }: StartWish = {}) {
    return Bun.spawn([...place, ...this.program, ...args], {
      cwd,
      env: this.environment(env),
      stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
      timeout: longestMs,
      killSignal: "SIGKILL",
    });
  }

  environment(env: Readonly<Record<string, string>>): Record<string, string> {
    const { PATH = "/usr/bin:/bin" } = process.env;
    return { PATH, HOME: this.person, CODER_HOME: this.coderHome, LANG: "C.UTF-8", ...env };
  }

  [Symbol.dispose](): void {
    endInside(this.root);
    rmSync(this.root, { recursive: true, force: true });
  }
}

export async function ended(child: ReturnType<Ground["start"]>) {
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}
