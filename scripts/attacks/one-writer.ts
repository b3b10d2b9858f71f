// A session that runs, and others who share its home folder: in containers, on other machines, in the same place.
import { Database } from "bun:sqlite";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Lines } from "../../test/support/cli.ts";
import { inNamespace } from "../../test/support/namespace.ts";
import { type ScriptedServer, startScriptedServer } from "../../test/support/scripted-server.ts";
import { type Attempt, broken, held, type Outcome } from "./attempt.ts";
import { type Ground, modelAt } from "./ground.ts";

type Place = readonly string[] | null;
const here: Place = [];
const inside = inNamespace();
const insideBare = inNamespace("the /proc outside");

/** With a name and a boot of its own, as far as a process can tell. */
const bootFile = "/proc/sys/kernel/random/boot_id";
const machine: Place =
  inside === null
    ? null
    : [
        ...inside.slice(0, 1),
        "--uts",
        "--mount",
        ...inside.slice(1),
        "sh",
        "-c",
        `hostname elsewhere && printf 'ffffffff-0000-4000-8000-000000000000\\n' > "$CODER_HOME.boot" && mount --bind "$CODER_HOME.boot" ${bootFile} && exec "$@"`,
        "sh",
      ];
const canBeElsewhere =
  machine !== null &&
  Bun.spawnSync([...machine, "true"], {
    env: { PATH: process.env.PATH ?? "", CODER_HOME: `/tmp/coder-attack-${process.pid}` },
  }).exitCode === 0;
rmSync(`/tmp/coder-attack-${process.pid}.boot`, { force: true });

const places: Readonly<Record<string, Place>> = {
  here,
  "in a container": inside,
  "in a container that sees the processes outside": insideBare,
  "on another machine": canBeElsewhere ? machine : null,
};

const sleeper = "sleep 98764";
const script = [{ calls: [{ tool: "bash", input: { command: `exec ${sleeper}`, timeout_s: 600 } }] }, { text: "done" }];

/** The numbers of this namespace cover those of all below it. */
function sleepers({ workspace }: Ground): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return line === sleeper && readFileSync(`/proc/${name}/environ`, "utf8").includes(workspace)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

interface Busy {
  readonly ground: Ground;
  readonly server: ScriptedServer;
  readonly id: string;
  readonly child: ReturnType<Ground["start"]>;
}

