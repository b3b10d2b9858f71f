// A model's server that falls silent, talks for ever and says nothing, or says far too much: the tables of the model port, played
// against the whole program.
import { readFileSync } from "node:fs";
import { timeAttacks } from "../../test/protocols/attack-time.ts";
import { type Flood, floods } from "../../test/protocols/floods.ts";
import { type Answer, startAttackServer } from "../../test/support/wire/attack-server.ts";
import { type Wire, wires } from "../../test/support/wire/protocols.ts";
import { type Attempt, broken, held, type Outcome } from "./attempt.ts";
import { ended, type Ground } from "./ground.ts";

const idleSeconds = 1;
/** Many times what it should take on a busy machine. */
const longestSeconds = 20;
/** 16 MiB of reply several times over, beside the runtime. */
const mostMb = 420;

/** `ends`: the exit codes of an end in good order; 7 is a fault of the provider. */
async function ask(ground: Ground, wire: Wire, answer: Answer, ends = [7], tries = 3): Promise<Outcome> {
  await using server = await startAttackServer(() => answer);
  const hostile = { protocol: wire.protocol, base_url: server.url };
  const settings = { providers: { hostile }, model_idle_s: idleSeconds, model_attempts: 1 };
  ground.write(`${ground.coderHome}/config.json`, JSON.stringify(settings), 0o600);
  const started = performance.now();
  const child = ground.start(["run", "--model", "hostile/m", "Say hello."], { env: { HOSTILE_API_KEY: "x" } });
  const limit = setTimeout(() => child.kill("SIGKILL"), longestSeconds * 1000);
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  const { code, err } = await ended(child);
  clearTimeout(limit);
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  const how = `exit ${code} after ${seconds.toFixed(1)} s, ${peak} MB: ${err.trim().split("\n")[0]}`;
  // The attempt beside this one kept the server from answering in time.
  if (server.requests.length === 0 && tries > 1) return await ask(ground, wire, answer, ends, tries - 1);
  if (server.requests.length === 0) throw new Error(`nobody was asked: ${err}`);
  if (seconds >= longestSeconds) return broken(`still there after ${longestSeconds} s, ${peak} MB`);
  if (peak > mostMb) return broken(`too much memory: ${how}`);
  return ends.includes(code) ? held(how) : broken(how);
}

/** The kernel's mark of the most that the process ever held, in MB. */
function peakOf(pid: number): number {
  try {
    const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return Math.round(Number(kib) / 1024);
  } catch {
    return 0; // It has just ended.
  }
}

const wireAt = (at: number): Wire => wires[at % wires.length]!;

/** What goes wrong after a whole reply with calls in it is played below, without calls. */
const faults = timeAttacks.filter(({ tries }) => tries(wireAt(0)).every(({ expected }) => "fault" in expected));

/** Each in two protocols; the next has the other two. */
const silent: readonly Attempt[] = faults.flatMap(({ name, tries }, at) =>
  [wireAt(at), wireAt(at + 2)].map((wire, turn) => {
    const all = tries(wire);
    const which = turn % all.length;
    return {
      promise: "streams",
      name: `${name} (${wire.protocol}${which > 0 ? ", another way" : ""})`,
      play: (ground: Ground) => ask(ground, wire, all[which]!.answer),
    };
  }),
);

function* afterReply(wire: Wire, more: string | null): Generator<string> {
  for (const { sse } of wire.frames({ parts: [{ kind: "text", text: "hello" }] })) yield sse;
  while (more !== null) yield more;
}

const open: readonly Attempt[] = wires.map((wire, at) => {
  const [name, more] = [["silence", null] as const, ["comments for ever", ": still here\n\n"] as const][at % 2]!;
  return {
    promise: "streams",
    name: `after a whole reply the connection stays open, with ${name} (${wire.protocol})`,
    play: (ground: Ground) => ask(ground, wire, { writes: afterReply(wire, more), after: "silence", pauseMs: 2 }, [0]),
  };
});

const flooding: readonly Attempt[] = floods.map((flood, at) => {
  const wire = wires.find(({ protocol }) => flood.isFor?.includes(protocol)) ?? wireAt(at);
  return {
    promise: "streams",
    name: `${flood.name} (${wire.protocol})`,
    // A reply that arrives in time repeats its calls until the breaker for steps without progress ends the run.
    play: (ground: Ground) => ask(ground, wire, answerOf(flood, wire), flood.expected.fault === null ? [5, 7] : [7]),
  };
});

function answerOf({ writes, head }: Flood, wire: Wire): Answer {
  return { writes: writes(wire), ...(head === undefined ? {} : { head }) };
}

export const streamAttempts: readonly Attempt[] = [...silent, ...open, ...flooding];
