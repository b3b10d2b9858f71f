// A second process on the same store. Run as a program it is that process; imported, it starts one.
import { createInterface } from "node:readline";
import type { Event } from "../../src/contract/event.ts";
import { openStore } from "../../src/store/open.ts";
import { writeSnapshot } from "../../src/store/snapshot.ts";
import { admitted, call, faultOf, note, put, replied, settled, started } from "./sample.ts";

export interface Writer {
  readonly pid: number;
  /** The next line it printed. */
  next(): Promise<unknown>;
  send(line: string): void;
  /** kill -9, and gone when it resolves. */
  kill(): Promise<void>;
}

export function startWriter(...args: readonly string[]): Writer {
  const child = Bun.spawn([process.execPath, import.meta.path, ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  return {
    pid: child.pid,
    next: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the writer ended with ${await child.exited}`);
      return JSON.parse(value);
    },
    send: (line) => {
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    kill: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

/** The events of one step, so that every batch also changes the tables beside the log. */
export function stepEvents(n: number): readonly Event[] {
  const id = `r1/${n}/0` as const;
  const todos = [{ id: `${n}`, content: `todo ${n}`, status: "pending", priority: "low" }] as const;
  return [
    admitted(`i${n}`, `input ${n}`),
    started(`i${n}`),
    replied(`reply ${n}`, [call(id)]),
    settled(id, "x".repeat(n % 7 === 0 ? 9_000 : 50), todos),
  ];
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Opens the session and appends one event per line of stdin. */
async function hold(home: string, id: string): Promise<void> {
  const store = openStore(home);
  const opened = store.open(id);
  if (!opened.ok) return say(opened);
  let next = [...opened.log.read()].length + 1;
  say({ ok: true });
  for await (const line of createInterface({ input: process.stdin })) {
    const fault = faultOf(() => put(opened.log, next, note(line)));
    say(fault);
    if (fault === "no failure") next += 1;
  }
}

/** Appends durable steps as fast as it can and says each one's last number after the append has returned. */
function pour(home: string, id: string): void {
  const opened = openStore(home).open(id);
  if (!opened.ok) throw new Error(JSON.stringify(opened));
  let next = [...opened.log.read()].length + 1;
  for (let step = next; ; step += 1) {
    const events = stepEvents(step);
    const entries = events.map((event) => ({ event, accepted: true }));
    opened.log.append({ from: next, entries, blobs: [], durable: step % 2 === 0 });
    next += events.length;
    say(next - 1);
  }
}

/** Uses the store without root's right to write everywhere. */
function unprivileged(home: string, id: string): void {
  if (process.getuid?.() === 0) {
    process.setgroups?.([]);
    process.setgid?.(65534);
    process.setuid?.(65534);
  }
  say(
    faultOf(() => {
      const opened = openStore(home).open(id);
      if (opened.ok) put(opened.log, [...opened.log.read()].length + 1, note("written"));
    }),
  );
}

/** Waits for the word, so that several begin at the same moment. */
async function race(home: string, id: string): Promise<void> {
  say("ready");
  for await (const _ of createInterface({ input: process.stdin })) {
    say(
      faultOf(() => {
        const store = openStore(home);
        put(store.create(id, "/w"), 1, note(id));
        store.close();
      }),
    );
    return;
  }
}

/** Waits for the word, then stores rules one by one, and one that others store too. */
async function allow(home: string, who: string): Promise<void> {
  const store = openStore(home);
  say("ready");
  for await (const _ of createInterface({ input: process.stdin })) {
    const rule = (...argv: readonly string[]) =>
      ({ decision: "allow", tool: "bash", command: { argv, isExact: true }, source: "always", by: "person" }) as const;
    say(
      faultOf(() => {
        for (let n = 0; n < 25; n += 1) store.addRules("/w", [rule("tool", who, String(n)), rule("shared")]);
      }),
    );
  }
}

function offer(home: string, command: string): void {
  openStore(home).keepRefused("/w", command);
  say("kept");
}

/** Removes one session after the other. */
function remove(home: string): void {
  const store = openStore(home);
  for (const { id } of store.holdings()) {
    store.remove(id, () => {});
    say(id);
    store.shrink(50);
  }
}

/** Writes large snapshots without end. */
function snap(workspace: string, id: string): void {
  for (let n = 1; ; n += 1) {
    const written = writeSnapshot(workspace, id, JSON.stringify({ n, filler: "x".repeat(3_000_000), end: n }));
    say(written.ok ? n : written);
  }
}

if (import.meta.main) {
  const [mode = "", home = "", id = ""] = process.argv.slice(2);
  const modes: Readonly<Record<string, (home: string, id: string) => void | Promise<void>>> = {
    hold,
    pour,
    unprivileged,
    race,
    allow,
    offer,
    remove,
    snap,
  };
  await modes[mode]?.(home, id);
}
