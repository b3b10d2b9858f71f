import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../../src/command/all.ts";
import type { CommandResult } from "../../src/engine/port.ts";
import { Bench, type Seat } from "../support/engine.ts";

async function command(seat: Seat, text: string): Promise<CommandResult> {
  const admission = await seat.engine.runInput(text);
  if (admission.kind !== "command") throw new Error(`${text} gave ${JSON.stringify(admission)}`);
  return admission.result;
}

test("[IN-6] every command has a name, arguments and help in both languages, and /help lists them all", async () => {
  await using bench = new Bench([]);
  const { text } = await command(bench.open(), "/help");
  for (const one of allCommands) expect(text).toContain(`/${one.name} ${one.args}`);
});

describe("/model", () => {
  test("[SL-1] switches at once and keeps only that key in the project's config", async () => {
    await using bench = new Bench([{ text: "ok" }]);
    mkdirSync(join(bench.workspace, ".coder"));
    const file = join(bench.workspace, ".coder", "config.json");
    writeFileSync(file, '{"max_steps": 7}');
    const seat = bench.open();
    expect(await command(seat, "/model openai-chat/other")).toMatchObject({
      ok: true,
      data: { model: "openai-chat/other", warning: null },
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ max_steps: 7, model: "openai-chat/other" });
    await seat.run("go");
    expect(bench.server.requests[0]?.body.model).toBe("other");
  });

  test("[SL-1] a failure to keep it is a warning: a file that is no JSON and a link are left as they are", async () => {
    await using bench = new Bench([]);
    mkdirSync(join(bench.workspace, ".coder"));
    const file = join(bench.workspace, ".coder", "config.json");
    writeFileSync(file, "{ mine\n}");
    const seat = bench.open();
    const kept = await command(seat, "/model openai-chat/other");
    expect(kept.ok).toBe(true);
    expect((kept.data as { warning: string }).warning).toContain("could not be saved");
    expect(readFileSync(file, "utf8")).toBe("{ mine\n}");
    await using linked = new Bench([]);
    mkdirSync(join(linked.root, "elsewhere"));
    symlinkSync(join(linked.root, "elsewhere"), join(linked.workspace, ".coder"));
    expect(((await command(linked.open(), "/model openai-chat/other")).data as { warning: string }).warning).toContain(
      "could not be saved",
    );
  });

  test("an unknown provider changes nothing", async () => {
    await using bench = new Bench([]);
    const seat = bench.open();
    expect(await command(seat, "/model nosuch/x")).toMatchObject({ ok: false, error: { code: "E_CONFIG" } });
    expect(seat.engine.state().model).toBe("openai-chat/mock");
  });
});

describe("/mode and /permissions", () => {
  test("[PO-1] /mode changes what is allowed from the next call on and is stored", async () => {
    const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "x" } }] };
    await using bench = new Bench([write, { text: "done" }]);
    const seat = bench.open();
    await seat.run("one");
    expect(seat.last("tool.settled").result.status).toBe("denied");
    expect(await command(seat, "/mode auto-edit")).toMatchObject({ ok: true, data: { mode: "auto-edit" } });
    await seat.run("two");
    expect(seat.last("tool.settled").result.status).toBe("done");
    expect(seat.last("mode.changed").mode).toBe("auto-edit");
  });

  test("[PO-2] /permissions shows each row with its source, and the stricter of mode and preset applies", async () => {
    await using bench = new Bench([
      { calls: [{ tool: "write", input: { path: "a.txt", content: "x" } }] },
      { text: "done" },
    ]);
    const seat = bench.open({ mode: "auto-edit" });
    const shown = await command(seat, "/permissions strict");
    expect(shown.text).toContain("preset strict");
    expect(shown.text).toMatch(/deny\s+preset strict\s+\S/);
    await seat.run("go");
    expect(seat.last("tool.settled").result.status).toBe("denied");
  });
});

