// What keeps the program from starting at all is told in words of ours.
import { describe, expect, test } from "bun:test";
import { Cli } from "../support/cli.ts";

const limit = 120_000;

/** In a shell that does something first. */
async function after(cli: Cli, first: string, args: readonly string[]) {
  const { command, env } = cli.line(args);
  const child = Bun.spawn(["sh", "-c", `${first}; exec "$@"`, "sh", ...command], {
    ...{ cwd: cli.workspace, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

describe.skipIf(process.platform !== "linux")("a program that cannot start", () => {
  for (const args of [["sessions"], ["run", "go"], [], ["doctor"], ["config", "get"], ["--help"]]) {
    test(
      `[ER-2] in a folder that was deleted says so and what to do: coder ${args.join(" ")}`,
      async () => {
        using cli = new Cli();
        const { code, out, err } = await after(cli, 'rmdir "$PWD"', args);
        expect({ code, out, err }).toEqual({
          code: 2,
          out: "",
          err: "coder: the folder coder was started in has been deleted or moved\nChange to an existing folder (cd) and run it again, or name one: --cwd /path/to/folder.\n",
        });
      },
      limit,
    );
  }

  test(
    "[ER-2] in a folder that was deleted it works in another that is named",
    async () => {
      using cli = new Cli([{ text: "done" }]);
      const there = ["run", ...cli.model, "--cwd", cli.root, "go"];
      expect(await after(cli, 'rmdir "$PWD"', there)).toEqual({ code: 0, out: "done\n", err: "" });
    },
    limit,
  );

  test(
    "[ER-2] with 300 MB of addresses says that it is too little, and that nothing is lost",
    async () => {
      using cli = new Cli();
      const { code, err } = await after(cli, "ulimit -v 300000", ["sessions"]);
      expect(code).not.toBe(0);
      expect(err).toContain("too little memory");
      expect(err).toContain("coder --continue");
      expect(err).not.toContain("This indicates a bug in Bun");
    },
    limit,
  );

  test(
    "[ER-2] with 550 MB of addresses it works",
    async () => {
      using cli = new Cli([{ text: "done" }]);
      expect(await after(cli, "ulimit -v 550000", ["run", ...cli.model, "go"])).toEqual({
        code: 0,
        out: "done\n",
        err: "",
      });
    },
    limit,
  );
});
