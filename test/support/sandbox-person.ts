// Somebody in whose name confined commands are run: root, where the tests are, and an ordinary user.
import { afterAll } from "bun:test";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ShellOutcome } from "../../src/platform/process/shell.ts";
import { besideTmp } from "./places.ts";
import type { Wish } from "./sandbox-runner.ts";

/** An account that owns nothing; it needs no entry in any table. */
const NOBODY = 61_234;

const nodeFolder = dirname(Bun.which("node") ?? "/usr/bin/node");

export const people: readonly ("root" | "user")[] = process.getuid?.() === 0 ? ["root", "user"] : ["user"];

type Answer = ShellOutcome & {
  readonly blamed: string | null;
  readonly pid: number;
  /** Of a watched command: by its name, whose each change is. */
  readonly whose?: Readonly<Record<string, string>>;
};

export interface Person extends AsyncDisposable {
  readonly home: string;
  readonly workspace: string;
  readonly coderHome: string;
  /** The process in which the commands are started. */
  readonly pid: number;
  readonly run: (wish: Wish | string) => Promise<Answer>;
  /** A file of this person, with the folders it needs. */
  readonly write: (path: string, text: string) => string;
  readonly own: (path: string) => void;
}

/** The same one for the tests of a group: started by the first that asks, gone after the last. */
export function sharedPerson(kind: "root" | "user", env: Record<string, string> = {}): () => Promise<Person> {
  let started: Promise<Person> | undefined;
  afterAll(async () => {
    await (await started)?.[Symbol.asyncDispose]();
  });
  return () => {
    started ??= startPerson(kind, env);
    return started;
  };
}

export async function startPerson(kind: "root" | "user", env: Record<string, string> = {}): Promise<Person> {
  const folder = mkdtempSync(join(besideTmp, "coder-person-"));
  const [home, workspace, coderHome] = ["home", "ws", "home/.coder"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, workspace]) mkdirSync(path, { recursive: true });
  const isOther = kind === "user" && process.getuid?.() === 0;
  const own = (path: string): void => {
    if (isOther) chownSync(path, NOBODY, NOBODY);
  };
  for (const path of [folder, home, workspace]) own(path);
  const [bun, runner] = await programsIn(folder, isOther);
  const become = isOther
    ? [Bun.which("setpriv") ?? "setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"]
    : [];
  const child = Bun.spawn([...become, bun, "--no-env-file", "--config=/dev/null", runner], {
    cwd: workspace,
    env: { PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: "C.UTF-8", ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const answers = linesOf(child.stdout);
  const run = async (given: Wish | string): Promise<Answer> => {
    const wish = typeof given === "string" ? { command: given } : given;
    child.stdin.write(`${JSON.stringify({ home, workspace, coderHome, ...wish })}\n`);
    await child.stdin.flush();
    const { value } = await answers.next();
    if (value === undefined) throw new Error(`nobody answers to: ${wish.command}`);
    return JSON.parse(value) as Answer;
  };
  return {
    ...{ home, workspace, coderHome, pid: child.pid, run, own },
    write: (path, text) => {
      makeFolders(dirname(path), own);
      writeFileSync(path, text);
      own(path);
      return path;
    },
    [Symbol.asyncDispose]: async () => {
      await child.stdin.end();
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeFolders(folder: string, own: (path: string) => void): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), own);
  mkdirSync(folder);
  own(folder);
}

/** The checkout may lie where another user cannot read, so that one gets copies. */
async function programsIn(folder: string, isOther: boolean): Promise<readonly [bun: string, runner: string]> {
  const source = join(import.meta.dir, "sandbox-runner.ts");
  const thread = join(import.meta.dir, "..", "..", "src", "platform", "witness", "worker.ts");
  if (!isOther) return [process.execPath, source];
  const made = await Bun.build({
    entrypoints: [source, thread],
    outdir: folder,
    target: "bun",
    naming: "[name].[ext]",
  });
  if (!made.success) throw new Error(made.logs.join("\n"));
  copyFileSync(join(folder, "worker.js"), join(folder, "worker.ts"));
  const bun = join(folder, "bun");
  copyFileSync(process.execPath, bun);
  chmodSync(bun, 0o755);
  return [bun, join(folder, "sandbox-runner.js")];
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
