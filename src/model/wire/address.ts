import type { ModelRequest } from "../../contract/delta.ts";

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
