import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Cli, Lines } from "../support/cli.ts";
import { commitAll } from "../support/repository.ts";
import { until } from "../support/until.ts";

const limit = 120_000;
const refused = { status: 401, body: '{"error":{"message":"no"}}' };
const json = (text: string): Record<string, unknown> => JSON.parse(text);

describe("coder run --continue without a prompt", () => {
  test(
    "[PS-6] repeats the call that the provider has failed, and ends as the task would have",
    async () => {
      using cli = new Cli([{ text: "done", times: 1, ...refused }]);
      const failed = await cli.run(["run", ...cli.model, "go"]);
      expect([failed.code, failed.out]).toEqual([7, ""]);
      expect(failed.err).toContain("coder run --continue");
      const gone = await cli.run(["run", ...cli.model, "--continue"]);
      expect([gone.code, gone.out]).toEqual([0, "done\n"]);
      const [first, second] = cli.server.requests.map(({ body }) => JSON.stringify(body.messages));
      expect([cli.server.requests.length, second]).toEqual([2, first ?? ""]);
    },
    limit,
  );

  test(
    "[PS-6] does the same with --resume ID, with coder resume ID, with /continue and in a copy",
    async () => {
      for (const way of [
        ["run", "--resume"],
        ["resume"],
        ["run", "/continue", "--resume"],
        ["run", "--fork", "--resume"],
      ]) {
        using cli = new Cli([{ text: "done", times: 1, ...refused }]);
        const { session_id: id } = json((await cli.run(["run", ...cli.model, "--output", "json", "go"])).out);
        const gone = await cli.run([...way, String(id), ...cli.model]);
        expect([way, gone.code, gone.out]).toEqual([way, 0, "done\n"]);
      }
    },
    limit,
  );

  test(
    "[PS-6] [BR-4] with a budget that is spent says so, names the flag, and calls nobody",
    async () => {
      const usage = { input: 100, output: 10 };
      const look = { calls: [{ tool: "glob", input: { pattern: "*" } }], usage };
      using cli = new Cli([look, look, { text: "done", usage }]);
      expect((await cli.run(["run", ...cli.model, "--max-tokens", "150", "go"])).code).toBe(5);
      const same = await cli.run(["run", ...cli.model, "--max-tokens", "150", "--continue"]);
      expect([same.code, cli.server.requests.length]).toEqual([5, 2]);
      expect(same.err).toContain("--max-tokens");
      const higher = await cli.run(["run", ...cli.model, "--max-tokens", "1000", "--continue"]);
      expect([higher.code, higher.out]).toEqual([0, "done\n"]);
    },
    limit,
  );

  test(
    "[PS-6] after a task that is done shows its result once more and calls nobody",
    async () => {
      using cli = new Cli([{ text: "done" }]);
      await cli.run(["run", ...cli.model, "go"]);
      const again = await cli.run(["run", ...cli.model, "--continue"]);
      expect([again.code, again.out, cli.server.requests.length]).toEqual([0, "done\n", 1]);
    },
    limit,
  );
});

