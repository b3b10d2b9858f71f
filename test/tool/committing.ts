// A repository and a session in it, for commits: tasks write files, and the commit tool sees them as the log would tell.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Result } from "../../src/contract/error.ts";
import type { FileChange } from "../../src/contract/message.ts";
import type { ResultData } from "../../src/contract/result-data.ts";
import type { ToolContext, ToolOutput } from "../../src/contract/tool.ts";
import type { PastTask } from "../../src/contract/undo.ts";
import { stampOf } from "../../src/platform/files/open.ts";
import { commit } from "../../src/tool/git/commit.ts";
import { proposal } from "../../src/tool/git/proposal.ts";
import { git } from "../support/repository.ts";
import { makeContext } from "./workspace.ts";

export interface Committed extends ResultData {
  readonly commit: string;
  readonly branch: string;
  readonly message: string;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

export class Ground implements Disposable {
  readonly outer = realpathSync(mkdtempSync(join(tmpdir(), "coder-commit-")));
  readonly root = join(this.outer, "ws");
  readonly tasks: PastTask[] = [];
  private readonly blobs = new Map<string, Uint8Array>();
  private calls = 0;

  constructor(files: Readonly<Record<string, string>> = { "a.txt": "one\n", "b.txt": "one\n" }) {
    mkdirSync(this.root);
    git(this.root, "init", "-q");
    git(this.root, "config", "user.name", "Ada");
    git(this.root, "config", "user.email", "ada@example.invalid");
    for (const [name, text] of Object.entries(files)) this.put(name, text);
    git(this.root, "add", "-A");
    git(this.root, "commit", "-q", "--allow-empty", "-m", "start");
  }

  git(...args: readonly string[]): string {
    return git(this.root, ...args).trimEnd();
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  /** One task of the session. `null` deletes. */
  task(title: string, files: Readonly<Record<string, string | null>>, more: Partial<PastTask> = {}): PastTask {
    const changes = Object.entries(files).map(([name, text]) => this.change(name, text));
    const taskId = `t${this.tasks.length + 1}`;
    const told = `${title} it.`;
    const task: PastTask = { taskId, title, told, kind: "task", changes, unkept: [], undone: false, ...more };
    this.tasks.push(task);
    return task;
  }

  private change(path: string, text: string | null): FileChange {
    const real = join(this.root, path);
    const before = this.stamp(real);
    if (text === null) rmSync(real);
    else this.put(path, text);
    return { path, real, before, after: this.stamp(real) };
  }

  private stamp(real: string) {
    if (!existsSync(real)) return null;
    const bytes = readFileSync(real);
    const stamp = stampOf(bytes, lstatSync(real).mode);
    this.blobs.set(stamp.hash, bytes);
    return stamp;
  }

  context(more: Partial<ToolContext> = {}): ToolContext {
    const past = { tasks: () => this.tasks, bytes: (hash: string) => this.blobs.get(hash) ?? null };
    return { ...makeContext(this.root, new Map()), past, marker: `test.${++this.calls}`, ...more };
  }

  commit(input: object = {}, more: Partial<ToolContext> = {}): Promise<Result<ToolOutput>> {
    if (!("run" in commit)) throw new Error("commit does not run");
    return commit.run(input as never, this.context(more));
  }

  propose(input: object = {}, more: Partial<ToolContext> = {}): Promise<Result<ToolOutput>> {
    if (!("run" in proposal)) throw new Error("proposal does not run");
    return proposal.run(input as never, this.context(more));
  }

  [Symbol.dispose](): void {
    rmSync(this.outer, { recursive: true, force: true });
  }
}

export function madeOf(result: Result<ToolOutput>): Committed {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.data as Committed;
}
