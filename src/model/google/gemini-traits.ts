// How Google's models differ, told by their names (its documentation, "Thinking", "Thought signatures" and "Function calling").

/** They take images inside the result of a call, and refuse calls without a signature. Unknown names count as new ones. */
export function isGemini3(model: string): boolean {
  const isGemini = /(^|[/.])gemini-/i.test(model);
  const isOlder = /(^|[/.])gemini-(1|2)([.-]|$)|(^|[/.])gemini-(pro(-vision)?$|robotics-er-1\.5([.-]|$))/i.test(model);
  return isGemini && !isOlder;
}

/** They have no place for system text: it stands in front of what the person says first. */
export function isGemma(model: string): boolean {
  return /^gemma-/i.test(model);
}

/** They think; others refuse to be asked for it. */
export function thinks(model: string): boolean {
  return /gemini-(2\.5|[3-9]|\d\d)/.test(model);
}
