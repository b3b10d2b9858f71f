// Files that other programs obey: asked about for file tools, put back after commands, checks and jobs, and named.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { protectedNames } from "../../src/contract/path/protected.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";
import { untilFile } from "../support/shell.ts";

const done = { text: "done" };
const call = (tool: string, input: unknown): Step => ({ calls: [{ tool, input }] });
const bash = (command: string, more: object = {}): Step => call("bash", { command, ...more });
/** A redirection that names such a file would be asked about: here it is the code that does it. */
const script = (text: string): Step => bash(`node -e ${JSON.stringify(text)}`);
const plant = (path: string): string =>
  `require('fs').mkdirSync(require('path').dirname('${path}'),{recursive:true});require('fs').writeFileSync('${path}','evil');`;
const git = "git -c user.email=a@b -c user.name=a";
/** Every command may run: what it leaves behind is another question. */
const allowAll = { mode: "auto-edit", allow: ["bash"] } as const;
const off = { sandbox: { use: "off" } };

const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const notices = (seat: Seat) => seat.all("notice.given").map(({ text }) => say("en", text));
const isThere = (bench: Bench, path: string): boolean => existsSync(join(bench.workspace, path));
const fileIn = (bench: Bench, path: string, text: string): void => {
  mkdirSync(dirname(join(bench.workspace, path)), { recursive: true });
  writeFileSync(join(bench.workspace, path), text);
};

