import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../support/binary.ts";
import { Cli } from "../support/cli.ts";

const hasStrace = process.platform === "linux" && Bun.which("strace") !== null;
if (!hasStrace) console.error("skipped: who coder talks to is seen with strace, which is not here");

/** Addresses of the network, as strace shows them: `sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")`. */
function addressesIn(trace: string): readonly string[] {
  const found = trace.matchAll(
    /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g,
  );
  return [...new Set([...found].map(([, port, four, six]) => `${four ?? six}:${port}`))].sort();
}

/** Runs coder and answers whom it, or anything it started, talked to. */
function talksTo(cli: Cli, args: readonly string[]) {
  const trace = join(cli.root, "trace");
  const tracer = ["strace", "-f", "-o", trace, "-e", "trace=connect,sendto,sendmsg,sendmmsg,bind"];
  const child = Bun.spawn([...tracer, ...builtBinary(), ...args], {
    cwd: cli.workspace,
    env: { PATH: process.env.PATH ?? "", HOME: cli.home, LANG: "C" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const out = child.stdout.text();
  return child.exited.then(async (code) => ({
    code,
    out: await out,
    addresses: addressesIn(readFileSync(trace, "utf8")),
  }));
}

test.skipIf(!hasStrace)(
  "a headless task talks to the configured model and to nobody else",
  async () => {
    using cli = new Cli([
      {
        text: "I look around.",
        calls: [
          { tool: "bash", input: { command: "echo hello" } },
          { tool: "grep", input: { pattern: "hello" } },
          { tool: "write", input: { path: "a.txt", content: "hello\n" } },
        ],
      },
      { text: "Done." },
    ]);
    const ran = await talksTo(cli, ["run", "--mode", "yolo", ...cli.model, "look"]);
    expect(ran).toEqual({ code: 0, out: "Done.\n", addresses: [new URL(cli.server.url).host] });
    expect(cli.server.requests.length).toBe(2);
  },
  120_000,
);

test.skipIf(!hasStrace)("a start without a task, and a failed one, talk to nobody", async () => {
  using cli = new Cli();
  for (const args of [["--version"], ["--help"], ["sessions"], ["run", "no model is configured"], []]) {
    const { addresses } = await talksTo(cli, args);
    expect([args, addresses]).toEqual([args, []]);
  }
});

test.skipIf(!hasStrace)(
  "the look at the trace is not blind: it sees a call to a name server and to another host",
  () => {
    const lines = `1 connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("9.9.9.9")}, 16) = 0
2 connect(6, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0
3 connect(7, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = -1 ENOENT`;
    expect(addressesIn(lines)).toEqual(["2001:db8::1:443", "9.9.9.9:53"]);
  },
);
