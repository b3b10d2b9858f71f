import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench, type Seat } from "../../support/engine.ts";

interface Shown {
  readonly parts: Readonly<Record<string, number>>;
  readonly used: number;
  readonly free: number;
  readonly window: number;
}

const usage = { input: 1_000, output: 50 };
const result = async (seat: Seat, text: string) => {
  const admission = await seat.run(text);
  if (admission.kind !== "command") throw new Error(`${text}: ${admission.kind}`);
  return admission.result as typeof admission.result & { readonly data: never };
};

describe("/context", () => {
  test("[CX-1] names by kind what the next request consists of, with a bar, before the first message too", async () => {
    const read = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
    await using bench = new Bench([
      { text: "I look.", ...read, usage },
      { text: "Done.", usage },
    ]);
    bench.file("a.txt", "long line\n".repeat(400));
    const seat = bench.open();
    const before = await result(seat, "/context");
    const { parts: empty } = before.data as Shown;
    expect([empty.system, empty.tools, empty.said, empty.results]).toEqual([
      expect.any(Number),
      expect.any(Number),
      0,
      0,
    ]);
    expect(before.text).toMatch(/^Context: [\d,]+ of [\d,]+ tokens\n\[S?T+·+\]\n/);
    await seat.run("what is in a.txt?");
    const { data, text } = await result(seat, "/context");
    const { parts, used, free, window } = data as Shown;
    expect(parts.results).toBeGreaterThan(parts.said ?? 0);
    expect([used, free]).toEqual([Object.values(parts).reduce((sum, one) => sum + one, 0), window - used]);
    expect(text.split("\n")[1]).toMatch(/^\[.{40}\]$/);
    // The meter of the status line counts the same request.
    expect(Math.abs(used - seat.engine.context().tokens)).toBeLessThan(30);
  });

  test("[SU-4] is told in Chinese, and a window of unknown size draws no bar", async () => {
    await using bench = new Bench([]);
    const { text } = await result(bench.open({ lang: "zh" }), "/context");
    expect(text).toContain("系统提示");
    expect(text).toContain("空闲");
  });
});

describe("/usage", () => {
  test("[CX-5] has tokens and cost by model and by task, from the log, also after a resume", async () => {
    const config = {
      models: { "openai-chat/mock": { price: { input: 1, output: 10 } } },
      providers: { other: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", models: ["x"] } },
    };
    await using bench = new Bench([
      { text: "One.", usage },
      { text: "Two.", usage },
      { text: "Three.", usage },
    ]);
    const seat = bench.open({}, { config });
    expect((await result(seat, "/usage")).text).toBe("No model was asked in this session yet.");
    await seat.run("first\nwith more");
    await seat.run("second");
    const { id } = seat.engine.state();
    await seat.close();
    const again = bench.open({}, { config });
    await again.engine.resume(id);
    await again.run("third");
    const { data, text } = await result(again, "/usage");
    expect(data as unknown).toEqual({
      models: [{ name: "openai-chat/mock", requests: 3, input: 3000, cached_input: 0, output: 150, cost_usd: 0.0045 }],
      tasks: ["first", "second", "third"].map((name) => ({
        ...{ name, requests: 1, input: 1000, cached_input: 0, output: 50, cost_usd: 0.0015 },
      })),
    });
    expect(text.split("\n")[0]).toMatch(/^Model +requests +in +cached +out +cost$/);
  });
});

describe("/rename", () => {
  test("[PS-3] names the session for lists and after a resume; no control character gets in", async () => {
    await using bench = new Bench([{ text: "Hi.", usage }]);
    const seat = bench.open();
    expect((await result(seat, "/rename")).ok).toBe(false);
    expect((await result(seat, "/rename The \u001b[31mshop\u202e 重构")).data as unknown).toEqual({
      title: "The [31mshop 重构",
    });
    await seat.run("hello");
    expect(seat.engine.sessions(5)[0]?.title).toBe("The [31mshop 重构");
    await result(seat, "/rename Second");
    const { id } = seat.engine.state();
    await seat.close();
    const again = bench.open();
    await again.engine.resume(id);
    expect([again.engine.state().title, again.engine.sessions(5)[0]?.title]).toEqual(["Second", "Second"]);
  });
});

describe("/copy, /config, /doctor, /memory", () => {
  test("[SL-1] /copy is the newest reply, and says when there is none", async () => {
    await using bench = new Bench([[{ text: "First.", usage }], [{ text: "**Second** 回答", usage }]]);
    const seat = bench.open();
    expect((await result(seat, "/copy")).ok).toBe(false);
    await seat.run("say the first thing");
    await seat.run("say the second thing");
    expect(await result(seat, "/copy")).toMatchObject({ ok: true, text: "**Second** 回答", copy: "**Second** 回答" });
  });

  test("[CF-1] /config shows what applies and where it comes from, without secrets; /doctor what coder doctor says", async () => {
    await using bench = new Bench([]);
    const key = "not-a-real-key-of-anybody";
    const config = {
      max_steps: 7,
      providers: { lab: { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1", api_key: key } },
    };
    const seat = bench.open({}, { config });
    const { text } = await result(seat, "/config");
    expect(text).toMatch(/^max_steps = 7 {2}\(.*config-0\.json:1\)$/m);
    expect(text).not.toContain(key);
    expect((await result(seat, "/config max_steps")).text).toStartWith("max_steps = 7");
    expect((await result(seat, "/config max_stepz")).ok).toBe(false);
    const doctor = await result(seat, "/doctor");
    expect(doctor.text).toContain("ripgrep");
    expect((doctor.data as { checks: readonly unknown[] }).checks.length).toBeGreaterThan(10);
  });

  test("[CX-1] /memory lists the rules files that count and those that do not; only one of them can be opened", async () => {
    await using bench = new Bench([]);
    mkdirSync(bench.home, { recursive: true });
    bench.file("AGENTS.md", "Short lines.\n");
    const seat = bench.open();
    const states = async () => ((await result(seat, "/memory")).data as { state: string }[]).map(({ state }) => state);
    expect(await states()).toEqual(["missing", "untrusted"]);
    writeFileSync(join(bench.home, "AGENTS.md"), "Mine.\n");
    expect(await states()).toEqual(["counts", "untrusted"]);
    const file = join(bench.workspace, "AGENTS.md");
    expect(await result(seat, "/memory AGENTS.md")).toMatchObject({ ok: true, edit: file });
    expect((await result(seat, "/memory /etc/passwd")).ok).toBe(false);
  });
});
