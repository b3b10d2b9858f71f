// How a request gets there: proxies and certificates, with the name checked and the name proved the same.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NetworkPort } from "../../../src/contract/network/network.ts";
import { type FetchWish, fetchPage } from "../../../src/tool/fetch/page.ts";
import { told } from "../workspace.ts";

const signal = new AbortController().signal;
const named: NetworkPort = { isNamed: () => true, proxy: null, caFile: null };
const page = async (url: string, wish: Partial<FetchWish> = {}): Promise<string> =>
  told(await fetchPage(new URL(url), { signal, network: named, env: {}, limits: { bytes: 1e6, ms: 5_000 }, ...wish }));

/** A proxy that writes down what is asked of it, and connects every tunnel to one port. */
async function startProxy(port = 0, status = 200) {
  const asked: string[] = [];
  const note = ({ method, url, headers }: http.IncomingMessage): void => {
    const login = headers["proxy-authorization"];
    asked.push(`${method} ${url} ${headers.host}${login ? ` ${login}` : ""}`);
  };
  const server = http.createServer((request, response) => {
    note(request);
    response.setHeader("content-type", "text/plain").end("by proxy");
  });
  server.on("connect", (request, socket) => {
    note(request);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const far = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      far.pipe(socket).pipe(far);
    });
    for (const one of [far, socket]) one.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, asked, [Symbol.asyncDispose]: close };
}

describe("a proxy", () => {
  const public_ = async () => ["93.184.216.34"];

  test("[CLI-5] of the variables is asked with the name, and NO_PROXY exempts a name with all below it", async () => {
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: "other.example, .exempt.invalid ,x:99" };
    const wish = { env, resolve: public_ };
    expect(await page("http://site.example/a?b#c", wish)).toBe("http://site.example/a?b\n\nby proxy");
    expect(await page("http://x.example:99/", { ...wish, env: { http_proxy: proxy.url } })).toEndWith("by proxy");
    expect(proxy.asked).toEqual(["GET http://site.example/a?b site.example", "GET http://x.example:99/ x.example:99"]);
    const unknown = async () => {
      throw Object.assign(new Error("none"), { code: "ENOTFOUND" });
    };
    for (const name of ["exempt.invalid", "a.exempt.invalid"]) {
      expect(await page(`http://${name}/`, { env, resolve: unknown })).toStartWith(`E_IO: unknown host ${name}`);
    }
    expect(proxy.asked.length).toBe(2);
  });

  test("[CLI-5] of the configuration comes before the variables; a server on this machine is behind none", async () => {
    await using proxy = await startProxy();
    const network = { ...named, proxy: proxy.url };
    const env = { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "*" };
    expect(await page("http://site.example/", { network, env, resolve: public_ })).toEndWith("by proxy");
    using site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("straight") });
    expect(await page(`http://127.0.0.1:${site.port}/`, { network })).toEndWith("straight");
    expect(proxy.asked).toEqual(["GET http://site.example/ site.example"]);
  });

  test("[SA-secrets] gets its own login, and nobody else does", async () => {
    await using proxy = await startProxy(0, 407);
    const env = { ALL_PROXY: proxy.url.replace("//", "//us%65r:pass@") };
    await page("http://site.example/", { env, resolve: public_ });
    const login = `Basic ${Buffer.from("user:pass").toString("base64")}`;
    const said = await page("https://site.example/", { env, resolve: public_ });
    expect(proxy.asked).toEqual([
      `GET http://site.example/ site.example ${login}`,
      `CONNECT site.example:443 site.example:443 ${login}`,
    ]);
    expect(said).toBe(
      `E_IO: the proxy ${new URL(proxy.url).host} did not connect to site.example: HTTP 407\nAsk the user to check network.proxy, HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`,
    );
  });

  test("[SA-local-server] does not lead around the check: addresses and names nearby are refused before it is asked", async () => {
    await using proxy = await startProxy();
    const wish = { env: { HTTP_PROXY: proxy.url }, network: { ...named, isNamed: () => false } };
    const inside = async () => ["10.0.0.7"];
    for (const host of ["10.0.0.7", "169.254.169.254", "intranet", "wiki.corp", "inside.example"]) {
      expect(await page(`http://${host}/`, { ...wish, resolve: inside })).toStartWith("E_POLICY_DENIED");
    }
    expect(proxy.asked).toEqual([]);
  });

  test("is asked for names that only it can resolve", async () => {
    await using proxy = await startProxy();
    const resolve = async () => {
      throw Object.assign(new Error("none"), { code: "EAI_AGAIN" });
    };
    expect(await page("http://site.example/", { env: { HTTP_PROXY: proxy.url }, resolve })).toEndWith("by proxy");
  });

  test("[CLI-5] gets a percent sign in its login that begins no escape as it is written", async () => {
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: proxy.url.replace("//", "//us%er:p%40%C3%A9%zz@") };
    expect(await page("http://site.example/", { env, resolve: public_ })).toEndWith("by proxy");
    expect(proxy.asked).toEqual([
      `GET http://site.example/ site.example Basic ${Buffer.from("us%er:p@é%zz").toString("base64")}`,
    ]);
  });

  test("of another kind is refused by name, without its password", async () => {
    const said = await page("http://site.example/", { env: { ALL_PROXY: "socks5://u:hush@127.0.0.1:1080" } });
    expect(said.split("\n")[0]).toBe("E_CONFIG: the proxy socks5://127.0.0.1:1080 does not support http and https");
  });
});

