// A session that is open in another PID namespace, as in a container that shares the home folder.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { inNamespace } from "../support/namespace.ts";
import { until } from "../support/until.ts";
import { idsIn } from "./stored.ts";

const inside = inNamespace();
const insideBare = inNamespace("the /proc outside");
const limit = 120_000;
const sleeper = "sleep 98765";

type Place = readonly string[];
const here: Place = [];

/** A command in the given place, with the home and workspace of the test. */
function start(cli: Cli, place: Place, args: readonly string[]) {
  const { command, env } = cli.line(args);
  const options = { cwd: cli.workspace, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" } as const;
  return Bun.spawn([...place, ...command], options);
}

async function run(cli: Cli, place: Place, args: readonly string[]) {
  const child = start(cli, place, args);
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

/** Whether a command of the session runs, whoever looks: the numbers of this namespace cover those of all below it. */
function sleepers(cli: Cli): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      const environment = readFileSync(`/proc/${name}/environ`, "utf8");
      return line === sleeper && environment.includes(cli.workspace) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** A session in the middle of a command. */
async function busySession(cli: Cli, place: Place) {
  const child = start(cli, place, ["run", ...cli.model, "--mode", "yolo", "--output", "stream-json", "wait"]);
  const lines = new Lines(child.stdout);
  const begun = (await lines.event("session.started")) as { event: { sessionId: string } };
  await lines.event("process.spawned");
  await until("the command runs", () => sleepers(cli).length > 0);
  return { child, id: begun.event.sessionId };
}

const script = [{ calls: [{ tool: "bash", input: { command: `exec ${sleeper}`, timeout_s: 600 } }] }, { text: "done" }];

const directions: readonly (readonly [string, Place | null, Place | null])[] = [
  ["in another PID namespace, looked at from here", inside, here],
  ["here, looked at from another PID namespace", here, inside],
  ["in one PID namespace, looked at from another", inside, inside],
  ["in a PID namespace that sees the processes outside, looked at from here", insideBare, here],
  ["here, looked at from a PID namespace that sees the processes outside", here, insideBare],
];

describe("a session that runs", () => {
  for (const [where, writer, visitor] of directions) {
    test.skipIf(writer === null || visitor === null)(
      `[PS-5] ${where}, is not taken over, not removed, and its command goes on`,
      async () => {
        using cli = new Cli(script);
        const { child, id } = await busySession(cli, writer ?? here);
        try {
          const before = sleepers(cli);
          const look = (args: readonly string[]) => run(cli, visitor ?? here, args);
          expect((await look(["sessions", "rm", id])).code).toBe(8);
          expect((await look(["sessions", "prune", "--keep", "0", "--yes"])).out).not.toContain("removed ");
          const taken = await look(["run", ...cli.model, "--continue", "--mode", "yolo"]);
          expect([taken.code, taken.err]).toEqual([8, expect.stringContaining(id)]);
          expect((await look(["run", ...cli.model, "--resume", id, "go on"])).code).toBe(8);
          expect(idsIn(cli)).toEqual([id]);
          expect(sleepers(cli)).toEqual(before);
          expect(child.exitCode).toBe(null);
        } finally {
          child.kill("SIGKILL");
          await child.exited;
        }
      },
      limit,
    );
  }

  test.skipIf(inside === null)(
    "[PS-5] is taken over from another PID namespace once its process was killed",
    async () => {
      using cli = new Cli(script);
      const { child, id } = await busySession(cli, inside ?? here);
      child.kill("SIGKILL");
      await child.exited;
      await until("the command is gone", () => sleepers(cli).length === 0);
      const taken = await run(cli, here, ["run", ...cli.model, "--continue", "--mode", "yolo", "--output", "json"]);
      expect([taken.code, JSON.parse(taken.out)]).toMatchObject([0, { session_id: id, text: "done" }]);
    },
    limit,
  );

  test.skipIf(inside === null)(
    "[PS-5] [PO-8] keeps the private folder of its sandbox while others come and go in another PID namespace",
    async () => {
      using cli = new Cli(script);
      const { child } = await busySession(cli, inside ?? here);
      try {
        const folders = () => readdirSync(join(cli.home, "sandbox"));
        const line = ["tool", "bash", JSON.stringify({ command: "true" }), "--sandbox", "--mode", "yolo"];
        await run(cli, inside ?? here, [...line]);
        const held = start(cli, inside ?? here, [
          "tool",
          "bash",
          JSON.stringify({ command: `exec ${sleeper}`, timeout_s: 600 }),
          ...line.slice(3),
        ]);
        await until("both commands run", () => sleepers(cli).length > 1);
        const before = folders();
        expect(before.length).toBe(1);
        expect((await run(cli, here, line)).code).toBe(0);
        expect(folders()).toEqual(before);
        held.kill("SIGKILL");
        await held.exited;
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
    },
    limit,
  );
});
