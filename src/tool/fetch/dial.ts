// Prevents DNS rebinding: a name is resolved once, every address is checked, and the connection uses only those addresses.
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { isIPv6, type LookupFunction, type Socket } from "node:net";
import tls from "node:tls";
import { fail, ok, type Result } from "../../contract/error.ts";
import { addressKind } from "../../contract/network/address.ts";
import { type Host, hostKind, hostText } from "../../contract/network/network.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { proxyHeaders, tunnel } from "./proxy.ts";

/** Throws the resolver's error. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};

/** The addresses of a host, all of which may be dialled. `isNamed`: a rule of the user's names the host. */
export async function addressesOf(host: Host, isNamed: boolean, resolve: Resolve): Promise<Result<readonly string[]>> {
  const isAddress = addressKind(host.name) !== null;
  // Do not even send the name to a resolver.
  if (!isAddress && hostKind(host) !== "public" && !isNamed) return refused(host, host.name, "private");
  const addresses = isAddress ? [host.name] : await resolve(host.name);
  for (const address of addresses) {
    const kind = addressKind(address) ?? "special";
    // A rule that names a host says nothing about cloud metadata addresses, which serve the machine's keys.
    const isAllowed = kind === "public" || (isNamed && (kind === "private" || isAddress));
    if (!isAllowed) return refused(host, address, kind);
  }
  return ok(addresses);
}

function refused(host: Host, address: string, kind: "private" | "special"): Result<never> {
  const shown = hostText(host);
  const text = phrase(kind === "private" ? "fetch.private" : "fetch.special", { host: shown, address });
  const isByName = kind === "special" && host.name !== address;
  const advice = isByName
    ? phrase("fetch.special.advice")
    : phrase("fetch.private.advice", { rule: `fetch(${shown})` });
  return fail("E_POLICY_DENIED", text, { advice });
}

export interface Way {
  readonly host: Host;
  /** Checked; unused if a proxy dials. */
  readonly addresses: readonly string[];
  readonly proxy: URL | null;
  readonly ca: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** No cookies, no referrer, nothing about the user. */
const headers = {
  Accept: "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5",
  "Accept-Encoding": "gzip, br",
  "User-Agent": "coder",
};

/** Sends one GET and leaves the body unread. Throws connection errors. */
export async function get(url: URL, way: Way): Promise<Result<http.IncomingMessage>> {
  const made = way.proxy === null ? ok(straight(url, way)) : await through(way.proxy, url, way);
  if (!made.ok) return made;
  const request = made.value;
  // An upgrade would switch to another protocol.
  const answered = Promise.race([once(request, "response"), once(request, "upgrade")]);
  // After the response, errors surface on it instead.
  request.on("error", () => {});
  request.end();
  const [response, upgraded] = (await answered) as [http.IncomingMessage, Socket | undefined];
  if (upgraded === undefined) return ok(response);
  upgraded.destroy();
  throw new Error(`HTTP ${response.statusCode}`);
}

function straight(url: URL, { host, addresses, ca, signal }: Way): http.ClientRequest {
  const to = { hostname: host.name, port: host.port, path: `${url.pathname}${url.search}`, signal };
  const options = { ...to, agent: false, lookup: pinned(addresses), headers: { Host: url.host, ...headers } };
  return url.protocol === "https:" ? https.request({ ...options, ...trust(host, ca) }) : http.request(options);
}

async function through(proxy: URL, url: URL, { host, ca, signal }: Way): Promise<Result<http.ClientRequest>> {
  const path = `${url.pathname}${url.search}`;
  if (url.protocol === "https:") {
    const socket = await tunnel(proxy, host, signal);
    if (!socket.ok) return socket;
    const createConnection = () => tls.connect({ socket: socket.value, ...trust(host, ca) });
    return ok(http.request({ path, signal, createConnection, headers: { Host: url.host, ...headers } }));
  }
  const to = { hostname: proxy.hostname.replace(/^\[|\]$/g, ""), port: proxy.port || undefined, agent: false, signal };
  const sent = { Host: url.host, ...headers, ...proxyHeaders(proxy) };
  const options = { ...to, path: `http://${url.host}${path}`, headers: sent };
  return ok(proxy.protocol === "https:" ? https.request(options) : http.request(options));
}

/** The certificate must match the name, whatever address was dialled and whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
function trust({ name }: Host, ca: readonly string[] | undefined): tls.ConnectionOptions {
  const servername = addressKind(name) === null ? { servername: name } : {};
  return { ...servername, host: name, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) };
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, done) => {
    const [first] = all;
    if (first === undefined) done(new Error("no address"), "", 4);
    else if (options.all) done(null, all);
    else done(null, first.address, first.family);
  };
}
