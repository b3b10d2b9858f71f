/** Whether a script only prints or exits: its exit code would prove nothing. */
export function runsNothing(script: string): boolean {
  // Quoted text is printed, not run, unless the shell expands it.
  const bare = script.replace(/'[^'\n]*'|"[^"`$\n]*"/g, "''");
  const parts = bare.split(/&&|\|\||[;\n]/).map((part) => part.trim());
  return parts.every((part) => part === "" || (idle.test(part) && !/[`|<>]|\$\(/.test(part)));
}

const idle = /^[@+-]*\s*(?:(?:echo|printf|exit|true|:)(?:\s|$)|#)/;
