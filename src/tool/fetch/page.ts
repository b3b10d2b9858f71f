import type { IncomingMessage } from "node:http";
import { fail, ok, type Result } from "../../contract/error.ts";
import { hostOf, hostText, type NetworkPort } from "../../contract/network/network.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolOutput } from "../../contract/tool.ts";
import { showSize } from "../../platform/files/open.ts";
import { limitSignal } from "../../platform/limit.ts";
import { routeTo } from "../../platform/network.ts";
import { type Body, codingOf, readBody } from "./body.ts";
import { contentType, type Form, formOf, isHtml, textOf } from "./decode.ts";
import { addressesOf, get, type Resolve, resolveBySystem, type Way } from "./dial.ts";
import { proxyFor } from "./proxy.ts";

export interface FetchWish {
  readonly signal: AbortSignal;
  readonly network?: NetworkPort;
  readonly resolve?: Resolve;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly limits?: Limits;
}

interface Limits {
  readonly bytes: number;
  readonly ms: number;
}

const usual: Limits = { bytes: 5 * 1_048_576, ms: 30_000 };
const maxRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

/** Fetches one page as text. `url` contains no user name or password. */
export async function fetchPage(url: URL, wish: FetchWish): Promise<Result<ToolOutput>> {
  const { ms } = wish.limits ?? usual;
  const late = limitSignal(ms);
  const signal = AbortSignal.any([wish.signal, late.signal]);
  try {
    return await Promise.race([fetchFrom(url, { ...wish, signal }), ended(signal)]);
  } catch (error) {
    if (wish.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
    if (!late.signal.aborted) return failureOf(error, hostText(hostOf(url)));
    const text = phrase("fetch.timeout", { url: shown(url), seconds: ms / 1000 });
    return fail("E_TOOL_TIMEOUT", text, { advice: phrase("fetch.retry.advice"), sideEffect: "none" });
  } finally {
    late.stop();
  }
}

/** DNS lookups cannot be aborted, but nobody waits for one after the signal. */
function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Redirects stay on the host that was judged and the addresses that were checked. */
async function fetchFrom(first: URL, wish: FetchWish): Promise<Result<ToolOutput>> {
  const way = await wayTo(first, wish);
  if (!way.ok) return way;
  const advice = phrase("fetch.retry.advice");
  let url = withoutMark(first);
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await get(url, { ...way.value, host: hostOf(url) });
    if (!response.ok) return response;
    const { statusCode = 0, headers } = response.value;
    if (!redirects.includes(statusCode) || headers.location === undefined) return pageOf(response.value, url, wish);
    response.value.destroy();
    const next = URL.parse(headers.location, url.href);
    if (next === null || !/^https?:$/.test(next.protocol))
      return fail("E_IO", phrase("fetch.bad_redirect", { url: shown(url) }), { advice });
    if (!isSameHost(url, next)) return ok(movedTo(url, next, statusCode));
    url = withoutMark(next);
  }
  return fail("E_IO", phrase("fetch.redirects", { url: shown(first), max: maxRedirects }), { advice });
}

async function wayTo(url: URL, { network, signal, ...wish }: FetchWish): Promise<Result<Way>> {
  const host = hostOf(url);
  const proxy = proxyFor(url, host, network?.proxy ?? null, wish.env ?? process.env);
  if (!proxy.ok) return proxy;
  const resolve = wish.resolve ?? resolveBySystem;
  const isNamed = network?.isNamed(host) ?? false;
  // Behind a proxy, names outside often do not resolve locally; then the proxy alone decides.
  const asked: Resolve = proxy.value === null ? resolve : (name) => resolve(name).catch(() => []);
  const addresses = await addressesOf(host, isNamed, asked);
  if (!addresses.ok) return addresses;
  const route = await routeTo(new URL(`https://${url.host}`), network);
  if (!route.ok) return route;
  const { ca } = (route.value.tls ?? {}) as { readonly ca?: readonly string[] };
  return ok({ host, addresses: addresses.value, proxy: proxy.value, ca, signal });
}

/** The same origin, or an upgrade from http to https on the default ports. */
function isSameHost(from: URL, to: URL): boolean {
  const [one, other] = [hostOf(from), hostOf(to)];
  if (one.name !== other.name || to.username !== "" || to.password !== "") return false;
  if (from.protocol === to.protocol) return one.port === other.port;
  return from.protocol === "http:" && one.port === 80 && other.port === 443;
}

function movedTo(from: URL, to: URL, status: number): ToolOutput {
  to.username = "";
  to.password = "";
  const text = `${shown(from)} redirects (HTTP ${status}) to another host, which was not followed:\n${visible(to.href)}\nFetch that address if it is wanted.`;
  return { text, data: { url: shown(from), status, redirect: to.href } };
}

