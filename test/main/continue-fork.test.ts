import { describe, expect, test } from "bun:test";
import { Cli, Lines } from "../support/cli.ts";

const limit = 120_000;

type Row = { readonly id: string };
const rows = async (cli: Cli): Promise<readonly Row[]> => JSON.parse((await cli.run(["sessions", "--json"])).out);
const parentOf = async (cli: Cli, id: string): Promise<unknown> => {
  const { events } = JSON.parse((await cli.run(["export", id, "--format", "json"])).out) as {
    events: { event: { type: string; forkedFrom?: string | null } }[];
  };
  return events.findLast(({ event }) => event.type === "session.started")?.event.forkedFrom;
};

describe("--continue --fork", () => {
  test(
    "[PS-5] started many at once all copy the session that was there before them, never each other's copy",
    async () => {
      using cli = new Cli([
        { when: "begin", steps: [{ text: "begun" }] },
        // A copy that has ended is a session like any other, which the next one may copy.
        { when: "variant", steps: [{ stallAfter: 0 }] },
      ]);
      await cli.run(["run", ...cli.model, "begin"]);
      const [base] = await rows(cli);
      const children = Array.from({ length: 8 }, (_, n) =>
        cli.start(["run", ...cli.model, "--output", "stream-json", "--continue", "--fork", `variant ${n}`]),
      );
      await Promise.all(children.map(({ stdout }) => new Lines(stdout).event("run.started")));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map(({ exited }) => exited));
      const copies = (await rows(cli)).filter(({ id }) => id !== base?.id);
      expect(copies.length).toBe(8);
      for (const { id } of copies) expect(await parentOf(cli, id)).toBe(base?.id);
    },
    limit,
  );

  test(
    "[PS-5] passes over a copy that another process is working on, and a session that is just being started",
    async () => {
      using cli = new Cli([
        { when: "begin", steps: [{ text: "begun" }] },
        { when: "stall", steps: [{ stallAfter: 0 }] },
        { when: "variant", steps: [{ text: "done" }] },
      ]);
      await cli.run(["run", ...cli.model, "begin"]);
      const [base] = await rows(cli);
      const busy = [["--continue", "--fork", "stall"], ["stall"]].map((more) =>
        cli.start(["run", ...cli.model, "--output", "stream-json", ...more]),
      );
      for (const { stdout } of busy) await new Lines(stdout).event("run.started");
      const made = await cli.run(["run", ...cli.model, "--continue", "--fork", "--output", "json", "variant"]);
      const { session_id: id } = JSON.parse(made.out) as { session_id: string };
      expect([made.code, await parentOf(cli, id)]).toEqual([0, base?.id]);
      for (const child of busy) child.kill("SIGKILL");
      await Promise.all(busy.map(({ exited }) => exited));
    },
    limit,
  );

  test(
    "[PS-5] still copies a session that another process works on, once that has said something",
    async () => {
      using cli = new Cli([
        {
          when: "begin",
          steps: [{ text: "looking", calls: [{ tool: "list", input: { path: "." } }] }, { stallAfter: 0 }],
        },
        { when: "variant", steps: [{ text: "done" }] },
      ]);
      const child = cli.start(["run", ...cli.model, "--output", "stream-json", "begin"]);
      await new Lines(child.stdout).event("tool.settled");
      const [base] = await rows(cli);
      const made = await cli.run(["run", ...cli.model, "--continue", "--fork", "--output", "json", "variant"]);
      expect([made.code, await parentOf(cli, JSON.parse(made.out).session_id)]).toEqual([0, base?.id]);
      child.kill("SIGKILL");
      await child.exited;
    },
    limit,
  );

  test(
    "[PS-5] where there is nothing else, says so and how to name one",
    async () => {
      using cli = new Cli([{ stallAfter: 0 }]);
      const child = cli.start(["run", ...cli.model, "--output", "stream-json", "begin"]);
      await new Lines(child.stdout).event("run.started");
      const none = await cli.run(["run", ...cli.model, "--continue", "--fork", "variant"]);
      expect([none.code, none.err]).toEqual([2, expect.stringContaining("--resume <id> --fork")]);
      child.kill("SIGKILL");
      await child.exited;
    },
    limit,
  );
});
