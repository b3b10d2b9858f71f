import { expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Published } from "../../src/engine/port.ts";
import { Bench, type Seat } from "../support/engine.ts";

const isLinux = process.platform === "linux";
const done = { text: "done" };
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command, network: true } }] });
const asks = (one: Published): boolean =>
  one.kind === "event" && one.state.run.phase === "awaiting_human" && one.recorded.event.type === "tool.decided";
const settled = (seat: Seat) => seat.all("tool.settled").map(({ result: { status } }) => status);

/** A server on this machine, and what was asked of it. */
function serve(answer: (request: Request) => Response) {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      seen.push(new URL(request.url).pathname);
      return answer(request);
    },
  });
  const stop = (): void => void server.stop(true);
  return { seen, host: `127.0.0.1:${server.port}`, url: `http://127.0.0.1:${server.port}`, [Symbol.dispose]: stop };
}

/** In the environment of the person's, for as long as it takes. */
function setting(name: string, value: string) {
  const before = process.env[name];
  process.env[name] = value;
  const restore = (): void => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  };
  return { [Symbol.dispose]: restore };
}

test.skipIf(!isLinux)(
  "[PO-6] a person may say always for the host of a command: its next address is not asked about, another host is",
  async () => {
    using proxy = serve(() => new Response("hello"));
    using _ = setting("http_proxy", proxy.url);
    await using bench = new Bench([
      [bash("curl -s http://Nowhere.Invalid/a"), done],
      [bash("curl -s http://nowhere.invalid/b | head"), bash("curl -s http://other.invalid/"), done],
    ]);
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("first");
    await seat.until(asks);
    const open = seat.approval();
    expect([open?.always, open?.scopes]).toEqual([["network(nowhere.invalid)"], ["call", "task"]]);
    seat.engine.answer(open?.callId ?? "", { answer: "always", by: "person" });
    await seat.engine.idle();
    await seat.engine.runInput("second");
    const isOther = (): boolean => JSON.stringify(seat.approval()?.input ?? "").includes("other.invalid");
    await seat.until((one) => asks(one) && isOther());
    const other = seat.approval();
    expect(other?.always).toEqual(["network(other.invalid)"]);
    seat.engine.answer(other?.callId ?? "", { answer: "no", by: "person" });
    await seat.engine.idle();
    expect([settled(seat), proxy.seen]).toEqual([
      ["done", "done", "denied"],
      ["/a", "/b"],
    ]);
  },
);

test.skipIf(!isLinux)(
  "[PO-6] [SA-shadowed-program] what is called like a client and lies in the workspace is not run",
  async () => {
    using site = serve(() => new Response("from the server"));
    await using bench = new Bench([bash(`curl -s ${site.url}/x`), done]);
    chmodSync(bench.file("curl", "#!/bin/sh\ntouch ran\n"), 0o755);
    using _ = setting("PATH", `${bench.workspace}:${process.env.PATH}`);
    const seat = bench.open({ allow: [`network(${site.host})`] });
    await seat.run("look");
    expect([settled(seat), site.seen, existsSync(join(bench.workspace, "ran"))]).toEqual([["done"], ["/x"], false]);
  },
);

test.skipIf(!isLinux)("[PO-6] git goes to no other host when the one that a rule names sends it there", async () => {
  using other = serve(() => new Response("", { status: 404 }));
  using site = serve(({ url }) => Response.redirect(url.replace(site.host, other.host)));
  await using bench = new Bench([bash(`git ls-remote ${site.url}/a.git`), done]);
  Bun.spawnSync(["git", "init", "-q"], { cwd: bench.workspace });
  const seat = bench.open({ allow: [`network(${site.host})`] });
  await seat.run("look");
  expect([settled(seat), site.seen, other.seen]).toEqual([["failed"], ["/a.git/info/refs"], []]);
});

test("[PO-5] where nobody can be asked, the refusal names the rule", async () => {
  await using bench = new Bench([bash("curl -s https://nowhere.invalid/a"), done]);
  const seat = bench.open();
  await seat.run("look");
  const { status, output } = seat.last("tool.settled").result;
  expect([status, output]).toEqual(["denied", expect.stringContaining("--allow 'network(nowhere.invalid)'")]);
});
