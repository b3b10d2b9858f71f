import { expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { Bench, type Seat } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";
import { aliveWith, newToken } from "../support/shell.ts";
import { until } from "../support/until.ts";

const confined = { mode: "yolo", sandbox: true } as const;
const call = (tool: string, input: unknown): Step => ({ calls: [{ tool, input }] });
const bash = (command: string, more: object = {}): Step => call("bash", { command, ...more });
const say = (text: string): Step => ({ text });
const serve = (port: number): string =>
  `exec node -e 'require("http").createServer((q, r) => r.end("served")).listen(${port}, "localhost")'`;
const get = (port: number): string => `until curl -s localhost:${port}; do [ -d "$PWD" ] || exit 99; sleep 0.02; done`;

function outputs(seat: Seat): readonly string[] {
  return seat.all("tool.settled").map(({ result }) => result.output);
}

/** Networks that this program holds open. */
function held(): number {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return links.filter((link) => link.startsWith("net:")).length;
}

test("[PO-8] a server in a job is reached by the next command without a question, and not after it was stopped", async () => {
  await using bench = new Bench([
    bash(serve(8131), { background: true }),
    bash(get(8131)),
    call("job", { action: "kill", id: "j1" }),
    bash("curl -sS localhost:8131"),
    say("done"),
  ]);
  const before = held();
  const seat = bench.open(confined);
  await seat.run("go");
  const [, reached, , refused] = outputs(seat);
  expect(reached).toBe("exit code 0\nserved");
  expect(refused).toContain("exit code 7");
  expect(refused).toContain("localhost belongs to this task alone");
  expect(seat.all("tool.settled").filter(({ result }) => result.status === "denied")).toEqual([]);
  await seat.close();
  await until("it is given back", () => held() === before);
});

test("[PO-8] a server of an earlier task is reached as long as it runs, by the commands of its session alone", async () => {
  const other = bash("curl -sS --max-time 5 localhost:8132 || echo refused");
  await using bench = new Bench([
    { when: "one", steps: [bash(serve(8132), { background: true }), say("runs")] },
    { when: "two", steps: [bash(get(8132)), say("seen")] },
    { when: "other", steps: [other, say("not seen")] },
  ]);
  const [first, second] = [bench.open(confined), bench.open(confined)];
  await first.run("one");
  await Promise.all([first.run("two"), second.run("other")]);
  expect(outputs(first).at(-1)).toBe("exit code 0\nserved");
  expect(outputs(second).at(-1)).toContain("refused");
});

test("[CAN-1] [PO-8] a cancel ends the server, and the network that it lived in", async () => {
  const token = newToken();
  const job = `${serve(8133)} ${token}`;
  await using bench = new Bench([
    bash(job, { background: true }),
    bash(`${get(8133)}; echo; sleep 1000`),
    say("never"),
  ]);
  const before = held();
  const seat = bench.open(confined);
  const running = seat.run("go");
  await seat.until((one) => one.kind === "output" && one.text.includes("served"));
  expect(held()).toBe(before + 1);
  seat.engine.cancel("esc");
  await running;
  expect(aliveWith(token)).toEqual([]);
  await until("it is given back", () => held() === before);
});

test("[PO-4] [PO-8] what only reads, and may be led anywhere, is not led to the task's servers", async () => {
  const list = "/dev/tcp/127.0.0.1/8138";
  await using bench = new Bench([
    bash(serve(8138), { background: true }),
    bash(get(8138)),
    bash('while read -r f; do cat < "$f" && echo joined; done < list'),
    bash('while read -r f; do wc -c < "$f"; done < files'),
    say("done"),
  ]);
  bench.file("list", `${list}\n`);
  bench.file("files", "list\n");
  const seat = bench.open({ mode: "auto-edit" });
  await seat.run("go");
  const [, reached, led, counted] = outputs(seat);
  expect(reached).toBe("exit code 0\nserved");
  expect(led).toContain("Connection refused");
  expect(led).not.toContain("joined");
  expect(counted).toBe(`exit code 0\n${list.length + 1}`);
});
