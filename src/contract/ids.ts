export type SessionId = string;
/** `t1`, `t2`… within a session. */
export type TaskId = string;
/** `r1`, `r2`… within a session. */
export type RunId = string;
export type InputId = string;
/** `runId/modelCallIndex/ordinal`. The provider's id is stored separately, because it may not be unique. */
export type CallId = `${RunId}/${number}/${number}`;

export function callId(runId: RunId, modelCallIndex: number, ordinal: number): CallId {
  return `${runId}/${modelCallIndex}/${ordinal}`;
}

export function runOfCall(id: CallId): RunId {
  return id.slice(0, id.indexOf("/"));
}

/** The form for providers: several accept only letters, digits, `_` and `-`. */
export function wireCallId(id: CallId): string {
  return id.replaceAll("/", "_");
}

const SESSION_ID = /^[0-9a-z]{4,12}-[0-9a-z]{4,12}$/;

/** Session ids become file names, so nothing else may reach a path. */
export function isSessionId(text: string): text is SessionId {
  return SESSION_ID.test(text);
}