// Nothing else here can make a certificate.
describe.skipIf(Bun.which("openssl") === null)("a certificate", () => {
  let folder = "";
  let site: Bun.Server<undefined>;
  let caFile = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coder-fetch-"));
    caFile = join(folder, "cert.pem");
    const key = join(folder, "key.pem");
    const made = Bun.spawnSync([
      ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=site.test"],
      ...["-addext", "subjectAltName=DNS:site.test", "-keyout", key, "-out", caFile],
    ]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    const tls = { key: Bun.file(key), cert: Bun.file(caFile) };
    const answer = (request: Request) => new Response(`secret for ${request.headers.get("host")}`);
    site = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: answer });
  });
  afterAll(async () => {
    await site.stop(true);
    rmSync(folder, { recursive: true });
  });

  const resolve = async () => ["127.0.0.1"];
  const trusting = (): NetworkPort => ({ ...named, caFile });

  test("[SA-local-server] is that of the name, though the checked address is dialled", async () => {
    const url = `https://site.test:${site.port}/`;
    expect(await page(url, { network: trusting(), resolve })).toBe(`${url}\n\nsecret for site.test:${site.port}`);
  });

  test("[SA-local-server] of another name, or of nobody we know, is refused, whatever a variable says", async () => {
    const said = await page(`https://other.test:${site.port}/`, { network: trusting(), resolve });
    expect(said).toStartWith(
      `E_IO: the certificate of other.test:${site.port} is not trusted: ERR_TLS_CERT_ALTNAME_INVALID`,
    );
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      expect(await page(`https://site.test:${site.port}/`, { resolve })).toStartWith(
        `E_IO: the certificate of site.test:${site.port} is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT`,
      );
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  test("is checked through a proxy too, for the name that was asked for", async () => {
    await using proxy = await startProxy(site.port);
    const wish = { network: trusting(), env: { HTTPS_PROXY: proxy.url }, resolve };
    expect(await page("https://site.test/x", wish)).toBe("https://site.test/x\n\nsecret for site.test");
    expect(await page("https://other.test/", wish)).toContain("is not trusted: ERR_TLS_CERT_ALTNAME_INVALID");
    expect(proxy.asked).toEqual(["CONNECT site.test:443 site.test:443", "CONNECT other.test:443 other.test:443"]);
  });

  test("[CLI-5] of one's own authority is believed through NODE_EXTRA_CA_CERTS", async () => {
    const module = JSON.stringify(Bun.fileURLToPath(import.meta.resolve("../../../src/tool/fetch/page.ts")));
    const program = join(folder, "ask.ts");
    writeFileSync(
      program,
      `import { fetchPage } from ${module};
const network = { isNamed: () => true, proxy: null, caFile: null };
const wish = { signal: new AbortController().signal, network, env: {}, resolve: async () => ["127.0.0.1"] };
const result = await fetchPage(new URL(process.argv[2]), wish);
console.log(result.ok ? result.value.text : result.error.text.key);`,
    );
    const child = Bun.spawn([process.execPath, program, `https://site.test:${site.port}/`], {
      env: { PATH: process.env.PATH ?? "", NODE_EXTRA_CA_CERTS: caFile },
      stdout: "pipe",
    });
    expect(await child.stdout.text()).toContain(`secret for site.test:${site.port}`);
  }, 120_000);
});
