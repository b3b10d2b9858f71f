import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "./binary.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The built program in a fresh workspace and home, with a scripted model behind `--model`. */
export class Cli implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "cli-")));
  readonly workspace = mkdtempSync(join(this.root, "ws-"));
  readonly home = join(this.root, "home");
  readonly server: ScriptedServer;

  constructor(script: Script = []) {
    this.server = startScriptedServer(script);
  }

  get model(): readonly string[] {
    return ["--base-url", this.server.url, "--model", "openai-chat/mock"];
  }

  file(name: string, content: string): void {
    writeFileSync(join(this.workspace, name), content);
  }

  /** The same for a test that starts it through a shell. */
  line(args: readonly string[]): {
    readonly command: readonly string[];
    readonly env: Record<string, string | undefined>;
  } {
    return { command: [...builtBinary(), ...args], env: { ...process.env, LANG: "C", CODER_HOME: this.home } };
  }

  start(args: readonly string[], options: { stdin?: "pipe" | "ignore"; env?: Readonly<Record<string, string>> } = {}) {
    const env: Record<string, string | undefined> = {
      ...process.env,
      LANG: "C",
      CODER_HOME: this.home,
      ...options.env,
    };
    delete env.CODER_MODEL;
    return Bun.spawn([...builtBinary(), ...args], {
      cwd: this.workspace,
      env,
      stdin: options.stdin ?? "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async run(
    args: readonly string[],
    options: { stdin?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<Ran> {
    const child = this.start(args, {
      stdin: options.stdin === undefined ? "ignore" : "pipe",
      ...(options.env ? { env: options.env } : {}),
    });
    if (options.stdin !== undefined && typeof child.stdin === "object") {
      child.stdin.write(options.stdin);
      await child.stdin.end();
    }
    const [code, out, err] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code, out, err };
  }

  [Symbol.dispose](): void {
    this.server.stop();
    endInside(this.workspace);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What a program that was killed has left running in the folder of its test. */
export function endInside(folder: string): void {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (readlinkSync(`/proc/${name}/cwd`).startsWith(folder)) process.kill(Number(name), "SIGKILL");
    } catch {
      // Ended meanwhile, or another person's.
    }
  }
}

/** Lines of stream-json as they come; `until` waits for one, bounded. */
export class Lines {
  readonly all: Record<string, unknown>[] = [];
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private rest = "";

  constructor(stream: ReadableStream<Uint8Array>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  async until(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    const known = this.all.find(fits);
    if (known) return known;
    for (;;) {
      const { value, done } = await this.chunks.next();
      if (done) throw new Error(`output ended; last: ${JSON.stringify(this.all.at(-1))}`);
      const lines = (this.rest + this.decoder.decode(value, { stream: true })).split("\n");
      this.rest = lines.pop() ?? "";
      const fresh = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>);
      this.all.push(...fresh);
      const found = fresh.find(fits);
      if (found) return found;
    }
  }

  async drain(): Promise<void> {
    try {
      await this.until(() => false);
    } catch {
      // The stream has ended: all lines are in `all`.
    }
  }

  event(type: string): Promise<Record<string, unknown>> {
    return this.until((line) => line.type === "event" && (line.event as { type: string }).type === type);
  }
}
