// Chooses the proxy. The runtime's own handling of the variables is off: if it read NO_PROXY differently, it would resolve and dial by
// itself an address that was only checked for dialling by a proxy.
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { fail, ok, type Result } from "../../contract/error.ts";
import { addressKind } from "../../contract/network/address.ts";
import { type Host, hostText } from "../../contract/network/network.ts";
import { phrase } from "../../contract/text/catalogue.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `null` = direct. Servers on this machine are never proxied. `configured` wins over the variables. */
export function proxyFor({ protocol }: URL, host: Host, configured: string | null, env: Env): Result<URL | null> {
  const isLocal = /(?:^|\.)localhost$|^127\.|^::1$/.test(host.name);
  const scheme = protocol.slice(0, -1);
  const given = configured ?? variable(`${scheme}_proxy`, env) ?? variable("all_proxy", env);
  if (given === null || isLocal || (configured === null && isExempt(host, variable("no_proxy", env) ?? ""))) {
    return ok(null);
  }
  const url = URL.parse(given.includes("://") ? given : `http://${given}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "") return ok(url);
  const shown = url === null ? "?" : `${url.protocol}//${url.host}`;
  return fail("E_CONFIG", phrase("fetch.proxy_kind", { proxy: shown }), { advice: phrase("fetch.proxy.advice") });
}

/** Lower case wins, as in other programs. */
function variable(name: string, env: Env): string | null {
  return env[name] || env[name.toUpperCase()] || null;
}

/** An entry covers a name and all below it, with an optional port; `*` covers everything. */
function isExempt({ name, port }: Host, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const address = entry.replace(/^\[|\]$/g, "");
      if (entry === "*" || addressKind(address) !== null) return entry === "*" || address === name;
      const [, given = "", only = port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const plain = given.replace(/^\*?\./, "");
      return plain !== "" && Number(only) === port && (name === plain || name.endsWith(`.${plain}`));
    });
}

/** For the proxy alone: never send these to the host. */
export function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "" && password === "") return {};
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** People write passwords unescaped: a percent sign that starts no escape is literal. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}

export async function tunnel(proxy: URL, host: Host, signal: AbortSignal): Promise<Result<Socket>> {
  const name = host.name.includes(":") ? `[${host.name}]` : host.name;
  const authority = `${name}:${host.port}`;
  const request = (proxy.protocol === "https:" ? https : http).request({
    hostname: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, ...proxyHeaders(proxy) },
    agent: false,
    signal,
  });
  const answered = Promise.race([once(request, "connect"), once(request, "response")]);
  request.end();
  const [response, socket] = (await answered) as [http.IncomingMessage, Socket | undefined];
  if (response.statusCode === 200 && socket) return ok(socket);
  request.destroy();
  return refusedBy(proxy, host, `HTTP ${response.statusCode}`);
}

function refusedBy(proxy: URL, host: Host, code: string): Result<never> {
  const text = phrase("fetch.proxy", { proxy: proxy.host, host: hostText(host), code });
  return fail("E_IO", text, { advice: phrase("fetch.proxy.advice") });
}
