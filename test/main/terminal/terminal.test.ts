import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { idsIn, keep } from "../stored.ts";

/** A terminal with the program in it, or with a shell line in which `coder` is the program. */
class Seat implements AsyncDisposable {
  screen = "";
  readonly child: Bun.Subprocess;

  constructor(cli: Cli, args: readonly string[] | string) {
    const [program = ""] = builtBinary();
    const command =
      typeof args === "string" ? ["sh", "-c", `coder() { ${program} "$@"; }; ${args}`] : [program, ...args];
    this.child = Bun.spawn([...command], {
      cwd: cli.workspace,
      env: { PATH: process.env.PATH, HOME: cli.root, LANG: "C", TERM: "xterm-256color", CODER_HOME: cli.home },
      terminal: {
        cols: 100,
        rows: 30,
        data: (_, chunk) => {
          this.screen += new TextDecoder().decode(chunk);
        },
      },
    });
  }

  type(text: string): void {
    this.child.terminal?.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

function configure(cli: Cli, config: unknown): void {
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(join(cli.home, "config.json"), JSON.stringify(config));
}

const isDrawn = (screen: string): boolean => screen.includes("\u001b[");

describe("at a terminal", () => {
  test("[CLI-1] a prompt is begun at once, and the application stays", async () => {
    using cli = new Cli([{ text: "the answer" }]);
    await using seat = new Seat(cli, [...cli.model, "--mode", "plan", "say", "hello there"]);
    await until("the model is asked", () => cli.server.requests.length === 1);
    await until("the answer is there", () => seat.screen.includes("the answer"));
    const asked = cli.server.requests[0]?.body.messages.map((message) => String(message.content)) ?? [];
    expect(asked.some((text) => text.startsWith("say hello there"))).toBe(true);
    expect(seat.child.exitCode).toBeNull();
  }, 120_000);

  test("[CLI-1] [PS-3] coder resume ID goes on with that session, in the application", async () => {
    using cli = new Cli([[{ text: "first" }], [{ text: "second" }]]);
    const { session_id: id } = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "one"])).out) as {
      session_id: string;
    };
    await using seat = new Seat(cli, ["resume", id, ...cli.model, "and", "two"]);
    await until("the model is asked again", () => cli.server.requests.length === 2);
    const asked = cli.server.requests[1]?.body.messages.map((message) => String(message.content)) ?? [];
    expect([asked.some((text) => text.startsWith("one")), asked.at(-1)?.startsWith("and two")]).toEqual([true, true]);
    await until("it is drawn", () => isDrawn(seat.screen));
  }, 120_000);

  test("[CLI-1] coder resume ID for a program stays headless at a terminal too", async () => {
    using cli = new Cli([[{ text: "first" }]]);
    const { session_id: id } = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "one"])).out) as {
      session_id: string;
    };
    await using seat = new Seat(cli, ["resume", id, ...cli.model, "--output", "json"]);
    expect(await seat.child.exited).toBe(0);
    await until("the result is there", () => seat.screen.includes('"text":"first"'));
  }, 120_000);

  test("[CF-1] old sessions go when the application is left, as the configuration asks", async () => {
    using cli = new Cli();
    configure(cli, { model: "builtin/mechanic", sessions: { max_age_days: 1 } });
    keep(cli, { id: "old", age: 9 }, { id: "new" });
    await using seat = new Seat(cli, ["/quit"]);
    expect(await seat.child.exited).toBe(0);
    await until("it is told", () => seat.screen.includes("Old sessions removed: 1"));
    expect(idsIn(cli)).toEqual(["new"]);
  }, 120_000);

  const refused: readonly (readonly [args: readonly string[], says: string])[] = [
    [["sesions"], "did you mean coder sessions?"],
    [["--mode", "fast"], "--mode must be one of"],
    [["--cwd", "nowhere"], "is not a folder or does not exist"],
    [["--lang", "fr"], "--lang must be one of: en, zh"],
    [["--fork"], "need a session"],
    [["resume", "--fork"], "need a session"],
    [["--output", "json", "fix it"], "unknown flag --output"],
  ];
  test.each(refused)("[CLI-2] coder %j is refused in a line, and nothing is drawn", async (args, says) => {
    using cli = new Cli();
    configure(cli, { model: "builtin/mechanic" });
    await using seat = new Seat(cli, args);
    expect(await seat.child.exited).toBe(2);
    await until(`it says ${says}; it said ${seat.screen}`, () => seat.screen.includes(says));
    expect(isDrawn(seat.screen)).toBe(false);
  });

  test("[CF-2] a mistake in the configuration of the screen is named with its line, and nothing is drawn", async () => {
    using cli = new Cli();
    mkdirSync(cli.home);
    writeFileSync(join(cli.home, "config.json"), '{\n  "ui": {\n    "keys": { "send": "q" }\n  }\n}');
    await using seat = new Seat(cli, []);
    expect(await seat.child.exited).toBe(2);
    await until("it says so", () => seat.screen.includes("config.json:3: ui.keys.send must be a key such as ctrl+g"));
    expect(isDrawn(seat.screen)).toBe(false);
  });

  test("[CLI-2] what cannot be opened is told once the terminal is the person's again", async () => {
    using cli = new Cli();
    configure(cli, { model: "builtin/mechanic" });
    await using seat = new Seat(cli, "coder --continue; stty -a | tr ' ' '\\n' | grep -x -e icanon -e -icanon");
    await seat.child.exited;
    await until("the shell goes on", () => seat.screen.includes("icanon"));
    expect(seat.screen).toContain("this workspace has no session to continue");
    expect(seat.screen).not.toContain("-icanon");
  }, 120_000);
});

describe("without a terminal", () => {
  const lines: readonly (readonly [line: string, what: string])[] = [
    ["echo more | coder 'explain it'", "stdin"],
    ["coder 'explain it' </dev/null", "stdin"],
    ["coder 'explain it' | cat", "stdout"],
    ["coder --continue | cat", "stdout"],
    ["coder --resume x </dev/null", "stdin"],
    ["coder explain it </dev/null 2>&1 | cat", "stdin"],
  ];
  test.each(lines)("[CLI-1] %s is told to use coder run, and waits for nobody", async (line, what) => {
    using cli = new Cli();
    configure(cli, { model: "builtin/mechanic" });
    await using seat = new Seat(cli, line);
    await seat.child.exited;
    await until("it says so", () => seat.screen.includes(`${what} is not a terminal`));
    expect(seat.screen).toContain('coder run "');
    expect(isDrawn(seat.screen)).toBe(false);
  });

  test("[CLI-1] coder alone says what there is to do, on stdout, and asks nothing", async () => {
    using cli = new Cli();
    const ran = await cli.run([], { stdin: "text" });
    expect([ran.code, ran.err]).toEqual([0, ""]);
    for (const part of ["coder run", "open the terminal application", "No model is configured."])
      expect(ran.out).toContain(part);
    expect(await cli.run(["fix", "it"])).toMatchObject({ code: 2, out: "" });
  });
});
