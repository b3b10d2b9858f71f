import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cli, Lines } from "../../support/cli.ts";

const write = (path: string, content = "new\n") => ({ calls: [{ tool: "write", input: { path, content } }] });
const edit = ["--mode", "auto-edit"];

describe("coder undo", () => {
  test("[RB-1] [CLI-3] takes back the newest session's last task, brings it again, and takes several back", async () => {
    using cli = new Cli([
      [write("a.txt"), { text: "one" }],
      [write("b.txt"), { text: "two" }],
    ]);
    const has = () => ["a.txt", "b.txt"].map((name) => existsSync(join(cli.workspace, name)));
    await cli.run(["run", ...cli.model, ...edit, "first"]);
    await cli.run(["run", ...cli.model, ...edit, "--continue", "second"]);
    expect(has()).toEqual([true, true]);
    expect(await cli.run(["undo"])).toMatchObject({ code: 0 });
    expect(has()).toEqual([true, false]);
    expect(await cli.run(["undo", "--redo"])).toMatchObject({ code: 0 });
    expect(has()).toEqual([true, true]);
    const ran = await cli.run(["undo", "-n", "2", "--json"]);
    expect([ran.code, has()]).toEqual([0, [false, false]]);
    expect(JSON.parse(ran.out)).toMatchObject({ status: "done", ok: true });
    expect(await cli.run(["undo"])).toMatchObject({ code: 2, out: "" });
  });

  test("[RB-2] [SU-4] tells the person in their language what it did, and the model in English", async () => {
    using cli = new Cli([
      [write("a.txt"), { text: "one" }],
      [write("b.txt"), { text: "two" }],
    ]);
    await cli.run(["run", ...cli.model, ...edit, "first"]);
    const zh = await cli.run(["run", "--continue", "--lang", "zh", "/undo"]);
    expect([zh.code, zh.out.trimEnd()]).toEqual([0, '已撤销 "first"\n已删除：a.txt']);
    await cli.run(["run", ...cli.model, ...edit, "--continue", "second"]);
    expect(JSON.stringify(cli.server.requests.at(-1)?.body.messages)).toContain("removed: a.txt");
  });

  test("[RB-1] a file that somebody has changed since keeps their words", async () => {
    using cli = new Cli([write("a.txt"), { text: "done" }]);
    await cli.run(["run", ...cli.model, ...edit, "go"]);
    cli.file("a.txt", "mine\n");
    const ran = await cli.run(["undo"]);
    expect(ran.code).not.toBe(0);
    expect(readFileSync(join(cli.workspace, "a.txt"), "utf8")).toBe("mine\n");
  });

  test("[CLI-3] [SU-2] what makes no sense is refused before anything is opened", async () => {
    using cli = new Cli([]);
    for (const args of [
      ["--all", "--redo"],
      ["-n", "x"],
      ["-n", "1", "--all"],
      ["a", "b"],
    ])
      expect([args, (await cli.run(["undo", ...args])).code]).toEqual([args, 2]);
    expect(existsSync(cli.home)).toBe(false);
    expect(await cli.run(["undo"])).toMatchObject({ code: 2, out: "" });
    expect(await cli.run(["undo", "nosuch"])).toMatchObject({ code: 2, out: "" });
  });

  test("[RB-1] [PS-4] what a killed run had left open is given up, not gone on with", async () => {
    using cli = new Cli([write("a.txt"), { text: "late", delayMs: 60_000 }]);
    const child = cli.start(["run", ...cli.model, ...edit, "--output", "stream-json", "go"]);
    await new Lines(child.stdout).event("tool.settled");
    child.kill("SIGKILL");
    await child.exited;
    const asked = cli.server.requests.length;
    expect(await cli.run(["undo"])).toMatchObject({ code: 0 });
    expect(existsSync(join(cli.workspace, "a.txt"))).toBe(false);
    expect(cli.server.requests.length).toBeLessThanOrEqual(asked + 1);
  });
});