describe("sessions", () => {
  test("[PS-3] /new starts fresh and the old one is resumable with its history and todos", async () => {
    const todos = [{ id: "1", content: "one", status: "pending", priority: "low" }];
    await using bench = new Bench([{ calls: [{ tool: "todowrite", input: { todos } }] }, { text: "done" }]);
    const seat = bench.open();
    await seat.run("the first");
    const first = seat.engine.state().id;
    expect((await command(seat, "/new")).text).toContain(first);
    expect(seat.engine.state()).toMatchObject({ todos: [], plan: null, tasks: 0 });
    expect(seat.engine.state().id).not.toBe(first);
    await seat.run("the second");
    expect(bench.server.requests.at(-1)?.body.messages.filter((message) => message.role === "user").length).toBe(2);
    expect(await command(seat, `/resume ${first}`)).toMatchObject({ ok: true, data: { id: first } });
    expect(seat.engine.state().todos.length).toBe(1);
  });

  test("[PS-3] bare /resume and /sessions list newest first with id, time and its zone, model and title, and never switch", async () => {
    await using bench = new Bench([{ text: "ok" }]);
    const seat = bench.open();
    await seat.run("first title");
    await command(seat, "/new");
    await seat.run("second title");
    const { id } = seat.engine.state();
    for (const name of ["/resume", "/sessions"]) {
      const lines = (await command(seat, name)).text.split("\n");
      expect(lines[0]).toMatch(
        new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d GMT\\+8  openai-chat/mock  second title$`),
      );
      expect(lines[1]).toContain("first title");
    }
    expect(seat.engine.state().id).toBe(id);
  });

  test("[PS-3] a missing id changes nothing", async () => {
    await using bench = new Bench([{ text: "ok" }]);
    const seat = bench.open();
    await seat.run("go");
    const { id } = seat.engine.state();
    expect(await command(seat, "/resume nope")).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS" } });
    expect(seat.engine.state().id).toBe(id);
  });

  test("[PS-5] /fork continues in a copy; the original keeps its own events", async () => {
    await using bench = new Bench([[{ text: "one" }], [{ text: "two" }]]);
    const seat = bench.open();
    await seat.run("first");
    const first = seat.engine.state().id;
    expect((await command(seat, "/fork")).ok).toBe(true);
    await seat.engine.idle();
    const copy = seat.engine.state().id;
    expect(copy).not.toBe(first);
    await seat.run("second");
    const rows = seat.engine.sessions(10);
    expect(rows.map((row) => row.id).sort()).toEqual([first, copy].sort());
    const events = (id: string) => rows.find((row) => row.id === id)?.events ?? 0;
    expect(events(copy)).toBeGreaterThan(events(first));
  });
});

test("[SM-6] [BR-4] /status shows the states, steps, limits and tokens", async () => {
  await using bench = new Bench([{ text: "ok", usage: { input: 12, output: 3 } }]);
  const seat = bench.open({ maxTime: "90" });
  await seat.run("go");
  const { data, text } = await command(seat, "/status");
  expect(text).toMatch(/^budget +15 tokens, 90 s$/m);
  expect(data).toMatchObject({
    breakers: { time: { max_ms: 90_000 } },
    task: "IDLE",
    run: "completed",
    steps: 1,
    max_steps: 128,
    idle_steps: 0,
    queued: 0,
    usage: { input: 12, output: 3 },
  });
});

test("[SU-4] /status and a resumed session are told in words, not in names of states", async () => {
  await using bench = new Bench([{ text: "ok", delayMs: 300 }]);
  for (const [lang, waits, rests, opened] of [
    ["en", "working, waiting for the model", "idle, the last run finished", "is open (idle), mode default."],
    ["zh", "正在执行，等待模型", "空闲，上次运行已完成", "已打开（空闲），模式 default。"],
  ] as const) {
    const seat = bench.open({ lang });
    const taskOf = async (): Promise<string> => (await command(seat, "/status")).text.split("\n")[4] ?? "";
    const isCalled = seat.until((one) => one.kind === "event" && one.state.run.phase === "model_running");
    const run = seat.run("fix the bug in a.ts");
    await isCalled;
    expect(await taskOf()).toEndWith(`  ${waits}`);
    await run;
    expect(await taskOf()).toEndWith(`  ${rests}`);
    const { text } = await command(seat, "/status");
    expect(text.match(/\b(?:IDLE|EXECUTING|model_running|completed|simple_|exec)\b/g)).toBeNull();
    const { id } = seat.engine.state();
    expect(await command(seat, `/resume ${id}`)).toMatchObject({ ok: true, data: { id, phase: "IDLE" } });
    expect((await command(seat, `/resume ${id}`)).text).toEndWith(opened);
    await seat.engine.close();
  }
});

test("[SU-4] /status names its rows in Chinese, and all values begin in one column", async () => {
  await using bench = new Bench([{ text: "ok", usage: { input: 12, output: 3 } }]);
  const seat = bench.open({ lang: "zh" });
  await seat.run("go");
  const lines = (await command(seat, "/status")).text.split("\n");
  expect(lines.filter((line) => /^[a-z]/.test(line))).toEqual([]);
  expect(lines.map((line) => Bun.stringWidth(/^\S+ +/.exec(line)?.[0] ?? ""))).toEqual(lines.map(() => 11));
});

test("[BR-4] [SU-4] /cost says what the session has cost, or that nobody knows", async () => {
  const price = { input: 1, output: 4 };
  await using bench = new Bench([{ text: "ok", usage: { input: 300, output: 100, cached: 50 } }]);
  const known = bench.open({}, { config: { models: { "openai-chat/mock": { price } } } });
  await known.run("go");
  const usage = { input: 300, output: 100, cachedInput: 50 };
  expect(await command(known, "/cost")).toMatchObject({
    text: "This session has cost $0.0007: 300 tokens in (50 cached), 100 out.",
    data: { cost_usd: 0.0007, usage },
  });
  const unknown = bench.open({ lang: "zh" });
  await unknown.run("go");
  expect((await command(unknown, "/cost")).text).toStartWith(
    "本会话：输入 300 token（其中缓存 50），输出 100。费用未知",
  );
});

test("[SU-4] /tools says in the person's language what each tool does; the model reads what it always did", async () => {
  await using bench = new Bench([{ text: "ok" }]);
  const seat = bench.open({ lang: "zh" });
  const { text, data } = await command(seat, "/tools");
  const rows = text.split("\n").map((row) => /^([a-z]+) +(\S.*)$/.exec(row)?.slice(1) ?? [row]);
  expect(rows.filter(([, words = ""]) => !/^[\p{Script=Han}，]+$/u.test(words))).toEqual([]);
  await seat.run("go");
  const sent = (bench.server.requests[0]?.body.tools ?? []) as { function: { name: string; description: string } }[];
  expect(sent.map(({ function: { name, description } }) => ({ name, description }))).toEqual(data as never);
  expect(rows.map(([name]) => name)).toEqual(sent.map(({ function: { name } }) => name));
});

test("/tools lists what the model has; /quit asks to leave", async () => {
  await using bench = new Bench([]);
  const seat = bench.open();
  const names = ((await command(seat, "/tools")).data as { name: string }[]).map((one) => one.name);
  expect(names).toEqual([
    "read",
    "list",
    "glob",
    "grep",
    "write",
    "edit",
    "patch",
    "bash",
    "job",
    "diagnostics",
    "fetch",
    "task",
    "todoread",
    "todowrite",
    "plan",
    "question",
  ]);
  expect(await command(seat, "/quit")).toMatchObject({ ok: true, quit: true });
});