/** A session in the midst of a command; whatever is tried on it, it is ended afterwards, and with the ground its command. */
async function withBusy(ground: Ground, place: Place, play: (busy: Busy) => Promise<Outcome>): Promise<Outcome> {
  using server = startScriptedServer(script);
  const args = ["run", ...modelAt(server.url), "--mode", "yolo", "--output", "stream-json", "wait"];
  const child = ground.start(args, { place: place ?? [] });
  try {
    const lines = new Lines(child.stdout);
    const begun = (await lines.event("session.started")) as { event: { sessionId: string } };
    await lines.event("process.spawned");
    while (sleepers(ground).length === 0) await Bun.sleep(5);
    return await play({ ground, server, id: begun.event.sessionId, child });
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}

/** What is tried on it. Each must leave session and command alone. */
const deeds: Readonly<Record<string, (busy: Busy) => readonly string[]>> = {
  "is removed": ({ id }) => ["sessions", "rm", id],
  "is pruned": () => ["sessions", "prune", "--keep", "0", "--yes"],
  "is pruned by size": () => ["sessions", "prune", "--max-size", "1KB", "--yes"],
  "is gone on with": ({ server }) => ["run", ...modelAt(server.url), "--continue", "--mode", "yolo"],
  "is resumed by its id": ({ id, server }) => ["run", ...modelAt(server.url), "--resume", id, "--mode", "yolo", "go"],
  "is undone": ({ id }) => ["undo", id, "--mode", "yolo"],
};

async function tried({ ground, server, id, child }: Busy, args: readonly string[], place: Place): Promise<Outcome> {
  const before = sleepers(ground);
  const asked = server.requests.length;
  const { code, err } = await ground.coder(args, {}, { place: place ?? [] });
  const isThere = idsIn(ground).includes(id);
  if (!isThere) return broken("the session is gone");
  if (child.exitCode !== null || sleepers(ground).join() !== before.join()) return broken("its command was ended");
  if (server.requests.length > asked) return broken("somebody else went on with it");
  return held(`exit ${code}: ${err.trim().split("\n")[0]}`);
}

/** Read past all of our own code. */
function idsIn({ coderHome }: Ground): readonly string[] {
  using db = new Database(join(coderHome, "coder.db"), { readonly: true });
  return db
    .prepare("select id from sessions")
    .values()
    .map(([id]) => String(id));
}

/** Who writes, and who looks. */
const directions = Object.keys(places).flatMap((writer) =>
  Object.keys(places)
    .filter((visitor) => writer !== "here" || visitor !== "here")
    .map((visitor) => [writer, visitor] as const),
);

const across: readonly Attempt[] = directions.flatMap(([writer, visitor], at) => {
  const names = Object.keys(deeds);
  // Each direction with three of the deeds, each deed in several directions.
  return [0, 2, 3].map((step) => {
    const deed = names[(at + step) % names.length]!;
    return {
      promise: "one writer",
      name: `a session that runs ${writer} ${deed} by somebody ${visitor}`,
      play: async (ground: Ground): Promise<Outcome> => {
        const [from, to] = [places[writer] ?? null, places[visitor] ?? null];
        if (from === null || to === null) return { is: "skipped", how: "no namespaces can be made here" };
        return await withBusy(ground, from, (busy) => tried(busy, deeds[deed]!(busy), to));
      },
    };
  });
});

const alone: readonly Attempt[] = Object.entries(deeds).map(([deed, args]) => ({
  promise: "one writer",
  name: `a session that runs here ${deed} here`,
  play: (ground: Ground) => withBusy(ground, here, (busy) => tried(busy, args(busy), here)),
}));

const minute = 60_000;
/** What happens to the file by which the writer shows that it lives; `lock`: whether the kernel still shows it. */
const signs: readonly (readonly [name: string, change: (file: string) => void])[] = [
  ["the lock is not seen from here, as on a network disk", unlocked],
  [
    "the lock is not seen, and it was silent for three minutes",
    (file) => {
      unlocked(file);
      touched(file, -3 * minute);
    },
  ],
  [
    "the lock is not seen, and its clock is an hour ahead",
    (file) => {
      unlocked(file);
      touched(file, 60 * minute);
    },
  ],
  ["it was silent for a day, with its lock in sight", (file) => touched(file, -24 * 60 * minute)],
];

function unlocked(file: string): void {
  copyFileSync(file, `${file}~`);
  renameSync(`${file}~`, file);
}

function touched(file: string, ms: number): void {
  const then = new Date(Date.now() + ms);
  utimesSync(file, then, then);
}

const heartbeats: readonly Attempt[] = signs.flatMap(([name, change], at) =>
  [at, at + 3].map((which) => {
    const deed = Object.keys(deeds)[which % 6]!;
    return {
      promise: "one writer",
      name: `a session on another machine ${deed}; ${name}`,
      play: async (ground: Ground): Promise<Outcome> => {
        if (!canBeElsewhere) return { is: "skipped", how: "no namespaces can be made here" };
        return await withBusy(ground, machine, async (busy) => {
          const folder = join(ground.coderHome, "live");
          for (const file of readdirSync(folder)) change(join(folder, file));
          return await tried(busy, deeds[deed]!(busy), here);
        });
      },
    };
  }),
);

/** The opposite: who is dead keeps nobody out. */
const dead: readonly Attempt[] = Object.entries(places).map(([where, place]) => ({
  promise: "one writer",
  name: `a session was killed ${where}: it is gone on with`,
  play: async (ground: Ground): Promise<Outcome> => {
    if (place === null) return { is: "skipped", how: "no namespaces can be made here" };
    return await withBusy(ground, place, async ({ child, server, id }) => {
      child.kill("SIGKILL");
      await child.exited;
      while (place !== here && sleepers(ground).length > 0) await Bun.sleep(5);
      if (where === "on another machine") {
        const folder = join(ground.coderHome, "live");
        for (const file of readdirSync(folder)) touched(join(folder, file), -6 * minute);
      }
      const { code, out, err } = await ground.coder(["run", ...modelAt(server.url), "--continue", "--mode", "yolo"]);
      return code === 0 && idsIn(ground).join() === id ? held("taken over") : broken(`exit ${code}: ${out}${err}`);
    });
  },
}));

export const oneWriterAttempts: readonly Attempt[] = [...alone, ...across, ...heartbeats, ...dead];
