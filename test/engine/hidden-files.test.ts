// Secret files of the workspace are hidden from commands and checks until the person says otherwise.
import { describe, expect, test } from "bun:test";
import { say } from "../../src/contract/text/catalogue.ts";
import type { Published } from "../../src/engine/port.ts";
import { Bench, type Seat } from "../support/engine.ts";

const value = ["pass", "word", "4711", "xyz"].join("-");
const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "right\n" } }] });
const bash = (input: object) => ({ calls: [{ tool: "bash", input }] });
const task = (when: string, ...steps: object[]) => ({ when, steps: [...steps, { text: "done" }] });
const tasks = ["first", "second", "third"].map((when) => task(when, write(`${when}.c`)));
const config = { workflow: { verify_allowed: ["make test"] } };

function project(bench: Bench): void {
  bench.file("Makefile", "test:\n\t@. ./.env && echo $$DB_PASSWORD\n");
  bench.file(".env", `DB_PASSWORD=${value}\n`);
}

const summaryOf = (seat: Seat) => seat.last("task.summarized").summary;
const asksIn = (seat: Seat) => seat.all("tool.decided").filter(({ decision }) => decision === "ask");
const asks = (one: Published): boolean =>
  one.kind === "event" && one.state.run.phase === "awaiting_human" && one.recorded.event.type === "tool.decided";
const outputs = (seat: Seat) => seat.all("tool.settled").map(({ result }) => result.output);
const said = (bench: Bench) => bench.server.requests.map((one) => JSON.stringify(one)).join("\n");

async function asked(seat: Seat, text: string) {
  await seat.engine.runInput(text);
  await seat.until(asks);
  const open = seat.approval();
  if (!open) throw new Error("nothing is asked");
  return open;
}

async function answered(seat: Seat, answer: "yes" | "no" | "always", text: string) {
  const open = await asked(seat, text);
  expect(seat.engine.answer(open.callId, { answer, by: "person" })).toEqual({ ok: true, value: undefined });
  await seat.engine.idle();
  return open;
}

describe("a check that failed without one", () => {
  test("[PO-8] [VF-2] is asked about once; yes shows it to all commands of the workspace until it is taken back", async () => {
    await using bench = new Bench(tasks);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { interactive: true, config });
    const open = await answered(seat, "yes", "the first task");
    expect(open.reasons.map((one) => say("en", one)).join()).toStartWith(
      "make test failed without .env, which is hidden",
    );
    expect([open.always, open.shown]).toEqual([null, 'make test\npath: "."\nshow: [".env"]']);
    expect(summaryOf(seat).outcome).toBe("VERIFIED");
    await seat.run("the second task");
    expect([summaryOf(seat).outcome, asksIn(seat).length]).toEqual(["VERIFIED", 1]);
    const kept = seat.engine.rules().filter(({ tool }) => tool === "sandbox");
    expect(kept).toMatchObject([{ decision: "allow", path: ".env" }]);
    const id = kept.flatMap((rule) => ("id" in rule ? [rule.id] : []))[0] ?? 0;
    expect(seat.engine.forgetRule(id)).toBe(true);
    await seat.engine.runInput("the third task");
    await seat.until((one) => asks(one) && asksIn(seat).length === 2);
    expect(seat.approval()?.shown).toContain("show:");
    seat.engine.cancel("esc");
    await seat.engine.idle();
    expect(said(bench)).not.toContain(value);
  });

  test("[PO-8] [VF-2] no keeps it hidden, for later processes too, and the end says what would help", async () => {
    await using bench = new Bench(tasks);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { interactive: true, config });
    await answered(seat, "no", "the first task");
    expect([summaryOf(seat).outcome, summaryOf(seat).exit_code]).toEqual(["UNVERIFIED", 3]);
    expect(summaryOf(seat).verification.reason).toBe(
      "make test says nothing about the code: it failed without .env, which stays hidden from commands",
    );
    await seat.close();
    const later = bench.open({ mode: "auto-edit" }, { interactive: true, config });
    await later.run("the second task");
    expect([summaryOf(later).outcome, asksIn(later).length]).toEqual(["UNVERIFIED", 0]);
    expect(later.engine.rules()).toContainEqual(
      expect.objectContaining({ decision: "deny", tool: "sandbox", path: ".env" }),
    );
  });

  test("[PO-8] where nobody can be asked nothing is shown, the flag that would is named, and with it all is well", async () => {
    await using bench = new Bench(tasks);
    project(bench);
    const seat = bench.open({ mode: "auto-edit" }, { config });
    await seat.run("the first task");
    expect(summaryOf(seat).outcome).toBe("UNVERIFIED");
    expect(outputs(seat).join("\n")).toContain(
      "the workspace's secret files are hidden from commands, and this one seems to need: .env",
    );
    expect(JSON.stringify(summaryOf(seat))).toContain("--allow 'sandbox(.env)'");
    await seat.close();
    const allowed = bench.open({ mode: "auto-edit", allow: ["sandbox(.env)"] }, { config });
    await allowed.run("the second task");
    expect(summaryOf(allowed).outcome).toBe("VERIFIED");
    expect(JSON.stringify(allowed.events)).not.toContain(value);
  });
});

describe("a command of the model's", () => {
  test("[PO-8] sees none unless it asks for it by name, which the person decides", async () => {
    await using bench = new Bench([
      task("first", bash({ command: "make test" }), bash({ command: "make test", show: [".env"] })),
    ]);
    project(bench);
    const seat = bench.open({ mode: "default", allow: ["bash(make test)"] }, { interactive: true });
    const open = await answered(seat, "always", "the first task");
    expect(open.always).toEqual(["bash(make test)", "sandbox(.env)"]);
    const [first = "", second = ""] = outputs(seat);
    expect(first).toContain('call it again with show: [".env"]');
    expect(second).toMatch(/^exit code 0\n.*REDACTED/s);
    expect(seat.engine.rules().filter(({ tool }) => tool === "sandbox")).toHaveLength(1);
    expect(said(bench)).not.toContain(value);
  });

  test("[PO-8] that names one and was allowed to read it sees that one, and no other", async () => {
    const all = [bash({ command: "cat .env; grep -c . .env" }), bash({ command: "sh go.sh" })];
    await using bench = new Bench([task("first", ...all)]);
    project(bench);
    bench.file(".env.local", "OTHER_KEY=abc\n");
    bench.file("go.sh", "cat .env .env.local\n");
    const seat = bench.open({ mode: "default", allow: ["bash(sh go.sh)"] }, { interactive: true });
    await answered(seat, "yes", "the first task");
    const [first = "", second = ""] = outputs(seat);
    expect(first).toMatch(/^exit code 0\nDB_PASSWORD=\[REDACTED:.*\n1$/);
    expect(second).toContain("cat: .env: Permission denied\ncat: .env.local: Permission denied");
    expect(asksIn(seat)).toHaveLength(1);
  });

  test("[PO-8] [PO-9] cannot be shown one by a rule of the project, nor one that a rule keeps", async () => {
    await using bench = new Bench([task("first", bash({ command: "make test", show: [".env"] }))]);
    project(bench);
    const seat = bench.open(
      { mode: "default", allow: ["bash(make test)", "sandbox(.env)"], deny: ["sandbox(**/.env)"] },
      { interactive: true },
    );
    await seat.run("the first task");
    expect(outputs(seat)[0]).toContain("a rule keeps .env hidden from commands");
    expect(asksIn(seat)).toEqual([]);
  });
});
