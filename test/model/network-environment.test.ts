import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRawServer } from "../support/raw-server.ts";

const reply = 'data: {"choices":[{"delta":{"content":"reached"},"finish_reason":"stop"}]}\n\n';

/** A process of its own: these variables are read when it starts. */
async function ask(url: string, env: Record<string, string>): Promise<unknown> {
  const program = Bun.fileURLToPath(import.meta.resolve("../support/ask-model.ts"));
  const child = Bun.spawn([process.execPath, program, url], {
    env: { PATH: process.env.PATH, ...env },
    stdout: "pipe",
  });
  return JSON.parse(await child.stdout.text());
}

test("[CLI-5] HTTP_PROXY is honoured, and NO_PROXY exempts from it", async () => {
  await using proxy = await startRawServer((socket) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${reply}`);
  });
  const env = { HTTP_PROXY: new URL(proxy.url).origin };
  expect(await ask("http://nowhere.invalid/v1", env)).toEqual({ text: "reached", failure: null, fault: null });
  expect(await ask("http://nowhere.invalid/v1", { ...env, NO_PROXY: "nowhere.invalid" })).toEqual({
    text: "",
    failure: "model.unreachable",
    fault: "connection",
  });
});

// Nothing else here can make a certificate.
test.skipIf(Bun.which("openssl") === null)(
  "[CLI-5] a private CA is refused by name, and accepted through NODE_EXTRA_CA_CERTS",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ca-"));
    try {
      const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
      const made = Bun.spawnSync([
        ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
        ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
      ]);
      expect(made.exitCode).toBe(0);
      const tls = { key: Bun.file(key), cert: Bun.file(cert) };
      using server = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response(reply) });
      const url = `https://127.0.0.1:${server.port}/v1`;
      expect(await ask(url, {})).toEqual({ text: "", failure: "model.certificate", fault: "bad_request" });
      expect(await ask(url, { NODE_EXTRA_CA_CERTS: cert })).toEqual({ text: "reached", failure: null, fault: null });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  120_000,
);
