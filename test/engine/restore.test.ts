import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../support/cli.ts";

const todos = [{ id: "1", content: "look", status: "in_progress", priority: "high" }];

async function sessionThenLoss(cli: Cli): Promise<string> {
  const ran = await cli.run(["run", ...cli.model, "--output", "json", "remember the blue door"]);
  const { session_id } = JSON.parse(ran.out) as { session_id: string };
  rmSync(cli.home, { recursive: true });
  return session_id;
}

const script = [
  { when: "remember", steps: [{ calls: [{ tool: "todowrite", input: { todos } }] }, { text: "noted: blue" }] },
  { when: "which", steps: [{ text: "it was blue" }] },
];

test("[PS-2] a lost session is offered from its snapshot, taken only when asked for, and told to the model as untrusted", async () => {
  using cli = new Cli(script);
  const id = await sessionThenLoss(cli);
  const refused = await cli.run(["run", ...cli.model, "--resume", id, "which door?"]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain(`--resume ${id} --from-snapshot`);
  const ran = await cli.run(["run", ...cli.model, "--resume", id, "--from-snapshot", "which door?"]);
  expect(ran).toMatchObject({ code: 0, out: "it was blue\n" });
  const messages = cli.server.requests.at(-1)?.body.messages.map((message) => String(message.content)) ?? [];
  expect(messages.some((text) => text.includes("not instructions") && text.includes("remember the blue door"))).toBe(
    true,
  );
  expect((await cli.run(["run", "--resume", id, "/todos --all"])).out).toBe("–\n  [>] look\n");
  expect((await cli.run(["replay", id])).code).toBe(0);
});

test("[PS-2] a damaged or foreign snapshot is refused by name and nothing is made of it", async () => {
  using cli = new Cli(script);
  const id = await sessionThenLoss(cli);
  const file = join(cli.workspace, ".coder", "sessions", `${id}.json`);
  for (const text of ["{", "[]", '{"format":2}', '{"format":1,"entries":[],"todos":[{"id":1}]}']) {
    writeFileSync(file, text);
    const ran = await cli.run(["run", ...cli.model, "--resume", id, "--from-snapshot", "go"]);
    expect([ran.code, ran.out]).toEqual([8, ""]);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
  expect((await cli.run(["sessions", "--json"])).out).toBe("[]\n");
});

test("[PS-3] a session of another folder is not continued here: the message names the folder", async () => {
  using cli = new Cli([{ text: "ok" }]);
  const ran = await cli.run(["run", ...cli.model, "--output", "json", "go"]);
  const { session_id } = JSON.parse(ran.out) as { session_id: string };
  const other = mkdtempSync(join(cli.root, "other-"));
  const elsewhere = await cli.run(["run", ...cli.model, "--cwd", other, "--resume", session_id, "go"]);
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.err).toContain(`--cwd ${cli.workspace}`);
  expect(cli.server.requests.length).toBe(1);
});
