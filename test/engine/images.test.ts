import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelPort, ModelRequest } from "../../src/contract/delta.ts";
import type { EventBody } from "../../src/contract/event.ts";
import type { ModelMessage } from "../../src/contract/message.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { makeCall } from "../../src/engine/model/reply.ts";
import { settingsFrom, setUp } from "../../src/main/setup/setup.ts";
import { openStore } from "../../src/store/open.ts";
import { loadTools } from "../../src/tool/registry.ts";
import { unlabelled } from "../support/labelled.ts";
import { png } from "../support/pictures.ts";
import { hasEnded } from "../support/shell.ts";
import { until } from "../support/until.ts";
import { startVictim } from "../support/victim.ts";

type Reply = { readonly text: string } | { readonly reads: readonly string[] };

/** A workspace and a model that answers from a list and keeps what it was asked, with the images of each request. */
class Desk implements AsyncDisposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "coder-images-")));
  readonly workspace = join(this.root, "ws");
  readonly home = join(this.root, "home");
  readonly asked: { readonly messages: readonly ModelMessage[]; readonly bytes: readonly (Buffer | null)[] }[] = [];
  private readonly replies: Reply[];
  private readonly engines: Engine[] = [];

  constructor(...replies: Reply[]) {
    this.replies = replies;
    mkdirSync(this.workspace);
    // An overview joins the request for which it is ready in time.
    mkdirSync(this.home, { mode: 0o700 });
    writeFileSync(join(this.home, "config.json"), '{"context":{"map_tokens":0}}');
  }

  put(name: string, content: Uint8Array | string): void {
    writeFileSync(join(this.workspace, name), content);
  }

  open(): Engine {
    const before = process.env.CODER_HOME;
    process.env.CODER_HOME = this.home;
    try {
      const flags = { cwd: this.workspace, baseUrl: "http://127.0.0.1:9", model: "openai-chat/mock" };
      const port: ModelPort = { stream: (request) => this.answer(request) };
      const { engine } = setUp(settingsFrom(flags, true), flags, () => false, { openModel: async () => port });
      this.engines.push(engine);
      return engine;
    } finally {
      if (before === undefined) delete process.env.CODER_HOME;
      else process.env.CODER_HOME = before;
    }
  }

  /** Everything of one kind that the log holds. */
  blobs(): readonly { hash: string; bytes: Uint8Array }[] {
    const db = new Database(join(this.home, "coder.db"), { readonly: true });
    try {
      return db.query<{ hash: string; bytes: Uint8Array }, []>("select hash, bytes from blobs").all();
    } finally {
      db.close();
    }
  }

  private async *answer(request: ModelRequest): ReturnType<ModelPort["stream"]> {
    const refs = request.messages.flatMap((message) => (message.role === "tool" ? (message.images ?? []) : []));
    const bytes = refs.map(({ hash }) => {
      const found = request.imageBytes(hash);
      return found && Buffer.from(found);
    });
    this.asked.push({ messages: request.messages, bytes });
    const reply = this.replies.shift() ?? { text: "nothing left to say" };
    const { runId, modelCallIndex, attempt } = request;
    let seq = 0;
    const stamp = () => ({ runId, modelCallIndex, attempt, seq: seq++ });
    yield { ...stamp(), kind: "start" };
    if ("text" in reply) yield { ...stamp(), kind: "text", text: reply.text };
    for (const [ordinal, path] of ("reads" in reply ? reply.reads : []).entries()) {
      yield { ...stamp(), kind: "tool_call_start", ordinal, providerId: null, tool: "read" };
      yield { ...stamp(), kind: "tool_call_args", ordinal, text: JSON.stringify({ path }) };
      yield { ...stamp(), kind: "tool_call_end", ordinal };
    }
    yield { ...stamp(), kind: "done", finish: "text" in reply ? "stop" : "tool_calls" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.engines) await engine.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

const sha = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

async function run(engine: Engine, text: string): Promise<void> {
  await engine.runInput(text);
  await engine.idle();
}

function refOf(bytes: Buffer, width: number, height: number) {
  return { hash: sha(bytes), mediaType: "image/png", bytes: bytes.length, width, height } as const;
}

test("[PS-1] an image is stored once, named in the result, and its bytes reach the model, also after a resume", async () => {
  const bytes = png(30, 20);
  const ref = refOf(bytes, 30, 20);
  await using desk = new Desk({ reads: ["a.png", "b.png"] }, { text: "seen" }, { text: "still there" });
  desk.put("a.png", bytes);
  desk.put("b.png", bytes);
  const engine = desk.open();
  const lines: string[] = [];
  engine.subscribe((one) => lines.push(JSON.stringify(one)));
  await run(engine, "look");
  const id = engine.state().id;
  const text = `image/png 30x20, ${bytes.length} bytes`;
  const shown = desk.asked[1]?.messages.slice(-2).map((one) => ({ ...one, text: unlabelled(one.text) }));
  expect(shown).toEqual([
    { role: "tool", id: "r1_1_1", tool: "read", text, images: [ref] },
    { role: "tool", id: "r1_1_2", tool: "read", text, images: [ref] },
  ]);
  expect(desk.asked[1]?.bytes).toEqual([bytes, bytes]);
  expect(desk.blobs()).toEqual([{ hash: ref.hash, bytes: new Uint8Array(bytes) }]);
  // What surfaces are told holds names, never bytes.
  expect(lines.join("").includes(bytes.toString("base64").slice(0, 40))).toBe(false);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(20_000);
  await engine.close();
  rmSync(join(desk.workspace, "a.png"));
  const again = desk.open();
  expect(await again.resume(id)).toEqual({ ok: true });
  await run(again, "and now?");
  const tools: readonly ModelMessage[] | undefined = desk.asked[2]?.messages.filter(({ role }) => role === "tool");
  expect(tools).toEqual(desk.asked[1]?.messages.slice(-2));
  expect(desk.asked[2]?.bytes).toEqual([bytes, bytes]);
});

test("[BR-3] two pictures of the same size are different results", async () => {
  await using desk = new Desk({ reads: ["a.png"] }, { reads: ["a.png"] }, { text: "done" });
  desk.put("a.png", png(9, 9, 10));
  const engine = desk.open();
  const keys: string[] = [];
  engine.subscribe((one) => {
    if (one.kind !== "event" || one.recorded.event.type !== "tool.settled") return;
    keys.push(one.recorded.event.result.key);
    desk.put("a.png", png(9, 9, 20));
  });
  await run(engine, "look twice");
  const words = desk.asked[2]?.messages.flatMap((message) =>
    message.role === "tool" ? [unlabelled(message.text)] : [],
  );
  expect(new Set(words).size).toBe(1);
  expect(new Set(keys).size).toBe(2);
});

test("[CX-2] a request carries the newest images within what providers take, and says where one was left out", async () => {
  const names = Array.from({ length: 25 }, (_, at) => `p${at}.png`);
  await using desk = new Desk({ reads: names }, { text: "done" });
  for (const [at, name] of names.entries()) desk.put(name, png(8, 8, at));
  await run(desk.open(), "look");
  const tools = desk.asked[1]?.messages.filter((message) => message.role === "tool") ?? [];
  // At the 21st only ten stay; four more came after it.
  const left = tools.flatMap((message, at) => ("images" in message ? [] : [at]));
  expect(left).toEqual(Array.from({ length: 11 }, (_, at) => at));
  expect(tools[0]?.text).toEndWith("\n[image left out; read it again if it is needed]");
  expect(desk.asked[1]?.bytes).toEqual(names.slice(11).map((_, at) => png(8, 8, at + 11)));
});

test("[PS-4] [CAN-4] a PDF whose reading was cut by kill -9 is read again, and the program of the first reading is ended", async () => {
  await using desk = new Desk({ text: "done" });
  desk.put("d.pdf", "%PDF-1.4\n");
  const folder = join(desk.root, "bin");
  mkdirSync(folder);
  writeFileSync(join(folder, "pdftotext"), "#!/bin/sh\necho words\n");
  chmodSync(join(folder, "pdftotext"), 0o755);
  const id = "crash0-image0";
  const started = join(desk.root, "started");
  await using victim = await startVictim(`echo > ${started}; sleep 300`, "open", `${id}.r1_1_1`);
  await until("the program runs", () => existsSync(started));
  await victim.kill();
  expect(hasEnded(victim.pid)).toBe(false);
  const { pid, startTime } = victim;
  writeLog(desk, id, { pid, startTime });
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    const engine = desk.open();
    expect(await engine.resume(id)).toEqual({ ok: true });
    await engine.idle();
  } finally {
    process.env.PATH = path;
  }
  expect(hasEnded(victim.pid)).toBe(true);
  const last = desk.asked[0]?.messages.at(-1);
  expect({ ...last, text: unlabelled(last?.text ?? "") }).toEqual({
    role: "tool",
    id: "r1_1_1",
    tool: "read",
    text: "1\t--- page 1\n2\twords",
  });
}, 120_000);

