// Power can fail at any moment: what a call is about to do must be on the disk before its first effect. Read from the kernel.
import { expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, startScriptedServer } from "../support/scripted-server.ts";
import { inTempFolder } from "../support/shell.ts";
import { lookAt } from "../torture/found.ts";
import { live, makePlace, type Place, runFlags, start } from "../torture/life.ts";

// Elsewhere there is no strace.
const onLinux = test.skipIf(process.platform !== "linux");

/** One system call. `began` and `ended` are places in the trace: two calls with ended < began happened in this order. */
interface Traced {
  readonly name: string;
  readonly text: string;
  readonly began: number;
  ended: number;
}

// With a question mark: a name that this processor does not have is passed over.
const changing = "?mkdir,?mkdirat,?link,?linkat,?rename,?renameat,?renameat2";
const traced = `fdatasync,fsync,pwrite64,openat,execve,sendto,${changing}`;
/** Every sync takes this long, so that whoever does not wait for it is seen to be ahead of it. */
const slowDisk = "fdatasync,fsync:delay_enter=20000";
/** -y shows the file behind a descriptor, -s a whole page of the database: the stored events can be read in it. */
const flags = ["-f", "-y", "-s", "4200", "-e", `trace=${traced}`, "-e", `inject=${slowDisk}`];

async function trace(place: Place, args: readonly string[]): Promise<readonly Traced[]> {
  const file = join(place.root, "trace");
  const life = await start(place, args, { around: ["strace", ...flags, "-o", file, "--"] }).ended;
  if (life.exitCode === null) throw new Error(life.stderr);
  return parse(readFileSync(file, "latin1"));
}

function parse(text: string): readonly Traced[] {
  const calls: Traced[] = [];
  const open = new Map<string, Traced>();
  for (const [at, line] of text.split("\n").entries()) {
    const resumed = /^(\d+) +<\.\.\. \w+ resumed>/.exec(line);
    const entered = /^(\d+) +(\w+)\(/.exec(line);
    const unfinished = resumed ? open.get(resumed[1] ?? "") : undefined;
    if (unfinished) unfinished.ended = at;
    if (!entered) continue;
    const call = {
      name: entered[2] ?? "",
      text: line,
      began: at,
      ended: line.endsWith("<unfinished ...>") ? Infinity : at,
    };
    if (call.ended === Infinity) open.set(entered[1] ?? "", call);
    calls.push(call);
  }
  return calls;
}

const isLogWrite = ({ name, text }: Traced): boolean => name === "pwrite64" && text.includes("coder.db-wal>");
const isSync = ({ name, text }: Traced): boolean => /^f(data)?sync$/.test(name) && text.includes("coder.db-wal>");

/** The write that puts this event of the first call into the log. */
function stored(calls: readonly Traced[], event: string): Traced {
  const found = calls.find((call) => isLogWrite(call) && call.text.includes(event) && call.text.includes("r1/1/1"));
  if (!found) throw new Error(`${event} was never written`);
  return found;
}

/** What happened from the event's write to the effect, in order: the log must be synced as the last thing before it. */
function order(calls: readonly Traced[], event: string, effect: Traced): readonly string[] {
  const from = stored(calls, event);
  const between = calls.filter((call) => call.began >= from.began && call.ended < effect.began);
  const steps = between
    .filter((call) => isLogWrite(call) || isSync(call))
    .map((call) => (isSync(call) ? "sync" : "write"));
  return steps.filter((step, at) => step !== steps[at - 1]);
}

function first(calls: readonly Traced[], what: string, fits: (call: Traced) => boolean): Traced {
  const found = calls.find(fits);
  if (!found) throw new Error(`there is no ${what}`);
  return found;
}

/** The first call that changes anything in the workspace. */
function firstChange(calls: readonly Traced[], place: Place): Traced {
  return first(calls, "change in the workspace", ({ name, text }) => {
    const path = /"([^"]*)"/.exec(text)?.[1] ?? "";
    const isInside = path.startsWith(place.workspace) || path.startsWith("/proc/self/fd/");
    return isInside && (/^(mkdir|link|rename)/.test(name) || (name === "openat" && text.includes("O_CREAT")));
  });
}

