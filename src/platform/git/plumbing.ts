// Runs git plumbing commands without hooks, filters, monitors, editors, signatures and network, whatever is configured.
import { join } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { repositoryAbove } from "../changes/above.ts";
import { openRepository } from "../changes/repository.ts";
import { gitConfig } from "../environment.ts";
import { findProgram, foreignPath } from "../find-program.ts";

/** All commands that we ever run; none uses the network. */
type Plumbing =
  | "cat-file"
  | "check-attr"
  | "check-ignore"
  | "check-ref-format"
  | "commit-tree"
  | "config"
  | "diff-index"
  | "diff-tree"
  | "hash-object"
  | "log"
  | "ls-files"
  | "ls-tree"
  | "read-tree"
  | "rev-parse"
  | "symbolic-ref"
  | "update-index"
  | "update-ref"
  | "var"
  | "write-tree";

interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly accepts?: readonly number[];
  /** Cannot be cancelled because it must not stop half-way. */
  readonly isFinal?: boolean;
  /** Receives the output instead of the result; returns `false` to stop. */
  readonly take?: (bytes: Uint8Array) => boolean;
}

export interface GitAnswer {
  readonly code: number;
  readonly out: Buffer;
}

export interface Git {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly hash: "sha1" | "sha256";
  readonly run: (command: Plumbing, args: readonly string[], options?: RunOptions) => Promise<Result<GitAnswer>>;
}

export function openGit(root: string, signal: AbortSignal): Result<Git> {
  const top = repositoryAbove(root);
  if (top === null) {
    const advice = phrase("git.no_repository.advice");
    return fail("E_INVALID_ARGS", phrase("git.no_repository", { root: visible(root) }), { advice });
  }
  const path = foreignPath(process.env.PATH ?? "", [top]);
  const program = findProgram(["git"], path, [top]);
  const found = program === null ? null : openRepository(top, null);
  if (program === null || found === null) {
    return fail("E_IO", phrase("git.no_git"), { advice: phrase("git.no_git.advice") });
  }
  const { gitDir, commonDir, hash } = found;
  const env = { ...personal(), ...fixed, PATH: path, GIT_DIR: gitDir, GIT_WORK_TREE: top };
  return ok({
    ...{ top, gitDir, commonDir, hash },
    run: (command, args, options = {}) => start([program, command, ...args], top, env, signal, options),
  });
}

/** The same repository, with a separate object store for writing. `folder`: an empty folder that the caller removes. */
export function scratch(git: Git, folder: string): Git {
  const objects = join(git.commonDir, "objects");
  const env = {
    GIT_OBJECT_DIRECTORY: folder,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: /[:"]/.test(objects) ? JSON.stringify(objects) : objects,
  };
  return {
    ...git,
    run: (command, args, more = {}) => git.run(command, args, { ...more, env: { ...env, ...more.env } }),
  };
}

const timeoutMs = 60_000;

async function start(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  { stdin = "", accepts = [0], isFinal = false, env: more = {}, take }: RunOptions,
): Promise<Result<GitAnswer>> {
  const cancelled = () => fail("E_CANCELLED", phrase("git.cancelled"), { sideEffect: "none" });
  if (signal.aborted && !isFinal) return cancelled();
  const child = Bun.spawn([...argv], {
    cwd,
    env: { ...env, ...more },
    stdin: typeof stdin === "string" ? Buffer.from(stdin) : stdin,
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    ...(isFinal ? {} : { signal }),
  });
  let isEnough = false;
  const handOver = async (to: NonNullable<typeof take>): Promise<Uint8Array> => {
    for await (const bytes of child.stdout) {
      isEnough = !to(bytes);
      if (isEnough) break;
    }
    if (isEnough) child.kill();
    return new Uint8Array();
  };
  const read = take ? handOver(take) : child.stdout.bytes();
  const [out, errors, code] = await Promise.all([read, child.stderr.text(), child.exited]);
  if (isEnough) return ok({ code: 0, out: Buffer.alloc(0) });
  if (accepts.includes(code)) return ok({ code, out: Buffer.from(out) });
  if (signal.aborted && !isFinal) return cancelled();
  const lines = errors.trim().split("\n");
  const problem = visible((lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1) ?? "").slice(0, 500));
  return fail("E_IO", phrase("git.failed", { command: argv[1] ?? "", problem: problem || code }), {
    sideEffect: "none",
  });
}

const personalNames =
  /^(?:HOME|XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL))$/;

/** The user's identity and line ending settings; nothing else of the environment reaches git. */
function personal(): Readonly<Record<string, string>> {
  const found = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && personalNames.test(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(found);
}

const settings: Readonly<Record<string, string>> = {
  "core.fsmonitor": "",
  "core.hooksPath": "/dev/null",
  // After a kill we recognise our commit by its line in the reflog.
  "core.logAllRefUpdates": "true",
  "i18n.commitEncoding": "utf-8",
  "user.useConfigOnly": "true",
  "gc.auto": "0",
  "maintenance.auto": "false",
};

const fixed: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "false",
  GIT_ASKPASS: "false",
  ...gitConfig(settings),
};