/** A session that ends while its one call, a read, runs a program. */
function writeLog(desk: Desk, id: string, spawned: { readonly pid: number; readonly startTime: string }): void {
  const call = makeCall("r1/1/1", null, "read", { path: "d.pdf" }, loadTools([]));
  const limits = { maxSteps: 9, maxTokens: null, maxAttempts: 1 };
  const usage = { input: 1, output: 1, cachedInput: 0, reasoning: 0 };
  const reply = { text: "", thinking: "", calls: [call], usage, finish: "tool_calls" } as const;
  const assessment = { intent: "task", complexity: "simple", riskLevel: "low", foreseen: [], missing: [] } as const;
  const one = { runId: "r1", callId: "r1/1/1" } as const;
  const start = { sessionId: id, workspace: desk.workspace, addDirs: [], model: "openai-chat/mock" };
  const bodies: EventBody[] = [
    { type: "session.started", ...start, mode: "default", preset: null, forkedFrom: null },
    { type: "input.admitted", inputId: "i1", kind: "task", delivery: "now", text: "go" },
    { type: "task.started", taskId: "t1", runId: "r1", inputId: "i1", limits },
    { type: "task.assessed", taskId: "t1", assessment },
    { type: "context.built", taskId: "t1", hints: "now" },
    { type: "plan.settled", taskId: "t1", plan: null, needsConfirmation: false },
    { type: "run.started", runId: "r1", calls: [] },
    { type: "model.replied", runId: "r1", index: 1, attempt: 1, reply },
    { type: "tool.decided", ...one, decision: "allow", reasons: [], source: "preset balanced" },
    { type: "tool.intended", ...one, intent: { changes: [], text: "" } },
    { type: "process.spawned", ...one, ...spawned },
  ];
  const store = openStore(desk.home);
  const entries = bodies.map((body) => ({ event: { v: 1, at: 1, ...body } as const, accepted: true }));
  store.create(id, desk.workspace).append({ from: 1, entries, blobs: [], durable: true });
  store.close();
}