describe("file tools", () => {
  const patch = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+evil\n*** End Patch\n`;
  const moved = (path: string) =>
    `*** Begin Patch\n*** Update File: mine\n*** Move to: ${path}\n@@\n-mine\n+evil\n*** End Patch\n`;
  const ways: readonly ((path: string) => readonly Step[])[] = [
    (path) => [call("write", { path, content: "evil\n" })],
    (path) => [call("patch", { patch: patch(path) })],
    (path) => [call("read", { path: "mine" }), call("patch", { patch: moved(path) })],
  ];
  const name = fc.constantFrom(...protectedNames).map(({ path, kind }) => {
    const file = path.replaceAll("*", "local");
    return kind === "folder" ? `${file}/x` : file;
  });
  const above = fc.constantFrom("", "sub/", "packages/a/", "a/b/c/d/", "node_modules/p/", "dist/");
  const cased = fc.constantFrom(
    (path: string) => path,
    (path: string) => path.toUpperCase(),
  );

  test("[PO-7] none of them writes what other programs obey without a yes, at any depth, in auto-edit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(above, name, cased, fc.nat(2)), { minLength: 8, maxLength: 12 }),
        async (tries) => {
          const paths = tries.map(([folder, file, spell]) => `${folder}${spell(file)}`);
          const steps = tries.flatMap(([, , , way], at) => ways[way]?.(paths[at] ?? "") ?? []);
          await using bench = new Bench([...steps, done]);
          bench.file("mine", "mine\n");
          const seat = bench.open({ mode: "auto-edit" });
          await seat.run("write them");
          expect(paths.filter((path) => isThere(bench, path))).toEqual([]);
          const writes = seat.all("tool.decided").filter(({ callId }) => !isRead(seat, callId));
          expect(writes.map(({ decision }) => decision)).toEqual(paths.map(() => "deny"));
          const told = writes.map(({ reasons }) => reasons.map((one) => say("en", one)).join("\n"));
          expect(
            told.filter((reasons) => !/makes other programs run something|may hold secrets/.test(reasons)),
          ).toEqual([]);
        },
      ),
      { numRuns: process.env.CODER_TEST_LONG ? 100 : 6 },
    );
  });

  const isRead = (seat: Seat, id: string): boolean =>
    seat.all("model.replied").some(({ reply }) => reply.calls.some((one) => one.id === id && one.tool === "read"));

  test("[PO-7] [SA-git-elsewhere] the file that would make a folder a repository is asked about, and so is every file in one", async () => {
    const steps = ["objects/x", "refs/x", "config", "HEAD"].map((path) =>
      call("write", { path: `lib/${path}`, content: "x\n" }),
    );
    await using bench = new Bench([
      ...steps,
      call("write", { path: "fixture/hooks/pre-commit", content: "x\n" }),
      done,
    ]);
    for (const path of ["HEAD", "objects/x", "refs/x"]) fileIn(bench, `fixture/${path}`, "x\n");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("make a repository");
    const decisions = seat.all("tool.decided").map(({ decision }) => decision);
    expect(decisions).toEqual(["allow", "allow", "allow", "deny", "deny"]);
    const whole = ["HEAD", "objects/x", "refs/x"].map((path) => `*** Add File: one/${path}\n+x\n`).join("");
    await using other = new Bench([call("patch", { patch: `*** Begin Patch\n${whole}*** End Patch\n` }), done]);
    const second = other.open({ mode: "auto-edit" });
    await second.run("make a repository at once");
    expect([second.last("tool.decided").decision, isThere(other, "one/HEAD")]).toEqual(["deny", false]);
  });

  test("[PO-7] [SA-git-config] what the repository's config names is asked about", async () => {
    await using bench = new Bench([
      ...["ci/hooks/pre-commit", "shared.conf", "other.conf"].map((path) => call("write", { path, content: "x\n" })),
      done,
    ]);
    fileIn(bench, ".git/config", "[core]\n\thooksPath = ci/hooks\n[include]\n\tpath = ../shared.conf\n");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("write them");
    expect(seat.all("tool.decided").map(({ decision }) => decision)).toEqual(["deny", "deny", "allow"]);
  });

  test("[PO-7] a rule that names the very file is a yes, for tools and for commands", async () => {
    for (const config of [{}, off]) {
      await using bench = new Bench([
        call("write", { path: "sub/.vscode/tasks.json", content: "{}\n" }),
        script(plant("lib/.vscode/tasks.json") + plant("lib/.vscode/launch.json")),
        done,
      ]);
      const allow = ["bash", "write(sub/.vscode/tasks.json)", "write(lib/.vscode/tasks.json)"];
      const seat = bench.open({ mode: "auto-edit", allow }, { config });
      await seat.run("write them");
      const paths = ["sub/.vscode/tasks.json", "lib/.vscode/tasks.json", "lib/.vscode/launch.json"];
      expect(paths.map((path) => isThere(bench, path))).toEqual([true, true, false]);
    }
  });
});

describe.each([
  ["in the sandbox", {}],
  ["without a sandbox", off],
] as const)("commands %s", (_, config) => {
  test("[PO-8] what a command leaves for other programs to run is set aside, named in its result, as a notice and as a risk", async () => {
    await using bench = new Bench([
      bash(
        `node -e ${JSON.stringify(plant("packages/a/.vscode/tasks.json"))}; git init -q vendor/lib; echo > fine.txt`,
      ),
      done,
    ]);
    const seat = bench.open(allowAll, { config });
    await seat.run("go");
    expect(isThere(bench, "packages/a/.vscode") || isThere(bench, "vendor/lib/.git")).toBe(false);
    expect(readFileSync(join(bench.workspace, "packages/a/.vscode.set-aside/tasks.json"), "utf8")).toBe("evil");
    const { output, status } = seat.last("tool.settled").result;
    for (const text of [output, notices(seat).join("\n"), summaryOf(seat).risks.join("\n")]) {
      expect(text).toContain(join(bench.workspace, "packages/a/.vscode"));
      expect(text).toContain(join(bench.workspace, "vendor/lib/.git"));
    }
    expect([status, isThere(bench, "fine.txt")]).toEqual(["failed", true]);
    expect(output).toContain("no_sandbox: true");
  });

  test("[PO-8] a check that leaves something behind passes, and it is set aside and named", async () => {
    const command = "node --test";
    const workflow = { verify_commands: [command], verify_allowed: [command] };
    await using bench = new Bench([
      call("write", { path: "a.test.js", content: `${plant("lib/.idea/x.xml")}\n` }),
      done,
    ]);
    const allow = [`bash(${command})`];
    const seat = bench.open({ mode: "auto-edit", allow }, { config: { ...config, workflow } });
    await seat.run("go");
    expect([summaryOf(seat).outcome, isThere(bench, "lib/.idea")]).toEqual(["VERIFIED", false]);
    expect(summaryOf(seat).risks.join("\n")).toContain("lib/.idea");
    expect(seat.last("tool.settled").result.output).toContain("lib/.idea");
  });

  test("[PO-8] so is what the model's own check and a job in the background leave", async () => {
    const command = "node --test";
    const workflow = { verify_allowed: [command], auto_verify_after_edit: false };
    await using bench = new Bench([
      call("diagnostics", { command }),
      bash(`node -e ${JSON.stringify(plant("job/.cargo/config.toml"))}`, { background: true }),
      call("job", { action: "output", id: "j1", wait_s: 600 }),
      done,
    ]);
    bench.file("a.test.js", 'require("node:fs").writeFileSync(".tool-versions", "evil");\n');
    const seat = bench.open({ ...allowAll, allow: ["bash", "job"] }, { config: { ...config, workflow } });
    await seat.run("go");
    await seat.event("job.ended");
    expect([isThere(bench, ".tool-versions"), isThere(bench, "job/.cargo/config.toml")]).toEqual([false, false]);
    const told = notices(seat).join("\n");
    expect(told).toContain(".tool-versions");
    expect(told).toContain("job/.cargo/config.toml");
  });

  test("[PO-8] a command that names such a file and was approved by the person may write it, and no other", async () => {
    await using bench = new Bench([bash("echo 1 > sub/.envrc; echo 2 > sub/.nvmrc; cp sub/.envrc sub/.exrc"), done]);
    mkdirSync(join(bench.workspace, "sub"));
    const seat = bench.open({ mode: "auto-edit" }, { config, interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    const reasons = seat
      .last("tool.decided")
      .reasons.map((one) => say("en", one))
      .join("\n");
    expect(reasons).toContain("sub/.nvmrc makes other programs run something");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect(["sub/.envrc", "sub/.nvmrc", "sub/.exrc"].map((path) => isThere(bench, path))).toEqual([true, true, false]);
  });

  test("[PO-8] no_sandbox is asked about with what would stay, and a yes lets it stay", async () => {
    await using bench = new Bench([bash("git init -q sub", { no_sandbox: true }), done]);
    const seat = bench.open(allowAll, { config, interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    expect(
      seat
        .last("tool.decided")
        .reasons.map((one) => say("en", one))
        .join("\n"),
    ).toContain("git hooks");
    seat.engine.answer(seat.approval()?.callId ?? "", { answer: "yes", by: "person" });
    await seat.engine.idle();
    expect([isThere(bench, "sub/.git/HEAD"), summaryOf(seat).risks]).toEqual([true, []]);
    await using nobody = new Bench([bash("git init -q sub", { no_sandbox: true }), done]);
    const alone = nobody.open(allowAll, { config });
    await alone.run("go");
    expect([alone.last("tool.decided").decision, isThere(nobody, "sub/.git")]).toEqual(["deny", false]);
  });

  test("[PO-8] what an approved tool writes while a job runs is not taken for the job's", async () => {
    await using bench = new Bench([
      bash(`touch begun; ${untilFile("go")}; node -e ${JSON.stringify(plant("sub/.exrc"))}`, {
        background: true,
      }),
      bash(`${untilFile("begun")}`),
      call("write", { path: "sub/.envrc", content: "mine\n" }),
      bash("touch go"),
      call("job", { action: "output", id: "j1", wait_s: 600 }),
      done,
    ]);
    mkdirSync(join(bench.workspace, "sub"));
    const allow = ["bash", "job", "write(sub/.envrc)"];
    const seat = bench.open({ mode: "auto-edit", allow }, { config });
    await seat.run("go");
    await seat.event("job.ended");
    expect([isThere(bench, "sub/.envrc"), isThere(bench, "sub/.exrc")]).toEqual([true, false]);
  });

  test("[RB-1] undo of a command that planted something leaves nothing of it", async () => {
    await using bench = new Bench([script(`${plant("sub/.zed/tasks.json")}${plant("b")}`), done]);
    bench.file("a", "a\n");
    const seat = bench.open(allowAll, { config });
    await seat.run("go");
    expect(isThere(bench, "sub/.zed.set-aside/tasks.json")).toBe(true);
    await seat.engine.runInput("/undo");
    await seat.engine.idle();
    expect(["sub/.zed.set-aside/tasks.json", "sub/.zed", "b"].filter((path) => isThere(bench, path))).toEqual([]);
  });
});

test("[PO-8] in yolo mode everything may be made; with the sandbox asked for, it may not", async () => {
  for (const sandbox of [false, true]) {
    await using bench = new Bench([bash(`git init -q sub; ${git} -C sub commit -q --allow-empty -m x`), done]);
    const seat = bench.open({ mode: "yolo", ...(sandbox ? { sandbox } : {}) });
    await seat.run("go");
    expect(isThere(bench, "sub/.git/HEAD")).toBe(!sandbox);
  }
});