function withoutMark(url: URL): URL {
  const bare = new URL(url);
  bare.hash = "";
  return bare;
}

async function pageOf(response: IncomingMessage, url: URL, wish: FetchWish): Promise<Result<ToolOutput>> {
  const declared = contentType(response.headers["content-type"]);
  const form = formOf(declared);
  const coding = codingOf(response);
  if (form === null || coding === null) {
    response.destroy();
    if (coding === null) return badCoding(response, url);
    const length = Number(response.headers["content-length"]);
    return badType(url, declared.type, Number.isFinite(length) ? showSize(length) : "?");
  }
  const body = await readBody(response, coding, (wish.limits ?? usual).bytes);
  const text = textOf(body, declared.charset, form);
  if (typeof text !== "string") return badType(url, text.kind, showSize(body.bytes.length));
  const found: Form = form === "unsaid" ? (isHtml(text) ? "html" : "text") : form;
  return ok(await outputOf(response, url, { text, form: found, body, type: declared.type }));
}

interface Page {
  readonly text: string;
  readonly form: Form;
  readonly body: Body;
  readonly type: string;
}

async function outputOf({ statusCode = 0 }: IncomingMessage, url: URL, page: Page): Promise<ToolOutput> {
  const { bytes, isCut } = page.body;
  const { title, markdown, hidden } =
    page.form === "html"
      ? (await import("./markdown.ts")).markdownOf(page.text, url)
      : { title: "", markdown: page.text, hidden: 0 };
  const isFailed = statusCode < 200 || statusCode > 299;
  const lines = [
    shown(url),
    ...(isFailed ? [`HTTP ${statusCode}`] : []),
    ...(title === "" ? [] : [`title: ${unhidden(title)}`]),
    "",
    unhidden(markdown).trim() || "(no text: the page may need a browser)",
    ...(hidden > 0 ? ["", `(left out: ${hidden} characters that the page hides from its readers)`] : []),
    ...(isCut ? ["", `(cut: only the first ${showSize(bytes.length)} were read)`] : []),
  ];
  const data = { url: shown(url), status: statusCode, type: page.type, bytes: bytes.length, cut: isCut, hidden, title };
  return { text: lines.join("\n"), data, ...(isFailed ? { failed: true } : {}) };
}

/** Soft hyphens and the like: frequent in pages and meaningless. */
const fillers = /[\xad\u200b\u2060\ufeff]/g;

/** Escapes characters that are invisible to a reader of the page. */
function unhidden(text: string): string {
  return plain(text.replace(fillers, "").replace(/\r\n?/g, "\n"));
}

function badType(url: URL, type: string, size: string): Result<never> {
  const text = phrase("fetch.bad_type", { url: shown(url), type: visible(type), size });
  return fail("E_IO", text, { advice: phrase("fetch.bad_type.advice") });
}

function badCoding({ headers }: IncomingMessage, url: URL): Result<never> {
  const coding = visible(String(headers["content-encoding"]).slice(0, 100));
  const text = phrase("fetch.bad_coding", { host: hostText(hostOf(url)), coding });
  return fail("E_IO", text, { advice: phrase("fetch.retry.advice") });
}

/** Query parameters that are secrets in a URL although text redaction does not catch them. */
const secretNames = /^(?:sig|signature|key|code|auth|jwt|sid|session|sessionid|ticket|assertion)$/i;

function shown(url: URL): string {
  const masked = new URL(url);
  for (const [name, value] of url.searchParams) {
    if (secretNames.test(name) && value.length >= 12) masked.searchParams.set(name, "…");
  }
  return visible(masked.search === url.search ? url.href : masked.href.replaceAll("%E2%80%A6", "…"));
}

const names = /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL|DNS_\w+)$/;
const certificates = /CERT|TLS|SSL|SIGNED|VERIFY|ISSUER|EPROTO/;
const answers = /^(?:HPE_|Z_|ERR_|ECONNRESET$|EPIPE$)/;

function failureOf(error: unknown, host: string): Result<never> {
  if (!(error instanceof Error)) throw error;
  const code = visible(String((error as { code?: unknown }).code ?? error.message).slice(0, 100));
  if (names.test(code))
    return fail("E_IO", phrase("fetch.no_host", { host, code }), { advice: phrase("fetch.no_host.advice") });
  if (certificates.test(code))
    return fail("E_IO", phrase("fetch.certificate", { host, code }), { advice: phrase("fetch.certificate.advice") });
  const isAnswer = answers.test(code) || (error as { code?: unknown }).code === undefined;
  const text = phrase(isAnswer ? "fetch.broken" : "fetch.unreachable", { host, code });
  return fail("E_IO", text, { advice: phrase("fetch.retry.advice") });
}