async function inPlace(script: Script, use: (place: Place, url: string) => Promise<void>): Promise<void> {
  using server = startScriptedServer(script);
  await inTempFolder(async (folder) => use(makePlace(folder), server.url));
}

const write = (path: string) => [{ calls: [{ tool: "write", input: { path, content: "new\n" } }] }, { text: "done" }];

onLinux(
  "[TP-3] the log is synced between the intent of a write and the first system call that changes anything",
  async () => {
    await inPlace(write("new/folder/file.ts"), async (place, url) => {
      const calls = await trace(place, runFlags(url, ["go"]));
      expect(order(calls, "tool.intended", firstChange(calls, place))).toEqual(["write", "sync"]);
      expect(readFileSync(join(place.workspace, "new/folder/file.ts"), "utf8")).toBe("new\n");
    });
  },
);

onLinux(
  "[TP-3] the log is synced between the intent of a command and the start of its shell, and between pid and command",
  async () => {
    await inPlace(
      [{ calls: [{ tool: "bash", input: { command: "./told-apart; true" } }] }, { text: "done" }],
      async (place, url) => {
        const program = join(place.workspace, "told-apart");
        writeFileSync(program, "#!/bin/sh\nexit 0\n");
        chmodSync(program, 0o755);
        const calls = await trace(place, runFlags(url, ["go"]));
        const execs = calls.filter(({ name }) => name === "execve");
        const gate = first(execs.slice(1), "shell", ({ text }) => text.includes("bash"));
        const command = first(execs, "command", ({ text }) => text.includes('execve("./told-apart"'));
        expect(order(calls, "tool.intended", gate)).toEqual(["write", "sync"]);
        expect(order(calls, "process.spawned", command)).toEqual(["write", "sync"]);
      },
    );
  },
);

onLinux("[TP-3] an intent that a kill left unsynced is synced by the resume before it is carried out", async () => {
  await inPlace(write("file.ts"), async (place, url) => {
    const counted = await trace(place, runFlags(url, ["go"]));
    const intent = stored(counted, "tool.intended");
    const syncs = counted.filter(({ name }) => name === "fsync" || name === "fdatasync");
    const own = first(syncs, "sync of the intent", ({ began }) => began > intent.began);
    const nth = syncs.filter(({ name, began }) => name === own.name && began <= own.began).length;
    await inPlace(write("file.ts"), async (again, url2) => {
      const killed = await live(again, runFlags(url2, ["go"]), { kind: "call", name: own.name, nth });
      const { sessionId, log } = lookAt(again);
      expect({ wasKilled: killed.wasKilled, last: log.at(-1)?.event.type }).toEqual({
        wasKilled: true,
        last: "tool.intended",
      });
      const calls = await trace(again, runFlags(url2, ["--resume", sessionId ?? ""]));
      const change = firstChange(calls, again);
      expect(calls.filter((call) => isSync(call) && call.ended < change.began).length).toBeGreaterThan(0);
      expect(readFileSync(join(again.workspace, "file.ts"), "utf8")).toBe("new\n");
    });
  });
});

onLinux("[TP-3] the result of a call is in the log before the model is asked again", async () => {
  await inPlace(write("file.ts"), async (place, url) => {
    const calls = await trace(place, runFlags(url, ["go"]));
    const settled = stored(calls, "tool.settled");
    const asked = calls.filter(({ name, text }) => name === "sendto" && text.includes('"POST /v1/chat/completions'));
    expect(asked.length).toBe(2);
    expect(settled.ended).toBeLessThan(asked[1]?.began ?? 0);
  });
});
