/** One conversation in one workspace. */
export type SessionId = string;
/** One user input carried to its end: `t1`, `t2`… within a session. */
export type TaskId = string;
/** One model/tool loop inside a task: `r1`, `r2`… within a session. */
export type RunId = string;
export type InputId = string;
/** `runId/modelCallIndex/ordinal`. Ours: a provider's own id is kept beside it and never trusted to be unique. */
export type CallId = `${RunId}/${number}/${number}`;

export function callId(runId: RunId, modelCallIndex: number, ordinal: number): CallId {
  return `${runId}/${modelCallIndex}/${ordinal}`;
}

/** The form sent to providers, several of which accept only letters, digits, `_` and `-`. */
export function wireCallId(id: CallId): string {
  return id.replaceAll("/", "_");
}

const SESSION_ID = /^[0-9a-z]{4,12}-[0-9a-z]{4,12}$/;

/** Session ids become file names, so anything else is refused before it reaches a path. */
export function isSessionId(text: string): text is SessionId {
  return SESSION_ID.test(text);
}
