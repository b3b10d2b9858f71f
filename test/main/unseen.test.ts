import { expect, test } from "bun:test";
import { Cli } from "../support/cli.ts";
import { commitAll, git } from "../support/repository.ts";

const limit = 120_000;
const write = { calls: [{ tool: "write", input: { path: "b.ts", content: "two\n" } }] };
const long = { calls: [{ tool: "bash", input: { command: "seq 1 60000" } }] };

/** A committed file, in a repository that says nothing about what is to be ignored. */
function cliIn(script: ConstructorParameters<typeof Cli>[0]): Cli {
  const cli = new Cli(script);
  cli.file("a.ts", "one\n");
  commitAll(cli.workspace);
  return cli;
}

const seen = (cli: Cli): string => git(cli.workspace, "status", "--porcelain", "-uall").trimEnd();

test(
  "[PS-2] [SL-2] [RB-4] in a repository without a .gitignore nothing but the work is seen by git, /diff, /commit and undo",
  async () => {
    using cli = cliIn([write, long, { text: "done" }]);
    const auto = ["run", ...cli.model, "--mode", "auto-edit"];
    expect(JSON.parse((await cli.run(["run", "--output", "json", "/diff"])).out)).toMatchObject({
      command: { data: { files: [], untracked: [] } },
    });
    expect(seen(cli)).toBe("");
    await cli.run([...auto, "go"]);
    await cli.run([...auto, "--continue", "/export"]);
    await cli.run([...auto, "--continue", "/model openai-chat/other"]);
    expect(seen(cli)).toBe("?? b.ts");
    const diff = await cli.run(["run", "/diff"]);
    expect(diff.out.trimEnd().endsWith("Untracked:\n  b.ts")).toBe(true);
    const undone = await cli.run(["run", ...cli.model, "--mode", "yolo", "--continue", "/undo --all"]);
    expect([undone.code, seen(cli)]).toEqual([0, ""]);
    await cli.run([...auto, "go"]);
    git(cli.workspace, "config", "user.name", "a");
    git(cli.workspace, "config", "user.email", "a@b.invalid");
    await cli.run([...auto, "--continue", "/commit"]);
    expect(git(cli.workspace, "show", "--name-only", "--format=", "HEAD").trim()).toBe("b.ts");
    expect(seen(cli)).toBe("");
  },
  limit,
);

test(
  "[SL-3] where nothing but coder itself has written there is nothing to review",
  async () => {
    using cli = cliIn([{ text: "done" }]);
    await cli.run(["run", ...cli.model, "go"]);
    const ran = await cli.run(["run", ...cli.model, "--continue", "/review"]);
    expect([ran.code, cli.server.requests.length]).toEqual([0, 1]);
  },
  limit,
);
