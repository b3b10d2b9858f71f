import type { ModelRequest } from "../../contract/delta.ts";
import type { Provider } from "../../contract/settings.ts";

const keyHeaders: Readonly<Record<Provider["protocol"], (key: string) => Readonly<Record<string, string>>>> = {
  "openai-chat": (key) => ({ authorization: `Bearer ${key}` }),
  "openai-responses": (key) => ({ authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  google: (key) => ({ "x-goog-api-key": key }),
  builtin: () => ({}),
};

/** The key in the protocol's header, and the provider's own headers. */
export function authHeaders({ protocol, apiKey, headers }: Provider): Readonly<Record<string, string>> {
  return { ...(apiKey === null ? {} : keyHeaders[protocol](apiKey)), ...headers };
}

/** Call metadata goes into headers: servers ignore unknown headers, while several reject unknown body fields. */
export function callHeaders({ sessionId, runId, modelCallIndex }: ModelRequest): Record<string, string> {
  return { "x-session-id": sessionId, "x-coder-call": `${runId}/${modelCallIndex}` };
}

/** Keeps query parameters of the base URL, such as Azure's api-version. */
export function endpoint(baseUrl: string, path: string, version?: string): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  // Some vendors document their base URL with the API version, others without.
  const versioned = version === undefined || /\/v\d+\w*$/.test(base) ? base : `${base}/${version}`;
  url.pathname = `${versioned}${path}`;
  return url.href;
}
