// Starts a shell whose pid is on disk before any part of its command runs.
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { Confinement, ObeyedScope } from "../../contract/sandbox.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { WitnessPort } from "../../contract/tool.ts";
import { type Environment, gitConfig, judgedLocale, scrubbed } from "../environment.ts";
import { foreignPath } from "../find-program.ts";
import type { ObeyedBaseline } from "../obeyed/held-open.ts";
import type { SetAside } from "../obeyed/watch.ts";
import type { Entrance } from "../sandbox/linux/enter.ts";
import { type GatedShell, once, spawnGated } from "./gate.ts";
import { adoptOrphans, rememberChild } from "./orphans.ts";
import { hasProc, onlyChildOf, type Proc, readProc } from "./proc.ts";
import { spawnInTerminal } from "./pty.ts";
import { addTree, endTree, removeTree, type Tree } from "./tree.ts";

export interface StartRequest {
  readonly command: string;
  readonly cwd: string;
  /** Default: our own environment, without model keys and, for a confined command, without secrets. */
  readonly env?: Environment;
  /** Names that are passed on although they look like secrets. */
  readonly keep?: readonly string[];
  /** Removes secrets and loader variables even when not confined. */
  readonly isProved?: boolean;
  readonly set?: Environment;
  /** Unique among all calls of all sessions; identifies stray processes. */
  readonly marker: string;
  /** Processor time for each of its processes; absent: unlimited. */
  readonly cpuSeconds?: number;
  /** Runs in its own terminal, for programs that write only to one. */
  readonly isTerminal?: boolean;
  /** Runs in the sandbox or not at all. */
  readonly confine?: Confinement | null;
  /** Where files that other programs obey must stay unchanged; `null` or absent: all changes are allowed. */
  readonly obeyed?: ObeyedScope | null;
  readonly witness?: WitnessPort | undefined;
  readonly signal?: AbortSignal;
  /** The command starts only after this resolves; if it rejects, the command never starts. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
}

/** A shell that waits at its gate. Call `release` when all of its processes are gone. */
export interface StartedShell {
  readonly shell: GatedShell;
  readonly tree: Tree;
  /** Its gate is already open: it may have had effects. */
  readonly isOpen: boolean;
  readonly hidden: readonly string[];
  /** Whether a confined command has created a protected file. */
  readonly isBroken: () => boolean;
  /** Returns the protected files that such a command created and that were set aside; once. */
  readonly release: () => readonly string[];
  /** Call it after `release`: restores files that other programs obey. */
  readonly keep: () => Promise<SetAside>;
}

const FIRST_FD = 3;

export async function startShell(request: StartRequest, lasts = false): Promise<Result<StartedShell>> {
  if (request.command.includes("\0")) return fail("E_INVALID_ARGS", phrase("bash.nul"));
  // Before the sandbox is set up: the command did not create its placeholder folders.
  const baseline = request.isProved ? null : await lookBefore(request);
  const started = await enterAndSpawn(request, lasts, baseline);
  if (!started.ok && baseline !== null) (await import("../obeyed/watch.ts")).forget(baseline);
  return started;
}

async function enterAndSpawn(
  request: StartRequest,
  lasts: boolean,
  baseline: ObeyedBaseline | null,
): Promise<Result<StartedShell>> {
  const { command, cwd, confine = null } = request;
  const witness = lasts ? null : ((await request.witness?.enter(confine !== null)) ?? null);
  const entered =
    confine === null ? ok(null) : await (await import("../sandbox/linux/enter.ts")).enterSandbox(confine, cwd, lasts);
  if (!entered.ok) return entered;
  await adoptOrphans();
  const entrance = entered.value;
  const spawn = request.isTerminal ? spawnInTerminal : spawnGated;
  const inherited = request.env ?? process.env;
  const plain = {
    ...scrubbed(inherited, confine !== null || request.isProved === true, request.keep),
    ...judgedLocale(inherited),
    ...entrance?.environment,
    ...request.set,
  };
  const git = gitConfig(entrance?.gitConfig ?? {}, Number(plain.GIT_CONFIG_COUNT ?? 0));
  const libraries = request.isProved ? foreignPath(plain.LD_LIBRARY_PATH ?? "", [cwd]) : plain.LD_LIBRARY_PATH;
  // An empty entry, which many start-up files leave behind, means the current folder. The program that sets up the sandbox runs outside of
  // it, so only the command may load libraries from there.
  const env = { ...plain, ...git, LD_LIBRARY_PATH: entrance === null && libraries ? libraries : undefined };
  const limits = `${libraries ? `export LD_LIBRARY_PATH=${quoted(libraries)}; ` : ""}${entrance?.limits ?? ""}`;
  const starter = witness?.(FIRST_FD + (entrance?.fds.length ?? 0)) ?? null;
  const { marker, cpuSeconds } = request;
  const limit = cpuSeconds === undefined ? {} : { cpuSeconds };
  const limitedEntrance = entrance && { ...entrance, limits };
  const spawned = spawn({ command, cwd, env, marker, entrance: limitedEntrance, starter, ...limit });
  entrance?.started();
  if (!spawned.ok) {
    entrance?.leave();
    return spawned;
  }
  const started = await waitAtGate(request, spawned.value, entrance, lasts);
  // The narrow view lacks bash, on a machine that keeps its programs elsewhere, and nothing has run yet: retry with the whole view.
  if (confine?.narrow && !confine.isOnlyNarrow && !started.ok && started.error === notFit) {
    return await enterAndSpawn({ ...request, confine: { ...confine, narrow: false, judged: null } }, lasts, baseline);
  }
  return started.ok ? ok({ ...started.value, keep: once(() => putBack(baseline, entrance)) }) : started;
}

async function lookBefore({ obeyed: scope = null, confine }: StartRequest): Promise<ObeyedBaseline | null> {
  if (scope === null && !isWatching) return null;
  isWatching = true;
  const { lookBefore: look } = await import("../obeyed/watch.ts");
  return await look(scope && confine ? await withGitPlaces(scope, confine) : scope);
}

/** Without a sandbox nothing outside is compared; in a sandbox, writable git folders outside are compared too. */
async function withGitPlaces(scope: ObeyedScope, { guarded }: Confinement): Promise<ObeyedScope> {
  const { gitPlaces } = await import("../sandbox/git-places.ts");
  return { ...scope, apart: gitPlaces(guarded).map(({ path }) => path) };
}

let isWatching = false;

async function putBack(baseline: ObeyedBaseline | null, entrance: Entrance | null): Promise<SetAside> {
  if (baseline === null) return { aside: [], restored: [], left: [], unlooked: 0 };
  const { lookAfter } = await import("../obeyed/watch.ts");
  return await lookAfter(baseline, entrance?.kept ?? []);
}

export function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Never shown: marks a failure that leads to the retry. */
const notFit: ErrorInfo = { code: "E_IO", text: phrase("bash.missing") };

async function waitAtGate(
  { marker, onSpawn, signal, confine }: StartRequest,
  shell: GatedShell,
  entrance: Entrance | null,
  lasts: boolean,
): Promise<Result<Omit<StartedShell, "keep">>> {
  const { child } = shell;
  const start = readProc(child.pid)?.start ?? 0;
  const sandbox = { init: null as Proc | null };
  const tree: Tree = { pid: child.pid, start, marker, ...(entrance === null ? {} : { sandbox }) };
  const forget = rememberChild(child.pid);
  addTree(tree);
  let isReleased = false;
  const release = (): readonly string[] => {
    if (isReleased) return [];
    isReleased = true;
    removeTree(tree);
    void child.exited.finally(forget);
    return entrance?.leave() ?? [];
  };
  try {
    const recorded = onSpawn(child.pid, hasProc() ? String(start) : "");
    // The gate in a sandbox is opened during the setup, so that neither waits for the other.
    const isOpening = recorded.then(() => entrance !== null && !lasts && signal?.aborted === false);
    const opened = isOpening.then(async (isOpen) => {
      if (isOpen) await shell.open();
      return isOpen;
    });
    const [problem, isOpen] = await Promise.all([shell.built(), opened]);
    if (entrance !== null) sandbox.init = onlyChildOf(child.pid);
    const { isBroken = () => false, hidden = [] } = entrance ?? {};
    if (problem === null) return ok({ shell, tree, isOpen, hidden, isBroken, release });
    await endTree(tree);
    release();
    const what = problem.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    if (confine?.narrow && /^bwrap: execvp /.test(what)) return { ok: false, error: notFit };
    const moved = entrance?.moved(what) ?? null;
    if (moved !== null) return { ok: false, error: moved };
    return fail("E_IO", phrase("sandbox.not_built", { what }), { advice: phrase("sandbox.advice") });
  } catch (error) {
    await endTree(tree);
    release();
    throw error;
  }
}
