import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Published } from "../../../src/engine/port.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const done = { text: "done" };
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });

const asks = (one: Published): boolean =>
  one.kind === "event" && one.state.run.phase === "awaiting_human" && one.recorded.event.type === "tool.decided";

/** Starts the task and answers what is asked first. */
async function answered(seat: Seat, text: string, answer: Parameters<Seat["engine"]["answer"]>[1]): Promise<void> {
  await seat.engine.runInput(text);
  await seat.until(asks);
  const open = seat.approval();
  expect(seat.engine.answer(open?.callId ?? "", answer)).toEqual({ ok: true, value: undefined });
  await seat.engine.idle();
}

describe("always", () => {
  test("[PO-6] stores the rule for this workspace, and the same beginning is not asked about again, in later sessions neither", async () => {
    const script = [
      [bash("npm test -- --one"), done],
      [bash("npm test -- --two"), done],
    ];
    await using bench = new Bench(script);
    const seat = bench.open({}, { interactive: true });
    await answered(seat, "first", { answer: "always", by: "person" });
    await seat.close();
    const later = bench.open({}, { interactive: false });
    await later.engine.resume(seat.engine.state().id);
    await later.run("second");
    const { decision, source } = later.last("tool.decided");
    expect([decision, source.slice(0, 6)]).toEqual(["allow", "always"]);
  });

  test("[PO-6] says beforehand what it would allow, and is not offered for what is risky in itself", async () => {
    const lines = ["npm test -- x", "python3 build.py --all", "rm -rf build", "echo $(make)", "make > log"];
    await using bench = new Bench([...lines.map((line) => [bash(line), done])]);
    const seat = bench.open({}, { interactive: true });
    const offered: (readonly string[] | null | undefined)[] = [];
    for (const line of lines) {
      await seat.engine.runInput(line);
      await seat.until((one) => asks(one) && seat.approval()?.input !== undefined && seat.approval()?.shown === line);
      const open = seat.approval();
      offered.push(open?.always);
      if (open && open.always === null)
        expect(seat.engine.answer(open.callId, { answer: "always", by: "person" })).toMatchObject({ ok: false });
      seat.engine.answer(open?.callId ?? "", { answer: "no", by: "person" });
      await seat.engine.idle();
    }
    expect(offered).toEqual([["bash(npm test …)"], ["bash(python3 build.py --all)"], null, null, null]);
  });

  test("[PO-6] is never what the network, or the way out of the sandbox, is given for", async () => {
    await using bench = new Bench([[bash("make all", { network: true }), done]]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until(asks);
    expect(seat.approval()).toMatchObject({ always: null, shown: "make all\nnetwork: true" });
    seat.engine.cancel("esc");
    await seat.engine.idle();
  });
});

test("[PO-6] [SA-hidden-text] the prompt shows all of what will run, with hidden characters spelled out", async () => {
  const command = `echo ok\u202e\u200b${" ".repeat(200)}; touch x`;
  await using bench = new Bench([[bash(command), done]]);
  const seat = bench.open({}, { interactive: true });
  await seat.engine.runInput("go");
  await seat.until(asks);
  expect(seat.approval()?.shown).toBe("echo ok\\u{202e}\\u{200b} [200 blanks] ; touch x");
  seat.engine.cancel("esc");
  await seat.engine.idle();
});

describe("the sandbox", () => {
  test("[PO-8] a command that the person allowed runs confined: it writes the workspace and nothing else", async () => {
    const outside = "/var/tmp/coder-outside-of-everything";
    await using bench = new Bench([[bash(`echo in > in.txt; echo out > ${outside}`), done]]);
    const seat = bench.open({}, { interactive: true });
    await answered(seat, "go", { answer: "yes", by: "person" });
    const { result } = seat.last("tool.settled");
    expect(result.output).toContain("no_sandbox: true");
    expect([existsSync(outside), result.status, result.error?.code]).toEqual([false, "failed", "E_POLICY_DENIED"]);
    expect(readFileSync(join(bench.workspace, "in.txt"), "utf8")).toBe("in\n");
  });

  test("[PO-8] the same outside is a call of its own, and its prompt says that the first run may have had effects", async () => {
    await using bench = new Bench([[bash("touch x", { no_sandbox: true }), done]]);
    const seat = bench.open({ mode: "auto-edit" }, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until(asks);
    const reasons = seat.approval()?.reasons.map(({ key }) => key);
    expect(reasons).toContain("policy.sandbox.free");
    seat.engine.cancel("esc");
    await seat.engine.idle();
  });

  test("[PO-4] [SA-git-config] what was proved to only read can write nothing, and git starts no helper", async () => {
    await using bench = new Bench([[bash("git status --short; ls"), done]]);
    Bun.spawnSync(["git", "init", "-q"], { cwd: bench.workspace });
    writeFileSync(join(bench.workspace, "new.txt"), "x");
    const seat = bench.open();
    await seat.run("go");
    expect(seat.last("tool.decided").run).toEqual({
      ...{ confined: true, readOnly: true, network: false },
      ...{ cpuSeconds: 60, narrow: true },
    });
    expect(seat.last("tool.settled").result.output).toBe("exit code 0\n?? new.txt\nnew.txt");
  });

  test("[PO-4] [SA-shadowed-program] what was proved to only read is started with a PATH that leads around the workspace", async () => {
    await using bench = new Bench([[bash("ls; env ls"), done]]);
    bench.file("ls", "#!/bin/sh\necho fake\n");
    chmodSync(join(bench.workspace, "ls"), 0o755);
    const path = process.env.PATH;
    process.env.PATH = `${bench.workspace}:.::${path}`;
    try {
      const seat = bench.open();
      await seat.run("go");
      expect(seat.last("tool.settled").result.output).toBe("exit code 0\nls\nls");
    } finally {
      process.env.PATH = path;
    }
  });

  test("[PO-4] [SA-git-config] a repository whose config starts programs is not looked at without asking", async () => {
    await using bench = new Bench([[bash("git status"), done]]);
    Bun.spawnSync(["git", "init", "-q"], { cwd: bench.workspace });
    Bun.spawnSync(["git", "config", "core.fsmonitor", "touch pwned"], { cwd: bench.workspace });
    const seat = bench.open();
    await seat.run("go");
    expect([seat.last("tool.decided").decision, existsSync(join(bench.workspace, "pwned"))]).toEqual(["deny", false]);
  });

  test("[PO-4] [SA-glob-option] a file that is called like an option is not handed to a program by a wildcard", async () => {
    await using bench = new Bench([
      [bash("wc -l *"), done],
      [bash("wc -l *"), done],
    ]);
    bench.file("a.txt", "1\n");
    const seat = bench.open();
    await seat.run("go");
    bench.file("--files0-from=a.txt", "");
    await seat.run("again");
    expect(seat.all("tool.decided").map(({ decision }) => decision)).toEqual(["allow", "deny"]);
  });

  const readers = ["grep -r word .", "grep -rn word . | sort", "find . -type f -exec cat {} +"];

  test("[PO-7] [SA-secrets] who reads a whole folder sees no secret in it, in folders of packages neither, and is not asked about", async () => {
    await using bench = new Bench(readers.map((line) => [bash(line), done]));
    bench.file("a.txt", "a word\n");
    bench.file(".npmrc", "# word\nsave-exact=true\n");
    for (const folder of ["deep", "node_modules/x", ".terraform"]) {
      mkdirSync(join(bench.workspace, folder), { recursive: true });
      bench.file(`${folder}/.env`, "A=heron word\n");
    }
    const seat = bench.open();
    for (const line of readers) {
      await seat.run(line);
      // Made after the first look.
      const late = `late${seat.all("tool.decided").length}`;
      mkdirSync(join(bench.workspace, late));
      bench.file(`${late}/.env`, "A=heron word\n");
    }
    const outputs = seat.all("tool.settled").map(({ result }) => result.output);
    expect(seat.all("tool.decided").map(({ decision }) => decision)).toEqual(readers.map(() => "allow"));
    for (const output of outputs) expect(output).toContain("a word");
    for (const output of outputs) expect(output).toContain("# word");
    for (const output of outputs) expect(output).not.toContain("heron");
  });

  test("[PO-7] [SA-secrets] without a sandbox, who reads a whole folder reads the secrets in it: that is asked about", async () => {
    await using bench = new Bench(["grep -r word .", ...readers].map((line) => [bash(line), done]));
    bench.file("a.txt", "a word\n");
    const seat = bench.open({ noSandbox: true });
    await seat.run("go");
    mkdirSync(join(bench.workspace, "deep"));
    bench.file("deep/.env", "x=1\n");
    for (const line of readers) await seat.run(line);
    expect(seat.all("tool.decided").map(({ decision }) => decision)).toEqual(["allow", "deny", "deny", "deny"]);
  });

  test("[PO-8] yolo runs outside the sandbox, unless --sandbox is given", async () => {
    const form = async (flags: object) => {
      await using bench = new Bench([[bash("true"), done]]);
      const seat = bench.open({ mode: "yolo", ...flags });
      await seat.run("go");
      return seat.last("tool.decided").run?.confined;
    };
    expect([await form({}), await form({ sandbox: true })]).toEqual([false, true]);
  });
});

test("[TP-6] [SA-secrets] a secret of the environment is neither in a command's output nor in what is shown while it runs", async () => {
  const value = ["pass", "phrase", "of", "the", "house", "42"].join("-");
  process.env.HOUSE_PASSWORD = value;
  try {
    await using bench = new Bench([[bash("printenv HOUSE_PASSWORD; echo $HOUSE_PASSWORD; cat kept.txt"), done]]);
    bench.file("kept.txt", `${value}\n`);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(JSON.stringify(seat.published)).not.toContain(value);
    expect(JSON.stringify(bench.server.requests)).not.toContain(value);
  } finally {
    delete process.env.HOUSE_PASSWORD;
  }
});

test("[PO-1] a path that begins with ~ is judged as the tools take it: a plain name, through whatever link that is", async () => {
  const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "x" } }] });
  await using bench = new Bench([write("~/a.txt"), write("~out/b.txt"), done]);
  symlinkSync(join(bench.workspace, ".."), join(bench.workspace, "~out"));
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("go");
  expect(seat.all("tool.decided").map(({ decision }) => decision)).toEqual(["allow", "deny"]);
  expect(existsSync(join(bench.workspace, "~/a.txt"))).toBe(true);
});
