// Differences between Google's models, by name (its documentation, "Thinking", "Thought signatures" and "Function calling").

/** These take images inside a call's result and refuse calls without a signature. Unknown names count as new models. */
export function isGemini3(model: string): boolean {
  const isGemini = /(^|[/.])gemini-/i.test(model);
  const isOlder = /(^|[/.])gemini-(1|2)([.-]|$)|(^|[/.])gemini-(pro(-vision)?$|robotics-er-1\.5([.-]|$))/i.test(model);
  return isGemini && !isOlder;
}

/** These have no field for system text, so it precedes the first user message. */
export function isGemma(model: string): boolean {
  return /^gemma-/i.test(model);
}

/** These think; others reject a request for it. */
export function thinks(model: string): boolean {
  return /gemini-(2\.5|[3-9]|\d\d)/.test(model);
}
