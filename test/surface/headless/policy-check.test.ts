import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/store/open.ts";
import { fromSource } from "../../support/binary.ts";
import { Lines } from "../../support/cli.ts";

let root = "";
let workspace = "";
let home = "";
let traps = "";

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "coder-policy-")));
  workspace = join(root, "ws");
  home = join(root, "home");
  traps = join(root, "bin");
  for (const folder of [workspace, traps]) mkdirSync(folder);
  writeFileSync(join(workspace, "a.txt"), "a");
  writeFileSync(join(workspace, ".env"), "A=b");
  // Whatever is started leaves a mark. What looks for a sandbox finds one, and must not try it.
  for (const name of ["ls", "git", "bash", "sh", "cat", "bwrap", "sandbox-exec", "npm"]) {
    writeFileSync(join(traps, name), `#!/bin/sh\necho ${name} >> ${join(root, "started")}\n`);
    chmodSync(join(traps, name), 0o755);
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function start(args: readonly string[], stdin: "pipe" | "ignore") {
  const env = { ...process.env, PATH: traps, HOME: root, CODER_HOME: home, LANG: "C" };
  return Bun.spawn([...fromSource, "policy", "check", ...args], {
    cwd: workspace,
    env,
    stdin,
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function check(args: readonly string[], stdin?: string) {
  const child = start(args, stdin === undefined ? "ignore" : "pipe");
  if (stdin !== undefined && child.stdin) {
    child.stdin.write(stdin);
    await child.stdin.end();
  }
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

async function verdictOf(command: string, ...args: readonly string[]) {
  const { out } = await check(["--json", ...args, command]);
  return JSON.parse(out) as { decision: string; reasons: string[]; commands: string[] };
}

describe("coder policy check", () => {
  test("[CLI-4] says the decision, the reasons and the commands of one line, and ends with 0 whatever they are", async () => {
    expect(await check(["ls -la a.txt"])).toEqual({
      code: 0,
      out: "allow\n  runs a read-only command (mode default)\ncommands:\n  ls -la a.txt\n",
      err: "",
    });
    const { code, out } = await check(["ls | sudo rm x"]);
    expect(code).toBe(0);
    expect(out).toStartWith("ask\n  runs a command that may have effects (mode default)\n");
    expect(out).toEndWith("commands:\n  ls\n  sudo rm x\n  rm x\n");
  });

  test("[CLI-4] --json gives the same as one object", async () => {
    const { code, out } = await check(["--json", "ls -la a.txt"]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        command: "ls -la a.txt",
        decision: "allow",
        reasons: ["runs a read-only command (mode default)"],
        commands: ["ls -la a.txt"],
      },
    ]);
  });

  test("[CLI-4] mode and rules count, those of flags, of the config and those stored by always", async () => {
    expect((await verdictOf("npm test")).decision).toBe("ask");
    expect((await verdictOf("npm test", "--mode", "yolo")).decision).toBe("allow");
    expect((await verdictOf("npm test", "--mode", "plan")).decision).toBe("deny");
    expect(await verdictOf("npm test", "--allow", "bash(npm test)")).toMatchObject({
      decision: "allow",
      reasons: ["allowed by the rule bash(npm test) (--allow)"],
    });
    const denied = await verdictOf(
      "env x=1 git -C . push",
      "--deny",
      "bash(git push *)",
      "--allow",
      "bash",
      "--mode",
      "yolo",
    );
    expect(denied.decision).toBe("deny");
    expect(denied.reasons[0]).toBe("git -C . push: denied by the rule bash(git push *) (--deny)");
    expect((await verdictOf("cat .env")).decision).toBe("ask");
    expect((await verdictOf("cat .env", "--allow", "read(.env)")).decision).toBe("allow");
    const store = openStore(home);
    const command = { argv: ["make", "all"], isExact: true };
    store.addRules(workspace, [{ decision: "allow", tool: "bash", command, source: "always", by: "person" }]);
    store.close();
    expect((await verdictOf("make all")).decision).toBe("allow");
    expect((await verdictOf("make all", "--cwd", root)).decision).toBe("ask");
  });

  test("[CLI-4] [PO-5] what always asks is lifted by the exact command only", async () => {
    expect((await verdictOf("rm x", "--allow", "bash(rm *)")).decision).toBe("ask");
    expect((await verdictOf("rm x", "--allow", "bash(rm x)")).decision).toBe("allow");
    expect((await verdictOf("cd / && rm x", "--allow", "bash(rm x)", "--allow", "bash")).decision).toBe("ask");
  });

  test("[PO-7] [SA-links] what a command opens beside the paths it names is looked up too", async () => {
    for (const folder of ["deep/deeper/dir", "one", "two"]) mkdirSync(join(workspace, folder), { recursive: true });
    symlinkSync("deep/deeper/dir", join(workspace, "link"));
    symlinkSync(join(root, "out.gz"), join(workspace, "notes.gz"));
    symlinkSync(join(root, "out"), join(workspace, "one/x"));
    const asked = [
      // Every link in the folders would be followed.
      "diff one two",
      "diff -N . one",
      "gzip -dc notes",
      // The shell goes back by the name of the link, `cat` would by the folder.
      "cd link && cd .. && cat ../x/y",
      "cd link/.. && cat ../x/y",
      // Another folder for every process.
      "cat /proc/self/cwd/a.txt",
      "cd one && cat /proc/thread-self/cwd/x",
    ];
    // The secret lies in the second folder, or where none is given. In the sandbox it is hidden.
    const deep = [
      "find one . -type f -exec cat {} +",
      "find one . -type f -print0 | xargs -0 cat",
      "grep '-r' x",
      "grep -r -f a.txt",
      "rg -f a.txt",
    ];
    const fine = [
      "diff a.txt a.txt",
      "gzip -dc other",
      "cd one && cd .. && cat a.txt",
      "find one two -type f -exec cat {} +",
    ];
    const decided = async (lines: readonly string[], wanted: string, ...flags: readonly string[]) => {
      const given = lines.map((command) => JSON.stringify({ command })).join("\n");
      const { out } = await check(["--jsonl", ...flags], given);
      const verdicts = out.trim().split("\n");
      const all = verdicts.map((line) => JSON.parse(line) as { command: string; decision: string });
      return all.filter(({ decision }) => decision === wanted).map(({ command }) => command);
    };
    expect(await decided([...asked, ...deep, ...fine], "ask")).toEqual(asked);
    expect(await decided([...asked, ...deep, ...fine], "allow")).toEqual([...deep, ...fine]);
    expect(await decided([...deep, ...fine], "ask", "--no-sandbox")).toEqual(deep);
  });

  test("[PO-3] [SA-deny-first-word] a path that a rule forbids is forbidden to commands of which nothing is known, in yolo too", async () => {
    mkdirSync(join(workspace, "kept"), { recursive: true });
    symlinkSync("kept", join(workspace, "alias"));
    const decisions = async (rule: string, commands: readonly string[]) => {
      const lines = commands.map((command) => JSON.stringify({ command })).join("\n");
      const { out } = await check(["--jsonl", "--mode", "yolo", "--deny", rule], lines);
      return out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { decision: string }).decision);
    };
    const reading = [
      "tail -f kept/x",
      "cp kept/x y",
      "cp -r . y",
      "cp ke*/x y",
      "dd if=kept/x",
      "vi --x=alias/x",
      "cp x y",
    ];
    expect(await decisions("read(kept/**)", reading)).toEqual([...reading.slice(1).map(() => "deny"), "allow"]);
    const writing = [
      "rm kept/x",
      "rm -r .",
      "mv alias y",
      "cd kept && touch x",
      "env cp x kept/",
      "npm test kept/x",
      "cat kept/x",
    ];
    const wanted = ["deny", "deny", "deny", "deny", "deny", "allow", "allow"];
    expect(await decisions("write(kept/**)", writing)).toEqual(wanted);
  });

  test("[CLI-4] executes nothing and starts nothing", async () => {
    const lines = [
      "ls",
      "git status",
      "touch made",
      "bash -c 'touch made'",
      "$(touch made)",
      "cat a.txt > made",
      "npm test",
    ];
    const before = readdirSync(workspace);
    const { code } = await check(
      ["--jsonl", "--mode", "yolo"],
      lines.map((command) => JSON.stringify({ command })).join("\n"),
    );
    expect([code, readdirSync(workspace), existsSync(join(root, "started"))]).toEqual([0, before, false]);
  });

  test("[CLI-4] [ER-2] a missing or second command line, a broken rule and an unknown command are usage errors", async () => {
    for (const [args, said] of [
      [[], /takes one command line, in quotes/],
      [["--jsonl", "ls"], /with --jsonl it takes none/],
      [["ls", "-la"], /unknown flag -l/],
      [["ls", "x"], /unexpected argument: x/],
      [["--allow", "npm test", "ls"], /--allow "npm test" is not a rule/],
      [["--deny", "bash(a;b)", "ls"], /--deny "bash\(a;b\)": a rule takes plain words only/],
    ] as const) {
      const ran = await check(args);
      expect([args, ran.code, ran.out]).toEqual([args, 2, ""]);
      expect(ran.err).toMatch(said);
    }
  });

  test("[CLI-4] [SU-4] speaks Chinese", async () => {
    const { out } = await check(["--lang", "zh", "rm x"]);
    expect(out).toContain("命令：\n  rm x");
  });

  test("[CLI-4] [SA-hidden-text] what a terminal would obey is spelled out", async () => {
    const { out } = await check(["echo \u001b[2J\u202e"]);
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });
});

describe("coder policy check --jsonl", () => {
  test("[CLI-4] one object per line, in order, with exactly these keys", async () => {
    const commands = ["ls", "rm x", "", "cat a.txt | wc -l", "if", "echo 'a\nb'"];
    const { code, out, err } = await check(
      ["--jsonl"],
      `${commands.map((command) => JSON.stringify({ command, id: 7 })).join("\n")}\n`,
    );
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect([code, err]).toEqual([0, ""]);
    expect(answers.map(({ command }) => command)).toEqual(commands);
    for (const answer of answers) expect(Object.keys(answer)).toEqual(["command", "decision", "reasons", "commands"]);
    expect(answers.map(({ decision }) => decision).slice(0, 2)).toEqual(["allow", "ask"]);
    expect(answers[3]).toMatchObject({ decision: "allow", commands: ["cat a.txt", "wc -l"] });
    expect(answers[4]).toMatchObject({ decision: "ask" });
  });

  test("[CLI-4] a line that is no command is answered by an error of its own; the rest is judged; the end is exit code 2", async () => {
    const wrong = ["x", "5", "null", "[]", "{}", '{"command":5}', '{"command":null}', '"ls"', '{"command":"ls"'];
    const lines = ['{"command":"ls"}', "", ...wrong, '{"command":"pwd"}'];
    const { code, out, err } = await check(["--jsonl"], lines.join("\r\n"));
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(2);
    expect(answers.map((one) => one.error ?? one.decision)).toEqual([
      "allow",
      ...wrong.map((_, at) => `line ${at + 3} of stdin is not {"command": "…"}`),
      "allow",
    ]);
    expect(err).toContain("They are marked with error");
  });

  test("[CLI-4] a slow reader gets every answer, those before a line that is no command too", async () => {
    const line = JSON.stringify({ command: `echo ${"a".repeat(50_000)}` });
    writeFileSync(join(root, "lines"), `${`${line}\n`.repeat(10)}garbage\n`);
    // The reader begins when all has been said.
    const script = `"$@" policy check --jsonl < ../lines 2> ../said | { until [ -s ../said ] || [ ! -d "$PWD" ]; do sleep 0.02; done; cat; }`;
    const env = { ...process.env, HOME: root, CODER_HOME: home, LANG: "C" };
    const child = Bun.spawn(["bash", "-c", `set -o pipefail; ${script}`, "_", ...fromSource], { cwd: workspace, env });
    const out = await new Response(child.stdout).text();
    expect([await child.exited, out.split("\n").length, out.endsWith("}\n")]).toEqual([2, 12, true]);
  });

  test("[CLI-4] an answer comes before the next line is there, however letters are cut", async () => {
    const child = start(["--jsonl"], "pipe");
    const lines = new Lines(child.stdout);
    const bytes = new TextEncoder().encode(`${JSON.stringify({ command: "echo 中" })}\n`);
    for (const byte of bytes) {
      child.stdin?.write(new Uint8Array([byte]));
      await child.stdin?.flush();
    }
    expect(await lines.until(() => true)).toMatchObject({ command: "echo 中", decision: "allow" });
    await child.stdin?.end();
    expect(await child.exited).toBe(0);
  });

  test("[CLI-4] ends when nobody reads any more", async () => {
    const child = start(["--jsonl"], "pipe");
    await child.stdout.cancel();
    const line = `${JSON.stringify({ command: "ls -la a.txt" })}\n`.repeat(2_000);
    child.stdin?.write(line);
    await child.stdin?.flush();
    await child.stdin?.end();
    expect(await child.exited).toBe(0);
  });
});

describe("[CLI-4] --explain", () => {
  const explained = async (...args: readonly string[]): Promise<string> => {
    const child = start(["--explain", ...args], "ignore");
    const out = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    return out;
  };

  test("shows every part with its own verdict, and the reasons where they begin", async () => {
    const out = await explained('ls | wc -l && echo "$(rm -r b)" > out; sudo bash -c "ls; git push"');
    expect(out.slice(out.indexOf("parts, "))).toBe(`parts, each judged on its own:
  ask   list  ls | wc -l && echo "$(rm -r b)" > out
    allow pipe  ls | wc -l
      allow command  ls
      allow command  wc -l
    ask   command  echo "$(rm -r b)" > out
      ask   substitution  $(rm -r b)
        ask   command  rm -r b
              · runs a command that may have effects (mode default)
              · rm can destroy data or stop something: rm -r b
      ask   redirection  > out
            · runs a command that may have effects (mode default)
            · > out writes a file
  ask   command  sudo bash -c "ls; git push"
    ask   command  bash -c "ls; git push"
      allow command  ls
      ask   command  git push
            · runs a command that may have effects (mode default)
            · git may change things: push
`);
  });

  test("is the same as data, in the mode that is asked for", async () => {
    const { decision, parts } = JSON.parse(await explained("--json", "--mode", "plan", "ls | tee a")) as {
      decision: string;
      parts: { kind: string; parts: { command: string; decision: string }[] }[];
    };
    const inner = parts[0]?.parts.map((one) => [one.command, one.decision]);
    expect([decision, parts[0]?.kind, inner]).toEqual([
      "deny",
      "pipe",
      [
        ["ls", "allow"],
        ["tee a", "deny"],
      ],
    ]);
  });

  test("comes to an end on whatever it is given", async () => {
    const nested = (n: number): string => `${"$(".repeat(n)}ls${")".repeat(n)}`;
    const deep = nested(300);
    for (const line of [
      "echo $(( 1",
      "'",
      "",
      deep,
      nested(20_000),
      "ls;".repeat(3_000),
      "for x in",
      `sudo ${"env ".repeat(200)}ls`,
    ])
      expect((await explained(line)).length).toBeLessThan(5_000_000);
  });
});
