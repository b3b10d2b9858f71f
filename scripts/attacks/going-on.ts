// A task that was stopped, by whatever: plain --continue goes on with it, and nothing that was said is lost.
import { Database } from "bun:sqlite";
import { cpSync, existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { Lines } from "../../test/support/cli.ts";
import type { Step } from "../../test/support/scripted-reply.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "../../test/support/scripted-server.ts";
import { type Attempt, broken, held, type Outcome } from "./attempt.ts";
import { ended, type Ground, modelAt } from "./ground.ts";

interface Stage {
  readonly ground: Ground;
  readonly server: ScriptedServer;
  /** A task, or what goes on with one. */
  readonly run: (...args: readonly string[]) => ReturnType<Ground["coder"]>;
}

async function on(ground: Ground, script: Script, play: (stage: Stage) => Promise<Outcome>): Promise<Outcome> {
  using server = startScriptedServer(script);
  const model = modelAt(server.url);
  const run: Stage["run"] = (...args) => ground.coder(["run", ...model, "--mode", "auto-edit", ...args]);
  return await play({ ground, server, run });
}

const attempt = (name: string, script: Script, play: (stage: Stage) => Promise<Outcome>): Attempt => ({
  promise: "going on",
  name,
  play: (ground) => on(ground, script, play),
});

/** Ways in which a provider fails a call for good; the next call is answered. */
const failures: Readonly<Record<string, Partial<Step>>> = {
  "the key is refused": { status: 401, body: '{"error":{"message":"no"}}' },
  "access is forbidden": { status: 403, body: '{"error":{"message":"no"}}' },
  "the account has no money": { status: 402, body: '{"error":{"message":"pay"}}' },
  "the model is unknown": { status: 404, body: '{"error":{"message":"no such model"}}' },
  "it asks to wait for a day": { status: 429, headers: { "retry-after": "86400" }, body: "{}" },
  "the request is called bad": { status: 400, body: '{"error":{"message":"bad"}}' },
  "it answers with a page": {
    status: 200,
    body: "<html>please log in</html>",
    headers: { "content-type": "text/html" },
  },
  "it answers with nothing": { status: 200, body: "" },
};

/** Where in the task it fails. */
const places = ["at the first call", "after a file was written"] as const;
const write = { calls: [{ tool: "write", input: { path: "made.txt", content: "made\n" } }] };

const failed: readonly Attempt[] = Object.entries(failures).flatMap(([what, fault]) =>
  places.map((place) => {
    const before = place === "at the first call" ? [] : [write];
    return attempt(
      `${what} ${place}`,
      [...before, { text: "all done", ...fault, times: 1 }],
      async ({ ground, server, run }) => {
        ground.write(`${ground.coderHome}/config.json`, JSON.stringify({ model_attempts: 1 }), 0o600);
        const first = await run("go");
        if (first.code === 0) throw new Error(`it did not fail: ${first.out}`);
        const again = await run("--continue");
        const isWhole = before.length === 0 || ground.text("made.txt") === "made\n";
        if (again.code !== 0 || again.out !== "all done\n" || !isWhole)
          return broken(`exit ${first.code}, then ${again.code}: ${again.out}${again.err}`);
        const asked = server.requests.map(({ body }) => JSON.stringify(body.messages));
        return asked.at(-1) === asked.at(-2) ? held("the call was repeated") : broken("another call was made");
      },
    );
  }),
);

const look = { calls: [{ tool: "list", input: { path: "." } }], usage: { input: 100, output: 10 } };
const done = { text: "all done", usage: { input: 100, output: 10 } };

/** Other ends of a task that can be gone on with: what ends it, and what is said to go on. */
const ends: readonly (readonly [
  name: string,
  steps: readonly Step[],
  first: readonly string[],
  next: readonly string[],
])[] = [
  ["the steps are used up", [look, look, done], ["--max-steps", "1"], ["--max-steps", "9"]],
  ["the tokens are used up", [look, look, done], ["--max-tokens", "150"], ["--max-tokens", "9000"]],
];

const used: readonly Attempt[] = ends.map(([name, steps, first, next]) =>
  attempt(name, steps, async ({ run }) => {
    const ended = await run(...first, "go");
    if (ended.code === 0) throw new Error("it was not stopped");
    const again = await run("--continue", ...next);
    return again.code === 0 && again.out.includes("all done")
      ? held(`exit ${ended.code}, then done`)
      : broken(`exit ${ended.code}, then ${again.code}: ${again.out}${again.err}`);
  }),
);

const text = "The first half of what I wanted to say, and then the second half of it.";
const heard = text.slice(0, 30);
const stalling = { text, chunkChars: 10, stallAfter: 5, times: 1 };

/** The signal comes when what was said so far is stored; an old build that stores none gets it a moment later. */
async function interrupted({ ground, server }: Stage, signal: NodeJS.Signals, ...more: readonly string[]) {
  const child = ground.start(["run", ...modelAt(server.url), ...more, "go"]);
  const limit = performance.now() + 3_000;
  while (!hasPart(ground) && performance.now() < limit) await Bun.sleep(10);
  child.kill(signal);
  return await ended(child);
}

function hasPart({ coderHome }: Ground): boolean {
  try {
    using db = new Database(join(coderHome, "coder.db"), { readonly: true });
    return db.prepare("select text from partials").values().length > 0;
  } catch {
    return false; // Not there yet.
  }
}

async function newest({ coder }: { readonly coder: Ground["coder"] }): Promise<string> {
  const rows = JSON.parse((await coder(["sessions", "--json"])).out) as { id: string }[];
  return rows[0]?.id ?? "";
}

const cuts: readonly Attempt[] = (["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const).flatMap((signal) => [
  attempt(`${signal} in the middle of a reply; the session is exported`, [stalling], async (stage) => {
    await interrupted(stage, signal);
    const { ground } = stage;
    const id = await newest({ coder: (...args) => ground.coder(...args) });
    // What a killed process leaves is taken in when the session is opened.
    if (signal === "SIGKILL") await stage.run("--continue");
    const { out } = await ground.coder(["export", id, "--format", "md"]);
    return out.includes(heard) && /interrupted/.test(out) ? held("kept and marked") : broken("the text is gone");
  }),
  attempt(`${signal} in the middle of a reply; then --continue`, [stalling], async (stage) => {
    await interrupted(stage, signal);
    const again = await stage.run("--continue");
    if (again.code !== 0 || !again.out.includes(text)) return broken(`exit ${again.code}: ${again.out}${again.err}`);
    const sent = JSON.stringify(stage.server.requests.at(-1)?.body);
    return sent.includes(heard)
      ? held("gone on, and the model knows what it had said")
      : broken("the model was not told");
  }),
]);

const told: readonly Attempt[] = ["text", "json"].map((form) =>
  attempt(`Ctrl+C in the middle of a reply, with --output ${form}`, [stalling], async (stage) => {
    const { out, err } = await interrupted(stage, "SIGINT", "--output", form);
    return (out + err).includes(heard) ? held("shown") : broken("what was said is not shown");
  }),
);

/** Another name for the folder: what becomes of its sessions. */
const renames: readonly (readonly [
  name: string,
  isRepository: boolean,
  move: (from: string, to: string) => void,
  isOurs: boolean,
])[] = [
  ["a repository is renamed", true, renameSync, true],
  ["a folder without a repository is renamed", false, renameSync, true],
  ["a repository is copied, and the first one stays", true, (from, to) => cpSync(from, to, { recursive: true }), false],
  [
    "a repository is moved, and its old name leads to the new one",
    true,
    (from, to) => {
      renameSync(from, to);
      Bun.spawnSync(["ln", "-s", to, from]);
    },
    true,
  ],
];

const renamed: readonly Attempt[] = renames.map(([name, isRepository, move, isOurs]) =>
  attempt(name, [[{ text: "first" }], [{ text: "second" }]], async ({ ground, server, run }) => {
    ground.write("a.txt", "a\n");
    if (isRepository) ground.repository();
    await run("begin");
    const to = join(ground.root, "work", "moved");
    move(ground.workspace, to);
    if (!existsSync(to)) throw new Error("not moved");
    const there = (...args: readonly string[]) => ground.coder(args, {}, { cwd: to });
    const moved = await there("sessions", "move", "--yes");
    const next = await there("run", ...modelAt(server.url), "--continue", "and now");
    const isBegun = JSON.stringify(server.requests.at(-1)?.body).includes("begin") && next.code === 0;
    if (isOurs) return isBegun ? held("its sessions came along") : broken(`stranded: ${moved.err}${next.err}`);
    return isBegun ? broken("another folder's session was taken") : held("left with the folder that has it");
  }),
);

const starting: Script = [
  { when: "begin", steps: [{ text: "begun" }] },
  { when: "stall", steps: [{ stallAfter: 0 }] },
  { when: "variant", steps: [{ text: "done" }] },
];

const forks: readonly Attempt[] = [
  ["a copy that is just being made", ["--continue", "--fork", "stall"]],
  ["a session that is just being started", ["stall"]],
].map(([what, busy]) =>
  attempt(`--continue --fork beside ${what}`, starting, async ({ ground, server, run }) => {
    await run("begin");
    const base = await newest({ coder: (...args) => ground.coder(...args) });
    const child = ground.start([
      "run",
      ...modelAt(server.url),
      "--output",
      "stream-json",
      ...(busy as readonly string[]),
    ]);
    try {
      await new Lines(child.stdout).event("run.started");
      const made = await run("--continue", "--fork", "--output", "json", "variant");
      const { session_id: id } = JSON.parse(made.out || "{}") as { session_id?: string };
      const parent = /"forkedFrom": ?"([^"]+)"/.exec(
        (await ground.coder(["export", id ?? "", "--format", "json"])).out,
      )?.[1];
      return parent === base ? held("the older one was copied") : broken(`copied ${parent}, not ${base}`);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  }),
);

const many: Attempt = attempt("six of --continue --fork at once", starting, async ({ ground, server, run }) => {
  await run("begin");
  const base = await newest({ coder: (...args) => ground.coder(...args) });
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      ground.coder(["run", ...modelAt(server.url), "--continue", "--fork", "--output", "json", `variant ${n}`]),
    ),
  );
  const parents = await Promise.all(
    made.map(async ({ out }) => {
      const { session_id: id } = JSON.parse(out || "{}") as { session_id?: string };
      const exported = (await ground.coder(["export", id ?? "", "--format", "json"])).out;
      return /"forkedFrom": ?"([^"]+)"/.exec(exported)?.[1];
    }),
  );
  return parents.every((one) => one === base) ? held("all of the same one") : broken(parents.join(", "));
});

export const goingOnAttempts: readonly Attempt[] = [...failed, ...used, ...cuts, ...told, ...renamed, ...forks, many];
