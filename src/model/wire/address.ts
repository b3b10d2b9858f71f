import type { ModelRequest } from "../../contract/delta.ts";

/** Metadata travels in headers everywhere: servers ignore unknown headers, while several refuse unknown body fields. */
export function callHeaders({ sessionId, runId, modelCallIndex }: ModelRequest): Record<string, string> {
  return { "x-session-id": sessionId, "x-coder-call": `${runId}/${modelCallIndex}` };
}

/** Query parameters of the base URL, such as Azure's api-version, stay behind the path. */
export function endpoint(baseUrl: string, path: string, version?: string): string {
  const url = new URL(baseUrl);
  const base = url.pathname.replace(/\/+$/, "");
  // Some vendors document their address with the version of the API, others without.
  const versioned = version === undefined || /\/v\d+\w*$/.test(base) ? base : `${base}/${version}`;
  url.pathname = `${versioned}${path}`;
  return url.href;
}
