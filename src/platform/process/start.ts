// Starts a shell whose pid is on disk before anything of its command runs.
import { type ErrorInfo, fail, ok, type Result } from "../../contract/error.ts";
import type { Confinement, ObeyedScope } from "../../contract/sandbox.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { WitnessPort } from "../../contract/tool.ts";
import { type Environment, judgedLocale, scrubbed } from "../environment.ts";
import { foreignPath } from "../find-program.ts";
import type { ObeyedBaseline } from "../obeyed/held-open.ts";
import type { SetAside } from "../obeyed/watch.ts";
import type { Entrance } from "../sandbox/linux/enter.ts";
import { type GatedShell, spawnGated } from "./gate.ts";
import { adoptOrphans, rememberChild } from "./orphans.ts";
import { hasProc, onlyChildOf, type Proc, readProc } from "./proc.ts";
import { spawnInTerminal } from "./pty.ts";
import { addTree, endTree, removeTree, type Tree } from "./tree.ts";

export interface StartRequest {
  readonly command: string;
  readonly cwd: string;
  /** The environment of this program when absent; without the model's keys, and for a confined command without secrets. */
  readonly env?: Environment;
  /** Names of it that are passed on although they look like secrets. */
  readonly keep?: readonly string[];
  /** Without secrets and loaders also where it is not confined. */
  readonly isProved?: boolean;
  /** Set above all that the environment says. */
  readonly set?: Environment;
  /** Unique among all calls of all sessions: strays are found by it. */
  readonly marker: string;
  /** Processor time of each of its processes; absent = as much as it takes. */
  readonly cpuSeconds?: number;
  /** In a terminal of its own, for programs that write only to one. */
  readonly isTerminal?: boolean;
  /** Runs in the sandbox, or not at all. */
  readonly confine?: Confinement | null;
  /** Where nothing that other programs obey may come of it; `null` or absent: all that it makes is allowed. */
  readonly obeyed?: ObeyedScope | null;
  /** Follows what it does to files. */
  readonly witness?: WitnessPort | undefined;
  /** Heard until the command begins, by whoever opens its gate. */
  readonly signal?: AbortSignal;
  /** The command does not start before this has resolved; when it rejects, the command never starts. */
  readonly onSpawn: (pid: number, startTime: string) => Promise<void>;
}

/** A shell that waits at its gate. `release` must be called when all of it is gone. */
export interface StartedShell {
  readonly shell: GatedShell;
  readonly tree: Tree;
  /** Its gate is open already: it may have had effects. */
  readonly isOpen: boolean;
  /** Secret files that a confined command does not see. */
  readonly hidden: readonly string[];
  /** Whether a confined command has made what it must not. */
  readonly isBroken: () => boolean;
  /** Names what such a command had made and what was set aside; once. */
  readonly release: () => readonly string[];
  /** After `release`: puts back what other programs obey. */
  readonly keep: () => Promise<SetAside>;
}

/** After stdin, stdout and stderr. */
const FIRST_FD = 3;

/** `lasts`: in the background. */
export async function startShell(request: StartRequest, lasts = false): Promise<Result<StartedShell>> {
  if (request.command.includes("\0")) return fail("E_INVALID_ARGS", phrase("bash.nul"));
  // Before the sandbox is built: the folders that hold places in it are not the command's.
  const baseline = request.isProved ? null : await lookBefore(request);
  const started = await enterAndSpawn(request, lasts, baseline);
  if (!started.ok) await forget(baseline);
  return started;
}

