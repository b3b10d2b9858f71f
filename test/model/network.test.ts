import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Network } from "../../src/contract/settings.ts";
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf } from "../support/model-calls.ts";

const reply = 'data: {"choices":[{"delta":{"content":"reached"},"finish_reason":"stop"}]}\n\n';
const folder = mkdtempSync(join(tmpdir(), "coder-network-"));
const file = (name: string): string => join(folder, name);
const hasOpenssl = Bun.which("openssl") !== null;

function openssl(...args: readonly string[]): void {
  const made = Bun.spawnSync(["openssl", ...args], { cwd: folder, stderr: "pipe" });
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
}

/** An authority of our own, and a certificate that it has signed for a name that only a proxy can reach. */
beforeAll(() => {
  if (!hasOpenssl) return;
  openssl(..."req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.pem".split(" "));
  openssl(..."req -newkey rsa:2048 -nodes -subj /CN=models.invalid -keyout key.pem -out request.pem".split(" "));
  writeFileSync(file("names"), "subjectAltName=DNS:models.invalid,IP:127.0.0.1");
  openssl(
    ..."x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem".split(
      " ",
    ),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Proxy extends Disposable {
  readonly url: string;
  /** First lines of the requests it got. */
  readonly asked: readonly string[];
}

/** A real proxy: CONNECT opens a tunnel, anything else is handed on; every name leads to `port` here. */
async function startProxy(port: number): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    client.once("data", (head) => {
      const [first = ""] = head.toString("latin1").split("\r\n");
      asked.push(first);
      const target = connect(port, "127.0.0.1");
      sockets.add(target);
      target.on("error", () => client.destroy());
      if (first.startsWith("CONNECT ")) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else target.write(head.toString("latin1").replace(/^(\w+) http:\/\/[^/]+/, "$1 "), "latin1");
      client.pipe(target).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function plainServer() {
  return Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(reply) });
}

function secureServer() {
  const tls = { key: Bun.file(file("key.pem")), cert: Bun.file(file("cert.pem")) };
  return Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response(reply) });
}

async function ask(url: string, network?: Partial<Network>): Promise<string> {
  const port = await openModel(choiceAt(url), { idleMs: 5_000 }, network && { proxy: null, caFile: null, ...network });
  const { text, failure } = replyOf(await deltasOf(port));
  return failure ? failure.error.text.key : text;
}

describe("network.proxy", () => {
  test("[CLI-5] a plain request goes through it", async () => {
    using server = plainServer();
    using proxy = await startProxy(Number(server.port));
    expect(await ask("http://models.invalid/v1")).toBe("model.unreachable");
    expect(await ask("http://models.invalid/v1", { proxy: proxy.url })).toBe("reached");
    expect(proxy.asked).toEqual(["POST http://models.invalid/v1/chat/completions HTTP/1.1"]);
  });

  test("[CLI-5] a server on this machine is reached directly, also where the variables name a proxy", async () => {
    using server = plainServer();
    using proxy = await startProxy(9);
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = proxy.url;
    try {
      expect(await ask(`http://127.0.0.1:${server.port}/v1`, { proxy: proxy.url })).toBe("reached");
      expect(await ask(`http://localhost:${server.port}/v1`)).toBe("reached");
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
    expect(proxy.asked).toEqual([]);
  });

  test("[CLI-5] NO_PROXY exempts from it", async () => {
    using proxy = await startProxy(9);
    const before = process.env.NO_PROXY;
    process.env.NO_PROXY = "models.invalid";
    try {
      expect(await ask("http://models.invalid/v1", { proxy: proxy.url })).toBe("model.unreachable");
    } finally {
      if (before === undefined) delete process.env.NO_PROXY;
      else process.env.NO_PROXY = before;
    }
    expect(proxy.asked).toEqual([]);
  });
});

describe.skipIf(!hasOpenssl)("network.ca_file", () => {
  test("[CLI-5] an authority of one's own is refused by name, and accepted once it is named", async () => {
    using server = secureServer();
    const url = `https://127.0.0.1:${server.port}/v1`;
    expect(await ask(url)).toBe("model.certificate");
    expect(await ask(url, { caFile: file("ca.pem") })).toBe("reached");
  });

  test("[CLI-5] through a tunnel of the proxy, with both", async () => {
    using server = secureServer();
    using proxy = await startProxy(Number(server.port));
    const url = "https://models.invalid/v1";
    expect(await ask(url, { proxy: proxy.url })).toBe("model.certificate");
    expect(await ask(url, { proxy: proxy.url, caFile: file("ca.pem") })).toBe("reached");
    expect(proxy.asked.every((line) => line === "CONNECT models.invalid:443 HTTP/1.1")).toBe(true);
  });

  test("[CLI-5] the variables that name certificates count besides", async () => {
    using server = secureServer();
    openssl(..."req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout o.key -out other.pem".split(" "));
    const before = process.env.NODE_EXTRA_CA_CERTS;
    process.env.NODE_EXTRA_CA_CERTS = file("ca.pem");
    try {
      expect(await ask(`https://127.0.0.1:${server.port}/v1`, { caFile: file("other.pem") })).toBe("reached");
    } finally {
      if (before === undefined) delete process.env.NODE_EXTRA_CA_CERTS;
      else process.env.NODE_EXTRA_CA_CERTS = before;
    }
  });

  test("[CF-2] [ER-2] a file that is not there, or holds none, is told with its name before any request", async () => {
    writeFileSync(file("empty.pem"), "hello");
    const opened = (caFile: string) => ask("https://models.invalid/v1", { caFile }).catch((error: unknown) => error);
    expect(await opened(file("none.pem"))).toMatchObject({
      info: { code: "E_CONFIG", text: { key: "network.ca_unreadable", args: { code: "ENOENT" } } },
    });
    expect(await opened(file("empty.pem"))).toMatchObject({ info: { text: { key: "network.ca_empty" } } });
  });
});
