import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";

const call = (tool: string, input: unknown): Step => ({ calls: [{ tool, input: input as Record<string, unknown> }] });
const done: Step = { text: "done" };

describe("order and results", () => {
  test("[TP-1] a call goes decision, intent, result, in this order", async () => {
    await using bench = new Bench([call("write", { path: "a.txt", content: "a\n" }), done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    const steps = seat.events.map((event) => event.type).filter((type) => type.startsWith("tool."));
    expect(steps).toEqual(["tool.decided", "tool.intended", "tool.settled"]);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("a\n");
  });

  test("[TP-2] calls with effects run one after the other; each is judged when it is next", async () => {
    const calls = [
      { tool: "write", input: { path: "a.txt", content: "1" } },
      { tool: "read", input: { path: "a.txt" } },
      { tool: "edit", input: { path: "a.txt", old_string: "1", new_string: "2" } },
    ];
    await using bench = new Bench([{ calls }, done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    const types = seat.events
      .filter((event) => "callId" in event)
      .map((event) => `${"callId" in event ? event.callId : ""} ${event.type}`);
    expect(types).toEqual(
      ["1", "2", "3"].flatMap((n) => ["decided", "intended", "settled"].map((what) => `r1/1/${n} tool.${what}`)),
    );
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("2");
  });

  test("[TP-2] consecutive reads overlap and their results reach the model in call order", async () => {
    const grep = (n: number) => ({ tool: "grep", input: { pattern: `content ${n}` } });
    // A small read is done at once; it need not wait for the search before it.
    const calls = [grep(0), { tool: "read", input: { path: "f1.txt" } }, grep(2)];
    await using bench = new Bench([{ calls }, done]);
    for (const n of [0, 1, 2]) bench.file(`f${n}.txt`, `content ${n}\n`);
    const seat = bench.open();
    await seat.run("go");
    const types = seat.events.map((event) => event.type);
    const settled = seat.events.findIndex((event) => event.type === "tool.settled" && event.callId.endsWith("/1"));
    expect(types.lastIndexOf("tool.decided")).toBeLessThan(settled);
    const results = bench.server.requests.at(-1)?.body.messages.filter((message) => message.role === "tool") ?? [];
    expect(results.map((message) => String(message.content).includes("content"))).toEqual([true, true, true]);
    expect(results.map((message, n) => String(message.content).includes(`content ${n}`))).toEqual([true, true, true]);
  });

  test("[TP-2] commands that were judged to only read overlap; what may do more waits for them", async () => {
    const sleeps = { tool: "bash", input: { command: "sleep 10" } };
    const touches = { tool: "bash", input: { command: "touch made" } };
    await using bench = new Bench([{ calls: [sleeps, sleeps, touches] }]);
    const seat = bench.open({ mode: "auto-edit" });
    const running = seat.run("go");
    const isSpawned = new Set<string>();
    await seat.until((one) => {
      const event = one.kind === "event" ? one.recorded.event : null;
      if (event?.type === "process.spawned" || event?.type === "tool.deferred") isSpawned.add(event.callId);
      return isSpawned.size === 3;
    });
    expect(seat.all("tool.deferred").map(({ callId }) => callId)).toEqual(["r1/1/3"]);
    expect(seat.all("tool.settled")).toEqual([]);
    seat.engine.cancel("esc");
    await running;
    expect(seat.all("tool.settled").map(({ result }) => result.status)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
    expect(existsSync(join(bench.workspace, "made"))).toBe(false);
  });

  test("[TP-4] denied, failed, unknown and invalid calls each get one result and the provider accepts the history", async () => {
    const calls = [
      { tool: "bash", input: { command: "touch x" } },
      { tool: "read", input: { path: "missing.txt" } },
      { tool: "nosuch", input: {} },
      { tool: "write", input: { path: 1 } },
    ];
    await using bench = new Bench([{ calls }, done]);
    const seat = bench.open();
    await seat.run("go");
    const settled = [...seat.all("tool.settled")].sort((a, b) => a.callId.localeCompare(b.callId));
    expect(settled.map((event) => [event.result.status, event.result.error?.code])).toEqual([
      ["denied", "E_POLICY_DENIED"],
      ["failed", "E_IO"],
      ["failed", "E_INVALID_ARGS"],
      ["failed", "E_INVALID_ARGS"],
    ]);
    expect(bench.server.requests.every((request) => request.problem === null)).toBe(true);
    expect(existsSync(join(bench.workspace, "x"))).toBe(false);
  });

  test("[MD-3] [MD-6] arguments that are not JSON come back to the model as E_INVALID_ARGS with the complaint", async () => {
    const delta = {
      role: "assistant",
      tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "read", arguments: '{"path": tru' } }],
    };
    const body = [
      { choices: [{ index: 0, delta, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
    ]
      .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
      .join("");
    await using bench = new Bench([{ body: `${body}data: [DONE]\n\n` }, done]);
    const seat = bench.open();
    await seat.run("go");
    expect(seat.last("tool.settled").result.error).toMatchObject({
      code: "E_INVALID_ARGS",
      text: { key: "run.bad_json" },
    });
  });
});

describe("approval", () => {
  test("[TP-1] [PO-6] one prompt carries all reasons; yes lets the call run", async () => {
    await using bench = new Bench([call("write", { path: "../out.txt", content: "x" }), done]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    const asked = seat.last("tool.decided");
    expect(asked.decision).toBe("ask");
    expect(asked.reasons.length).toBeGreaterThan(1);
    expect(seat.engine.answer("r1/1/1", { answer: "yes", by: "person" }).ok).toBe(true);
    await seat.engine.idle();
    expect(seat.last("tool.settled").result.status).toBe("done");
    expect(readFileSync(join(bench.workspace, "../out.txt"), "utf8")).toBe("x");
  });

  test("[PO-6] no with words reaches the model and nothing is written", async () => {
    await using bench = new Bench([call("write", { path: "a.txt", content: "x" }), done]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    seat.engine.answer("r1/1/1", { answer: "no", words: "use b.txt", by: "person" });
    await seat.engine.idle();
    const told = bench.server.requests.at(-1)?.body.messages.at(-1);
    expect(String(told?.content)).toContain("use b.txt");
    expect(existsSync(join(bench.workspace, "a.txt"))).toBe(false);
    expect(seat.last("task.summarized").summary).toMatchObject({
      stop_reason: "DENIED",
      exit_code: 4,
      outcome: "FAILED",
    });
  });

  test("[SM-5] edited arguments are judged again and the model is told what ran", async () => {
    await using bench = new Bench([call("bash", { command: "touch bad" }), done]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await seat.until((one) => one.kind === "event" && one.state.run.phase === "awaiting_human");
    expect(seat.engine.answer("r1/1/1", { answer: "edit", input: { nonsense: 1 }, by: "person" }).ok).toBe(false);
    expect(seat.engine.answer("r1/1/1", { answer: "edit", input: { command: "pwd" }, by: "person" }).ok).toBe(true);
    await seat.engine.idle();
    expect(seat.all("tool.decided").map((event) => event.decision)).toEqual(["ask", "allow"]);
    expect(seat.last("tool.settled").result.output).toContain("the person changed the arguments");
    expect(existsSync(join(bench.workspace, "bad"))).toBe(false);
  });

  test("an answer to a call that is not asked about changes nothing", async () => {
    await using bench = new Bench([done]);
    const seat = bench.open({}, { interactive: true });
    expect(seat.engine.answer("r9/9/9", { answer: "yes", by: "client" })).toMatchObject({
      ok: false,
      error: { code: "E_INVALID_ARGS" },
    });
    expect(seat.events).toEqual([]);
  });
});

describe("bounds and secrets", () => {
  test("[TP-6] a long output keeps head and tail and is spilled to a file that read can page", async () => {
    await using bench = new Bench([
      call("bash", { command: "seq 1 20000" }),
      call("read", { path: ".coder/output/x" }),
      done,
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    const { output } = seat.all("tool.settled")[0]?.result ?? { output: "" };
    expect(output.length).toBeLessThan(31_000);
    expect(output).toContain("\n3\n");
    expect(output).toContain("\n20000");
    const path = /what was kept is in (\S+),/.exec(output)?.[1] ?? "";
    expect(readFileSync(join(bench.workspace, path), "utf8")).toContain("\n12345\n");
  });

  test("[TP-6] a private key in a result is replaced in the event, the request and the snapshot", async () => {
    const begin = `-----BEGIN ${"PRIVATE"} KEY-----`;
    const key = `${begin}\n${"QUJD".repeat(20)}\n-----END ${"PRIVATE"} KEY-----\n`;
    await using bench = new Bench([call("read", { path: "notes.txt" }), done]);
    bench.file("notes.txt", `before\n${key}after\n`);
    const seat = bench.open();
    await seat.run("go");
    const id = seat.engine.state().id;
    const places = [
      JSON.stringify(seat.events),
      JSON.stringify(bench.server.requests.map((request) => request.body)),
      readFileSync(join(bench.workspace, `.coder/sessions/${id}.json`), "utf8"),
    ];
    expect(places.map((text) => text.includes("QUJDQUJD"))).toEqual([false, false, false]);
    expect(places.every((text) => text.includes("[REDACTED:private-key:"))).toBe(true);
  });

  test("[TP-6] a write that contains a placeholder is refused and nothing is written", async () => {
    await using bench = new Bench([
      call("write", { path: "k.txt", content: "x [REDACTED:private-key:0a1b2c3d] y" }),
      done,
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(seat.last("tool.settled").result.error).toMatchObject({
      code: "E_INVALID_ARGS",
      text: { key: "run.placeholder" },
    });
    expect(existsSync(join(bench.workspace, "k.txt"))).toBe(false);
  });

  test("[TP-7] in yolo a risky command runs without being asked about", async () => {
    await using bench = new Bench([call("bash", { command: "touch a && rm a && echo gone" }), done]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(seat.last("tool.settled").result.status).toBe("done");
    expect(seat.last("tool.decided").source).toBe("mode yolo");
  });

  test("a tool that is switched off is not offered, and a call of it is denied", async () => {
    await using bench = new Bench([call("bash", { command: "pwd" }), done]);
    const seat = bench.open({ mode: "yolo" }, { config: { tools: { off: ["bash"] } } });
    await seat.run("go");
    expect(JSON.stringify(bench.server.requests[0]?.body.tools)).not.toContain('"bash"');
    expect(seat.last("tool.decided")).toMatchObject({ decision: "deny", source: "agent switch" });
  });
});

describe("files", () => {
  test("[TL-2] an edit of a file that was never read is a conflict; after reading it works; changed underneath it is a conflict again", async () => {
    const edit = call("edit", { path: "a.txt", old_string: "one", new_string: "two" });
    await using bench = new Bench([
      edit,
      call("read", { path: "a.txt" }),
      edit,
      call("edit", { path: "a.txt", old_string: "two", new_string: "three" }),
      call("bash", { command: "echo other > a.txt" }),
      edit,
      done,
    ]);
    bench.file("a.txt", "one\n");
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(seat.all("tool.settled").map((event) => event.result.error?.code ?? event.result.status)).toEqual([
      "E_CONFLICT",
      "done",
      "done",
      "done",
      "done",
      "E_CONFLICT",
    ]);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("other\n");
  });

  test("[RB-1] every write keeps the bytes that were there before", async () => {
    await using bench = new Bench([
      call("read", { path: "a.txt" }),
      call("write", { path: "a.txt", content: "new\n" }),
      done,
    ]);
    bench.file("a.txt", "old bytes\n");
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    const before = seat.last("tool.settled").result.changes?.[0]?.before?.hash ?? "";
    const { Database } = await import("bun:sqlite");
    const db = new Database(join(bench.home, "coder.db"), { readonly: true });
    const row = db.query<{ bytes: Uint8Array }, [string]>("select bytes from blobs where hash = ?").get(before);
    db.close();
    expect(new TextDecoder().decode(row?.bytes)).toBe("old bytes\n");
  });

  test("[SM-9] [VF-6] the summary names the net changes and the commands from the log; UNVERIFIED with exit code 3 where a check was wanted", async () => {
    await using bench = new Bench([
      call("write", { path: "src.ts", content: "1" }),
      call("bash", { command: "exit 7" }),
      done,
    ]);
    const seat = bench.open({ mode: "yolo" });
    await seat.run("go");
    expect(seat.last("task.summarized").summary).toMatchObject({
      changed_files: [{ path: "src.ts", change: "create" }],
      commands: [{ command: "exit 7", status: "failed", exit_code: 7 }],
      verification: {
        status: "none",
        reason: expect.stringContaining("automatic verification not run: no test setup found"),
      },
      outcome: "UNVERIFIED",
      stop_reason: "COMPLETED",
      exit_code: 3,
    });
  });

  test("[VF-1] a change to documents alone wants no check", async () => {
    await using bench = new Bench([call("write", { path: "notes.md", content: "1" }), done]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    expect(seat.last("task.summarized").summary).toMatchObject({
      check_wanted: false,
      exit_code: 0,
      outcome: "UNVERIFIED",
    });
  });

  test("[TL-4] todowrite changes the todos of the session and /todos shows them", async () => {
    const todos = [{ id: "1", content: "look", status: "in_progress", priority: "high" }];
    await using bench = new Bench([call("todowrite", { todos }), done]);
    const seat = bench.open();
    await seat.run("go");
    expect(seat.engine.state().todos).toEqual(todos as never);
    expect(await seat.engine.runInput("/todos")).toMatchObject({ kind: "command", result: { text: "[>] look" } });
  });
});

test("[PO-9] a hostile project config takes no effect before trust exists", async () => {
  await using bench = new Bench([call("bash", { command: "touch owned" }), done]);
  const seat = bench.open();
  await seat.run("/status");
  const { mkdirSync } = await import("node:fs");
  mkdirSync(join(bench.workspace, ".coder"), { recursive: true });
  writeFileSync(
    join(bench.workspace, ".coder/config.json"),
    JSON.stringify({ mode: "yolo", model: "evil/x", shell_mode: { approval: "direct" } }),
  );
  const second = bench.open();
  await second.run("go");
  expect(second.last("tool.settled").result.status).toBe("denied");
  expect(existsSync(join(bench.workspace, "owned"))).toBe(false);
});