async function enterAndSpawn(
  request: StartRequest,
  lasts: boolean,
  baseline: ObeyedBaseline | null,
): Promise<Result<StartedShell>> {
  const { command, cwd, confine = null } = request;
  const witness = lasts ? null : ((await request.witness?.enter(confine !== null)) ?? null);
  const entered = confine === null ? ok(null) : await enter(confine, cwd, lasts);
  if (!entered.ok) return entered;
  await adoptOrphans();
  const entrance = entered.value;
  const spawn = request.isTerminal ? spawnInTerminal : spawnGated;
  const given = request.env ?? process.env;
  const plain = {
    ...scrubbed(given, confine !== null || request.isProved === true, request.keep),
    ...judgedLocale(given),
    ...entrance?.environment,
    ...request.set,
  };
  const git = gitConfig(Number(plain.GIT_CONFIG_COUNT ?? 0), entrance?.gitConfig ?? {});
  const libraries = request.isProved ? foreignPath(plain.LD_LIBRARY_PATH ?? "", [cwd]) : plain.LD_LIBRARY_PATH;
  // An empty part of it, which many a line in a start-up file leaves, means the folder we start in. What builds the sandbox
  // runs outside of it: only the command may load what lies there.
  const env = { ...plain, ...git, LD_LIBRARY_PATH: entrance === null && libraries ? libraries : undefined };
  const limits = `${libraries ? `export LD_LIBRARY_PATH=${quoted(libraries)}; ` : ""}${entrance?.limits ?? ""}`;
  const starter = witness?.(FIRST_FD + (entrance?.fds.length ?? 0)) ?? null;
  const { marker, cpuSeconds } = request;
  const limit = cpuSeconds === undefined ? {} : { cpuSeconds };
  const way = entrance && { ...entrance, limits };
  const spawned = spawn({ command, cwd, env, marker, entrance: way, starter, ...limit });
  entrance?.started();
  if (!spawned.ok) {
    entrance?.leave();
    return spawned;
  }
  const started = await waitAtGate(request, spawned.value, entrance, lasts);
  // Nothing of the command has run: on a machine that keeps its programs elsewhere it is shown all of it.
  if (confine?.narrow && !confine.isOnlyNarrow && !started.ok && started.error === notFit) {
    return await enterAndSpawn({ ...request, confine: { ...confine, narrow: false, judged: null } }, lasts, baseline);
  }
  return started.ok ? ok({ ...started.value, keep: once(baseline, entrance) }) : started;
}

/** Loaded where somebody asks for it. */
async function lookBefore({ obeyed: scope = null, confine }: StartRequest): Promise<ObeyedBaseline | null> {
  if (scope === null && !isWatching) return null;
  isWatching = true;
  const { lookBefore: look } = await import("../obeyed/watch.ts");
  return await look(scope && confine ? await withGitPlaces(scope, confine) : scope);
}

/** Without a sandbox nothing outside is compared; in it, what is mounted there is left alone, whoever changes it meanwhile. */
async function withGitPlaces(scope: ObeyedScope, { guarded }: Confinement): Promise<ObeyedScope> {
  const { gitPlaces } = await import("../sandbox/git-places.ts");
  return { ...scope, apart: gitPlaces(guarded).map(({ path }) => path) };
}

let isWatching = false;

async function forget(baseline: ObeyedBaseline | null): Promise<void> {
  if (baseline !== null) (await import("../obeyed/watch.ts")).forget(baseline);
}

const nothing: SetAside = { aside: [], restored: [], left: [], unlooked: 0 };

function once(baseline: ObeyedBaseline | null, entrance: Entrance | null): () => Promise<SetAside> {
  let kept: Promise<SetAside> | null = null;
  const look = async (): Promise<SetAside> => {
    if (baseline === null) return nothing;
    const { lookAfter } = await import("../obeyed/watch.ts");
    return await lookAfter(baseline, entrance?.kept ?? []);
  };
  return () => {
    kept ??= look();
    return kept;
  };
}

/** As one word of a shell. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

/** Never told: it stands for the second try. */
const notFit: ErrorInfo = { code: "E_IO", text: phrase("bash.missing") };

/** After those that are there already. */
function gitConfig(count: number, more: Readonly<Record<string, string>>): Environment {
  const entries = Object.entries(more);
  if (entries.length === 0) return {};
  const numbered = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, key],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return { ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(count + entries.length) };
}

async function enter(confine: Confinement, cwd: string, lasts: boolean): Promise<Result<Entrance>> {
  const { enterSandbox } = await import("../sandbox/linux/enter.ts");
  return await enterSandbox(confine, cwd, lasts);
}

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
    // A gate inside a sandbox is opened while that is still being built, so that nobody has to wait for the other.
    const isOpening = recorded.then(() => entrance !== null && !lasts && signal?.aborted === false);
    const opened = isOpening.then(async (isOpen) => {
      if (isOpen) await shell.open();
      return isOpen;
    });
    const [said, isOpen] = await Promise.all([shell.built(), opened]);
    if (entrance !== null) sandbox.init = onlyChildOf(child.pid);
    const { isBroken = () => false, hidden = [] } = entrance ?? {};
    if (said === null) return ok({ shell, tree, isOpen, hidden, isBroken, release });
    await endTree(tree);
    release();
    const what = said.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
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
