import { fail, ok, type Result } from "../contract/error.ts";
import { fieldsOf } from "../contract/json.ts";
import type { Network, Provider } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { fetchUnpacked, routeTo } from "../platform/network.ts";
import { boundedText } from "./local/ask-server.ts";
import { authHeaders, endpoint } from "./wire/address.ts";

/** The version for addresses without one, and the parameter for more than the first 20 or 50 models. */
const paging: Readonly<Partial<Record<Provider["protocol"], { readonly version: string; readonly size: string }>>> = {
  anthropic: { version: "v1", size: "limit" },
  google: { version: "v1beta", size: "pageSize" },
};

function addressOf({ baseUrl, protocol }: Provider): URL {
  const pages = paging[protocol];
  const url = new URL(endpoint(baseUrl, "/models", pages?.version));
  if (pages !== undefined) url.searchParams.set(pages.size, "1000");
  return url;
}

export async function listModels(
  provider: Provider,
  timeoutMs: number,
  network?: Network,
): Promise<Result<readonly string[]>> {
  if (provider.protocol === "builtin") return ok(["mechanic"]);
  const url = addressOf(provider);
  const { host } = url;
  const route = await routeTo(url, network);
  if (!route.ok) return route;
  try {
    const response = await fetchUnpacked(url, {
      ...route.value,
      headers: authHeaders(provider),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    if (!response.ok) return refused(host, provider, response.status);
    const text = await boundedText(response);
    const names = text === null ? null : namesIn(JSON.parse(text));
    return names ? ok(names) : fail("E_MODEL", phrase("models.not_a_list", { host }));
  } catch (error) {
    if (error instanceof SyntaxError) return fail("E_MODEL", phrase("models.not_a_list", { host }));
    const code = errnoOf(error) ?? (error instanceof Error ? error.name : String(error));
    return fail("E_MODEL", phrase("models.unreachable", { host, code }));
  }
}

function refused(host: string, { name }: Provider, status: number): Result<never> {
  const isKey = status === 401 || status === 403;
  return fail("E_MODEL", phrase(isKey ? "models.key_refused" : "models.bad_status", { host, status, provider: name }));
}

/** `{data: [{id}]}` or `{models: [{name}]}`. */
function namesIn(body: unknown): readonly string[] | null {
  const { data, models } = fieldsOf(body);
  const rows: unknown = Array.isArray(data) ? data : models;
  if (!Array.isArray(rows)) return null;
  return rows.flatMap((row: unknown) => {
    const { id, name } = fieldsOf(row);
    const found = id ?? name;
    return typeof found === "string" ? [found.replace(/^models\//, "")] : [];
  });
}