describe("a reply that was cut off", () => {
  const text = "The first half of what I wanted to say, and then the second half of it.";

  test(
    "[PS-6] by Ctrl+C is shown, marked, in text and JSON, in the export and in the trace",
    async () => {
      for (const form of ["text", "json"]) {
        using cli = new Cli([{ text, chunkChars: 10, stallAfter: 5 }]);
        const child = cli.start(["run", ...cli.model, "--output", form, "go"]);
        await until("a part of the reply is stored", () => partialsIn(cli).length > 0);
        child.kill("SIGINT");
        const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
        expect(await child.exited).toBe(130);
        const seen = text.slice(0, 40);
        if (form === "text")
          expect([out, err]).toEqual(["", expect.stringContaining(`[interrupted reply: cancelled]\n${seen}`)]);
        else
          expect(json(out)).toMatchObject({
            text: "",
            interrupted: { why: "cancelled", text: expect.stringContaining(seen) },
          });
        const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out);
        const exported = (await cli.run(["export", id, "--format", "md"])).out;
        expect(exported).toContain("interrupted reply: cancelled");
        expect(exported).toContain(seen);
        expect((await cli.run(["export", id, "--format", "html"])).out).toContain(seen);
        expect(json((await cli.run(["export", id, "--format", "json"])).out)).toMatchObject({
          messages: [
            { role: "user" },
            { role: "assistant", interrupted: "cancelled", text: expect.stringContaining(seen) },
          ],
        });
        expect((await cli.run(["trace", id])).out).toContain("interrupted reply");
      }
    },
    limit,
  );

  test(
    "[PS-4] [PS-6] by kill -9 is told when the session goes on, and the model sees it",
    async () => {
      using cli = new Cli([{ text, chunkChars: 10, stallAfter: 5, times: 1 }]);
      const child = cli.start(["run", ...cli.model, "go"]);
      await until("a part of the reply is stored", () => partialsIn(cli).length > 0);
      child.kill("SIGKILL");
      await child.exited;
      const again = cli.start(["run", ...cli.model, "--continue", "--output", "stream-json"]);
      const lines = new Lines(again.stdout);
      const { event } = (await lines.event("reply.cut")) as { event: { text: string; why: string } };
      expect([event.why, text.startsWith(event.text), event.text.length > 0]).toEqual(["killed", true, true]);
      await lines.drain();
      expect(lines.all.at(-1)).toMatchObject({ type: "result", text });
      const last = String(cli.server.requests.at(-1)?.body.messages.at(-1)?.content);
      expect(last).toContain(event.text);
    },
    limit,
  );

  test(
    "[PS-4] by two kills is told once for each, and never twice the same",
    async () => {
      using cli = new Cli([{ text, chunkChars: 10, stallAfter: 5, times: 3 }]);
      for (const more of [["go"], ["--continue"], ["--continue"]]) {
        const before = cli.server.requests.length;
        const child = cli.start(["run", ...cli.model, ...more]);
        await until(
          "a part of this reply is stored",
          () => partialsIn(cli).length > 0 && cli.server.requests.length > before,
        );
        child.kill("SIGKILL");
        await child.exited;
      }
      const done = await cli.run(["run", ...cli.model, "--continue", "--output", "stream-json"]);
      expect(done.code).toBe(0);
      const [{ id }] = JSON.parse((await cli.run(["sessions", "--json"])).out);
      const { events } = json((await cli.run(["export", id, "--format", "json"])).out) as {
        events: { event: { type: string } }[];
      };
      expect(events.filter(({ event }) => event.type === "reply.cut").length).toBe(1);
    },
    limit,
  );

  test(
    "[MD-4] [PS-6] by the provider is kept: given up where the call is repeated, shown where it is not",
    async () => {
      using cli = new Cli([{ text, chunkChars: 10, chunkDelayMs: 30, closeAfter: 5, times: 1 }]);
      const retried = await cli.run(["run", ...cli.model, "--output", "stream-json", "go"]);
      const events = retried.out
        .trim()
        .split("\n")
        .map((line) => json(line).event as { type?: string } | undefined);
      expect(events.find((event) => event?.type === "reply.cut")).toMatchObject({ why: "failed", isRepeated: true });
      expect(cli.server.requests.at(-1)?.body.messages.length).toBe(cli.server.requests[0]?.body.messages.length ?? 0);
      using broken = new Cli([{ text, chunkChars: 10, closeAfter: 5 }]);
      broken.file("once.json", '{"model_attempts":1}');
      const failed = await broken.run(["run", ...broken.model, "--config", join(broken.workspace, "once.json"), "go"]);
      expect(failed.code).toBe(7);
      expect(failed.err).toContain(`[interrupted reply: the provider failed]\n${text.slice(0, 40)}`);
    },
    limit,
  );
});

/** What is kept of a reply that is still coming, read past all of our own code. */
function partialsIn(cli: Cli): readonly unknown[] {
  try {
    const db = new Database(join(cli.home, "coder.db"), { readonly: true });
    try {
      return db.prepare("select text from partials").values();
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}

test(
  "[PS-3] --continue /new makes the next --continue take the new session, and a second /new makes no third one",
  async () => {
    using cli = new Cli([{ text: "one" }, { text: "two" }]);
    const go = async (...args: readonly string[]) =>
      json((await cli.run(["run", ...cli.model, "--output", "json", ...args])).out);
    const { session_id: first } = await go("the first thing");
    expect((await go("--continue", "/new")).ok).toBe(true);
    expect((await go("--continue", "/new")).ok).toBe(true);
    const { session_id: second } = await go("--continue", "the second thing");
    expect(second).not.toBe(first);
    expect(JSON.stringify(cli.server.requests.at(-1)?.body.messages)).not.toContain("the first thing");
    const { out } = await cli.run(["sessions", "--json"]);
    expect(out.match(/"id"/g)?.length).toBe(2);
    expect((await go("--resume", String(first), "/status")).ok).toBe(true);
  },
  limit,
);

test(
  "[PS-3] [PS-6] --continue finds a session whose first input was a command that runs a tool, and passes over coder tool",
  async () => {
    using cli = new Cli([{ text: "done" }]);
    commitAll(cli.workspace);
    const first = json((await cli.run(["run", ...cli.model, "--output", "json", "/diff"])).out);
    const id = String(first.session_id);
    expect((await cli.run(["run", ...cli.model, "--resume", id, "go"])).code).toBe(0);
    await cli.run(["tool", "list", "{}"]);
    const gone = await cli.run(["run", ...cli.model, "--continue", "--output", "json", "on"]);
    expect([gone.code, json(gone.out || "{}").session_id]).toEqual([0, id]);
  },
  limit,
);
