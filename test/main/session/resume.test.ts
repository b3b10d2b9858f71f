import { describe, expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";

describe("resume", () => {
  test("[CLI-3] [PS-3] bare it lists what /sessions lists, and switches to nothing", async () => {
    using cli = new Cli([{ text: "first" }]);
    await cli.run(["run", ...cli.model, "one"]);
    expect(await cli.run(["resume"])).toEqual(await cli.run(["sessions"]));
    expect(await cli.run(["resume", "--json"])).toEqual(await cli.run(["sessions", "--json"]));
    expect(cli.server.requests.length).toBe(1);
  });

  test("[CLI-3] with an id, or the beginning of one, it goes on with a prompt, and without one shows the last result again", async () => {
    using cli = new Cli([[{ text: "first" }], [{ text: "second" }]]);
    const { session_id: id } = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "one"])).out) as {
      session_id: string;
    };
    expect((await cli.run(["resume", id.slice(0, 9), ...cli.model])).out).toBe("first\n");
    expect((await cli.run(["resume", id, ...cli.model, "and", "two"])).out).toBe("second\n");
    const last = cli.server.requests.at(-1)?.body.messages.map((message) => String(message.content)) ?? [];
    expect(last.some((text) => text.startsWith("one"))).toBe(true);
    expect(last.at(-1)).toStartWith("and two");
    expect(JSON.parse((await cli.run(["resume", id, ...cli.model, "--json"])).out)).toMatchObject({ text: "second" });
  });

  test("[PS-3] a missing id changes nothing and names what there is", async () => {
    using cli = new Cli([{ text: "first" }]);
    await cli.run(["run", ...cli.model, "one"]);
    const ran = await cli.run(["resume", "nope", ...cli.model, "two"]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("No session nope")]);
    expect(cli.server.requests.length).toBe(1);
  });
});
