// Routes requests through the configured proxy and certificates, in addition to those of the environment variables.
import { readFileSync } from "node:fs";
import { fail, ok, type Result } from "../contract/error.ts";
import type { Network } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "./files/failure.ts";

/** Additional options for `fetch`. The runtime itself obeys HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS and SSL_CERT_FILE. */
export type Route = Pick<BunFetchRequestInit, "proxy" | "tls">;

const codings: Readonly<Record<string, string>> = {
  ...{ gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" },
};

/** `fetch` that decompresses here, because the runtime prints decompression errors to stderr. */
export async function fetchUnpacked(url: string | URL | Request, init: BunFetchRequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, decompress: false });
  const coding = codings[response.headers.get("content-encoding")?.trim().toLowerCase() ?? ""];
  if (coding === undefined || response.body === null) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  const body = response.body.pipeThrough(new DecompressionStream(coding as "gzip"));
  return new Response(body, { status, statusText, headers });
}

const certificate = /-----BEGIN CERTIFICATE-----/;

export async function routeTo(url: URL, network: Network | undefined): Promise<Result<Route>> {
  const proxy = proxyFor(url, network?.proxy ?? null);
  if (!network || network.caFile === null || url.protocol !== "https:") return ok(proxy);
  const certificates = readCertificates(network.caFile);
  if (!certificates.ok) return certificates;
  const { rootCertificates } = await import("node:tls");
  // Setting any replaces all others, including those from the variables.
  const others = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) => readable(process.env[name]));
  return ok({ ...proxy, tls: { ca: [...rootCertificates, ...others, certificates.value] } });
}

/** A server on this machine is never behind a proxy, whatever the variables say. */
function proxyFor({ hostname }: URL, proxy: string | null): Route {
  if (isLoopback(hostname)) return { proxy: false } as unknown as Route;
  return proxy === null ? {} : { proxy };
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

function readCertificates(file: string): Result<string> {
  const advice = phrase("network.ca.advice");
  try {
    const text = readFileSync(file, "utf8");
    return certificate.test(text) ? ok(text) : fail("E_CONFIG", phrase("network.ca_empty", { file }), { advice });
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return fail("E_CONFIG", phrase("network.ca_unreadable", { file, code }), { advice });
  }
}

/** `doctor` reports a missing file that a variable names; the runtime ignores it too. */
function readable(file: string | undefined): readonly string[] {
  const read = file ? readCertificates(file) : null;
  return read?.ok ? [read.value] : [];
}
